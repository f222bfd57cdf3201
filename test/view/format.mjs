// The page shows numbers with the same texts as `otter report`.
//
// usage: format.mjs COPY-OF-FORMAT.JS CELLS      a copy with the ending .mjs; the program that cells.c becomes
import { strict as assert } from "node:assert";
import { execFileSync } from "node:child_process";
import { pathToFileURL } from "node:url";

const [copy, cells] = process.argv.slice(2);
const texts = await import(pathToFileURL(copy).href);
const lines = execFileSync(cells, { encoding: "utf8", maxBuffer: 2 ** 26 }).trimEnd().split("\n");
assert.ok(lines.length > 100000, `only ${lines.length} lines`);
for (const line of lines) {
    const [, kind, value, text] = line.match(/^(\w+) (\S+) (.*)$/);
    assert.equal(texts[kind](Number(value)), text, line);
}
