// What can lie on a table, one of everything that a page shows in another way. test.mjs lays each out, looks whether anything is cut off, and keeps its picture.
const hand = (hand, cards, total, more = {}) => ({ hand, cards: cards.split(" ").filter(Boolean), total, soft: false, state: "playing", ...more });
const seat = (n, hands, more = {}) => ({ seat: n, hands: [hands].flat(), pair: "none", ...more });
const dealer = (cards, total, more = {}) => ({ cards: cards.split(" "), total, soft: false, ...more });
const stop = (code, remedies, more = {}) => ({ irregularity: 300, code, remedies, ...more });

const blackjack = { game: "blackjack", rules: "deluxe", round: 37, shoe: { number: 12, dealt: 83, left: 333, last_round: false } };
const baccarat = { game: "baccarat", rules: "puntobanco", round: 52, shoe: { number: 4, dealt: 250, left: 166, last_round: false }, seats: [seat(2, [])] };
const roulette = { game: "roulette", rules: "roulette", round: 812, shoe: { number: 0, dealt: 0, left: 0, last_round: false } };

const seats = [
  seat(1, hand("1a", "Kh 7d", 17, { state: "stood" })), seat(3, hand("3a", "Ah 6d", 17, { soft: true })),
  seat(4, [hand("4a", "8s Td", 18, { split: true, state: "stood" }), hand("4b", "8h 3d Qc", 21, { split: true, doubled: true, state: "doubled" })]), seat(6, hand("6a", "9c 9d", 18), { pair: "coloured" }),
];
const settled = [
  seat(1, hand("1a", "Kh 7d", 17, { state: "stood", result: "lose" })), seat(2, hand("2a", "Ah Kd", 21, { state: "blackjack", result: "blackjack" }), { pair: "suited_trips" }),
  seat(3, hand("3a", "5h 6d 9s 8c", 28, { state: "bust", result: "bust" })), seat(5, hand("5a", "Qs Qd", 20, { state: "stood", result: "win" }), { pair: "mixed", insurance: "insure" }),
  seat(6, hand("6a", "9c Ts", 19, { state: "stood", result: "push" })), seat(7, hand("7a", "Th 6c", 16, { state: "surrendered", result: "surrender" })),
];

// Two shoes' worth of coups, so that every road runs on beyond its window: from a fixed seed, the same each time.
const long = (() => {
  let state = 7;
  const next = (n) => ((state = (state * 1103515245 + 12345) % 2147483648) >> 8) % n;
  return Array.from({ length: 78 }, (_, i) => (i > 30 && i < 40 ? "B" : "PBPBBPPBT"[next(9) % 9]) + (next(6) % 6 === 0 ? "n" : "") + (next(14) % 14 === 0 ? "p" : "") + (next(14) % 14 === 0 ? "b" : ""));
})();
const coup = (winner, player, banker, natural = false) => ({ winner, player, banker, natural, player_pair: false, banker_pair: false });
const spins = Array.from({ length: 120 }, (_, i) => (i * i * 7 + i * 3 + 17) % 37);

/** Layouts by name, each with the floor's state where it matters. */
export const scenes = {
  "blackjack-bets": { ...blackjack, phase: "bets", due: { kind: "close", left_ms: 12400 } },
  "blackjack-deal": { ...blackjack, phase: "deal", due: { kind: "card", hand: "4a" }, seats: [seat(1, hand("1a", "Kh", 10)), seat(3, hand("3a", "Ah", 11, { soft: true })), seat(4, hand("4a", "", 0))] },
  "blackjack-insurance": { ...blackjack, phase: "insurance", due: { kind: "insurance", seats: [1, 3, 6], may: ["insure", "decline"], left_ms: 8200 }, seats: [seats[0], seats[1], seat(5, hand("5a", "9s 2d", 11), { insurance: "decline" }), seats[3]], dealer: dealer("As back", 11, { soft: true }) },
  "blackjack-peek": { ...blackjack, phase: "peek", due: { kind: "peek" }, seats, dealer: dealer("Ts back", 10) },
  "blackjack-decision": { ...blackjack, phase: "decisions", due: { kind: "decision", hand: "3a", may: ["hit", "stand", "double", "split", "surrender"], left_ms: 4300 }, seats, dealer: dealer("9c back", 9) },
  "blackjack-split-turn": { ...blackjack, phase: "decisions", due: { kind: "card", hand: "4b" }, seats, dealer: dealer("9c back", 9) },
  "blackjack-reveal": { ...blackjack, phase: "dealer", due: { kind: "reveal" }, seats, dealer: dealer("9c back", 9) },
  "blackjack-dealer": { ...blackjack, phase: "dealer", due: { kind: "card", hand: "dealer" }, seats, dealer: dealer("9c 2h 4d", 15) },
  "blackjack-result": { ...blackjack, phase: "result", due: { kind: "open" }, seats: settled, dealer: dealer("9c 2h 8d", 19), ended: "played_out" },
  "blackjack-natural": { ...blackjack, phase: "result", due: { kind: "open" }, seats: [settled[0], settled[1]], dealer: dealer("As Kc", 21, { soft: true }), ended: "dealer_blackjack" },
  "blackjack-insured": { ...blackjack, phase: "result", due: { kind: "open" }, seats: [
    seat(1, hand("1a", "Kh 7d", 17, { state: "stood", result: "lose" }), { insurance: "insure" }), seat(2, hand("2a", "Ah Kd", 21, { soft: true, state: "blackjack", result: "even_money" }), { insurance: "even-money" }),
    seat(4, [hand("4a", "8s Td", 18, { split: true, state: "stood", result: "lose" }), hand("4b", "8h 6d Qc", 24, { split: true, state: "bust", result: "bust" })], { insurance: "decline" }),
  ], dealer: dealer("As Kc", 21, { soft: true }), ended: "dealer_blackjack" },
  "blackjack-seven-results": { ...blackjack, phase: "result", due: { kind: "open" }, seats: [1, 2, 3, 4, 5, 6, 7].map((n) => seat(n, [hand(`${n}a`, "8s Td", 18, { split: true, state: "stood", result: "win" }), hand(`${n}b`, "8h 6d Qc", 24, { split: true, state: "bust", result: "bust" })],
    { pair: n % 2 ? "coloured" : "none", insurance: n > 4 ? "insure" : "decline" })), dealer: dealer("As 6c", 17, { soft: true }), ended: "played_out" },
  "blackjack-stopped": { ...blackjack, phase: "decisions", due: { kind: "card", hand: "3a" }, stopped: "stopped", seats, dealer: dealer("9c back", 9), stops: [stop("CARD_AFTER_END", ["carry", "burn"])] },
  "blackjack-device-lost": { ...blackjack, phase: "decisions", due: { kind: "card", hand: "3a" }, stopped: "stopped", seats, dealer: dealer("9c back", 9), stops: [stop("DEVICE_LOST", ["device"], { device: { name: "shoe", fault: "busy" } }), stop("DEVICE_FAULT", ["device"], { device: { name: "box", fault: "E9", over: true } })] },
  "blackjack-misread": { ...blackjack, phase: "decisions", due: { kind: "reread" }, stopped: "stopped", seats: [seats[0], seat(3, hand("3a", "Ah ??", 11, { soft: true }))], dealer: dealer("9c back", 9), stops: [stop("MISREAD", ["reread", "burn"])] },
  "blackjack-paused": { ...blackjack, phase: "decisions", due: { kind: "card", hand: "3a" }, stopped: "paused", seats, dealer: dealer("9c back", 9) },
  "blackjack-void": { ...blackjack, phase: "result", due: { kind: "open" }, last: { round: 37, ended: "void" } },
  "blackjack-last-round": { ...blackjack, shoe: { ...blackjack.shoe, dealt: 362, left: 54, last_round: true }, phase: "deal", due: { kind: "card", hand: "1a" }, seats: [seat(1, hand("1a", "Kh", 10))] },
  "blackjack-shoe-empty": { ...blackjack, shoe: { ...blackjack.shoe, dealt: 416, left: 0, last_round: true }, phase: "decisions", due: { kind: "card", hand: "3a" }, seats, dealer: dealer("9c back", 9), stops: [stop("SHOE_EXHAUSTED", ["device"], { later: true })] },
  "blackjack-burn": { ...blackjack, shoe: { number: 13, dealt: 1, left: 415, last_round: false }, phase: "burn", due: { kind: "burn", cards: 7 } },
  "blackjack-shuffle": { ...blackjack, phase: "shoe-change", due: { kind: "shoe" } },
  "blackjack-closed": { ...blackjack, phase: "closed" },
  "baccarat-deal": { ...baccarat, phase: "deal", due: { kind: "card", hand: "banker" }, player: dealer("3h", 3), banker: dealer("Td", 0), coups: long.slice(0, 22) },
  "baccarat-third": { ...baccarat, phase: "deal", due: { kind: "card", hand: "banker" }, player: dealer("3h Qs 5c", 8), banker: dealer("Td 3c", 3), coups: long.slice(0, 22) },
  "baccarat-natural": { ...baccarat, phase: "result", due: { kind: "open" }, player: dealer("9h Ks", 9, { state: "natural" }), banker: dealer("Td 8c", 8, { state: "natural" }), coup: coup("player", 9, 8, true), coups: [...long.slice(0, 22), "Pn"] },
  "baccarat-long": { ...baccarat, phase: "result", due: { kind: "open" }, player: dealer("3h 9d 4c", 6), banker: dealer("Td 5s Ad", 6), coup: coup("tie", 6, 6), coups: [...long, "T"] },
  "baccarat-stopped": { ...baccarat, phase: "deal", due: { kind: "card", hand: "player" }, stopped: "stopped", player: dealer("3h 2d", 5), banker: dealer("Td 3c", 3), coups: long.slice(0, 22), stops: [stop("BAC_WRONG_HAND", ["use", "burn", "assign"])] },
  "baccarat-void": { ...baccarat, phase: "result", due: { kind: "open" }, last: { round: 52, ended: "void" }, coups: long.slice(0, 22) },
  "roulette-bets": { ...roulette, phase: "bets", due: { kind: "close", left_ms: 21000 }, spins },
  "roulette-ball": { ...roulette, phase: "spin", due: { kind: "ball" }, spins },
  "roulette-spin": { ...roulette, phase: "spin", due: { kind: "result" }, spins },
  "roulette-zero": { ...roulette, phase: "result", due: { kind: "open" }, spin: { number: 0, colour: "green" }, spins: [0, ...spins] },
  "roulette-history": { ...roulette, phase: "result", due: { kind: "open" }, spin: { number: 29, colour: "black" }, spins: [29, ...spins] },
  "roulette-stopped": { ...roulette, phase: "spin", due: { kind: "result" }, stopped: "stopped", spins, stops: [stop("RESULT_PROPOSED", ["device"])] },
};

/** Many tables, as a pit has them. */
export const pit = Array.from({ length: 23 }, (_, i) => {
  const names = Object.keys(scenes), scene = scenes[names[(i * 9) % names.length]];
  return { table: `${scene.game === "baccarat" ? "BAC" : scene.game === "roulette" ? "RO" : "BJ"}-${i + 1}`, scene };
});

/** A table that started afresh in the middle of a round. */
export const restarted = { ...scenes["blackjack-decision"], stopped: "stopped", stops: [stop("RESTART", ["device"])] };
