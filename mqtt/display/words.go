package display

import (
	"net/http"
	"slices"
	"strings"
)

// words are everything pages say, in English and in Portuguese as rule sheets of Portuguese houses write it. Pages get the ones of their language
// by name. A name with a dot is a word of the contract in its class: phase.bets, due.card, state.bust.
var words = map[string][2]string{
	"title":            {"Tables", "Mesas"},
	"table":            {"Table", "Mesa"},
	"tables":           {"Tables", "Mesas"},
	"no-tables":        {"No table has been heard of yet. This page looks again by itself.", "Ainda não se ouviu nenhuma mesa. Esta página volta a procurar sozinha."},
	"overlay":          {"Overlay", "Grafismo"},
	"dealer-to":        {"Dealer’s screen", "Ecrã do croupier"},
	"floor":            {"Floor", "Sala"},
	"waiting":          {"Waiting for the table", "À espera da mesa"},
	"stale":            {"No connection — this picture is old", "Sem ligação — esta imagem é antiga"},
	"stale-word":       {"Old picture", "Imagem antiga"},
	"stopped":          {"Table stopped", "Mesa parada"},
	"paused":           {"Short pause", "Pausa"},
	"call-floor":       {"Wait for the supervisor", "Aguarde o supervisor"},
	"round":            {"Round", "Ronda"},
	"shoe":             {"Shoe", "Sabot"},
	"cards-left":       {"cards left", "cartas por sair"},
	"cards":            {"cards", "cartas"},
	"last-round":       {"Last round of this shoe", "Última ronda deste sabot"},
	"shoe-empty":       {"The shoe is empty", "O sabot está vazio"},
	"seat":             {"Seat", "Lugar"},
	"seats":            {"Seats", "Lugares"},
	"hand":             {"Hand", "Mão"},
	"dealer":           {"Dealer", "Croupier"},
	"player":           {"Player", "Jogador"},
	"banker":           {"Banker", "Banca"},
	"tie":              {"Tie", "Empate"},
	"to-act":           {"to act", "decide"},
	"soft":             {"soft", "suave"},
	"natural":          {"Natural", "Natural"},
	"insured":          {"Insured", "Com seguro"},
	"even-money":       {"Even money", "Dinheiro igual"},
	"doubled":          {"Doubled", "Dobrada"},
	"last":             {"Last numbers", "Últimos números"},
	"hot":              {"Hot", "Quentes"},
	"cold":             {"Cold", "Frios"},
	"spinning":         {"The ball is spinning", "A bola está a girar"},
	"no-bets":          {"No more bets", "Nada mais vai"},
	"winning":          {"Winning number", "Número vencedor"},
	"key":              {"Key, 1 s", "Chave, 1 s"},
	"dealer-blackjack": {"The dealer has blackjack", "Blackjack do croupier"},
	"peek":             {"Hole card", "Carta tapada"},
	"win.player":       {"Player wins", "Ganha o Jogador"},
	"win.banker":       {"Banker wins", "Ganha a Banca"},
	"win.tie":          {"Tie", "Empate"},
	"bead":             {"Bead plate", "Placa de contas"},
	"big":              {"Big road", "Estrada grande"},
	"eye":              {"Big eye boy", "Olho grande"},
	"small":            {"Small road", "Estrada pequena"},
	"pig":              {"Cockroach pig", "Estrada da barata"},
	"plays":            {"Playing", "Jogam"},
	"next":             {"Next", "A seguir"},
	"void":             {"Round void — bets go back", "Ronda anulada — as apostas são devolvidas"},

	"game.blackjack": {"Blackjack", "Blackjack"}, "game.baccarat": {"Baccarat", "Baccarat"}, "game.roulette": {"Roulette", "Roleta"},
	"device.shoe": {"Shoe", "Sabot"}, "device.wheel": {"Wheel", "Roleta"}, "device.box": {"Buttons", "Botões"},

	"colour.red": {"red", "vermelho"}, "colour.black": {"black", "preto"}, "colour.green": {"green", "verde"},

	"suit.c": {"clubs", "paus"}, "suit.d": {"diamonds", "ouros"}, "suit.h": {"hearts", "copas"}, "suit.s": {"spades", "espadas"},
	"card.back": {"face-down card", "carta tapada"}, "card.??": {"unread card", "carta por ler"},

	"phase.closed": {"The table is closed", "A mesa está fechada"}, "phase.shoe-change": {"Shuffle", "A baralhar"}, "phase.burn": {"Burning cards", "A queimar cartas"},
	"phase.bets": {"Place your bets", "Façam as vossas apostas"}, "phase.deal": {"No more bets", "Nada mais vai"}, "phase.insurance": {"Insurance?", "Seguro?"},
	"phase.peek": {"The dealer looks at the hole card", "O croupier verifica a carta tapada"}, "phase.decisions": {"Decisions", "Decisões"},
	"phase.dealer": {"The dealer draws", "Joga o croupier"}, "phase.result": {"Results", "Resultados"}, "phase.spin": {"No more bets", "Nada mais vai"},

	"due.card": {"Deal a card", "Dê uma carta"}, "due.decision": {"Waiting for a decision", "Espera a decisão"}, "due.insurance": {"Ask for insurance", "Pergunte pelo seguro"},
	"due.peek": {"Look at the hole card", "Verifique a carta tapada"}, "due.reveal": {"Turn the hole card", "Vire a carta tapada"}, "due.open": {"Open the next round", "Abra a próxima ronda"},
	"due.close": {"Taking bets", "Apostas abertas"}, "due.burn": {"Burn cards", "Queimar cartas"}, "due.shoe": {"New shoe", "Novo sabot"}, "due.reread": {"Pass the card again", "Passe a carta outra vez"},
	"due.ball": {"Spin the ball", "Lance a bola"}, "due.result": {"Waiting for the result", "Espera o resultado"}, "due.nothing": {"Nothing is due", "Nada a fazer"},

	"may.hit": {"Hit", "Pedir"}, "may.stand": {"Stand", "Ficar"}, "may.double": {"Double", "Dobrar"}, "may.split": {"Split", "Dividir"}, "may.surrender": {"Surrender", "Render-se"},
	"may.insure": {"Insurance", "Seguro"}, "may.even-money": {"Even money", "Dinheiro igual"}, "may.decline": {"No insurance", "Sem seguro"},

	"state.playing": {"", ""}, "state.stood": {"Stands", "Fica"}, "state.21": {"21", "21"}, "state.blackjack": {"Blackjack", "Blackjack"}, "state.bust": {"Bust", "Rebentou"},
	"state.doubled": {"Doubled", "Dobrou"}, "state.split_ace": {"Split aces", "Ases divididos"}, "state.surrendered": {"Surrendered", "Rendeu-se"}, "state.even_money": {"Even money", "Dinheiro igual"},
	"state.unplayed": {"", ""}, "state.natural": {"Natural", "Natural"},

	"result.blackjack": {"Blackjack", "Blackjack"}, "result.win": {"Wins", "Ganha"}, "result.push": {"Push", "Empate"}, "result.lose": {"Loses", "Perde"}, "result.bust": {"Bust", "Rebentou"},
	"result.surrender": {"Surrendered", "Rendeu-se"}, "result.even_money": {"Even money", "Dinheiro igual"},

	"pair.none": {"No pair", "Sem par"}, "pair.mixed": {"Mixed pair", "Par misturado"}, "pair.coloured": {"Coloured pair", "Par da mesma cor"}, "pair.perfect": {"Perfect pair", "Par perfeito"}, "pair.suited_trips": {"Suited trips", "Trinca do mesmo naipe"},

	"login":        {"Log in", "Entrar"},
	"logout":       {"Log out", "Sair"},
	"name":         {"Name", "Nome"},
	"password":     {"Password", "Palavra-passe"},
	"login-wrong":  {"Name or password is wrong.", "O nome ou a palavra-passe está errada."},
	"login-slow":   {"Too many attempts. Wait a minute.", "Demasiadas tentativas. Espere um minuto."},
	"since-card":   {"since the last card", "desde a última carta"},
	"stops":        {"To clear", "Por resolver"},
	"no-stops":     {"Nothing waits for you", "Nada espera por si"},
	"later":        {"after the round", "depois da ronda"},
	"timeline":     {"This round", "Esta ronda"},
	"orders":       {"Orders", "Ordens"},
	"because":      {"Reason", "Motivo"},
	"hand-must":    {"Choose the hand first.", "Escolha primeiro a mão."},
	"because-must": {"Write a reason first.", "Escreva primeiro o motivo."},
	"done":         {"Done", "Feito"},
	"refused":      {"Refused", "Recusado"},
	"no-answer":    {"The table does not answer. Nothing may have happened: look before you try again.", "A mesa não responde. Pode não ter acontecido nada: veja antes de repetir."},
	"devices":      {"Devices", "Aparelhos"},
	"dev.ok":       {"in order", "em ordem"},
	"dev.lost":     {"lost", "perdido"},
	"dev.busy":     {"held by another program", "ocupado por outro programa"},
	"dev.denied":   {"may not be opened", "sem autorização"},
	"dev.silent":   {"says nothing", "não responde"},
	"back":         {"All tables", "Todas as mesas"},
	"card":         {"Card", "Carta"},
	"which":        {"Event", "Evento"},
	"number":       {"Number", "Número"},
	"confirm-felt": {"After the restart: compare each hand with the felt before you release.", "Depois do reinício: compare cada mão com a mesa antes de libertar."},
	"picture":      {"The felt", "A mesa"},
	"rounds":       {"Rounds", "Rondas"},
	"step-back":    {"Back", "Recuar"},
	"step-on":      {"Forward", "Avançar"},
	"record":       {"Record", "Registo"},
	"default":      {"usual", "habitual"},
	"state":        {"State", "Estado"},
	"running":      {"Running", "Em jogo"},
	"by":           {"by", "por"},

	"remedy.use": {"Use it as the card due", "Usar como a carta devida"}, "remedy.burn": {"Burn it", "Queimar"}, "remedy.carry": {"Carry it to the next round", "Passar à próxima ronda"},
	"remedy.assign": {"Give it to a hand", "Dar a uma mão"}, "remedy.reread": {"Read it again", "Ler outra vez"}, "remedy.reveal": {"Turn the hole card", "Virar a carta tapada"},
	"remedy.device": {"Looked at — go on", "Verificado — continuar"},

	"do.pause": {"Pause", "Pausa"}, "do.resume": {"End the pause", "Retomar"}, "do.void": {"Void the round", "Anular a ronda"}, "do.correct": {"Correct a card", "Corrigir uma carta"},
	"do.undo": {"Undo an event", "Desfazer um evento"}, "do.draw": {"Enter a card by hand", "Introduzir uma carta à mão"}, "do.result": {"Enter the number by hand", "Introduzir o número à mão"},
	"do.retire": {"Retire the shoe", "Retirar o sabot"}, "do.exposed": {"All saw the card", "Carta vista por todos"},

	"call.card": {"card", "carta"}, "call.open": {"bets open", "apostas abertas"}, "call.closed": {"no more bets", "nada mais vai"}, "call.due": {"due", "a seguir"},
	"call.decision": {"decision", "decisão"}, "call.split": {"split", "divide"}, "call.insurance": {"insurance", "seguro"}, "call.peek": {"peek", "verificação"},
	"call.reveal": {"hole card turned", "carta tapada virada"}, "call.pair": {"pair bet", "aposta par"}, "call.result": {"result", "resultado"}, "call.cut": {"cut card", "carta de corte"},
	"call.last-round": {"last round", "última ronda"}, "call.spin": {"ball spun", "bola lançada"}, "call.number": {"number", "número"}, "call.no-spin": {"no spin", "lançamento nulo"},
	"call.stopped": {"table stopped", "mesa parada"}, "call.released": {"released", "libertado"}, "call.paused": {"pause", "pausa"}, "call.resumed": {"goes on", "retomado"},
	"call.corrected": {"corrected", "corrigido"}, "call.void": {"void", "anulada"}, "call.end": {"round over", "fim da ronda"}, "call.irregularity": {"irregularity", "irregularidade"},
	"call.shoe": {"shoe", "sabot"}, "call.burn": {"burnt", "queimada"}, "call.exposed": {"card seen by all", "carta vista por todos"},
}

// codes are what stops a table and what refuses an order, as the floor reads it.
var codes = map[string][2]string{
	"EXTRA_CARD": {"A card came while none was due", "Saiu uma carta sem que fosse devida"}, "CARD_HELD": {"A card came while the table was stopped", "Saiu uma carta com a mesa parada"},
	"CARD_MOVED": {"After a correction a card lies elsewhere", "Depois da correção uma carta está noutro sítio"}, "CARD_AFTER_END": {"A card came after the round", "Saiu uma carta depois da ronda"},
	"BURN_COUNT": {"One card burnt too few or too many", "Queimou-se uma carta a menos ou a mais"}, "MISREAD": {"A card could not be read", "Não se leu uma carta"},
	"STOP": {"The dealer calls", "O croupier chama"}, "DEALER_CARD_DUE": {"The dealer’s card is due", "Falta a carta do croupier"}, "SEQUENCE_CONFLICT": {"A device used a number twice", "Um aparelho repetiu um número"},
	"INTERNAL_FAULT": {"The program set an event aside", "O programa pôs um evento de parte"}, "RECORD_DOUBT": {"The felt does not follow from the record", "A mesa não corresponde ao registo"},
	"RESTART_LOOP": {"The program restarted again and again", "O programa reiniciou vezes sem conta"}, "SAME_CARD": {"The same card left the shoe twice", "A mesma carta saiu duas vezes"},
	"FOREIGN_CARD": {"A card is none of this shoe’s", "Uma carta não é deste sabot"}, "OVERDRAW": {"A card too many was drawn", "Tirou-se uma carta a mais"}, "PUSHED_BACK": {"A card was pushed back", "Uma carta voltou para dentro"},
	"LOCK_OPENED": {"The shoe was opened", "O sabot foi aberto"}, "DEVICE_LOST": {"A device does not answer", "Um aparelho não responde"}, "DEVICE_FAULT": {"A device reports a fault", "Um aparelho avisa de uma avaria"},
	"DEVICE_RESTART": {"A device started afresh", "Um aparelho reiniciou"}, "SEQUENCE_GAP": {"Reports of a device were lost", "Perderam-se avisos de um aparelho"}, "RESTART": {"The program started afresh", "O programa reiniciou"},
	"BAC_NATURAL": {"A natural had ended the coup", "Um natural já tinha terminado o golpe"}, "BAC_BOTH_STAND": {"Both hands stand", "As duas mãos ficam"}, "BAC_BANKER_STANDS": {"The Banker stands", "A Banca fica"},
	"BAC_COMPLETE": {"The coup was complete", "O golpe estava completo"}, "BAC_WRONG_HAND": {"The card belongs to the other hand", "A carta é da outra mão"}, "CLAIM_DIFFERS": {"The shoe says otherwise", "O sabot diz outra coisa"},
	"NUMBER_INVALID": {"No such number on the wheel", "Esse número não existe na roleta"}, "RESULT_WITHOUT_SPIN": {"A number without a spin", "Número sem lançamento"}, "RESULT_EARLY": {"A number while bets were open", "Número com as apostas abertas"},
	"BALL_EARLY": {"The ball was spun too early", "Bola lançada cedo demais"}, "NO_SPIN_AGAIN": {"Spun in vain twice", "Dois lançamentos nulos"}, "RESULT_DIFFERS": {"The shoe’s own result differs", "O resultado do sabot é outro"},
	"RESULT_PROPOSED": {"A number lies there that nobody saw fall", "Há um número que ninguém viu cair"}, "CARD_COPIES": {"Too many copies of a card", "Demasiadas cartas iguais"}, "COUNT_WRONG": {"The count is wrong", "A contagem está errada"},
	"CUT_EARLY": {"The cut card came too early", "A carta de corte saiu cedo demais"}, "CUT_UNSEEN": {"The cut card never came", "A carta de corte não saiu"}, "SHOE_EXHAUSTED": {"The shoe is empty", "O sabot está vazio"},
	"NEW_DECK_ORDER": {"The cards were not shuffled", "As cartas não foram baralhadas"}, "LAST_SHOE_ORDER": {"The last shoe’s order again", "A ordem do sabot anterior"}, "SLOW_DRAW": {"A card took long", "Uma carta demorou"},
	"BURN_UNREAD": {"A burnt card was not read", "Não se leu uma carta queimada"}, "CLOCK_STEP": {"The clock was set", "O relógio foi acertado"}, "REFUSED": {"An order was refused", "Uma ordem foi recusada"},
	"TIMED_OUT": {"The time ran out", "O tempo acabou"}, "STALE": {"The table has moved on: look again", "A mesa avançou: veja outra vez"}, "NOT_OLDEST": {"An older one comes first", "Há uma mais antiga primeiro"},
	"REMEDY_REFUSED": {"This remedy does not fit", "Esta solução não serve"}, "NO_SUCH_HOLD": {"It no longer waits", "Já não está à espera"}, "NOT_HELD": {"Only while the table is stopped", "Só com a mesa parada"},
	"OUT_OF_REACH": {"Too late to correct", "Tarde demais para corrigir"}, "NO_ROUND": {"No such round is running", "Essa ronda não está em jogo"}, "CARD_INVALID": {"There is no such card", "Essa carta não existe"},
	"RATE": {"Too many orders at once", "Demasiadas ordens"}, "PAUSED": {"The table is paused", "A mesa está em pausa"}, "NOT_PAUSED": {"The table is not paused", "A mesa não está em pausa"}, "HELD": {"The table is stopped", "A mesa está parada"},
	"NO_SUCH_HAND": {"There is no such hand", "Essa mão não existe"}, "CARD_DUE": {"A card is due first", "Falta primeiro uma carta"}, "NOT_OFFERED": {"This table does not know it", "Esta mesa não conhece isso"},
	"MALFORMED": {"It cannot be read", "Não se entende"}, "CARD_RESENT": {"The shoe named a card again", "O sabot repetiu uma carta"}, "SPIN_UNDUE": {"Spun while no round waited", "Lançamento sem ronda à espera"},
}

// languages are what words hold, in their order.
var languages = []string{"en", "pt"}

// languageOf is the language a page is asked for in: by its address, or else by what the browser prefers.
func languageOf(r *http.Request) string {
	switch asked := r.URL.Query().Get("lang"); asked {
	case "en", "pt":
		return asked
	}
	if accept := r.Header.Get("Accept-Language"); len(accept) >= 2 && accept[:2] == "pt" {
		return "pt"
	}
	return "en"
}

// Word is a word of the pages in a language, en or pt, a code's under code.X; "" where there is none.
func Word(language, name string) string {
	n := max(slices.Index(languages, language), 0)
	if code, is := strings.CutPrefix(name, "code."); is {
		return codes[code][n]
	}
	return words[name][n]
}

// wordsIn are all words of a language, the codes' among them as code.X.
func wordsIn(language string) map[string]string {
	n := 0
	if language == languages[1] {
		n = 1
	}
	list := make(map[string]string, len(words)+len(codes))
	for name, w := range words {
		list[name] = w[n]
	}
	for name, w := range codes {
		list["code."+name] = w[n]
	}
	return list
}
