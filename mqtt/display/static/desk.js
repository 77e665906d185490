import { ailing, cardName, el, follow, handName, put, say, table, totalOf, word } from "/static/sabot.js";
import { handsOf, line, paintFelt, whose } from "/static/felt.js";

const root = document.documentElement, page = document.getElementById("page");
const language = `?lang=${root.lang}`;

const state = el("span", "who"), stops = el("div"), due = el("p", "next"), felt = el("div", "felt"), list = el("ol", "timeline"), devices = el("p", "small");
const said = el("p", "said");
said.setAttribute("role", "status");

function field(name, attributes = {}) {
  const input = el("input");
  Object.assign(input, attributes);
  return { input, label: el("label", "", word(name), input) };
}
const because = field("because", { name: "because" }), which = field("which", { inputMode: "numeric" }), card = field("card", { placeholder: word("card-like"), maxLength: 5 });
const pocket = field("number", { inputMode: "numeric", maxLength: 2 });
const value = field("value", { placeholder: "", maxLength: 64 });
const hand = el("select");
const handLabel = el("label", "", word("hand"), hand);

const back = el("a", "", word("back"));
back.href = "/floor/" + language;

/** Sends an order; nothing is done twice while one is on its way. */
let busy = false;
async function order(what) {
  if (busy) return;
  busy = true;
  said.className = "said"; say(said, "…");
  try {
    const answer = await fetch(`/floor/order/${encodeURIComponent(table)}${language}`, {
      method: "POST", headers: { "Content-Type": "application/json", "X-Sabot-Token": root.dataset.token }, body: JSON.stringify(what),
    }).catch(() => null);
    if (answer?.status === 401) { location.href = "/floor/login" + language; return; }
    if (!answer || answer.status === 504) throw new Error(word("no-answer"));
    if (!answer.ok) throw new Error(`${word("refused")}: ${await answer.text()}`);
    const reply = await answer.json();
    if (!reply.ok) throw new Error(`${word("refused")}: ${word("code." + reply.code)}`);
    said.className = "said good"; say(said, `${word("done")} · #${reply.seq ?? ""}`);
  } catch (e) {
    said.className = "said bad"; say(said, e.message);
  } finally { busy = false; }
}

const maxBecause = 200; // letters, as the table counts them: what looks like one may be two of a script's
because.input.addEventListener("input", () => {
  const letters = [...because.input.value];
  if (letters.length > maxBecause) because.input.value = letters.slice(0, maxBecause).join("");
});
const reason = () => because.input.value.trim();
const withReason = (what) => reason() ? { ...what, because: reason() } : what;

/** An order that needs a reason. */
function grave(what) {
  if (!reason()) { said.className = "said bad"; say(said, word("because-must")); because.input.focus(); return; }
  order(withReason(what));
}

/** The hand that was chosen; false, with a word about it, where there is none. */
function chosen() {
  if (!hand.value) { said.className = "said bad"; say(said, word("hand-must")); hand.focus(); }
  return hand.value !== "";
}

/** A card as people write it, as the table reads it. */
const written = () => {
  const v = card.input.value.trim().replace(/^10/, "T");
  return v.toLowerCase() === word("cut-card") ? "cut" : v.charAt(0).toUpperCase() + v.slice(1).toLowerCase();
};

function button(name, cls, act) {
  const b = el("button", cls, word("do." + name));
  b.type = "button"; b.dataset.do = name;
  b.addEventListener("click", act);
  return b;
}
const number = (f) => { const n = parseInt(f.input.value, 10); return Number.isFinite(n) ? n : undefined; };
const round = () => view.layout?.round;

/** A button for each round that can be void now, the later one first: the one running, and one that has ended. */
const voids = [0, 1].map(() => button("void", "grave", (e) => grave({ do: "void", round: Number(e.currentTarget.dataset.round) })));
for (const b of voids) b.hidden = true;
const runs = (l) => l.due?.kind === "close" || ["deal", "insurance", "peek", "decisions", "dealer", "spin"].includes(l.phase);
function paintVoids(view) {
  const l = view.layout;
  voids.forEach((b, i) => {
    const n = view.floor?.void?.[i];
    b.hidden = !n;
    if (!n) return;
    b.dataset.round = n;
    say(b, `${word("do.void")} ${n}${n !== l.round || !runs(l) ? ` (${word("ended")})` : ""}`);
  });
}

/** What an undo takes back: while the table is stopped, it is known. */
const undo = button("undo", "", () => grave({ do: "undo", seq: view.floor?.undo?.seq ?? number(which) }));
const undone = (u) => u ? `: ${handName(u.hand)}, ${word("may." + u.decision)}` : "";

const orders = el("div", "orders",
  button("pause", "", () => order(withReason({ do: "pause" }))),
  button("correct", "", () => grave({ do: "correct", irregularity: number(which), card: written() })),
  undo,
  button("draw", "", () => order(withReason(hand.value ? { do: "draw", card: written(), hand: hand.value } : { do: "draw", card: written() }))),
  button("result", "", () => order(withReason({ do: "result", pocket: number(pocket) }))),
  ...voids,
  button("retire", "grave", () => grave({ do: "retire" })),
);

/** What the day needs: who deals, which shoe, which seats play. What is written belongs to the button that is pressed; with must nothing is done without it. */
function ofDay(name, must, what) {
  return button(name, name === "table-close" ? "grave" : "", () => {
    const typed = value.input.value.trim();
    if (must && !typed) { said.className = "said bad"; say(said, word("value-must")); value.input.focus(); return; }
    order(withReason({ do: name, ...what(typed, number(value)) }));
    value.input.value = "";
  });
}
const day = el("div", "orders",
  ofDay("table-open", false, () => ({})),
  ofDay("shoe", false, (_, n) => ({ number: n ?? (view.layout?.shoe.number ?? 0) + 1 })),
  ofDay("count", true, (_, n) => ({ cards: n })),
  ofDay("close", true, (typed) => ({ seats: (typed.match(/\d+/g) ?? []).map(Number) })),
  ofDay("dealer", true, (typed) => ({ name: typed })),
  ofDay("burn", true, (_, n) => ({ cards: n })),
  ofDay("dispute", false, (_, n) => ({ round: n ?? round() })),
  ofDay("table-close", false, () => ({})),
);

/** Which of them the table takes now. */
function fitsDay(name, l) {
  const shoe = l.game !== "roulette", between = ["open", "shoe", "burn"].includes(l.due?.kind) || l.phase === "closed";
  switch (name) {
    case "table-open": return l.phase === "closed";
    case "shoe": return l.due?.kind === "shoe" && !l.stopped;
    case "count": return l.due?.kind === "shoe" && l.shoe.number > 0;
    case "close": return l.due?.kind === "close" && !l.stopped;
    case "burn": return shoe && l.due?.kind === "open" && !l.stopped;
    case "dispute": return l.round > 0;
    case "table-close": return between && l.phase !== "closed" && !l.stopped;
    default: return true;
  }
}

/** What a player said and nobody sent: only while the table is stopped, and with a reason. */
const answers = el("div", "orders");
let asked = "";
function paintDecisions(l) {
  const d = l.stopped && ["decision", "insurance"].includes(l.due?.kind) ? l.due : null;
  if (JSON.stringify(d) === asked) return;
  asked = JSON.stringify(d);
  const at = d?.hand ? { hand: d.hand } : {}, seat = parseInt(d?.hand ?? d?.seats?.[0], 10);
  const may = d?.kind === "insurance" ? ["insure", "even-money", "decline"] : d?.may ?? [];
  answers.replaceChildren(...may.map((m) => {
    const of = ["surrender", "insure", "even-money", "decline"].includes(m) ? { seat } : at;
    const b = el("button", "", `${handName(d.hand ?? seat + "a")}: ${word("may." + m)}`);
    b.type = "button"; b.dataset.do = m;
    b.addEventListener("click", () => grave({ do: m, round: round(), ...of }));
    return b;
  }));
}

const wrap = (title, ...children) => el("section", "panel", el("h2", "", word(title)), ...children);
page.replaceChildren(
  el("header", "top", el("h1", "", table), state, el("span", "who", root.dataset.user), back),
  el("div", "desk",
    el("div", "", wrap("stops", stops, said), wrap("picture", due, felt, devices), wrap("orders", because.label, el("div", "entry", which.label, card.label, handLabel, pocket.label), orders, answers), wrap("day", value.label, day)),
    wrap("timeline", list)),
);

// ---- stops: the oldest first, its remedies as buttons

function remedyButton(s, remedy, first) {
  const only = remedy === "assign" && s.hands?.length === 1 ? s.hands[0] : ""; // no other hand takes it
  const b = el("button", "big" + (first ? " first" : ""), only ? `${word("remedy.assign-to")} ${handName(only)}` : word("remedy." + remedy), first ? el("small", "", word("default")) : null);
  b.type = "button"; b.dataset.remedy = remedy;
  b.addEventListener("click", () => {
    const what = { do: "release", irregularity: s.irregularity, remedy };
    if (remedy === "assign" && only) what.hand = only;
    else if (remedy === "assign" && s.code !== "CARD_MOVED" && !chosen()) return; // a card that was moved may stay where it lies
    if (remedy === "assign" && hand.value) what.hand = hand.value;
    order(withReason(what));
  });
  return b;
}

const ordered = (o) => o ? el("p", "", ...whose(o)) : null;

let shown = "";
function paintStops(view) {
  const all = view.floor?.stops ?? [];
  const paused = view.floor?.paused ?? false;
  const sign = JSON.stringify([paused, view.floor?.pause, all, all.some((s) => s.code === "RESTART") && handsOf(view.layout)]);
  if (sign === shown) return;
  shown = sign;
  which.input.value = all[0]?.irregularity ?? "";
  const pause = paused ? [el("section", "stop-card", el("h3", "", word("code.PAUSED")), ordered(view.floor.pause), el("div", "remedies", resumeButton()))] : [];
  stops.replaceChildren(...pause, ...(all.length ? all.map((s, i) => {
    const checks = s.code === "RESTART" ? handsToCheck(view.layout) : [];
    const e = el("section", "stop-card" + (i ? " behind" : ""), el("h3", "", word("code." + s.code)), s.device ? el("p", "device", ailing(s.device)) : null, ordered(s.order),
      el("p", "small num", [`#${s.irregularity}`, s.code, s.later && word("later"), s.card].filter(Boolean).join(" · ")),
      checks.length ? el("p", "", word("confirm-felt")) : null, ...checks,
      el("div", "remedies", ...s.remedies.map((r, n) => remedyButton(s, r, n === 0)),
        s.aside && !s.card ? exposedButton(s) : null));
    const boxes = [...e.querySelectorAll("input")];
    const allow = () => e.querySelectorAll("button").forEach((b) => { b.disabled = i > 0 || s.later || !boxes.every((c) => c.checked); });
    boxes.forEach((c) => c.addEventListener("change", allow));
    allow();
    return e;
  }) : paused ? [] : [el("p", "small", word("no-stops"))]));
}

/** After a restart: each hand as it is recorded, to be ticked when it lies so on the felt. What lies otherwise is entered or corrected below, or the round is void. */
function handsToCheck(l) {
  return handsOf(l).filter((h) => h.hand.cards.length).map(({ name, hand: h }) => {
    const box = el("input");
    box.type = "checkbox";
    return el("label", "check", box, `${name}: ${h.cards.map(cardName).join(", ")} — ${totalOf(h)}`);
  });
}

const resumeButton = () => button("resume", "big first", () => order(withReason({ do: "resume" })));

function exposedButton(s) {
  return button("exposed", "big", () => order(withReason({ do: "exposed", irregularity: s.irregularity })));
}

// ---- the round

let running = 0, record = "";
const lines = new Map();
function note(m, staff) {
  if (!m.calls.length && !m.by) return;
  if (m.round !== running || m.record !== record) { if (m.record === record && m.round < running) return; record = m.record; running = m.round; lines.clear(); list.replaceChildren(); }
  const key = `${staff ? "f" : "c"}${m.seq}`;
  if (lines.has(key)) return;
  const li = line(m, staff);
  const pick = el("button", "", "#" + m.seq);
  pick.type = "button";
  pick.addEventListener("click", () => { which.input.value = m.seq; which.input.focus(); });
  li.firstElementChild.replaceChildren(pick);
  lines.set(key, li);
  const after = [...list.children].find((o) => Number(o.dataset.seq) < m.seq);
  if (after) after.before(li); else list.append(li);
}

function paintHands(l) {
  const names = l.seats.flatMap((s) => s.hands.map((h) => h.hand));
  if (l.dealer || l.game === "blackjack") names.push("dealer");
  if (l.game === "baccarat") names.push("player", "banker");
  const options = ["", ...names];
  if (options.join() === [...hand.options].map((o) => o.value).join()) return;
  const was = hand.value;
  hand.replaceChildren(...options.map((n) => { const o = el("option", "", n ? handName(n) : "—"); o.value = n; return o; }));
  hand.value = options.includes(was) ? was : "";
}

const dueText = (d, shoe) => [word(d.kind === "card" && !shoe.left ? "shoe-empty" : "due." + d.kind), d.hand && handName(d.hand), d.seats?.length && `${word("seats")} ${d.seats.join(", ")}`].filter(Boolean).join(" · ");

function paint(view) {
  const l = view.layout;
  if (!l) return;
  say(state, [view.stale ? word("stale-word") : l.stopped ? word(l.stopped) : word("phase." + l.phase), `${word("round")} ${l.round}`, l.shoe.number && `${word("shoe")} ${l.shoe.number}, ${l.shoe.left} ${word("cards-left")}`,
    view.floor?.dealer && `${word("dealer")} ${view.floor.dealer}`].filter(Boolean).join(" · "));
  say(due, l.due ? `${word("next")}: ${dueText(l.due, l.shoe)}` : "");
  paintStops(view);
  paintFelt(felt, l);
  paintHands(l);
  const wheel = l.game === "roulette";
  pocket.label.hidden = !wheel;
  card.label.hidden = handLabel.hidden = wheel;
  for (const b of orders.children) b.hidden = (b.dataset.do === "result") !== wheel && ["result", "correct", "draw", "retire"].includes(b.dataset.do);
  orders.firstElementChild.hidden = view.floor?.paused ?? false; // its end stands where what stops the table does
  for (const b of day.children) b.hidden = !fitsDay(b.dataset.do, l);
  paintDecisions(l);
  paintVoids(view);
  say(undo, word("do.undo") + undone(view.floor?.undo));
  put(devices, Object.entries(view.floor?.devices ?? {}).map(([n, s]) => `${word("device." + n)}: ${word("dev." + s)}`).join(" · "));
}

const view = follow(`/floor/events/${encodeURIComponent(table)}?all`, paint, { call: (m) => note(m, false), floor: (m) => note(m, true) });
