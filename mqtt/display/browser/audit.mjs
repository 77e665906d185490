// The auditor's pages: node audit.mjs URL SHOTS. Run by TestAuditInABrowser, which serves a record.
import { strict as assert } from "node:assert";
import { readFileSync } from "node:fs";
import { chromium } from "playwright-core";
import { english } from "./english.mjs";

const [url, shots] = process.argv.slice(2);
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"] });
const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
const problems = [];
page.on("pageerror", (e) => problems.push(String(e)));
page.on("console", (m) => { if (m.type() === "error") problems.push(m.text()); });

await page.goto(url + "/?lang=pt");
await page.waitForSelector(".timeline li");
const rounds = await page.$$eval("select option", (l) => l.length);
assert.ok(rounds >= 3, `${rounds} rounds`);
const round = await page.$$eval("select option", (l) => l.findIndex((o) => /Ronda [1-9]/.test(o.textContent)));
await Promise.all([page.waitForResponse(/audit\/round\?/), page.selectOption("select", { index: round })]);
await page.waitForFunction(() => document.querySelector(".timeline li.here"));

// Every step forward is the next event, with the felt after it; back gives the same felt again.
const felt = () => page.$$eval(".felt svg.card", (l) => l.map((c) => c.dataset.card).join(" "));
const steps = await page.$$eval(".timeline li", (l) => l.length);
const seen = [await felt()];
for (let i = 1; i < steps; i++) {
  await page.keyboard.press("ArrowRight");
  assert.equal(await page.$eval(".timeline", (e) => [...e.children].findIndex((c) => c.className === "here")), i);
  seen.push(await felt());
  assert.deepEqual(await english(page), [], `step ${i}`);
}
assert.ok(new Set(seen).size > 3, `the felt hardly changed in ${steps} steps`);
assert.ok(await page.isDisabled("button.first"), "there is no way beyond the last event");
assert.match(await page.innerText("h1"), /^Registo · [A-Za-z0-9_-]+$/);
await page.screenshot({ path: `${shots}/audit-pt.png` });
for (let i = steps - 2; i >= 0; i--) {
  await page.click(".steps button:not(.first)");
  assert.equal(await felt(), seen[i]);
}
await page.evaluate(readFileSync(new URL("node_modules/axe-core/axe.min.js", import.meta.url), "utf8"));
const found = await page.evaluate(() => axe.run(document));
assert.deepEqual(found.violations.map((v) => `${v.id}: ${v.nodes.map((n) => n.html.slice(0, 120))}`), []);
assert.deepEqual(problems, []);
console.log(`${rounds} rounds, ${steps} steps`);
await browser.close();
