import { ailing, el, keep, query, say, what, word } from "/static/sabot.js";

const root = document.documentElement, page = document.getElementById("page");
const language = `?lang=${root.lang}`;
const wall = el("div", "wall");
const out = el("form", "", el("button", "", word("logout")));
out.method = "post"; out.action = "/floor/logout" + language;
page.replaceChildren(el("header", "top", el("h1", "", word("tables")), el("span", "who", root.dataset.user), out), wall);

const make = (name) => {
  const a = el("a", "tile", el("h2", "", name, el("span")), el("p", "now"), el("p", "stop"), el("p", "small num"));
  a.href = `/floor/table/${encodeURIComponent(name)}${language}`;
  return a;
};

const ago = (s) => s < 0 ? "" : `${s < 60 ? s + " s" : Math.floor(s / 60) + " min"} ${word("since-card")}`;

/** Looks again a second after each answer: one that is slow is not overtaken by the next. */
async function look() {
  try { await see(); } finally { setTimeout(look, 1000); }
}

async function see() {
  const answer = await fetch("/floor/wall", { signal: AbortSignal.timeout(5000) }).catch(() => null);
  if (answer?.status === 401) { location.href = "/floor/login" + language; return; }
  if (!answer?.ok) { wall.querySelectorAll(".tile").forEach((t) => t.classList.add("stale")); return; }
  const tiles = (await answer.json()).sort((a, b) => a.table.localeCompare(b.table, root.lang, { numeric: true }));
  keep(wall, tiles.map((t) => t.table), make).forEach((e, i) => paint(e, tiles[i]));
}

function paint(e, t) {
  const state = t.stale ? "stale" : t.stopped || (t.stops.length ? "later" : "running");
  e.className = "tile " + state;
  const [title, now, stop, small] = e.children;
  say(title.lastElementChild, t.game && word("game." + t.game));
  say(now, t.stale ? word("stale-word") : t.stopped ? word(t.stopped) : word("phase." + t.phase));
  say(stop, t.stops.length ? (t.device?.fault ? ailing(t.device) : [what(t.stops[0]), ailing(t.device)].filter(Boolean).join(" · ")) + (t.stops.length > 1 ? ` +${t.stops.length - 1}` : "") : "");
  say(small, [`${word("round")} ${t.round}`, t.dealer && `${word("dealer")} ${t.dealer}`, ago(t.card)].filter(Boolean).join(" · "));
}

look();
