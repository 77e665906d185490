// What all pages share: their words, one table's stream, and cards.

const root = document.documentElement;
const words = JSON.parse(document.getElementById("words").textContent);

/** The word of a name; the name's last part where there is none. */
export const word = (name) => words[name] ?? String(name).split(".").pop().replaceAll("_", " ");

/** What a code says is wrong. What is to be done about it, in some sentences behind a colon, is said where it can be done. */
export const what = (code) => word("code." + code).split(/[:;]/)[0];

/** The device that a stop is about, and what is the matter with it; nothing where it is about none. */
export const ailing = (d) => d ? [word("device." + d.name), [d.fault && word("dev." + d.fault), d.over && word("dev.over")].filter(Boolean).join(", ")].filter(Boolean).join(": ") : "";

export const table = root.dataset.table;
export const query = new URLSearchParams(location.search);

/** An element with a class, children and attributes. Text is only ever set as text. */
export function el(tag, cls = "", ...children) {
  const e = document.createElement(tag);
  if (cls) e.className = cls;
  e.append(...children.filter((c) => c !== null && c !== undefined && c !== ""));
  return e;
}

/** Puts the children into an element, and leaves it alone when nothing changed. */
export function put(parent, ...children) {
  const next = el(parent.tagName, parent.className, ...children);
  if (next.innerHTML !== parent.innerHTML) parent.replaceChildren(...next.childNodes);
}

// ---- a table's stream

/**
 * Follows a table: calls paint(view) whenever what is to be seen changed. A layout tells everything. The calls after it are applied to it where that is plain (a card, a
 * turned card), so that a card is there with its call; whatever is not plain waits for the next layout, a moment later.
 */
export function follow(url, paint, more = {}) {
  const view = { layout: null, seq: 0, history: null, stale: false, until: 0, floor: null };
  let heard = performance.now(), lost = false, told = false, waits = false;
  const source = new EventSource(url);
  const on = (kind, take) => source.addEventListener(kind, (e) => {
    heard = performance.now();
    if (lost) { lost = false; view.stale = told; }
    if (take) take(JSON.parse(e.data));
    paint(view);
  });
  const clock = (due, age) => { view.until = due?.left_ms ? performance.now() + due.left_ms - age : 0; };
  on("beat");
  on("layout", ({ age, body }) => {
    if (view.layout?.record === body.record && body.seq < view.seq) return;
    view.layout = body; view.seq = body.seq; waits = false;
    clock(body.due, age);
  });
  on("call", ({ age, body }) => {
    more.call?.(body);
    if (!view.layout || body.record !== view.layout.record || body.seq <= view.seq) return;
    if (waits || body.seq !== view.seq + 1) { waits = true; return; }
    view.seq = body.seq;
    const next = structuredClone(view.layout);
    if (!body.calls.every((c) => apply(next, c))) { waits = true; return; }
    view.layout = next;
    const due = body.calls.find((c) => c.call === "due");
    if (due || body.calls.length) clock(due, age);
  });
  on("history", ({ body }) => { view.history = body; });
  on("state", ({ body }) => { told = body.stale; view.stale = told; });
  on("floor", ({ body }) => { more.floor?.(body); });
  on("floor-state", ({ body }) => { view.floor = body; });
  // A server that is away is asked again by the browser itself. One that refuses (logged out, too many pages) is not: the page then begins anew, as soon as it can.
  source.onerror = () => {
    if (source.readyState !== EventSource.CLOSED) return;
    setInterval(async () => { if ((await fetch(location.href).catch(() => null))?.ok) location.reload(); }, 2000);
  };
  setInterval(() => {
    if (!lost && performance.now() - heard > 3000) { lost = true; view.stale = true; paint(view); }
  }, 250);
  return view;
}

const handOf = (l, name) => {
  if (name === "dealer" || name === "player" || name === "banker") {
    l[name] ??= { cards: [], total: 0, soft: false };
    return l[name];
  }
  const seat = l.seats.find((s) => s.seat === Number(name[0]));
  if (!seat) return null;
  let hand = seat.hands.find((h) => h.hand === name);
  if (!hand && name[1] === "a") seat.hands.push(hand = { hand: name, cards: [], total: 0, soft: false, state: "playing" });
  return hand;
};

/** Applies a call to a layout; false when only a layout can tell. */
function apply(l, c) {
  if (c.rev) return false;
  switch (c.call) {
    case "card": {
      const hand = handOf(l, c.hand);
      if (!hand) return false;
      hand.cards.push(c.card);
      if (c.total !== undefined) { hand.total = c.total; hand.soft = c.soft ?? false; }
      l.due = null;
      return true;
    }
    case "reveal": {
      const at = l.dealer?.cards.indexOf("back") ?? -1;
      if (at < 0 || !c.card) return false;
      l.dealer.cards[at] = c.card;
      l.dealer.total = c.total; l.dealer.soft = c.soft;
      l.due = null;
      return true;
    }
    case "number":
      l.spin = { number: c.number, colour: c.colour };
      l.due = null;
      return true;
    case "due":
      l.due = { kind: c.due, hand: c.hand, seats: c.seats, may: c.may };
      return true;
    case "decision": case "insurance": case "peek": case "pair": case "last-round": case "cut":
      return true;
  }
  return false;
}

/** The seconds left of the clock, null where none runs. */
export const left = (view) => view.until > 0 && !view.layout?.stopped && !view.stale ? Math.max(0, Math.ceil((view.until - performance.now()) / 1000)) : null;

// ---- words of layouts

export const handName = (name) => {
  if (["dealer", "player", "banker"].includes(name)) return word(name);
  return `${word("seat")} ${name[0]}${name[1] && name[1] !== "a" ? " " + name[1].toUpperCase() : ""}`;
};

export const totalOf = (hand) => hand.soft && hand.total < 21 ? `${hand.total - 10}/${hand.total}` : String(hand.total);

/** The word of the contract for how a hand stands, with its class. A dealer's hand has none of its own: its cards tell. */
export const standing = (hand) => hand.result ? `result.${hand.result}`
  : `state.${hand.state ?? (hand.total > 21 ? "bust" : hand.total === 21 && hand.cards.length === 2 ? "blackjack" : "playing")}`;

/** Whether a card can be read; what is written as none is shown as one that cannot. */
const readable = (card) => /^[A2-9TJQK][cdhs]$/.test(card);

/** A card in words. */
export function cardName(card) {
  if (card === "back") return word("card.back");
  if (!readable(card)) return word("card.??");
  return `${card[0] === "T" ? "10" : card[0]} ${word("suit." + card[1])}`;
}

// ---- cards

const NS = "http://www.w3.org/2000/svg";
const shapes = {
  h: ["M50 92C18 67 5 50 5 31 5 16 16 6 29 6c9 0 17 5 21 15C54 11 62 6 71 6c13 0 24 10 24 25 0 19-13 36-45 61Z"],
  d: ["M50 3C61 21 73 36 88 50 73 64 61 79 50 97 39 79 27 64 12 50 27 36 39 21 50 3Z"],
  s: ["M50 5C66 27 94 42 94 65c0 13-9 21-20 21-9 0-16-5-20-12 1 10 4 16 11 21H35c7-5 10-11 11-21-4 7-11 12-20 12C15 86 6 78 6 65 6 42 34 27 50 5Z"],
  c: ["M50 6a21 21 0 1 1 0 42 21 21 0 1 1 0-42Z", "M27 41a21 21 0 1 1 0 42 21 21 0 1 1 0-42Z", "M73 41a21 21 0 1 1 0 42 21 21 0 1 1 0-42Z", "M44 44h12v22q1 20 10 29H34q9-9 10-29Z"],
};

function draw(tag, attributes, ...children) {
  const e = document.createElementNS(NS, tag);
  for (const [k, v] of Object.entries(attributes)) e.setAttribute(k, v);
  e.append(...children);
  return e;
}

const suit = (s, x, y, size) => draw("g", { class: "pip", transform: `translate(${x} ${y}) scale(${size / 100})` }, ...shapes[s].map((d) => draw("path", { d })));

const made = new Map();

function face(card) {
  const svg = draw("svg", { viewBox: "0 0 100 140", role: "img", "aria-label": cardName(card), class: "card" });
  svg.append(draw("rect", { class: "paper", x: 1, y: 1, width: 98, height: 138, rx: 9 }));
  if (card === "back") {
    svg.classList.add("back");
    svg.append(draw("rect", { class: "cloth", x: 8, y: 8, width: 84, height: 124, rx: 5 }));
    let d = "";
    for (let i = -124; i <= 84; i += 14) d += `M${8 + i} 8l124 124M${92 - i} 8l-124 124`;
    const clip = `c${made.size}`;
    svg.append(draw("clipPath", { id: clip }, draw("rect", { x: 12, y: 12, width: 76, height: 116, rx: 3 })));
    svg.append(draw("path", { class: "weave", d, "clip-path": `url(#${clip})` }));
    return svg;
  }
  const known = readable(card);
  const rank = known ? (card[0] === "T" ? "10" : card[0]) : "?";
  const text = draw("text", { x: 6, y: 60, class: "rank" }, rank);
  if (["10", "A", "K", "Q"].includes(rank)) { text.setAttribute("textLength", "42"); text.setAttribute("lengthAdjust", "spacingAndGlyphs"); } // the next card lies over half of this one
  svg.append(text);
  if (known) {
    svg.classList.add("suit-" + card[1]);
    svg.append(suit(card[1], 9, 70, 36), suit(card[1], 50, 88, 42));
  }
  return svg;
}

/** A card's picture. */
export function cardSVG(card) {
  const like = card === "back" || readable(card) ? card : "??";
  if (!made.has(like)) made.set(like, face(like));
  const svg = made.get(like).cloneNode(true);
  svg.dataset.card = card;
  return svg;
}

/** Lays cards into an element: those that lie there stay, so only what is new moves. */
export function lay(parent, cards) {
  const old = [...parent.children];
  cards.forEach((card, i) => {
    if (old[i]?.dataset.card === card) return;
    const svg = cardSVG(card);
    if (old[i]) { svg.classList.add(old[i].dataset.card === "back" ? "turned" : "put"); old[i].replaceWith(svg); } else { svg.classList.add("dealt"); parent.append(svg); }
  });
  old.slice(cards.length).forEach((e) => e.remove());
  parent.dataset.n = cards.length;
}

/** Keeps one element per key, in order. */
export function keep(parent, keys, make) {
  const old = new Map([...parent.children].map((e) => [e.dataset.key, e]));
  let before = null;
  for (const key of keys.map(String)) {
    let e = old.get(key);
    if (!e) { e = make(key); e.dataset.key = key; }
    old.delete(key);
    const at = before ? before.nextElementSibling : parent.firstElementChild;
    if (at !== e) parent.insertBefore(e, at);
    before = e;
  }
  old.forEach((e) => e.remove());
  return [...parent.children];
}

/** Sets text where it differs. */
export function say(e, text) { if (e.textContent !== text) e.textContent = text; }

export { draw };
