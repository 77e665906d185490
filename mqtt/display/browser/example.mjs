// The contract's page with the public mqtt.js: node example.mjs URL BROKER. Run by TestTheExampleInABrowser, which is the table.
import { strict as assert } from "node:assert";
import { chromium } from "playwright-core";

const [url, broker] = process.argv.slice(2);
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"] });
const page = await browser.newPage();
const problems = [];
page.on("pageerror", (e) => problems.push(String(e)));
await page.goto(`${url}/overlay.html?table=BJ-1&broker=${encodeURIComponent(broker)}`);
const until = (what) => page.waitForFunction(what, null, { timeout: 20000 });
await until(() => document.querySelectorAll("p").length === 2);
assert.deepEqual(await page.$$eval("p", (l) => l.map((p) => p.textContent)), ["dealer: 9c back", "3a: 9s 2d"]);
assert.equal(await page.textContent("h1"), "decisions");
await fetch(`${url}/call`, { method: "POST" });
await until(() => document.body.textContent.includes("3a: 9s 2d Kh"));
await fetch(`${url}/lost`, { method: "POST" });
await until(() => document.body.className === "old");
assert.deepEqual(problems, []);
await browser.close();
