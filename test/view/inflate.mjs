// The page's own inflate restores what zlib deflated, and refuses damaged streams.
//
// usage: inflate.mjs COPY-OF-INFLATE.JS      a copy with the ending .mjs, which Node.js reads as a module
import { strict as assert } from "node:assert";
import { pathToFileURL } from "node:url";
import zlib from "node:zlib";

const { inflateAtOnce } = await import(pathToFileURL(process.argv[2]).href);

/** Numbers from 0 to n - 1, the same in each run. */
function dice(seed) {
    let state = seed;
    return (n) => {
        state = (Math.imul(state, 1103515245) + 12345) >>> 0;
        return (state >>> 8) % n;
    };
}

const roll = dice(1);
const CONTENTS = [0, 1, 10, 1000, 100000].flatMap((size) => [
    Buffer.alloc(size, 7), // long repetitions
    Buffer.from(Array.from({ length: size }, () => roll(256))), // no repetition
    Buffer.from(Array.from({ length: size }, (_, i) => (i % 300 < 200 ? roll(4) : i % 7))),
]);
const { Z_DEFAULT_STRATEGY, Z_FIXED, Z_HUFFMAN_ONLY } = zlib.constants;

const streams = [];
for (const content of CONTENTS) {
    for (const level of [0, 1, 6, 9]) {
        for (const strategy of [Z_DEFAULT_STRATEGY, Z_FIXED, Z_HUFFMAN_ONLY]) {
            const stream = new Uint8Array(zlib.deflateSync(content, { level, strategy }));
            assert.equal(Buffer.compare(Buffer.from(inflateAtOnce(stream)), content), 0, `${content.length} bytes, level ${level}`);
            streams.push([stream, content]);
        }
    }
}

let refused = 0;
for (const [stream, content] of streams.filter(([, { length }]) => length > 0 && length < 2000)) {
    const cut = stream.slice(0, roll(stream.length - 1) + 1);
    assert.throws(() => inflateAtOnce(cut), /is damaged|is cut off/, `cut to ${cut.length} of ${stream.length} bytes`);
    for (let i = 0; i < 20; i++) {
        const changed = Uint8Array.from(stream);
        changed[2 + roll(stream.length - 2)] ^= 1 << roll(8);
        let found;
        try {
            found = inflateAtOnce(changed);
        } catch (error) {
            assert.match(error.message, /is damaged|is cut off/);
            refused++;
            continue;
        } // either the changed bits have no meaning, or the checksum happens to be the same
        assert.ok(content.equals(found) || zlib.inflateSync(changed).equals(found));
    }
}
assert.ok(refused > 100);
const UNKNOWN_LENGTH = Uint8Array.from([0x78, 1, 0x62, 0x18, 3, 0, 0, 0, 0]); // fixed codes, symbol 286
assert.throws(() => inflateAtOnce(UNKNOWN_LENGTH), /is damaged/);
console.log(`${streams.length} streams, ${refused} damages refused`);
