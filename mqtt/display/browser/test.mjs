// The pages in Chromium: node test.mjs URL CONTROL SHOTS NAME PASSWORD KEY. Run by TestPagesInABrowser, which is the table.
import { strict as assert } from "node:assert";
import { readFileSync } from "node:fs";
import { chromium } from "playwright-core";
import { english } from "./english.mjs";
import { pit, restarted, scenes } from "./scenes.mjs";

const [url, control, shots, name, password, key] = process.argv.slice(2);
const axe = readFileSync(new URL("node_modules/axe-core/axe.min.js", import.meta.url), "utf8");

// ---- the table

const record = "3ffbf0a1786e7cd63580c4e1da599516";
const at = "2026-11-30T21:00:00.000Z";
let seq = 0;

async function tell(path, body = "") {
  const answer = await fetch(control + path, { method: "POST", body: typeof body === "string" ? body : JSON.stringify(body), signal: AbortSignal.timeout(20000) });
  assert.ok(answer.ok, `${path}: ${answer.status}`);
  return answer.text();
}
const status = (state) => tell("/say/T/status", { v: 1, state, since: at, record, instance: "I" });
const say = (round, ...calls) => tell("/say/T/call", { v: 1, record, seq: ++seq, at, round, calls });
const layout = (more, table = "T") => tell(`/say/${table}/layout`, {
  v: 1, record, seq, at, table, game: "blackjack", rules: "deluxe", round: 1, shoe: { number: 1, dealt: 4, left: 412, last_round: false },
  phase: "decisions", due: null, seats: [], dealer: null, stopped: null, last: null, ...more,
});
const hand = (hand, cards, total, more = {}) => ({ hand, cards, total, soft: false, state: "playing", ...more });
const seat = (n, ...hands) => ({ seat: n, hands, pair: "none" });
const floorState = (stops, table = "T", rounds = undefined) => tell(`/say/${table}/floor/state`, { v: 1, record, seq, at, table, dealer: "D-7", paused: false, stops, void: rounds, devices: { shoe: "ok" } });

const midHand = {
  due: { kind: "decision", hand: "3a", may: ["hit", "stand", "double"], left_ms: 600000 },
  seats: [seat(1, hand("1a", ["Kh", "7d"], 17, { state: "stood" })), seat(3, hand("3a", ["9s", "2d"], 11))],
  dealer: { cards: ["9c", "back"], total: 9, soft: false },
};

// ---- the browser

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"],
});
const staff = await browser.newContext({ viewport: { width: 1440, height: 960 } });
const problems = [];

async function open(path, { width = 1920, height = 1080, context = null } = {}) {
  const page = await (context ?? browser).newPage(context ? {} : { viewport: { width, height }, reducedMotion: "reduce" }); // a card on its way is not yet where it is measured
  page.on("pageerror", (e) => problems.push(`${path}: ${e}`));
  page.on("console", (m) => { if (m.type() === "error" && !/Failed to load resource|ERR_/.test(m.text())) problems.push(`${path}: ${m.text()}`); });
  page.on("request", (r) => { if (!r.url().startsWith(url)) problems.push(`${path} asks for ${r.url()}`); });
  await page.goto(url + path);
  return page;
}
const cards = (page, scope = "") => page.$$eval(`${scope} svg.card`, (list) => list.map((c) => c.dataset.card));
const until = (page, what, arg) => page.waitForFunction(what, arg, { timeout: 15000, polling: 50 }); // not by frames: a page behind another paints none
const seen = (page, n) => until(page, (n) => Number(document.documentElement.dataset.seq) >= n, n);
const picture = (page) => page.evaluate(() => document.querySelector(".strip").innerText + [...document.querySelectorAll("svg.card")].map((c) => c.dataset.card));
const shot = async (page, file) => {
  if (!shots) return;
  await page.evaluate(() => { if (document.body.className === "p-overlay") document.documentElement.style.background = "#35586b"; });
  await page.screenshot({ path: `${shots}/${file}.png`, animations: "disabled" });
  await page.evaluate(() => { document.documentElement.style.background = ""; });
};

async function accessible(page, what) {
  await page.evaluate(axe);
  const found = await page.evaluate(() => axe.run(document, { rules: { "page-has-heading-one": { enabled: false }, region: { enabled: false } } }));
  const bad = found.violations.map((v) => `${v.id}: ${v.nodes.map((n) => n.html.slice(0, 120)).join(" | ")}`);
  assert.deepEqual(bad, [], what);
}

/** What runs over the edge of its element, or of the screen. */
const cutOff = (page, selector) => page.$$eval(selector, (list) => list.filter((e) => {
  const b = e.getBoundingClientRect();
  return b.width > 0 && (e.scrollWidth > e.clientWidth + 2 || e.className === "centre" && [...e.children].map((c) => c.getBoundingClientRect()).some((c) => c.height > 0 && (c.bottom > b.bottom + 1 || c.top < b.top - 1)) || b.left < -1 || b.top < -1 || b.right > innerWidth + 1 || b.bottom > innerHeight + 1);
}).map((e) => `${e.className}: ${e.textContent.slice(0, 60)}`));

/** Asserts that a strip is where no television cuts anything off, and no app lays its buttons. */
async function safe(page, what) {
  const { width, height } = page.viewportSize();
  const bar = await page.locator(".bar").boundingBox(), strip = await page.$eval(".strip", (e) => e.children.length) ? await page.locator(".strip").boundingBox() : bar;
  const [top, bottom] = height > width ? [0.12, 0.82] : [0, 0.955];
  for (const b of [bar, strip]) {
    assert.ok(b.x >= width * 0.045 && b.x + b.width <= width * 0.955 && b.y >= height * top && b.y + b.height <= height * bottom, `${what}: ${JSON.stringify(b)} is outside the safe area`);
  }
}

const tests = {
  async "a card is there with its call, before any layout"() {
    const page = await open("/overlay/T");
    seq = 10; await status("online"); await layout(midHand);
    await seen(page, 10);
    assert.deepEqual(await cards(page), ["9c", "back", "Kh", "7d", "9s", "2d"]);
    await say(1, { call: "decision", hand: "3a", decision: "hit" }, { call: "card", hand: "3a", card: "Th", why: "hit", total: 21, soft: false });
    await until(page, () => document.querySelectorAll("svg.card").length === 7);
    assert.deepEqual(await cards(page), ["9c", "back", "Kh", "7d", "9s", "2d", "Th"]);
    assert.equal(await page.textContent("[data-key='3'] .total"), "21");
    await shot(page, "blackjack");
    await page.close();
  },

  async "the hole card is a back until it is turned"() {
    const page = await open("/overlay/T");
    seq = 20; await layout(midHand);
    await seen(page, 20);
    assert.equal(await page.$eval("[data-key=dealer] [data-card=back]", (c) => c.querySelectorAll("text").length), 0);
    await say(1, { call: "reveal", card: "Ah", total: 20, soft: true });
    await until(page, () => document.querySelector("[data-card=Ah]"));
    assert.deepEqual(await cards(page, "[data-key=dealer]"), ["9c", "Ah"]);
    assert.equal(await page.textContent("[data-key=dealer] .total"), "10/20");
    await page.close();
  },

  async "the dealer's hand says that it is bust, or a blackjack, as the seats' do"() {
    const page = await open("/overlay/T?lang=pt");
    for (const [list, total, soft, want] of [[["9c", "4h", "Kd"], 23, false, "23 Rebentou"], [["As", "Kd"], 21, true, "21 Blackjack"], [["9c", "2h", "Kd"], 21, false, "21"], [["As", "back"], 11, true, "1/11"]]) {
      seq++; await layout({ phase: "result", dealer: { cards: list, total, soft } });
      await seen(page, seq);
      assert.equal((await page.innerText("[data-key=dealer] .line")).replace(/\s+/g, " ").trim(), want);
    }
    await page.close();
  },

  async "a page that is reloaded in the middle of a hand shows the same picture"() {
    const page = await open("/overlay/T");
    seq = 30; await layout(midHand);
    await seen(page, 30);
    await say(1, { call: "card", hand: "3a", card: "5c", why: "hit", total: 16, soft: false });
    await layout({ ...midHand, seats: [midHand.seats[0], seat(3, hand("3a", ["9s", "2d", "5c"], 16))] });
    await until(page, () => document.querySelector("[data-card='5c']"));
    await seen(page, 31);
    const before = await picture(page);
    await page.reload();
    await seen(page, 31);
    assert.equal(await picture(page), before);
    await page.close();
  },

  async "an older layout, or one said again, changes nothing; a gap waits for the next"() {
    const page = await open("/overlay/T");
    seq = 40; await layout(midHand);
    await seen(page, 40);
    await say(1, { call: "card", hand: "3a", card: "5c", why: "hit", total: 16, soft: false });
    await until(page, () => document.querySelector("[data-card='5c']"));
    await page.evaluate(() => new MutationObserver(() => { if (document.querySelector("[data-card='6c']")) window.guessed = true; }).observe(document.body, { childList: true, subtree: true }));
    seq = 44; await say(1, { call: "card", hand: "3a", card: "6c", why: "hit", total: 22, soft: false });
    seq = 46; await layout({ ...midHand, seats: [seat(3, hand("3a", ["9s", "2d", "5c", "Ad", "Ac"], 18))] });
    await seen(page, 46);
    assert.deepEqual(await cards(page, "[data-key='3']"), ["9s", "2d", "5c", "Ad", "Ac"]);
    assert.equal(await page.evaluate(() => window.guessed), undefined, "a card after a gap was shown without its layout");
    await page.close();
  },

  async "seven seats with splits stay within the safe area, upright and across"() {
    const long = ["2s", "3h", "4d", "2c", "3s"];
    const full = {
      ...midHand, due: { kind: "decision", hand: "4b", may: ["hit", "stand"], left_ms: 600000 },
      seats: [1, 2, 3, 4, 5, 6, 7].map((n) => n === 4 || n === 6
        ? seat(n, hand(`${n}a`, ["8s", "Td"], 18, { split: true, state: "stood" }), hand(`${n}b`, ["8h", "3d"], 11, { split: true, doubled: true }))
        : seat(n, hand(`${n}a`, n === 2 ? long : ["Ks", "6d"], n === 2 ? 14 : 16))),
    };
    seq = 50; await layout(full);
    for (const [file, width, height, language] of [["seven-1080p", 1920, 1080, "en"], ["seven-vertical", 1080, 1920, "pt"], ["seven-720p", 1280, 720, "pt"]]) {
      const page = await open(`/overlay/T?lang=${language}`, { width, height });
      await seen(page, 50);
      const box = await page.locator(".strip").boundingBox();
      assert.ok(box.x >= width * 0.045 && box.x + box.width <= width * 0.955 && box.y > 0 && box.y + box.height <= height * 0.96, `${file}: ${JSON.stringify(box)}`);
      const cut = await page.$$eval(".strip, .box", (list) => list.filter((e) => e.scrollWidth > e.clientWidth + 1).map((e) => e.className));
      assert.deepEqual(cut, [], `${file}: cut off`);
      const rank = await page.$eval("svg.card .rank", (e) => e.getBoundingClientRect().height);
      assert.ok(rank >= 0.018 * Math.min(width, height), `${file}: ranks of ${rank} pixels cannot be read on a phone`);
      await shot(page, file);
      await page.close();
    }
  },

  async "the fullest table there can be is made smaller, and not cut off"() {
    const three = (h, more) => hand(h, ["2s", "3h", "Td"], 15, { split: true, ...more });
    const scenes = {
      "seven-split": [1, 2, 3, 4, 5, 6, 7].map((n) => ({ ...seat(n, three(`${n}a`, { state: "stood" }), three(`${n}b`, { result: "surrender" })), pair: "suited_trips", insurance: "insure" })),
      "four-hands": [2, 3, 5].map((n) => seat(n, ...["a", "b", "c", "d"].map((h) => three(n + h, { result: "win", doubled: true })))),
    };
    for (const [file, seats] of Object.entries(scenes)) {
      seq += 1; await layout({ seats, phase: "result", dealer: { cards: ["2c", "3c", "4c", "5c", "Ac"], total: 15, soft: true } });
      for (const [width, height] of [[1920, 1080], [1080, 1920]]) {
        const page = await open("/overlay/T?lang=pt", { width, height });
        await seen(page, seq);
        const box = await page.locator(".strip").boundingBox();
        const bar = await page.locator(".bar").boundingBox();
        const cut = await page.$$eval(".strip, .box", (list) => list.filter((e) => e.scrollWidth > e.clientWidth + 2).map((e) => e.className));
        await shot(page, `${file}-${width}`);
        assert.ok(box.x >= width * 0.045 && box.x + box.width <= width * 0.955 && bar.y >= 0 && box.y + box.height <= height * 0.96, `${file} ${width}: ${JSON.stringify(box)}`);
        assert.deepEqual(cut, [], `${file} ${width}: cut off`);
        await page.close();
      }
    }
  },

  async "what a page says is Portuguese where that is asked for"() {
    seq = 60; await layout(midHand);
    const page = await open("/overlay/T?lang=pt");
    await seen(page, 60);
    const text = await page.innerText("body");
    for (const word of ["Lugar 3 decide", "Croupier", "Ronda 1", "cartas por sair", "Fica"]) assert.ok(text.includes(word), `${word} is not in ${text}`);
    assert.equal(await page.getAttribute("html", "lang"), "pt");
    const dealer = await open("/dealer/T?lang=pt", { width: 800, height: 480 });
    await seen(dealer, 60);
    const due = await dealer.innerText("body");
    for (const word of ["Lugar 3", "Pedir", "Ficar", "Dobrar", "Decisões"]) assert.ok(due.includes(word), `${word} is not in ${due}`);
    await shot(dealer, "dealer-decision-pt");
    await page.close(); await dealer.close();
  },

  async "the address chooses what is shown"() {
    const page = await open("/overlay/T?show=seats&theme=ivory&scale=0.5");
    await seen(page, 60);
    assert.deepEqual(await page.$$eval(".box", (l) => l.map((b) => b.dataset.key)), ["1", "3"]);
    assert.equal(await page.$(".bar"), null);
    assert.equal(await page.evaluate(() => getComputedStyle(document.documentElement).fontSize), "8px");
    assert.equal(await page.evaluate(() => getComputedStyle(document.body).backgroundColor), "rgba(0, 0, 0, 0)");
    await page.close();
  },

  async "a page that is to show everything later does"() {
    const now = await open("/overlay/T"), late = await open("/overlay/T?delay=4000");
    seq = 70; await layout(midHand);
    await seen(now, 70); await seen(late, 70);
    await say(1, { call: "card", hand: "3a", card: "4h", why: "hit", total: 15, soft: false });
    await until(now, () => document.querySelector("[data-card='4h']"));
    assert.equal(await late.$("[data-card='4h']"), null);
    await until(late, () => document.querySelector("[data-card='4h']"));
    await now.close(); await late.close();
  },

  async "a table that is gone is marked within seconds, or hidden, and comes back"() {
    const page = await open("/overlay/T"), hidden = await open("/overlay/T?stale=hide"), dealer = await open("/dealer/T", { width: 800, height: 480 });
    seq = 80; await layout(midHand);
    for (const p of [page, hidden, dealer]) await seen(p, 80);
    await status("lost");
    await until(page, () => document.documentElement.dataset.stale === "mark");
    await until(hidden, () => document.documentElement.dataset.stale === "hide");
    assert.equal(await hidden.isVisible(".strip"), false);
    assert.ok(await page.isVisible(".stale-mark"));
    await until(dealer, () => document.querySelector(".sign").textContent.includes("Old picture"));
    await shot(page, "stale"); await shot(dealer, "dealer-stale");
    await status("online");
    for (const p of [page, hidden]) await until(p, () => !("stale" in document.documentElement.dataset));
    assert.ok(await hidden.isVisible(".strip"));
    for (const p of [page, hidden, dealer]) await p.close();
  },

  async "a broker that restarts and forgets everything"() {
    const page = await open("/overlay/T");
    await seen(page, 80);
    await tell("/broker/stop");
    await until(page, () => document.documentElement.dataset.stale);
    await tell("/broker/start");
    await status("online");
    seq = 90; await layout(midHand);
    await seen(page, 90);
    await until(page, () => !("stale" in document.documentElement.dataset));
    await page.close();
  },

  async "a display that restarts and forgets everything"() {
    const page = await open("/overlay/T");
    await seen(page, 90);
    await tell("/display/stop");
    await until(page, () => document.documentElement.dataset.stale);
    await tell("/display/start");
    await until(page, () => !("stale" in document.documentElement.dataset));
    await say(1, { call: "card", hand: "3a", card: "8h", why: "hit", total: 19, soft: false });
    await until(page, () => document.querySelector("[data-card='8h']"));
    await page.close();
  },

  async "a line that breaks is mended where it broke"() {
    const context = await browser.newContext({ viewport: { width: 1280, height: 720 } });
    const page = await open("/overlay/T", { context });
    seq = 95; await layout(midHand);
    await seen(page, 95);
    await context.setOffline(true);
    await say(1, { call: "card", hand: "3a", card: "2h", why: "hit", total: 13, soft: false });
    await context.setOffline(false);
    await until(page, () => document.querySelector("[data-card='2h']"));
    assert.deepEqual(await cards(page, "[data-key='3']"), ["9s", "2d", "2h"]);
    await context.close();
  },

  async "baccarat: hands, winner and roads; a void coup leaves no trace"() {
    const coup = (winner, player, banker) => ({ winner, player, banker, natural: false, player_pair: false, banker_pair: false });
    const base = { game: "baccarat", rules: "puntobanco", phase: "result", due: { kind: "open" } };
    seq = 100; await layout({ ...base, round: 9, phase: "deal" });
    const page = await open("/overlay/T?lang=pt"), tall = await open("/overlay/T?lang=en", { width: 1080, height: 1920 });
    const coups = ["B", "B", "P", "T", "Pn", "Pp", "Bb", "P"];
    await layout({ ...base, round: 17, coups, player: { cards: ["3h", "9d", "4c"], total: 6, soft: false }, banker: { cards: ["Td", "5s"], total: 5, soft: false }, coup: coup("player", 6, 5) });
    for (const p of [page, tall]) { await seen(p, seq); await until(p, () => document.querySelectorAll(".bead text").length === 8); }
    assert.equal(await page.$$eval(".big .ring", (l) => l.map((e) => e.classList[1]).join("")), "BBPPPBP");
    assert.equal(await page.$$eval(".big .tie", (l) => l.length), 1);
    assert.match(await page.innerText(".bar"), /Ganha o Jogador/);
    assert.match(await page.innerText(".roads"), /Jogador 4\s+Banca 3\s+Empate 1/);
    assert.ok(await page.$(".side.player.won"));
    assert.deepEqual(await cards(page, ".side.player"), ["3h", "9d", "4c"]);
    await page.waitForTimeout(300); await shot(page, "baccarat-pt"); await shot(tall, "baccarat-vertical");
    for (const p of [page, tall]) {
      const cut = await p.$$eval(".strip, .roads", (list) => list.filter((e) => e.scrollWidth > e.clientWidth + 1).map((e) => e.className));
      assert.deepEqual(cut, [], "cut off");
    }
    await say(17, { call: "corrected", replaces: seq }, { call: "void", round: 17 });
    await layout({ ...base, round: 17, coups: coups.slice(0, 7), last: { round: 17, ended: "void" } });
    await until(page, () => document.querySelectorAll(".bead text").length === 7);
    assert.equal(await page.$$eval(".big .ring", (l) => l.map((e) => e.classList[1]).join("")), "BBPPPB");
    assert.match(await page.innerText(".bar"), /Ronda anulada/);
    await page.close(); await tall.close();
  },

  async "baccarat by the button: cards lie face down until somebody turns them"() {
    seq = 130; await layout({ game: "baccarat", rules: "puntobanco", phase: "deal", round: 18, player: { cards: ["3h"], total: 3, soft: false }, banker: { cards: ["Td"], total: 0, soft: false } });
    const page = await open("/overlay/T?turn=button");
    await seen(page, 130);
    assert.deepEqual(await cards(page), ["back", "back"]);
    await page.keyboard.press(" ");
    assert.deepEqual(await cards(page), ["3h", "Td"]);
    await page.close();
  },

  async "roulette: the number is there with its call, with its colour as shape and word"() {
    const spins = [17, 0, 32, 5];
    seq = 140; await layout({ game: "roulette", rules: "roulette", phase: "spin", round: 30, shoe: { number: 0, dealt: 0, left: 0, last_round: false }, due: { kind: "result" }, spins });
    const page = await open("/overlay/T?lang=pt"), dealer = await open("/dealer/T?lang=pt", { width: 800, height: 480 });
    await seen(page, 140);
    assert.match(await page.innerText(".bar"), /A bola está a girar/);
    await say(30, { call: "number", number: 23, colour: "red", dozen: 2, column: 2, odd: true, low: false });
    await until(page, () => document.querySelector(".won-number"));
    assert.match(await page.innerText(".won-number"), /23\s+vermelho/);
    await shot(page, "roulette-pt"); await shot(dealer, "dealer-roulette");
    await page.close(); await dealer.close();
  },

  async "the dealer's screen: one thing due, and for a stop a shape, a word, no reason"() {
    const page = await open("/dealer/T", { width: 800, height: 480 });
    seq = 150; await layout({ ...midHand, due: { kind: "card", hand: "3a" } });
    await floorState([{ irregularity: 150, code: "EXTRA_CARD", remedies: ["use", "burn"] }]);
    await seen(page, 150);
    assert.equal(await page.innerText(".due"), "Deal a card");
    assert.equal(await page.innerText(".whom"), "Seat 3");
    assert.match(await page.getAttribute(".sign", "class"), /go/);
    await shot(page, "dealer-card");
    seq = 151; await layout({ ...midHand, stopped: "stopped" });
    await seen(page, 151);
    assert.match(await page.getAttribute(".sign", "class"), /stop/);
    assert.match(await page.innerText(".sign"), /Table stopped/);
    assert.ok(await page.$(".sign.stop svg"));
    assert.doesNotMatch(await page.content(), /EXTRA_CARD[^"]|none was due<\/div/);
    assert.equal(await page.innerText(".why"), "");
    const off = await page.$$eval("header, section, footer, .due, .whom, .row", (l) => l.filter((e) => { const b = e.getBoundingClientRect(); return b.right > innerWidth + 1 || b.bottom > innerHeight + 1 || b.top < -1; }).map((e) => e.className));
    assert.deepEqual(off, [], "off the screen");
    await shot(page, "dealer-stopped");
    seq = 152; await layout({ phase: "burn", due: { kind: "burn", cards: 3 } });
    await seen(page, 152);
    assert.equal(await page.innerText(".due"), "Burn cards: 3");
    await page.close();
  },

  async "an overlay and a dealer's screen can order nothing"() {
    for (const path of ["/overlay/T", "/dealer/T"]) {
      const page = await open(path);
      const codes = await page.evaluate(async () => {
        const post = (to) => fetch(to, { method: "POST", body: '{"do":"pause"}' }).then((a) => a.status);
        return [await post("/floor/order/T"), await post("/events/T"), await post(location.pathname)];
      });
      assert.deepEqual(codes, [401, 405, 405], path);
      await page.close();
    }
  },

  async "the floor: log in, see the wall, clear a stop with one button"() {
    const wall = await open("/floor/?lang=pt", { context: staff });
    assert.match(wall.url(), /login/);
    await accessible(wall, "login");
    await shot(wall, "login-pt");
    await wall.fill("[name=name]", name);
    await wall.fill("[name=password]", "no password of mine");
    await wall.click("button");
    await wall.waitForSelector("[role=alert]");
    await wall.fill("[name=name]", name);
    await wall.fill("[name=password]", password);
    await wall.click("button");
    await wall.waitForSelector(".tile");
    seq = 160; await layout({ ...midHand, stopped: "stopped" });
    await floorState(scenes["blackjack-device-lost"].stops);
    await until(wall, () => document.querySelector(".tile .stop").textContent === "Sabot: ocupado por outro programa +1");
    await floorState([{ irregularity: 160, code: "EXTRA_CARD", remedies: ["use", "burn", "carry"] }, { irregularity: 161, code: "STOP", remedies: ["device"] }]);
    await until(wall, () => document.querySelector(".tile.stopped"));
    await until(wall, () => document.querySelector(".tile .stop").textContent.includes("devida"));
    assert.match(await wall.innerText(".tile"), /Mesa parada\s+Saiu uma carta sem que fosse devida \+1/);
    await accessible(wall, "wall");
    await shot(wall, "wall-pt");
    await wall.click(".tile");
    await wall.waitForSelector(".stop-card");
    assert.deepEqual(await wall.$$eval("[data-remedy]", (l) => l.map((b) => [b.dataset.remedy, b.disabled])), [["use", false], ["burn", false], ["carry", false], ["device", true]]);
    await accessible(wall, "desk");
    await shot(wall, "desk-pt");
    assert.match(await wall.innerText(".top"), /Mesa parada · Ronda 1 · Sabot 1, 412 cartas por sair · Croupier D-7/);
    assert.equal(await wall.innerText(".next"), "A seguir: Espera a decisão · Lugar 3");
    await wall.fill("[name=because]", "era devida");
    await wall.click("[data-remedy=burn]");
    const order = JSON.parse(await tell("/order"));
    assert.deepEqual({ ...order, id: "" }, { v: 1, id: "", by: name, do: "release", irregularity: 160, remedy: "burn", because: "era devida" });
    await floorState([{ irregularity: 161, code: "STOP", remedies: ["device"] }]);
    await until(wall, () => document.querySelectorAll(".stop-card").length === 1 && !document.querySelector("[data-remedy=device]").disabled);
    await floorState(scenes["blackjack-device-lost"].stops);
    await until(wall, () => document.querySelectorAll(".stop-card .device").length === 2);
    assert.deepEqual(await wall.$$eval(".stop-card .device", (l) => l.map((e) => e.textContent)), ["Sabot: ocupado por outro programa", "Botões: E9, já passou"]);
    await shot(wall, "desk-device-pt");
    await floorState([], "T", [1]);
    await until(wall, () => !document.querySelector(".stop-card"));
    assert.match(await wall.innerText(".said"), /Feito/);
    await wall.fill("[name=because]", "");
    await wall.click("[data-do=void]:not([hidden])");
    assert.match(await wall.innerText(".said"), /motivo/);
    await wall.fill("[name=because]", "\u{1f0a1}".repeat(150) + "ã".repeat(100));
    await wall.click("[data-do=void]:not([hidden])");
    assert.equal(JSON.parse(await tell("/order")).because, "\u{1f0a1}".repeat(150) + "ã".repeat(50), "two hundred letters of any kind");
    await wall.fill("[name=because]", "");
    const voids = () => wall.$$eval("[data-do=void]:not([hidden])", (l) => l.map((b) => b.textContent));
    assert.deepEqual(await voids(), ["Anular a ronda 1"]);
    seq++; await layout({ round: 2, phase: "bets", due: { kind: "close" } }); await floorState([], "T", [2, 1]);
    await until(wall, () => document.querySelectorAll("[data-do=void]:not([hidden])").length === 2);
    assert.deepEqual(await voids(), ["Anular a ronda 2", "Anular a ronda 1 (que já acabou)"]);
    await wall.fill("[name=because]", "erro na carta");
    await wall.click("[data-do=void][data-round='1']");
    const ordered = JSON.parse(await tell("/order"));
    assert.deepEqual({ ...ordered, id: "" }, { v: 1, id: "", by: name, do: "void", round: 1, because: "erro na carta" });
    await wall.fill("[name=because]", "");
    seq++; await layout({ ...midHand, stopped: "stopped" });

    await floorState([{ irregularity: 162, code: "EXTRA_CARD", remedies: ["assign", "burn"] }], "T", [1]);
    await wall.click("[data-remedy=assign]");
    assert.match(await wall.innerText(".said"), /mão/, "a card was given to nobody");
    await wall.selectOption("select", "3a");
    await wall.click("[data-remedy=assign]");
    assert.deepEqual(JSON.parse(await tell("/order")).hand, "3a");
    assert.deepEqual(await wall.$$eval(".orders button:not([hidden])", (l) => l.map((b) => b.dataset.do)), ["pause", "correct", "undo", "draw", "void", "retire", "hit", "stand", "double", "dealer", "dispute"]);
    seq++; await layout({ game: "roulette", rules: "roulette", phase: "spin", due: { kind: "result" }, shoe: { number: 0, dealt: 0, left: 0, last_round: false } });
    await until(wall, () => !document.querySelector("[data-do=result]").hidden);
    assert.deepEqual(await wall.$$eval(".orders button:not([hidden])", (l) => l.map((b) => b.dataset.do)), ["pause", "undo", "result", "void", "dealer", "dispute"], "a wheel has no cards");
    assert.equal(await wall.locator(".entry label:visible").count(), 2);
    await shot(wall, "desk-roulette-pt");
    await floorState([]);
    await wall.close();
  },

  async "whatever the table answers to an order is said in the page's language"() {
    for (const [language, says] of [["pt", "Recusado: Há primeiro uma irregularidade mais antiga por resolver"], ["en", "Refused: An older irregularity waits for its release first"]]) {
      const desk = await open(`/floor/table/T?lang=${language}`, { context: staff });
      await desk.waitForSelector("[data-do=pause]");
      const codes = await desk.evaluate(() => Object.keys(JSON.parse(document.getElementById("words").textContent)).filter((n) => n.startsWith("code.")).map((n) => n.slice(5)));
      assert.ok(codes.length > 100, `${codes.length} codes`);
      let code = "";
      await desk.route("**/floor/order/*", (route) => code === "" ? route.abort() : route.fulfill({ json: { v: 1, id: "x", ok: false, code, text: "It is refused by the table, in English." } }));
      for (code of ["", "NOT_OLDEST", ...codes.filter((_, i) => i % 20 === 0)]) { // the sentences of all are looked at where they stand
        await desk.$eval(".said", (e) => { e.textContent = ""; });
        await desk.click("[data-do=pause]");
        await until(desk, () => document.querySelector(".said.bad")?.textContent.length > 1);
        if (code === "NOT_OLDEST") assert.equal(await desk.innerText(".said"), says);
        if (language === "pt") assert.deepEqual(await english(desk), [], code);
      }
      await desk.unroute("**/floor/order/*");
      await desk.close();
    }
  },

  async "the floor: the day, a pause, a player's word and the one hand that takes a card"() {
    const desk = await open("/floor/table/T?lang=pt", { context: staff });
    const offers = () => desk.$$eval(".orders button:not([hidden]), .stop-card button", (l) => l.map((b) => b.dataset.do ?? b.dataset.remedy));
    const write = (label, text) => desk.locator(`label:has-text('${label}') input`).fill(text);
    const gives = async (press, what) => {
      await desk.click(`[data-do='${press}'], [data-remedy='${press}']`);
      const { v, id, by, ...rest } = JSON.parse(await tell("/order"));
      assert.deepEqual(rest, what);
      await until(desk, () => document.querySelector(".said").className.includes("good"));
    };
    const at = async (felt, state = {}) => {
      seq++;
      await tell("/say/T/floor/state", { v: 1, record, seq, at: "2026-11-30T21:00:00.000Z", table: "T", dealer: "D-7", paused: false, stops: [], devices: { shoe: "ok" }, ...state });
      await layout({ round: seq, ...felt });
      await until(desk, (n) => document.querySelector(".top").textContent.includes(`Ronda ${n}`), felt.round ?? seq);
    };
    await at({ phase: "closed", round: 0 });
    assert.deepEqual(await offers(), ["pause", "correct", "undo", "draw", "retire", "table-open", "dealer"]);
    await gives("table-open", { do: "table-open" });
    await desk.click("[data-do=dealer]");
    assert.match(await desk.innerText(".said"), /nome/, "nobody was named");
    await write("ou nome", "D-8");
    await gives("dealer", { do: "dealer", name: "D-8" });
    await at({ phase: "shoe-change", due: { kind: "shoe" } });
    await gives("shoe", { do: "shoe", number: 2 });
    await write("ou nome", "83");
    await gives("count", { do: "count", cards: 83 });
    await at({ phase: "bets", due: { kind: "close" } });
    await desk.click("[data-do=close]");
    assert.match(await desk.innerText(".said"), /lugares/, "no seat was named");
    await write("ou nome", "1, 3");
    await gives("close", { do: "close", seats: [1, 3] });
    await write("ou nome", "nenhum");
    await gives("close", { do: "close", seats: [] });
    await at({ ...midHand, stopped: "paused" }, { paused: true, pause: { by: "S-3", because: "<b>chá" }, stops: [{ irregularity: 169, code: "STOP", remedies: ["device"], order: { by: "S-4" } }] });
    assert.deepEqual(await desk.$$eval(".stop-card > p:not(.small)", (l) => l.map((e) => e.textContent)), ["por S-3: <b>chá", "por S-4"]);
    assert.match(await desk.innerText(".stop-card"), /pausa/);
    await shot(desk, "desk-paused-pt");
    await desk.click("[data-do=stand]");
    assert.match(await desk.innerText(".said"), /motivo/);
    await write("Motivo", "disse-o");
    await gives("stand", { do: "stand", round: seq, hand: "3a", because: "disse-o" });
    await write("Evento", "99");
    await write("Carta", "Corte");
    await gives("correct", { do: "correct", irregularity: 99, card: "cut", because: "disse-o" });
    await gives("resume", { do: "resume", because: "disse-o" });
    await at({ ...midHand, stopped: "stopped", due: { kind: "insurance", seats: [3] } }, { stops: [{ irregularity: 170, code: "BAC_NATURAL", aside: true, remedies: ["use", "assign"], hands: ["3a"] }], undo: { seq: 168, hand: "3a", decision: "decline" } });
    assert.equal(await desk.innerText("[data-do=undo]"), "Desfazer um evento: Lugar 3, Sem seguro");
    await gives("undo", { do: "undo", seq: 168, because: "disse-o" });
    assert.match(await desk.innerText("[data-remedy=assign]"), /Lugar 3/);
    await gives("assign", { do: "release", irregularity: 170, remedy: "assign", hand: "3a", because: "disse-o" });
    await gives("exposed", { do: "exposed", irregularity: 170, because: "disse-o" });
    await gives("decline", { do: "decline", round: seq, seat: 3, because: "disse-o" });
    await accessible(desk, "desk with all its orders");
    await desk.close();
    await floorState([]);
  },

  async "an order without the page's token is refused"() {
    const page = await open("/floor/table/T", { context: staff });
    const codes = await page.evaluate(async () => {
      const post = (head) => fetch("/floor/order/T", { method: "POST", body: '{"do":"pause"}', headers: head }).then((a) => a.status);
      return [await post({}), await post({ "X-Sabot-Token": "A" }), await post({ "X-Sabot-Token": document.documentElement.dataset.token })];
    });
    assert.deepEqual(codes, [403, 403, 200]);
    assert.equal(JSON.parse(await tell("/order")).do, "pause");
    await page.close();
  },

  async "hostile text is text"() {
    const script = `<img src=x onerror="window.pwned=1"><script>window.pwned=1</script>`;
    const pages = await Promise.all([open("/overlay/T?debug"), open(`/dealer/T?key=${key}`), open("/floor/table/T", { context: staff }), open("/floor/", { context: staff })]);
    for (const [i, evil] of [script, `"' onmouseover=window.pwned=1 x="`, "\u202emaet eht fo eno\u2066\u0000\u0007", "\u0645\u062d\u0645\u062f ".repeat(40), "A".repeat(10000), `</script>${script}`.repeat(60), "\ud800${1}{{.}}%s\\"].entries()) {
      seq = 170 + i; await layout({ ...midHand, rules: evil, seats: [seat(3, hand("3a", [evil, "9s"], 9, { state: evil, result: evil }))], due: { kind: evil, hand: evil, may: [evil] }, phase: "decisions" });
      await tell("/say/T/floor", { v: 1, record, seq, prev: 0, at, round: 31, event: evil, by: evil, because: evil, calls: [{ call: evil, code: evil, hand: evil, card: evil, remedy: evil }] });
      await tell("/say/T/floor/state", { v: 1, record, seq, at, table: evil, dealer: `${evil}#${seq}#`, paused: false, stops: [{ irregularity: seq, code: evil, card: evil, remedies: [evil] }], devices: { [evil]: evil } });
      for (const page of pages) {
        const path = page.url();
        if (/\/floor\/$/.test(path)) await until(page, (says) => document.querySelector(".tile")?.textContent.includes(says), `#${seq}#`);
        else if (/floor/.test(path)) await until(page, (n) => document.querySelector(`.timeline [data-seq="${n}"]`), seq);
        else await seen(page, seq);
        assert.equal(await page.evaluate(() => window.pwned), undefined, path);
        assert.equal(await page.$("#page img, #page script, #page [onmouseover]"), null, path);
        if (/floor/.test(path)) assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth + 1), `${path}: ${evil.slice(0, 20)} is wider than the page`);
      }
    }
    for (const page of pages) await page.close();
    for (const name of ["a b", "<script>", "%2e%2e%2fx", "a/b", "\u202e"]) assert.equal((await fetch(`${url}/overlay/${encodeURIComponent(name)}`)).status, 404, name);
    const asked = await open(`/overlay/T?lang=${encodeURIComponent(script)}&theme=${encodeURIComponent(script)}&show=${encodeURIComponent(script)}&scale=1e9&delay=${encodeURIComponent(script)}&debug`);
    await asked.waitForTimeout(300);
    assert.equal(await asked.evaluate(() => window.pwned), undefined);
    await asked.close();
    await floorState([]);
  },

  async "a slow line shows the right picture in the end, cards in their order, and does not call itself old"() {
    const context = await browser.newContext({ viewport: { width: 1280, height: 720 } });
    const page = await open("/overlay/T", { context });
    seq = 180; await layout(midHand);
    await seen(page, 180);
    const line = await context.newCDPSession(page);
    await line.send("Network.enable");
    await line.send("Network.emulateNetworkConditions", { offline: false, latency: 400, downloadThroughput: 6000, uploadThroughput: 2000 }); // as on a bad telephone
    await page.evaluate(() => {
      window.orders = []; window.marks = 0;
      new MutationObserver(() => {
        window.orders.push([...document.querySelectorAll("[data-key='3'] svg.card")].map((c) => c.dataset.card).join(" "));
        if (document.documentElement.dataset.stale) window.marks++;
      }).observe(document, { childList: true, subtree: true, attributes: true, attributeFilter: ["data-stale"] });
    });
    const dealt = ["9s", "2d"];
    for (const card of ["Ac", "2c", "Ad", "2h", "As"]) {
      dealt.push(card);
      await say(1, { call: "card", hand: "3a", card, why: "hit", total: dealt.length, soft: false });
      await layout({ ...midHand, seats: [midHand.seats[0], seat(3, hand("3a", [...dealt], dealt.length))] });
    }
    await seen(page, seq);
    assert.deepEqual(await cards(page, "[data-key='3']"), dealt);
    const orders = await page.evaluate(() => window.orders);
    for (const order of orders) assert.ok(dealt.join(" ").startsWith(order), `${order} lay there`);
    assert.equal(await page.evaluate(() => window.marks), 0, "marked as old while it was only slow");
    await context.close();
  },

  async "a page that is reloaded in the middle of any game shows the same picture"() {
    seq = 190;
    for (const name of ["blackjack-split-turn", "blackjack-insurance", "baccarat-third", "baccarat-long", "roulette-spin", "roulette-history"]) {
      const { stops, ...scene } = scenes[name];
      for (const path of ["/overlay/T?lang=pt", "/dealer/T?lang=pt"]) {
        seq++; await layout({ ...scene, due: { ...scene.due, left_ms: undefined } });
        const page = await open(path);
        await seen(page, seq);
        const whole = () => page.evaluate(() => document.getElementById("page").innerHTML.replaceAll(/ class="card[^"]*"|"dealt"|"turned"/g, ""));
        const before = await whole();
        await page.reload();
        await seen(page, seq);
        assert.equal(await whole(), before, `${name} ${path}`);
        await page.close();
      }
    }
  },

  async "pages can be read by everybody"() {
    seq = 210;
    for (const name of ["blackjack-decision", "blackjack-result", "blackjack-stopped", "baccarat-long", "roulette-history"]) {
      const { stops, ...scene } = scenes[name];
      seq++; await layout(scene); await floorState(stops ?? []);
      for (const path of ["/", "/overlay/T?lang=pt", "/overlay/T?theme=ivory", "/overlay/T?theme=night", `/dealer/T?lang=pt&key=${key}`]) {
        if (path === "/" && name !== "blackjack-decision") continue;
        const page = await open(path);
        if (path !== "/") await seen(page, seq);
        if (stops && /dealer/.test(path)) await until(page, () => document.querySelector(".why").textContent !== "");
        await accessible(page, `${path} ${name}`);
        await page.close();
      }
    }
    await floorState([]);
  },

  async "the dealer's screen with the dealers' key: why the table stopped, what the key does, where the buttons stand"() {
    seq = 230; await layout({ ...midHand, stopped: "stopped" });
    await tell("/say/T/floor/state", { v: 1, record, seq, at, table: "T", dealer: "D-7", paused: false, stops: [{ irregularity: 190, code: "EXTRA_CARD", remedies: ["use", "burn"] }, { irregularity: 191, code: "STOP", remedies: ["device"] }], devices: {}, box: { cursor: 3, playing: [1, 2] } });
    const page = await open(`/dealer/T?lang=pt&key=${key}`, { width: 800, height: 480 });
    await until(page, () => document.querySelector(".due")?.textContent === "Saiu uma carta sem que fosse devida");
    assert.equal((await page.innerText(".why")).replace(/\s+/g, " "), "Chave, 1 s: Usar como a carta devida +1");
    assert.deepEqual(await page.$$eval(".box > div", (l) => l.map((e) => e.textContent)), ["▸ Lugar 3", "Jogam: 1, 2"]);
    await shot(page, "dealer-stopped-pt");
    await tell("/say/T/floor/state", { v: 1, record, seq, at, table: "T", dealer: "D-7", paused: false, stops: scenes["blackjack-device-lost"].stops, devices: {}, box: { cursor: 3, playing: [1, 2] } });
    await until(page, () => document.querySelector(".due").textContent === "Um aparelho não responde · Sabot: ocupado por outro programa");
    const cards = await page.$(".row svg");
    await page.waitForTimeout(1500); // a beat
    assert.ok(await cards.evaluate((e) => e.isConnected), "the cards were laid again though none came");
    const plain = await open("/dealer/T?lang=pt", { width: 800, height: 480 });
    await seen(plain, 230);
    assert.equal(await plain.innerText(".due"), "Aguarde o supervisor");
    assert.equal(await plain.innerText(".why"), "");
    const wrong = await plain.evaluate(() => Promise.all(["/dealer/T?key=0123456789abcdeg", "/dealer/events/T?key=x"].map((u) => fetch(u).then((a) => a.status))));
    assert.deepEqual(wrong, [403, 403]);
    seq = 231; await layout({ ...midHand, stopped: "paused" }); await floorState([]);
    await until(page, () => document.querySelector(".due").textContent === "Pausa");
    seq = 232; await layout(midHand);
    await seen(page, 232);
    assert.equal(await page.innerText(".why"), "");
    const later = { irregularity: 190, code: "SHOE_EXHAUSTED", later: true, remedies: ["device"] }, empty = { ...midHand, shoe: { ...midHand.shoe, left: 0, last_round: true }, due: { kind: "card", hand: "3a" } };
    seq = 233; await layout(empty); await floorState([later]);
    await until(page, () => document.querySelector(".due").textContent === "O sabot está vazio");
    assert.equal(await page.innerText(".why"), "Aguarde o supervisor");
    seq = 234; await layout({ ...empty, stopped: "stopped" }); await floorState([{ irregularity: 191, code: "STOP", remedies: ["device"] }, later]);
    await until(page, () => document.querySelector(".due").textContent === "Chamaram o supervisor");
    assert.equal((await page.innerText(".why")).replace(/\s+/g, " "), "Chave, 1 s: Verificado — continuar");
    seq = 235; await layout({ ...empty, stopped: "paused" }); await floorState([later]);
    await until(page, () => document.querySelector(".due").textContent === "Pausa");
    await floorState([]);
    await page.close(); await plain.close();
  },

  async "whatever stops a table can be read whole on the dealer's screen, in both languages"() {
    seq = 240; await layout({ ...midHand, stopped: "stopped" });
    const wrong = [];
    for (const language of ["pt", "en"]) {
      const page = await open(`/dealer/T?lang=${language}&key=${key}`, { width: 800, height: 480 });
      const codes = await page.evaluate(() => Object.entries(JSON.parse(document.getElementById("words").textContent)).filter(([n]) => n.startsWith("code.")));
      const longest = codes.map(([name, says]) => [name, says.split(/[:;]/)[0]]).sort((a, b) => b[1].length - a[1].length);
      for (const [name, says] of longest.slice(0, 12)) { // the shorter ones have more room
        await floorState([{ irregularity: 300, code: name.slice(5), remedies: ["assign", "burn"] }, { irregularity: 301, code: "STOP", remedies: ["device"] }]);
        await until(page, (says) => document.querySelector(".due")?.textContent === says, says);
        wrong.push(...(await cutOff(page, "header, section, footer, .sign, .due, .why, .row, .foot > *")).map((e) => `${language} ${name}: ${e}`));
        if (name === longest[0][0]) await shot(page, `dealer-longest-${language}`);
        if (language === "pt") wrong.push(...(await english(page)).map((w) => `${name}: ${w} is English`));
      }
      await page.close();
    }
    await floorState([]);
    assert.deepEqual(wrong, []);
  },

  async "the dealer's screen says what is paid and taken, Pair and insurance too"() {
    const said = {
      en: { result: ["1Loses", "2Blackjack 3:2 · Pair 50:1", "3Bust", "5Wins 1:1 · Pair 5:1 · Insurance loses", "6Push", "7Surrendered", "Other Pair bets lose"], natural: ["1Loses · Insurance 2:1", "2Even money 1:1", "4A Loses · B Bust"] },
      pt: { result: ["1Perde", "2Blackjack 3:2 · Par 50:1", "3Rebentou", "5Ganha 1:1 · Par 5:1 · Seguro perde", "6Empate", "7Rendeu-se", "As outras apostas Par perdem"], natural: ["1Perde · Seguro 2:1", "2Dinheiro igual 1:1", "4A Perde · B Rebentou"] },
    };
    seq = 250;
    for (const [language, { result, natural }] of Object.entries(said)) {
      const page = await open(`/dealer/T?lang=${language}`, { width: 800, height: 480 });
      for (const [name, want] of [["blackjack-result", result], ["blackjack-insured", natural]]) {
        seq++; await layout(scenes[name]);
        await seen(page, seq);
        assert.deepEqual(await page.$$eval(".results > span", (l) => l.map((e) => e.textContent)), want);
      }
      await page.close();
    }
  },

  async "everything that can lie on a table is seen whole, on every screen and in both languages"() {
    const screens = [
      ["1080p", "/overlay/T?lang=en", 1920, 1080], ["vertical", "/overlay/T?lang=pt", 1080, 1920], ["720p", "/overlay/T?lang=pt", 1280, 720],
      ["dealer-pt", `/dealer/T?lang=pt&key=${key}`, 800, 480], ["dealer-en", `/dealer/T?lang=en&key=${key}`, 1024, 600],
    ];
    const pages = await Promise.all(screens.map(([, path, width, height]) => open(path, { width, height })));
    const wrong = [];
    seq = 300;
    for (const [name, { stops, ...scene }] of Object.entries(scenes)) {
      seq++; await layout(scene); await floorState(stops ?? []);
      for (const [i, [screen]] of screens.entries()) {
        const page = pages[i], what = `${name}-${screen}`;
        await seen(page, seq);
        if (stops && scene.due.kind !== "reread" && screen.startsWith("dealer")) await until(page, () => document.querySelector(".why").textContent !== "");
        if (scene.coups && !screen.startsWith("dealer")) await until(page, (n) => document.querySelectorAll(".bead text").length === n, Math.min(scene.coups.length, 48 - (6 - scene.coups.length % 6) % 6));
        await shot(page, what);
        if (screen.startsWith("dealer")) wrong.push(...(await cutOff(page, "header, section, footer, .sign, .due, .whom, .why, .choices, .row, .results, .foot > *")).map((e) => `${what}: ${e}`));
        else {
          await safe(page, what).catch((e) => wrong.push(e.message));
          wrong.push(...(await cutOff(page, ".bar, .strip, .box, .roads, .numbers")).map((e) => `${what}: ${e}`));
        }
        if (!/lang=en/.test(screens[i][1])) wrong.push(...(await english(page)).map((w) => `${what}: ${w} is English`));
        const raw = (await page.innerText("body")).match(/\b(undefined|null|NaN|[a-z]+_[a-z]+|[a-z-]+\.[a-z_-]+)\b/);
        if (raw) wrong.push(`${what}: says ${raw[0]}`);
      }
    }
    for (const page of pages) await page.close();
    assert.deepEqual(wrong, []);
  },

  async "the floor: a pit of many tables, and a table that started afresh in a round"() {
    seq = 400;
    for (const [i, { table, scene: { stops, ...scene } }] of pit.entries()) {
      seq++; await layout(scene, table); await floorState(stops ?? [], table);
      await tell(`/say/${table}/status`, { v: 1, state: i === 5 ? "lost" : "online", since: at, record, instance: "I" });
    }
    const wall = await open("/floor/?lang=pt", { context: staff });
    await until(wall, () => document.querySelectorAll(".tile").length === 24 && document.querySelectorAll(".tile.stopped").length >= 3);
    await until(wall, () => document.querySelectorAll(".tile.stale").length === 1);
    assert.ok(await wall.evaluate(() => document.documentElement.scrollHeight <= innerHeight + 1), "the pit is not seen at once");
    assert.deepEqual(await cutOff(wall, ".tile, .tile *"), []);
    assert.deepEqual(await english(wall), []);
    await shot(wall, "pit-pt");
    await wall.setViewportSize({ width: 1024, height: 768 });
    await shot(wall, "pit-tablet-pt");
    await wall.setViewportSize({ width: 1440, height: 960 });

    const { stops, ...felt } = restarted;
    seq++; await layout(felt);
    await say(37, { call: "open", round: 37 }); await say(37, { call: "closed", seats: [1, 3, 4, 6] });
    for (const [h, card, total] of [["1a", "Kh", 10], ["3a", "Ah", 11], ["4a", "8s", 8], ["6a", "9c", 9], ["dealer", "9c", 9], ["1a", "7d", 17]]) await say(37, { call: "card", hand: h, card, why: "deal", total, soft: card === "Ah" });
    await say(37, { call: "decision", hand: "1a", decision: "stand" });
    await layout(felt); await floorState(stops);
    await tell("/say/T/floor", { v: 1, record, seq, prev: 0, at, round: 37, event: "restart", calls: [{ call: "irregularity", irregularity: 300, code: "RESTART", class: "now", remedy: "device" }] });
    await wall.goto(`${url}/floor/table/T?lang=pt`);
    await wall.waitForSelector(".check");
    assert.match(await wall.innerText(".stop-card"), /Lugar 4 B: 8 copas, 3 ouros, Q paus — 21/);
    const release = wall.locator("[data-remedy=device]");
    assert.ok(await release.isDisabled(), "released before anybody has looked");
    for (const event of ["release", "table open", "shoe", "deckcheck", "refused", "timeout"]) await tell("/say/T/floor", { v: 1, record, seq: ++seq, prev: 0, at, round: 37, event, by: "S-2", because: "the reason is what he wrote", calls: [] });
    await until(wall, () => document.querySelectorAll(".timeline .floor").length === 7);
    assert.deepEqual(await english(wall), []);
    await shot(wall, "desk-restart-pt");
    for (const box of await wall.$$(".check input")) await box.check();
    assert.ok(await release.isEnabled());
    await accessible(wall, "desk after a restart");
    await release.click();
    assert.equal(JSON.parse(await tell("/order")).remedy, "device");
    await floorState([]);
    await wall.setViewportSize({ width: 1024, height: 768 });
    await shot(wall, "desk-tablet-pt");
    await wall.close();
  },

  async "a page weighs little"() {
    seq = 600; await layout(midHand, "W"); // which nothing else was said of
    const weights = {};
    for (const path of ["/overlay/W", `/dealer/W?key=${key}`, "/floor/", "/floor/table/W"]) {
      const page = await (path.startsWith("/floor") ? staff : await browser.newContext()).newPage();
      const line = await page.context().newCDPSession(page);
      await line.send("Network.enable");
      await line.send("Network.setCacheDisabled", { cacheDisabled: true });
      let bytes = 0;
      line.on("Network.dataReceived", (e) => { bytes += e.encodedDataLength; });
      line.on("Network.responseReceived", (e) => { bytes += e.response.encodedDataLength; });
      await page.goto(url + path);
      await until(page, () => document.querySelector("#page > :not(#wait)"));
      await page.waitForTimeout(500);
      assert.ok(bytes > 10000 && bytes < 150 * 1024, `${path} weighs ${bytes} bytes`);
      weights[path.split("?")[0]] = `${(bytes / 1024).toFixed(1)} KiB`;
      await page.close();
    }
    console.log("# weight:", JSON.stringify(weights));
  },
};

let failed = 0;
for (const [title, test] of Object.entries(tests)) {
  problems.length = 0;
  try {
    await Promise.race([test(), new Promise((_, no) => setTimeout(no, 180000, new Error("no end within three minutes")).unref())]);
    assert.deepEqual(problems, []);
    console.log(`ok      ${title}`);
  } catch (e) {
    failed++;
    console.log(`FAILED  ${title}\n${String(e.stack).split("\n").slice(0, 12).join("\n")}`);
  }
}
await Promise.race([browser.close(), new Promise((done) => setTimeout(done, 10000))]); // one that does not end is ended with us
process.exit(failed ? 1 : 0);
