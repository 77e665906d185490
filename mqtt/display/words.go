package display

import (
	"net/http"
	"slices"
	"strings"

	"sabot/mqtt"
	"sabot/table"
)

// words are everything pages say, in English and in Portuguese as rule sheets of Portuguese houses write it. Pages get the ones of their language
// by name. A name with a dot is a word of the contract in its class: phase.bets, due.card, state.bust.
var words = map[string][2]string{
	"title":            {"Tables", "Mesas"},
	"no-page":          {"There is no such page.", "Esta página não existe."},
	"key-wrong":        {"This is not the dealers’ key.", "Esta não é a chave dos croupiers."},
	"login-first":      {"Log in first.", "Entre primeiro."},
	"foreign":          {"This does not come from a page of ours.", "Isto não vem de uma página nossa."},
	"pages-many":       {"Too many pages are open.", "Há demasiadas páginas abertas."},
	"local-only":       {"This record is shown on its own machine, to its own pages only.", "Este registo só se mostra na sua própria máquina, às suas próprias páginas."},
	"record-unread":    {"This cannot be read in the record", "Isto não se consegue ler no registo"},
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
	"insurance-won":    {"Insurance 2:1", "Seguro 2:1"},
	"insurance-lost":   {"Insurance loses", "Seguro perde"},
	"pair":             {"Pair", "Par"},
	"pairs-lost":       {"Other Pair bets lose", "As outras apostas Par perdem"},
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
	"ended":        {"which has ended", "que já acabou"},
	"timeline":     {"This round", "Esta ronda"},
	"orders":       {"Orders", "Ordens"},
	"because":      {"Reason", "Motivo"},
	"hand-must":    {"Choose the hand first.", "Escolha primeiro a mão."},
	"because-must": {"Write a reason first.", "Escreva primeiro o motivo."},
	"because-long": {"A reason has at most 200 letters.", "Um motivo tem no máximo 200 letras."},
	"done":         {"Done", "Feito"},
	"refused":      {"Refused", "Recusado"},
	"no-answer":    {"The table does not answer. Nothing may have happened: look before you try again.", "A mesa não responde. Pode não ter acontecido nada: veja antes de repetir."},
	"devices":      {"Devices", "Aparelhos"},
	"dev.ok":       {"in order", "em ordem"},
	"dev.lost":     {"lost", "perdido"},
	"dev.busy":     {"held by another program", "ocupado por outro programa"},
	"dev.denied":   {"may not be opened", "sem autorização"},
	"dev.silent":   {"says nothing", "não responde"},
	"dev.over":     {"over now", "já passou"},

	"dev.jam": {"jammed", "encravado"}, "dev.unreadable": {"nothing that it says is understood", "não se entende nada do que diz"}, "dev.decoder": {"what it said could not be taken in", "não se conseguiu ler o que disse"},
	"dev.babbling": {"says the same fault again and again", "repete sem parar a mesma avaria"}, "dev.refused": {"refused what it was told", "recusou uma ordem"}, "dev.unknown-message": {"said what nobody knows", "disse o que ninguém conhece"},
	"dev.unknown-token": {"said what nobody knows", "disse o que ninguém conhece"}, "dev.unknown-line": {"said what nobody knows", "disse o que ninguém conhece"}, "dev.unknown-reading": {"said what nobody knows", "disse o que ninguém conhece"},
	"dev.preset-changed": {"one of its presets was changed", "mudou uma das suas definições"}, "dev.misread": {"did not read a card", "não leu uma carta"}, "dev.button": {"one of its buttons", "um dos seus botões"},
	"dev.closed": {"closed", "fechado"}, "dev.sensor": {"warns of a sensor, its motor or its encoder", "avisa de um sensor, do motor ou do codificador"}, "dev.double-zero": {"the ball fell on the double zero", "a bola caiu no duplo zero"},
	"dev.contact-next": {"the button NEXT", "o botão NEXT"}, "dev.contact-hit": {"the button HIT", "o botão HIT"}, "dev.contact-stand": {"the button STAND", "o botão STAND"}, "dev.contact-double": {"the button DOUBLE", "o botão DOUBLE"},
	"dev.contact-split": {"the button SPLIT", "o botão SPLIT"}, "dev.contact-stop": {"the button STOP", "o botão STOP"}, "dev.contact-key": {"the supervisor’s key", "a chave do supervisor"},

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
	"remedy.assign-to": {"Give it to", "Dar a"},
	"remedy.device":    {"Looked at — go on", "Verificado — continuar"},

	"card-like": {"9s, 10h, cut", "9s, 10h, corte"}, "cut-card": {"cut", "corte"},
	"day": {"The day", "O dia"}, "value": {"Number, seats or name", "Número, lugares ou nome"}, "value-must": {"Write the number, the seats or the name first.", "Escreva primeiro o número, os lugares ou o nome."},
	"do.table-open": {"Open the table", "Abrir a mesa"}, "do.table-close": {"Close the table", "Fechar a mesa"}, "do.shoe": {"New shoe is ready", "Novo sabot pronto"},
	"do.count": {"Cards left in the old shoe", "Cartas que restam no sabot"}, "do.close": {"No more bets: seats 1,3 … or none play", "Nada mais vai: jogam os lugares 1,3 … ou nenhum"}, "do.dealer": {"This dealer deals", "Dá este croupier"},
	"do.burn": {"Burn so many cards", "Queimar tantas cartas"}, "do.dispute": {"Record a disputed round", "Registar uma ronda em disputa"},

	"do.pause": {"Pause", "Pausa"}, "do.resume": {"End the pause", "Retomar"}, "do.void": {"Void round", "Anular a ronda"}, "do.correct": {"Correct a card", "Corrigir uma carta"},
	"do.undo": {"Undo an event", "Desfazer um evento"}, "do.draw": {"Enter a card by hand", "Introduzir uma carta à mão"}, "do.result": {"Enter the number by hand", "Introduzir o número à mão"},
	"do.retire": {"Retire the shoe", "Retirar o sabot"}, "do.exposed": {"All saw the card", "Carta vista por todos"},

	"event.table open": {"table opened", "mesa aberta"}, "event.table close": {"table closed", "mesa fechada"}, "event.shoe": {"new shoe", "novo sabot"}, "event.count": {"cards counted", "cartas contadas"},
	"event.dealer": {"dealer", "croupier"}, "event.burn": {"burn", "queima"}, "event.draw": {"card", "carta"}, "event.cut": {"cut card", "carta de corte"}, "event.resent": {"card named again", "carta repetida"},
	"event.claims": {"the shoe’s own result", "resultado do sabot"}, "event.open": {"bets open", "apostas abertas"}, "event.bet": {"bet", "aposta"}, "event.close": {"no more bets", "nada mais vai"},
	"event.hit": {"hit", "pedir"}, "event.stand": {"stand", "ficar"}, "event.double": {"double", "dobrar"}, "event.split": {"split", "dividir"}, "event.surrender": {"surrender", "render-se"},
	"event.insure": {"insurance", "seguro"}, "event.even-money": {"even money", "dinheiro igual"}, "event.decline": {"no insurance", "sem seguro"}, "event.short": {"balance too short", "saldo curto"},
	"event.plan": {"planned decision", "decisão planeada"}, "event.follow": {"followed from behind", "seguida de trás"}, "event.peek": {"hole card looked at", "carta tapada verificada"}, "event.reveal": {"hole card turned", "carta tapada virada"},
	"event.stop": {"call for the supervisor", "chamada do supervisor"}, "event.ball": {"ball spun", "bola lançada"}, "event.result": {"number", "número"}, "event.no-spin": {"no spin", "lançamento nulo"},
	"event.no-more-bets": {"no more bets", "nada mais vai"}, "event.proposed": {"number to confirm", "número por confirmar"}, "event.pause": {"pause", "pausa"}, "event.resume": {"end of the pause", "fim da pausa"},
	"event.release": {"released", "libertado"}, "event.correct": {"correction", "correção"}, "event.undo": {"undone", "desfeito"}, "event.void": {"round void", "ronda anulada"}, "event.retire": {"shoe retired", "sabot retirado"},
	"event.dispute": {"round disputed", "ronda em disputa"}, "event.exposed": {"card seen by all", "carta vista por todos"}, "event.lost": {"device lost", "aparelho perdido"}, "event.found": {"device found", "aparelho de volta"},
	"event.fault": {"fault", "avaria"}, "event.clear": {"fault over", "fim da avaria"}, "event.timeout": {"time ran out", "fim do tempo"}, "event.clock": {"clock set", "relógio acertado"}, "event.restart": {"program started", "programa iniciado"},
	"event.refused": {"refused", "recusado"}, "event.deckcheck": {"decks checked", "baralhos verificados"}, "event.program": {"program", "programa"},

	"call.card": {"card", "carta"}, "call.open": {"bets open", "apostas abertas"}, "call.closed": {"no more bets", "nada mais vai"}, "call.due": {"due", "a seguir"},
	"call.decision": {"decision", "decisão"}, "call.split": {"split", "divide"}, "call.insurance": {"insurance", "seguro"}, "call.peek": {"peek", "verificação"},
	"call.reveal": {"hole card turned", "carta tapada virada"}, "call.pair": {"pair bet", "aposta par"}, "call.result": {"result", "resultado"}, "call.cut": {"cut card", "carta de corte"},
	"call.last-round": {"last round", "última ronda"}, "call.spin": {"ball spun", "bola lançada"}, "call.number": {"number", "número"}, "call.no-spin": {"no spin", "lançamento nulo"},
	"call.stopped": {"table stopped", "mesa parada"}, "call.released": {"released", "libertado"}, "call.paused": {"pause", "pausa"}, "call.resumed": {"goes on", "retomado"},
	"call.corrected": {"corrected", "corrigido"}, "call.void": {"void", "anulada"}, "call.end": {"round over", "fim da ronda"}, "call.irregularity": {"irregularity", "irregularidade"},
	"call.shoe": {"shoe", "sabot"}, "call.burn": {"burnt", "queimada"}, "call.exposed": {"card seen by all", "carta vista por todos"},
}

// languageOf is the language a page is asked for in: by its address, or else by what the browser prefers.
func languageOf(r *http.Request) string {
	if asked := r.URL.Query().Get("lang"); slices.Contains(mqtt.Languages, asked) {
		return asked
	}
	if strings.HasPrefix(r.Header.Get("Accept-Language"), "pt") {
		return "pt"
	}
	return "en"
}

// Word is a word of the pages in a language of [mqtt.Languages], as what stops a table and what refuses an order is under code.X, a sentence without its point; "" where there is none.
func Word(language, name string) string {
	if code, is := strings.CutPrefix(name, "code."); is {
		c, _ := table.ParseCode(code)
		return strings.TrimSuffix(mqtt.Sentence(language, c), ".")
	}
	return words[name][max(slices.Index(mqtt.Languages, language), 0)]
}

// wordsIn are all words of a language, the codes' among them where somebody reads codes.
func wordsIn(language string, codes bool) map[string]string {
	list := make(map[string]string, 2*len(words))
	for name := range words {
		list[name] = Word(language, name)
	}
	for c := 0; codes && c < 256; c++ {
		if name := "code." + table.Code(c).String(); mqtt.Sentence(language, table.Code(c)) != "" {
			list[name] = Word(language, name)
		}
	}
	return list
}
