package main

import (
	"cmp"
	"errors"
	"flag"
	"os"
	"slices"
	"strings"

	"sabot/mqtt"
)

// locale is what the terminal's locale says of a category, such as LC_CTYPE, found as the C library finds it.
func locale(category string) string {
	return cmp.Or(os.Getenv("LC_ALL"), os.Getenv(category), os.Getenv("LANG"))
}

// localeLanguage is the language that the terminal's locale asks for; English where it asks for none of ours.
func localeLanguage() string {
	if strings.HasPrefix(locale("LC_MESSAGES"), "pt") {
		return "pt"
	}
	return "en"
}

// languageFlag is --lang, of the verbs that narrate.
func languageFlag(f *flag.FlagSet) *string {
	language := localeLanguage()
	f.Func("lang", "tell it in `LANGUAGE`: en or pt (default the locale's)", func(v string) error {
		if !slices.Contains(mqtt.Languages, v) {
			return errors.New("write " + oneOf(mqtt.Languages))
		}
		language = v
		return nil
	})
	return &language
}

// narration has the sentences of a narration, and of a table's state, and their parts, in English and in Portuguese, the rule sheets' own words. A part that is put into others is a verb with
// what goes with it, or a name.
var narration = map[string][2]string{
	"floor": {"floor: %s", "sala: %s"}, "game": {"game server: %s", "servidor de jogo: %s"}, "by hand": {"%s, entered by hand", "%s, introduzida à mão"},

	"shoe": {"Shoe %d is in play", "O sabot %d está em jogo"}, "open": {"Round %d: place your bets%s", "Ronda %d: façam as vossas apostas%s"},
	"burn first": {"The shoe begins with %s: %d to burn", "O sabot começa com %s: %d a queimar"}, "burn last": {"A card is burnt, the last one", "Queima-se uma carta, a última"},
	"burn": {"A card is burnt, %d to go", "Queima-se uma carta, faltam %d"},

	"nobody": {"No more bets: nobody plays", "Nada mais vai: ninguém joga"}, "closed one": {"No more bets: seat %s plays", "Nada mais vai: joga o lugar %s"},
	"closed many": {"No more bets: seats %s play", "Nada mais vai: jogam os lugares %s"},

	"dealer": {"The dealer", "O croupier"}, "player": {"Player", "Jogador"}, "banker": {"Banker", "Banca"}, "seat": {"Seat %d", "Lugar %d"}, "hand": {"Seat %d's hand %c", "Lugar %d, mão %c"},
	"and": {"%s and %s", "%s e %s"}, "or": {"%s or %s", "%s ou %s"}, "within": {" (%v)", " (%v)"},
	"bust": {"%d, bust", "%d, rebenta"}, "soft": {"soft %d", "%d suave"}, "blackjack": {"blackjack", "blackjack"},

	"hole": {"The dealer takes the hole card, face down", "O croupier tira a segunda carta, virada para baixo"}, "gets": {"%s gets %s", "%s recebe %s"},
	"draws": {"%s draws %s", "%s tira %s"}, "draws one": {"%s draws one card, %s", "%s recebe uma só carta, %s"},

	"due decision": {"%s to act: %s%s", "%s decide: %s%s"}, "due insurance one": {"Insurance: seat %s is asked%s", "Seguro: pergunta-se ao lugar %s%s"},
	"due insurance many": {"Insurance: seats %s are asked%s", "Seguro: pergunta-se aos lugares %s%s"}, "due peek": {"The dealer is to look at the hole card", "O croupier deve verificar a carta tapada"},
	"due reveal": {"The dealer is to turn the hole card", "O croupier deve virar a carta tapada"}, "due close": {"Which seats play is to be said%s", "Falta dizer que lugares jogam%s"},
	"due": {"Due: %s", "A seguir: %s"},

	"may hit": {"hit", "pedir"}, "may stand": {"stand", "ficar"}, "may double": {"double", "dobrar"}, "may split": {"split", "dividir"}, "may surrender": {"surrender", "render-se"},
	"may insure": {"insure", "seguro"}, "may even-money": {"even-money", "dinheiro igual"}, "may decline": {"decline", "sem seguro"},

	"hit": {"%s hits", "%s pede carta"}, "stand": {"%s stands", "%s fica"}, "double": {"%s doubles", "%s dobra"}, "split": {"%s splits", "%s divide"}, "surrender": {"%s surrenders", "%s rende-se"},
	"insure": {"%s takes insurance", "%s aceita o seguro"}, "even-money": {"%s takes even money", "%s aceita dinheiro igual"}, "decline": {"%s declines insurance", "%s rejeita o seguro"},
	"timeout": {"%s has run out of time", "%s ficou sem tempo"}, "two hands": {"Two hands now: %v and %v", "São agora duas mãos: %v e %v"},

	"peek yes": {"The dealer looks at the hole card: blackjack!", "O croupier verifica a carta tapada: blackjack!"}, "peek no": {"The dealer looks at the hole card: no blackjack", "O croupier verifica a carta tapada: não é blackjack"},
	"reveal": {"The hole card is %s: %s", "A carta tapada é %s: %s"},

	"pair none": {"%s has no pair", "%s não tem par"}, "pair mixed": {"%s has a mixed pair", "%s tem um par misturado"}, "pair coloured": {"%s has a coloured pair", "%s tem um par da mesma cor"},
	"pair perfect": {"%s has a perfect pair", "%s tem um par perfeito"}, "pair suited_trips": {"%s has suited trips", "%s tem uma trinca do mesmo naipe"},

	"coup tie": {"A tie: Player %d, Banker %d", "Empate: Jogador %d, Banca %d"}, "coup player": {"Player wins: Player %d, Banker %d", "Ganha o Jogador: Jogador %d, Banca %d"},
	"coup banker": {"Banker wins: Player %d, Banker %d", "Ganha a Banca: Jogador %d, Banca %d"}, "player pair": {"%s, a Player pair", "%s, par do Jogador"}, "banker pair": {"%s, a Banker pair", "%s, par da Banca"},

	"insurance won": {"%s wins %s on its insurance", "%s ganha %s com o seguro"}, "insurance lost": {"%s loses %s on its insurance", "%s perde %s com o seguro"},
	"won blackjack": {"%s has blackjack and wins %s", "%s tem blackjack e ganha %s"}, "won": {"%s wins %s with %s", "%s ganha %s com %s"}, "pushed": {"%s pushes with %s", "%s empata com %s"},
	"lost bust": {"%s is bust and loses %s", "%s rebenta e perde %s"}, "lost half": {"%s gets half its bet back", "%s recebe metade da aposta de volta"},
	"paid even": {"%s is paid even money, %s", "%s recebe dinheiro igual, %s"}, "lost": {"%s loses %s with %s", "%s perde %s com %s"},

	"cut": {"The cut card is out", "Saiu a carta de corte"}, "last": {"Round %d is the last of this shoe", "A ronda %d é a última deste sabot"}, "spin": {"The ball is in the rim", "A bola está a girar"},
	"no spin": {"That was no spin: the bets stand", "Lançamento nulo: as apostas mantêm-se"}, "number": {"Winning number %d, %s", "Número vencedor %d, %s"},
	"red": {"red", "vermelho"}, "black": {"black", "preto"}, "green": {"green", "verde"},

	"stopped": {"The table is stopped", "A mesa está parada"}, "goes on": {"The table goes on", "A mesa continua"}, "paused": {"The supervisor pauses the table", "O supervisor faz uma pausa"},
	"resumed": {"The supervisor ends the pause", "O supervisor termina a pausa"}, "corrected": {"Event %d is corrected", "O evento %d foi corrigido"}, "void": {"Round %d is void, all bets go back", "A ronda %d é anulada, as apostas são devolvidas"},
	"released": {"irregularity %d (%s) is released: %s", "a irregularidade %d (%s) fica resolvida: %s"}, "irregularity": {"irregularity %d, %s", "irregularidade %d, %s"}, "noted": {"%s; noted", "%s; fica anotada"},
	"after round": {"%s; holds after this round", "%s; para a mesa depois desta ronda"}, "remedy": {"%s; remedy %s unless another is ordered", "%s; salvo outra ordem: %s"},
	"exposed": {"%s, which lies aside for irregularity %d, was seen by all: %s", "%s, posta de lado pela irregularidade %d, foi vista por todos: %s"}, "the card": {"The card", "A carta"},

	"over": {"Round %d is over", "A ronda %d acabou"}, "over because": {"Round %d is over: %s", "A ronda %d acabou: %s"}, "end void": {"every bet is settled", "todas as apostas estão pagas"}, "end ": {"every bet is settled", "todas as apostas estão pagas"},
	"end dealer_blackjack": {"the dealer has blackjack", "o croupier tem blackjack"}, "end all_blackjack": {"every hand had blackjack", "todas as mãos tinham blackjack"},
	"end no_live_hand": {"no hand was left to beat", "não restava mão para jogar"}, "end played_out": {"the dealer has %s", "o croupier tem %s"}, "end no_seats": {"nobody played", "ninguém jogou"},

	"taken": {"%v stakes %d: %s", "%v aposta %d: %s"}, "refunded": {"%v has %d returned: %s", "devolve-se %[2]d a %[1]v: %[3]s"}, "paid": {"%v is paid %d for %d: %s", "%v recebe %d por %d: %s"},
	"reversed": {"What event %d settled is reversed", "O que o evento %d liquidou é revertido"}, "on hand": {"%s, hand %v", "%s, mão %v"}, "on seat": {"%s, seat %d", "%s, lugar %d"},
	"refused": {"refused: %s", "recusado: %s"}, "recorded": {"≠ recorded: to all %s, to the floor %s, to the game server %s", "≠ registado: para todos %s, para a sala %s, para o servidor de jogo %s"},

	"state": {"%s: round %d, %s, dealer %s", "%s: ronda %d, %s, croupier %s"}, "nobody deals": {"nobody", "ninguém"}, "state felt": {"felt: %s", "mesa: %s"},
	"state shoe": {"shoe %d: %d cards out, %d left%s", "sabot %d: saíram %d cartas, restam %d%s"}, "state last": {", last round", ", última ronda"}, "state pause": {"to undo, correct, or enter something by hand", "para desfazer, corrigir, ou introduzir algo à mão"}, "state paused": {"paused", "em pausa"}, "state ended": {"round %d has ended", "a ronda %d já acabou"},
	"state undo": {"the last decision: %s", "a última decisão: %s"}, "state cards": {"cards of round %d, for correct SEQ CARD|cut: %s", "cartas da ronda %d, para correct SEQ CARD|cut: %s"},
	"state due": {"due: %s (%s)", "a seguir: %s (%s)"}, "state besides": {"besides", "e ainda"},
	"stopped by": {"stopped by %s", "parada por %s"}, "stopped then": {"then by %s", "depois por %s"}, "stopped later": {"stopped when the round has ended by %s", "parada quando a ronda acabar por %s"},
	"whose card": {"the dealer draws", "o croupier tira"}, "whose burn": {"the dealer burns", "o croupier queima"}, "whose decision": {"the player says", "o jogador diz"}, "whose insurance": {"the players say", "os jogadores dizem"},
	"whose peek": {"the dealer looks, NEXT", "o croupier verifica, NEXT"}, "whose reveal": {"the dealer turns it, NEXT", "o croupier vira-a, NEXT"}, "whose open": {"NEXT, or the game server", "NEXT, ou o servidor de jogo"},
	"whose close": {"NEXT, or the game server; else the floor", "NEXT, ou o servidor de jogo; senão a sala"}, "whose shoe": {"the floor, when it is filled", "a sala, quando estiver cheio"},
	"whose reread": {"the card is shown to the reader again", "a carta mostra-se outra vez ao leitor"}, "whose ball": {"the ball is spun", "lança-se a bola"}, "whose result": {"the wheel says it", "diz a roleta"},
	"done": {"done: %s (entry %d)", "feito: %s (entrada %d)"}, "is before": {"the table is %s since %s: this is how it stood before", "a mesa está %s desde %s: assim estava antes"},
	"is joining": {"joining", "a ligar-se"}, "is lost": {"lost", "sem ligação"}, "is offline": {"offline", "desligada"},

	"session one":          {"Didactic session: seat %s plays, and bets %d chips in each round; rounds to play: %d", "Sessão didática: joga o lugar %s, que aposta %d fichas em cada ronda; rondas por jogar: %d"},
	"session many":         {"Didactic session: seats %s play, and each bets %d chips in each round; rounds to play: %d", "Sessão didática: jogam os lugares %s, e cada um aposta %d fichas em cada ronda; rondas por jogar: %d"},
	"session stopped one":  {"Seat %s has fewer than %d chips and stops", "O lugar %s está sem as %d fichas da aposta e para"},
	"session stopped many": {"Seats %s have fewer than %d chips and stop", "Os lugares %s estão sem as %d fichas da aposta e param"},
	"session over":         {"The didactic session is over. Final winnings against %d chips:", "A sessão didática acabou. Ganhos finais perante %d fichas:"},
	"session place one":    {"%[2]d. seat %[1]s: %[3]d chips, %+[4]d", "%[2]d.ª posição: lugar %[1]s, %[3]d fichas, %+[4]d"},
	"session place many":   {"%[2]d. seats %[1]s share the place: %[3]d chips each, %+[4]d", "%[2]d.ª posição, partilhada: lugares %[1]s, %[3]d fichas cada, %+[4]d"},

	"sum rounds":   {"%d rounds, %d cards. Irregularities: %d caused, %d caught, %d false alarms.", "%d rondas, %d cartas. Irregularidades: %d provocadas, %d apanhadas, %d falsos alarmes."},
	"sum messages": {"Messages: %d published, entries up to %d acknowledged by their echo.", "Mensagens: %d publicadas; entradas até à %d confirmadas pelo seu eco."},
	"sum alarms":   {"False alarms: %s", "Falsos alarmes: %s"},

	"bet seat": {"seat", "lugar"}, "bet pair": {"pair", "par"}, "bet behind": {"behind", "aposta atrás"}, "bet insurance": {"insurance", "seguro"}, "bet player": {"player", "Jogador"}, "bet banker": {"banker", "Banca"},
	"bet tie": {"tie", "empate"}, "bet straight": {"straight", "pleno"}, "bet split": {"split", "cavalo"}, "bet street": {"street", "rua"}, "bet trio": {"trio", "trio"}, "bet corner": {"corner", "quadro"},
	"bet first-four": {"first-four", "primeiros quatro"}, "bet six-line": {"six-line", "linha de seis"}, "bet column": {"column", "coluna"}, "bet dozen": {"dozen", "dúzia"}, "bet red": {"red", "vermelho"},
	"bet black": {"black", "preto"}, "bet even": {"even", "par"}, "bet odd": {"odd", "ímpar"}, "bet low": {"low", "1 a 18"}, "bet high": {"high", "19 a 36"},

	"remedy use": {"use", "usar"}, "remedy burn": {"burn", "queimar"}, "remedy carry": {"carry", "passar à próxima ronda"}, "remedy assign": {"assign", "dar a uma mão"}, "remedy reread": {"reread", "ler outra vez"},
	"remedy reveal": {"reveal", "virar"}, "remedy device": {"device", "verificado"},
}
