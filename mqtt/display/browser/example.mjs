// The contract's page with the public mqtt.js: node example.mjs URL BROKER [ELSEWHERE], a site whose page the broker must refuse. Run by TestTheExampleInABrowser, which is the table.
import { strict as assert } from "node:assert";
import { chromium } from "playwright-core";

const [url, broker, elsewhere] = process.argv.slice(2);
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", `--host-resolver-rules=MAP ${elsewhere ?? "nowhere.example"} 127.0.0.1`],
});
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

// A page of another site that has a name for this machine, as an attacker's would: its every way to the broker is shut.
if (elsewhere) {
  const foreign = await browser.newPage();
  await foreign.goto(url.replace("127.0.0.1", elsewhere) + "/overlay.html?table=BJ-1&broker=ws://" + elsewhere);
  for (const to of [broker, broker.replace("127.0.0.1", elsewhere), broker.replace("127.0.0.1", "localhost")]) {
    const came = await foreign.evaluate((to) => new Promise((done) => {
      const socket = new WebSocket(to, "mqtt");
      socket.onopen = () => done("open");
      socket.onerror = () => done("refused");
    }), to);
    assert.equal(came, "refused", to);
  }
  assert.equal(await foreign.evaluate((to) => new Promise((done) => { // from a frame that hides where it is from
    const frame = document.createElement("iframe");
    frame.sandbox = "allow-scripts";
    frame.srcdoc = `<script>const s = new WebSocket("${to}", "mqtt"); s.onopen = () => parent.postMessage("open", "*"); s.onerror = () => parent.postMessage("refused", "*");</script>`;
    addEventListener("message", (e) => done(e.data));
    document.body.append(frame);
  }), broker), "refused", "a hidden page");
}
await browser.close();
