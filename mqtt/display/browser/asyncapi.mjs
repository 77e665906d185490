// The contract by the public tool: node asyncapi.mjs FILE. Run by TestAsyncAPI.
import { strict as assert } from "node:assert";
import { Parser, fromFile } from "@asyncapi/parser";

const { document, diagnostics } = await fromFile(new Parser(), process.argv[2]).parse();
assert.deepEqual(diagnostics.filter((d) => d.severity <= 1).map((d) => `${d.path.join(".")}: ${d.message}`), []); // errors and warnings
const channels = document.channels().all();
for (const c of channels) for (const m of c.messages().all()) assert.ok(m.payload().title(), `${c.address()} has no schema`);
console.log(`${channels.length} channels`);
