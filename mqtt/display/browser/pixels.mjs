// From a call to its card's pixels: node pixels.mjs URL CONTROL COUNT prints a line of milliseconds. Run by BenchmarkCallToPixels, which is the table.
import { chromium } from "playwright-core";

const [url, control, count] = process.argv.slice(2);
const head = { v: 1, record: "3ffbf0a1786e7cd63580c4e1da599516", at: "2026-11-30T21:00:00.000Z", round: 1 };
const tell = (topic, body) => fetch(`${control}/say/T/${topic}`, { method: "POST", body: JSON.stringify({ ...head, ...body }) });
const felt = (seq) => tell("layout", {
  seq, table: "T", game: "blackjack", rules: "deluxe", shoe: { number: 1, dealt: 4, left: 412, last_round: false }, phase: "decisions", due: null, dealer: { cards: ["9c", "back"], total: 9, soft: false },
  seats: [{ seat: 3, hands: [{ hand: "3a", cards: [], total: 0, soft: false, state: "playing" }] }], stopped: null, last: null,
});

const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"] });
const page = await browser.newPage({ viewport: { width: 1920, height: 1080 }, reducedMotion: "reduce" });
await felt(1);
await page.goto(`${url}/overlay/T`);
await page.waitForFunction(() => document.documentElement.dataset.seq === "1");
await page.evaluate(() => { // after the frame in which a card was laid, when that has been painted
  window.painted = {};
  new MutationObserver(() => { const seq = document.documentElement.dataset.seq; requestAnimationFrame(() => setTimeout(() => { window.painted[seq] ??= performance.timeOrigin + performance.now(); })); })
    .observe(document.documentElement, { attributes: true, attributeFilter: ["data-seq"] });
});
const took = [];
for (let seq = 2; took.length < Number(count); seq++) {
  if (seq % 5 === 0) { await felt(seq); continue; } // a new hand
  const sent = performance.timeOrigin + performance.now();
  await tell("call", { seq, calls: [{ call: "card", hand: "3a", card: "2h", why: "hit", total: 4, soft: false }] });
  const painted = await (await page.waitForFunction((seq) => window.painted[seq], seq, { polling: 5 })).jsonValue();
  took.push(painted - sent);
}
console.log(took.map((t) => t.toFixed(1)).join(" "));
await browser.close();
