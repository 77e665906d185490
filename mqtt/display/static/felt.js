// The felt and a round's events as the staff's pages show them.
import { cardName, el, handName, keep, lay, say, standing, totalOf, what, word } from "/static/sabot.js";

/** The hands of a layout. */
export function handsOf(l) {
  const list = [];
  if (l.dealer) list.push({ key: "dealer", name: word("dealer"), hand: l.dealer });
  for (const k of ["player", "banker"]) if (l[k]) list.push({ key: k, name: word(k), hand: l[k] });
  for (const s of l.seats) for (const h of s.hands) list.push({ key: h.hand, name: handName(h.hand), hand: h });
  return list;
}

const makeSpot = () => el("div", "spot", el("h3"), el("div", "cards"), el("span", "total num"));

/** Paints a layout's hands into an element. */
export function paintFelt(e, l) {
  const list = handsOf(l);
  keep(e, list.map((h) => h.key), makeSpot).forEach((spot, i) => {
    const { key, name, hand } = list[i];
    spot.className = "spot" + (l.due?.hand === key ? " act" : "");
    say(spot.children[0], name);
    lay(spot.children[1], hand.cards);
    say(spot.children[2], [hand.cards.length ? totalOf(hand) : "", hand.doubled && hand.state !== "doubled" && word("doubled"), word(standing(hand))].filter(Boolean).join(" · "));
  });
  if (l.spin) {
    const spin = keep(e, [...list.map((h) => h.key), "spin"], makeSpot).at(-1);
    say(spin.children[0], word("number"));
    say(spin.children[2], `${l.spin.number} ${word("colour." + l.spin.colour)}`);
  }
}

/** A call in words. */
export function tell(c) {
  const to = c.hand ? handName(c.hand) : c.seat ? `${word("seat")} ${c.seat}` : "";
  const parts = [word("call." + c.call)];
  if (c.call === "due") parts.push(word("due." + c.due));
  if (to) parts.push(to);
  if (c.card) parts.push(cardName(c.card));
  if (c.decision) parts.push(word("may." + c.decision));
  if (c.answer) parts.push(word("may." + c.answer));
  if (c.result) parts.push(word("result." + c.result));
  if (c.pair) parts.push(word("pair." + c.pair));
  if (c.winner) parts.push(`${word("win." + c.winner)} ${c.player}–${c.banker}`);
  if (c.total !== undefined && !c.result) parts.push(totalOf(c));
  if (c.code) parts.push(what(c.code));
  if (c.remedy) parts.push(word("remedy." + c.remedy));
  if (c.call === "number" || c.call === "shoe") parts.push(String(c.number));
  if (c.call === "void") parts.push(`${word("round")} ${c.round}`);
  if (c.seats) parts.push(c.seats.join(", "));
  if (c.irregularity) parts.push(`#${c.irregularity}`);
  if (c.replaces) parts.push(`#${c.replaces}`);
  return parts.join(" · ");
}

/** The time of day where the page is looked at. */
export const clock = (at) => new Date(at).toLocaleTimeString(document.documentElement.lang, { hour12: false });

/** Whose order something was, and why. */
export const whose = (o) => [`${word("by")} `, el("mark", "", el("bdi", "", o.by)), ...(o.because ? [": ", el("bdi", "", o.because)] : [])];

/** A line of the timeline. */
export function line(m, staff) {
  const text = el("span", "", m.calls.map(tell).join("; ") || m.event && word("event." + m.event) || "");
  if (m.by) text.append(" — ", ...whose(m));
  const li = el("li", staff ? "floor" : "", el("span", "seq num", "#" + m.seq), el("time", "num", clock(m.at)), text);
  li.dataset.seq = m.seq;
  return li;
}
