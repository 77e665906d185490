import { el, follow, handName, keep, lay, left, put, query, draw, say, standing, table, totalOf, word } from "/static/sabot.js";

// What the address asks for: lang theme scale show delay debug stale.
const root = document.documentElement;
const theme = query.get("theme");
if (theme) root.dataset.theme = theme;
const scale = Number(query.get("scale"));
if (scale >= 0.3 && scale <= 3) root.style.setProperty("--scale", scale);
const wanted = query.get("show")?.split(",");
const shows = (part) => !wanted || wanted.includes(part); // bar, hands, seats, dealer, side-bets, roads, numbers
const debug = query.has("debug");
if (debug) root.dataset.debug = "";

const page = document.getElementById("page");
const meta = el("span", "meta num"), text = el("span", "text"), clock = el("span", "clock num");
const bar = el("div", "bar", text, clock, meta);
const strip = el("div", "strip");
const mark = el("div", "stale-mark");
const log = el("pre", "debug");
mark.setAttribute("role", "status");

const phaseText = (l) => {
  if (l.stopped) return word(l.stopped);
  if (l.due?.kind === "decision") return `${handName(l.due.hand)} ${word("to-act")}`;
  if (l.phase === "decisions" && l.due?.hand) return handName(l.due.hand);
  if (l.due?.kind === "reread") return word("due.reread");
  if (l.spin) return word("winning");
  if (l.phase === "spin") return word(l.due?.kind === "result" ? "spinning" : "no-bets");
  if (l.coup) return word("win." + l.coup.winner) + (l.coup.natural ? ` · ${word("natural")}` : "");
  if (l.last?.ended === "void" && l.last.round === l.round && l.phase === "result") return word("void");
  if (l.ended === "dealer_blackjack") return word("dealer-blackjack");
  return word("phase." + l.phase);
};

const metaText = (l) => {
  const parts = [`${word("round")} ${l.round}`];
  if (l.game !== "roulette" && l.shoe.number) parts.push(`${word("shoe")} ${l.shoe.number}`, `${l.shoe.left} ${word("cards-left")}`);
  return l.shoe.last_round ? word("last-round") : parts.join(" · ");
};

function paintBar(view) {
  const l = view.layout;
  bar.className = "bar" + (l.stopped ? " stopped" : "");
  say(text, phaseText(l));
  say(meta, metaText(l));
  tick(view);
}

function tick(view) {
  const s = view.layout ? left(view) : null;
  clock.hidden = s === null;
  clock.style.display = s === null ? "none" : "";
  if (s !== null) { say(clock, String(s)); clock.classList.toggle("soon", s <= 5); }
}

// ---- blackjack

const makeBox = (key) => {
  const box = el("section", key === "dealer" ? "box dealer" : "box", el("h2"), el("div", "hands"), el("div", "extra"));
  return box;
};

const makeHand = () => el("div", "hand", el("div", "cards"), el("div", "line num", el("span", "total"), el("span", "what")));

function paintHand(e, h, turn) {
  e.className = "hand" + (turn ? " turn" : "");
  lay(e.firstElementChild, h.cards);
  const [total, what] = e.lastElementChild.children;
  say(total, h.cards.length ? totalOf(h) + (h.doubled ? " ×2" : "") : "");
  const stands = standing(h), said = word(stands);
  what.className = "what " + stands.split(".")[1];
  say(what, said === total.textContent ? "" : said);
}

function paintBlackjack(view) {
  const l = view.layout, boxes = [];
  const dealer = shows("dealer") && l.dealer, seats = shows("seats") ? l.seats : [];
  if (dealer) boxes.push("dealer");
  boxes.push(...seats.map((s) => s.seat));
  const hands = seats.reduce((n, s) => n + Math.max(1, s.hands.length), 0);
  const cards = seats.reduce((n, s) => n + s.hands.reduce((m, h) => m + Math.max(0, h.cards.length - 2), 0), 0);
  const load = hands + cards * 0.4;
  strip.className = "strip blackjack" + (load > 9 ? " crowd" : load > 5 ? " full" : "");
  for (const box of keep(strip, boxes, makeBox)) {
    const [title, list, extra] = box.children;
    if (box.dataset.key === "dealer") {
      say(title, word("dealer"));
      const [hand] = keep(list, ["dealer"], makeHand);
      paintHand(hand, l.dealer, false);
      box.classList.toggle("act", l.phase === "dealer" || l.due?.hand === "dealer");
      continue;
    }
    const seat = l.seats.find((s) => String(s.seat) === box.dataset.key);
    say(title, `${word("seat")} ${seat.seat}`);
    box.classList.toggle("many", seat.hands.length > 1);
    const asked = l.due?.kind === "insurance" && l.due.seats?.includes(seat.seat);
    box.classList.toggle("act", l.due?.hand?.[0] === box.dataset.key || asked === true);
    keep(list, seat.hands.map((h) => h.hand), makeHand).forEach((e, i) => paintHand(e, seat.hands[i], l.due?.hand === seat.hands[i].hand));
    put(extra, ...extras(seat).map((text) => el("div", "", text)));
  }
}

function extras(seat) {
  if (!shows("side-bets")) return [];
  const list = [];
  if (seat.pair && seat.pair !== "none") list.push(word("pair." + seat.pair));
  if (seat.insurance === "insure") list.push(word("insured"));
  return list;
}

// ---- baccarat

const makeSide = (key) => el("section", "side " + key, el("h2"), el("div", "cards"), el("div", "points num"));

const turn = root.dataset.turn ?? query.get("turn") ?? "on-draw";

function paintBaccarat(view) {
  const l = view.layout;
  strip.className = "strip baccarat";
  const keys = shows("hands") ? ["player", "banker"] : [];
  if (shows("roads") && view.history?.bead) keys.push("roads");
  for (const e of keep(strip, keys, (key) => key === "roads" ? el("div", "roads") : makeSide(key))) {
    const key = e.dataset.key;
    if (key === "roads") { paintRoads(e, view.history); continue; }
    const [title, cards, points] = e.children;
    const h = l[key] ?? { cards: [], total: 0 };
    const hidden = turn === "button" && !l.coup && !opened.has(l.round);
    say(title, word(key));
    lay(cards, hidden ? h.cards.map(() => "back") : h.cards);
    say(points, hidden || !h.cards.length ? "–" : String(h.total));
    e.classList.toggle("won", l.coup?.winner === key);
  }
}

// turn=button: cards lie face down until the coup is decided, or somebody at the mixer presses the space bar.
const opened = new Set();
addEventListener("keydown", (e) => {
  if (turn === "button" && e.key === " " && view.layout) { opened.add(view.layout.round); paint(view); }
});

function grid(columns, rows, size, cls, title, marks) {
  const svg = draw("svg", { viewBox: `0 0 ${columns * size} ${rows * size}`, role: "img", "aria-label": title });
  let d = "";
  for (let c = 1; c < columns; c++) d += `M${c * size} 0v${rows * size}`;
  for (let r = 1; r < rows; r++) d += `M0 ${r * size}h${columns * size}`;
  svg.append(draw("path", { class: "grid", d }), ...marks);
  return el("div", "road " + cls, el("h3", "", title), svg);
}

/** The marks of the last columns, moved to the left. */
function window_(marks, columns) {
  const last = marks.reduce((n, m) => Math.max(n, m.c), 0);
  const first = Math.max(0, last - columns + 1);
  return marks.filter((m) => m.c >= first).map((m) => ({ ...m, c: m.c - first }));
}

const letters = () => ({ P: word("player")[0], B: word("banker")[0], T: word("tie")[0] });

function bead(list, columns) {
  const first = Math.max(0, Math.ceil(list.length / 6) - columns) * 6, names = letters();
  return list.slice(first).flatMap((b, i) => {
    const x = Math.floor(i / 6) * 10 + 5, y = (i % 6) * 10 + 5;
    const marks = [draw("circle", { class: b.w + (b.n ? " natural" : ""), cx: x, cy: y, r: 4.4 }), draw("text", { x, y: y + 2.3 }, names[b.w])];
    if (b.p & 1) marks.push(draw("circle", { class: "P", cx: x - 3.4, cy: y - 3.4, r: 1.3, stroke: "#fff", "stroke-width": .5 }));
    if (b.p & 2) marks.push(draw("circle", { class: "B", cx: x + 3.4, cy: y + 3.4, r: 1.3, stroke: "#fff", "stroke-width": .5 }));
    return marks;
  });
}

const big = (list, columns) => window_(list, columns).flatMap((m) => {
  const x = m.c * 10 + 5, y = m.r * 10 + 5, marks = [];
  if (m.w) marks.push(draw("circle", { class: "ring " + m.w, cx: x, cy: y, r: 3.8 }));
  if (m.t) marks.push(draw("path", { class: "tie", d: `M${x - 3} ${y + 3}l6 -6` }));
  if (m.t > 1) marks.push(draw("text", { class: "ties", x: x + 2.4, y: y + 4.6 }, String(m.t)));
  return marks;
});

const little = (list, columns, kind) => window_(list, columns).map((m) => {
  const x = m.c * 5 + 2.5, y = m.r * 5 + 2.5, colour = m.w === "R" ? "R" : "U";
  if (kind === "pig") return draw("path", { class: "slash " + colour, d: `M${x - 1.5} ${y + 1.5}l3 -3` });
  return draw("circle", { class: (kind === "eye" ? "ring " : "dot ") + colour, cx: x, cy: y, r: kind === "eye" ? 1.6 : 1.9, "stroke-width": 1 });
});

function paintRoads(e, h) {
  const sign = JSON.stringify(h);
  if (e.sign === sign) return;
  e.sign = sign;
  const counts = el("div", "counts num", ...["player", "banker", "tie"].map((k) => el("span", k, `${word(k)} ${h[k]}`)));
  const columns = 15;
  e.replaceChildren(
    el("div", "main-roads", grid(8, 6, 10, "bead", word("bead"), bead(h.bead, 8)), grid(14, 6, 10, "big", word("big"), big(h.big, 14)), counts),
    el("div", "littles", ...["eye", "small", "pig"].map((k) => grid(columns, 6, 5, "little", word(k), little(h[k], columns, k)))),
  );
}

// ---- roulette

const reds = new Set([1, 3, 5, 7, 9, 12, 14, 16, 18, 19, 21, 23, 25, 27, 30, 32, 34, 36]);
const colourOf = (n) => n === 0 ? "green" : reds.has(n) ? "red" : "black";
const pocket = (n) => el("span", "pocket num " + colourOf(n), String(n));

function paintRoulette(view) {
  const l = view.layout, h = view.history;
  strip.className = "strip roulette";
  const parts = [];
  if (l.spin) parts.push(el("div", "won-number", pocket(l.spin.number), el("span", "name", word("colour." + l.spin.colour))));
  if (shows("numbers")) {
    if (l.spins?.length) parts.push(el("div", "numbers", el("h3", "", word("last")), el("div", "row", ...l.spins.slice(0, 12).map(pocket))));
    if (h?.hot?.length) parts.push(el("div", "numbers plain", el("h3", "", word("hot")), el("div", "row", ...h.hot.map(pocket))));
    if (h?.cold?.length) parts.push(el("div", "numbers plain", el("h3", "", word("cold")), el("div", "row", ...h.cold.map(pocket))));
  }
  put(strip, ...parts);
}

// ----

/** Makes the strip smaller where it would not fit: seven split seats are rare, and must still be seen. */
function fit() {
  strip.style.transform = strip.style.marginTop = "";
  const room = page.clientHeight - (bar.isConnected ? bar.offsetHeight * 1.3 : 0);
  const over = Math.max(strip.offsetWidth / page.clientWidth, strip.offsetHeight / room);
  if (over < 1.002) return;
  strip.style.transform = `scale(${1 / over})`;
  strip.style.marginTop = `${(1 / over - 1) * strip.offsetHeight}px`;
}

const games = { blackjack: paintBlackjack, baccarat: paintBaccarat, roulette: paintRoulette };

function paint(view) {
  if (view.stale) root.dataset.stale = query.get("stale") === "hide" ? "hide" : "mark"; else delete root.dataset.stale;
  if (debug) say(log, JSON.stringify({ table, seq: view.seq, stale: view.stale, due: view.layout?.due, phase: view.layout?.phase }, null, 1));
  if (!view.layout) return;
  if (strip.parentNode !== page) page.replaceChildren(...(shows("bar") ? [bar] : []), strip, ...(debug ? [log] : []));
  if (view.stale && !mark.isConnected) page.append(mark);
  if (!view.stale) mark.remove();
  say(mark, view.stale ? word("stale-word") : "");
  if (strip.dataset.game !== view.layout.game) { strip.dataset.game = view.layout.game; strip.replaceChildren(); }
  root.dataset.seq = view.seq;
  root.dataset.phase = view.layout.phase;
  paintBar(view);
  games[view.layout.game]?.(view);
  fit();
}

const delay = query.get("delay");
const view = follow(`/events/${table}${delay ? "?delay=" + encodeURIComponent(delay) : ""}`, paint);
setInterval(() => { if (view.layout) tick(view); }, 100);
