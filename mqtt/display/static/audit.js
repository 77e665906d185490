import { el, say, word } from "/static/sabot.js";
import { clock, paintFelt, tell } from "/static/felt.js";

const page = document.getElementById("page"), title = el("h1", "", word("record"));
const rounds = el("select"), felt = el("div", "felt"), list = el("ol", "timeline"), told = el("div"), where = el("span", "who num");
const problem = el("p", "problem");
problem.setAttribute("role", "alert");
list.tabIndex = 0;
const back = el("button", "", word("step-back")), on = el("button", "first", word("step-on"));

let steps = [], at = 0;

page.replaceChildren(
  el("header", "top", title, where),
  el("div", "steps", el("label", "", word("rounds"), rounds), back, on),
  el("div", "desk", el("div", "", el("section", "panel", el("h2", "", word("picture")), felt, told)), el("section", "panel", el("h2", "", word("timeline")), list)),
);

function paint() {
  const s = steps[at];
  back.disabled = at <= 0; on.disabled = at >= steps.length - 1;
  if (!s) { felt.replaceChildren(); return; }
  say(title, `${word("record")} · ${s.layout.table}`);
  paintFelt(felt, s.layout);
  const stopped = s.layout.stopped ? word(s.layout.stopped) : word("phase." + s.layout.phase);
  told.replaceChildren(el("p", "said", `#${s.seq} · ${stopped}`), ...[...s.calls, ...s.floor].map((c) => el("p", "", tell(c))),
    ...(s.same ? [] : [el("p", "problem", "≠")]));
  [...list.children].forEach((li, i) => { li.className = i === at ? "here" : ""; });
  list.children[at]?.scrollIntoView({ block: "nearest" });
}

const go = (n) => { at = Math.max(0, Math.min(steps.length - 1, n)); paint(); };

async function get(url) {
  const a = await fetch(url + (url.includes("?") ? "&" : "?") + "lang=" + document.documentElement.lang);
  if (a.ok) { problem.remove(); return a.json(); }
  say(problem, await a.text());
  page.append(problem);
  throw new Error("no answer");
}

async function open() {
  const [segment, round] = rounds.value.split("/");
  steps = await get(`/audit/round?segment=${segment}&round=${round}`);
  list.replaceChildren(...steps.map((s, i) => {
    const li = el("li", "", el("span", "seq num", "#" + s.seq), el("time", "num", clock(s.at)), el("code", "", s.event));
    li.addEventListener("click", () => go(i));
    return li;
  }));
  go(0);
}

back.addEventListener("click", () => go(at - 1));
on.addEventListener("click", () => go(at + 1));
rounds.addEventListener("change", open);
addEventListener("keydown", (e) => {
  if (e.target === rounds) return;
  if (e.key === "ArrowRight") go(at + 1);
  if (e.key === "ArrowLeft") go(at - 1);
});

const all = await get("/audit/rounds");
rounds.replaceChildren(...all.map((r) => { const o = el("option", "", `${word("round")} ${r.round} (#${r.first})`); o.value = `${r.segment}/${r.round}`; return o; }));
say(where, `${all.length} ${word("rounds")}`);
if (all.length) await open();
