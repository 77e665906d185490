import { ailing, draw, el, follow, handName, lay, left, put, query, say, standing, table, totalOf, what, word } from "/static/sabot.js";

// Why the table stopped, what the supervisor's key would do about it, and where the dealer's buttons stand, is for the staff: it is shown where the address holds the dealers' key.
const page = document.getElementById("page");
const signs = { // a shape and a word for each colour
  go: ["M12 2a10 10 0 1 1 0 20 10 10 0 1 1 0-20Z"],
  wait: ["M12 2 23 21H1Z"],
  stop: ["M7 1h10l6 6v10l-6 6H7l-6-6V7Z"],
};

const sign = el("span", "sign"), where = el("span", "num"), shoe = el("span", "num");
const whom = el("div", "whom"), due = el("div", "due"), choices = el("div", "choices"), why = el("div", "why");
const cards = el("div", "cards"), total = el("span", "total num"), buttons = el("div", "box"), row = el("div", "row", cards, total, buttons);
const results = el("div", "results num"), clock = el("span", "clock num"), notice = el("span", "notice");
const parts = [
  el("header", "head", sign, where, shoe),
  el("section", "centre", whom, due, choices, row, results),
  el("footer", "foot", why, notice, clock),
];

/** What is due, for whom, and how the table stands. */
function tell(view) {
  const l = view.layout, d = l.due;
  if (view.stale) return { sign: "stop", named: word("stale-word"), whom: "", due: word("stale") };
  const stops = l.stopped && view.floor?.stops.filter((s) => !s.later);
  if (stops?.length && d?.kind !== "reread") return { sign: "stop", named: word("stopped"), whom: "", due: [what(stops[0].code), ailing(stops[0].device)].filter(Boolean).join(" · "), way: way(stops) };
  if (l.stopped === "paused") return { sign: "wait", named: word("paused"), whom: "", due: word("paused"), way: word("call-floor") };
  if (l.stopped && d?.kind !== "reread") return { sign: "stop", named: word("stopped"), whom: "", due: word("call-floor") };
  if (!d) return { sign: "wait", named: word("phase." + l.phase), whom: "", due: l.phase === "closed" ? word("phase.closed") : word("due.nothing") };
  if (d.kind === "card" && !l.shoe.left) return { sign: "wait", named: word("phase." + l.phase), whom: handName(d.hand), due: word("shoe-empty"), way: word("call-floor") };
  const moves = ["card", "burn", "reread", "peek", "reveal", "ball"].includes(d.kind);
  let text = word("due." + d.kind);
  if (d.kind === "burn" && d.cards) text = `${text}: ${d.cards}`;
  let to = d.hand ? handName(d.hand) : "";
  if (d.kind === "insurance" && d.seats) to = `${word(d.seats.length > 1 ? "seats" : "seat")} ${d.seats.join(", ")}`;
  return { sign: moves ? "go" : "wait", named: word(l.phase === "peek" ? "peek" : "phase." + l.phase), whom: to, due: text };
}

/** What brings the table back: the key's remedy for the oldest stop, and how many wait behind it. */
const way = (stops) => [
  stops[0].remedies.length ? `${word("key")}: ${word("remedy." + stops[0].remedies[0])}` : word("call-floor"), stops.length > 1 ? `+${stops.length - 1}` : "",
].filter(Boolean).join("   ");

const handOf = (l, name) => {
  if (!name) return l.phase === "dealer" || l.phase === "peek" ? l.dealer : null;
  if (l[name]) return l[name];
  return l.seats.flatMap((s) => s.hands).find((h) => h.hand === name);
};

function paint(view) {
  const l = view.layout;
  if (!l) return;
  if (!sign.isConnected) page.replaceChildren(...parts);
  const t = tell(view);
  page.className = t.sign + (l.due?.may && t.sign === "wait" ? " choosing" : "");
  sign.className = "sign " + t.sign;
  put(sign, draw("svg", { viewBox: "0 0 24 24", "aria-hidden": "true" }, ...signs[t.sign].map((d) => draw("path", { d }))), t.named);
  say(where, `${word("round")} ${l.round}`);
  say(shoe, l.game === "roulette" ? "" : `${l.shoe.left} ${word("cards")}`);
  say(whom, t.whom);
  say(due, t.due);
  const may = l.due?.may ?? [];
  put(choices, ...(view.stale || l.stopped ? [] : may).map((m) => el("span", "", word("may." + m))));
  say(why, t.way ?? "");
  page.classList.toggle("told", t.way !== undefined);
  const hand = view.stale ? null : handOf(l, l.due?.hand);
  lay(cards, hand?.cards ?? []);
  say(total, hand?.cards.length ? totalOf(hand) : l.game === "roulette" && l.spin ? `${l.spin.number} ${word("colour." + l.spin.colour)}` : "");
  const box = view.stale ? null : view.floor?.box;
  put(buttons, ...(box ? boxText(box) : []).map((text) => el("div", "", text)));
  say(notice, l.shoe.last_round ? word("last-round") : l.phase === "shoe-change" ? word("phase.shoe-change") : "");
  const given = view.stale ? [] : resultsOf(l);
  put(results, ...given.map(([name, ...parts]) => el("span", "", name && el("b", "", name), parts.join(" · "))));
  page.classList.toggle("settled", given.length > 0 || Boolean(l.spin));
  if (t.way === undefined) due.style.fontSize = ""; else fit(due, 4, 3.4, 2.9, 2.4);
  fit(results, 2.4, 2.1, 1.9, 1.7, 1.5, 1.4);
  document.documentElement.dataset.seq = view.seq;
  tick(view);
}

/** The seat that YES and NO speak of, and the seats that play so far. */
const boxText = (box) => [box.cursor && `▸ ${word("seat")} ${box.cursor}`, box.playing && `${word("plays")}: ${box.playing.join(", ") || "–"}`].filter(Boolean);

/** Makes the text that may be long, a stop's reason or the results, as large as there is room for. */
function fit(e, ...sizes) {
  for (const size of sizes) {
    e.style.fontSize = `${size}rem`;
    if (e.parentNode.scrollHeight <= e.parentNode.clientHeight) return;
  }
}

const odds = { blackjack: "3:2", win: "1:1", even_money: "1:1", mixed: "5:1", coloured: "10:1", perfect: "30:1", suited_trips: "50:1" };
const paid = (what, kind) => [what, odds[kind]].filter(Boolean).join(" ");

/** What the round gave, each as a name and what is paid and taken there: by seat in the dealer's order, for the coup, or that there was none. */
function resultsOf(l) {
  if (l.coup) return [["", word("win." + l.coup.winner)], ["", `${word("player")} ${l.coup.player}`], ["", `${word("banker")} ${l.coup.banker}`]];
  if (l.last?.ended === "void" && l.last.round === l.round) return [["", word("void")]];
  const seats = l.seats.filter((s) => s.hands.some((h) => h.result)), pairs = seats.filter((s) => odds[s.pair]);
  const list = seats.map((s) => [String(s.seat),
    ...s.hands.map((h) => (s.hands.length > 1 ? h.hand[1].toUpperCase() + " " : "") + paid(word("result." + h.result), h.result)),
    odds[s.pair] && paid(word("pair"), s.pair),
    s.insurance === "insure" && word(standing(l.dealer) === "state.blackjack" ? "insurance-won" : "insurance-lost")].filter(Boolean));
  if (pairs.length && pairs.length < seats.length) list.push(["", word("pairs-lost")]); // where nobody has one, the table may not offer the bet
  return list;
}

function tick(view) {
  const s = left(view);
  clock.style.visibility = s === null ? "hidden" : "";
  if (s !== null) { say(clock, String(s)); clock.classList.toggle("soon", s <= 5); }
}

const view = follow(`/dealer/events/${table}?key=${encodeURIComponent(query.get("key") ?? "")}`, paint);
setInterval(() => { if (view.layout) tick(view); }, 100);
