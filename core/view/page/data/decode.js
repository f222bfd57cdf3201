// Chunks of numbers: base64, zlib, shuffled bytes, deltas. core/view/README.md defines them.

import { inflateAtOnce } from "./inflate.js";

/** @typedef {Uint8Array | Uint32Array | Float64Array} Numbers */

/**
 * @typedef {object} Columns
 * @property {number} rows
 * @property {Record<string, Numbers>} of  by name
 */

const LONG_STREAM = 1 << 15; // bytes from which on the browser's own code is faster

/** @param {string} text */
function bytesOfBase64(text) {
    const native = /** @type {any} */ (Uint8Array).fromBase64;
    if (native) {
        return /** @type {Uint8Array} */ (native.call(Uint8Array, text.trim()));
    }
    const raw = atob(text.trim());
    const bytes = new Uint8Array(raw.length);
    for (let i = 0; i < raw.length; i++) {
        bytes[i] = raw.charCodeAt(i);
    }
    return bytes;
}

/** @param {string} base64 of a zlib stream */
export async function inflate(base64) {
    const bytes = bytesOfBase64(base64);
    if (bytes.length < LONG_STREAM) {
        return inflateAtOnce(bytes);
    }
    const { DecompressionStream } = /** @type {any} */ (globalThis);
    const stream = new Blob([/** @type {any} */ (bytes)]).stream()
        .pipeThrough(new DecompressionStream("deflate"));
    return new Uint8Array(await new Response(stream).arrayBuffer());
}

/**
 * A column of `n` numbers. At `at`, it begins with the lowest bytes of all numbers; the second
 * bytes follow, and so on.
 * @param {Uint8Array} bytes
 * @param {number} at
 * @param {number} width
 * @param {number} n
 * @param {boolean} isDelta
 * @returns {Numbers}
 */
function column(bytes, at, width, n, isDelta) {
    if (width <= 1 && !isDelta) {
        return width === 0 ? new Uint8Array(n) : bytes.slice(at, at + n);
    }
    const values = width > 4 || isDelta ? new Float64Array(n) : new Uint32Array(n);
    for (let byte = width - 1; byte >= 0; byte--) {
        const begin = at + byte * n;
        for (let i = 0; i < n; i++) {
            values[i] = values[i] * 256 + bytes[begin + i];
        }
    }
    if (isDelta) {
        let sum = 0;
        for (let i = 0; i < n; i++) {
            const value = values[i];
            sum += value % 2 === 0 ? value / 2 : -(value + 1) / 2;
            values[i] = sum;
        }
    }
    return values;
}

/**
 * @param {string} base64
 * @param {[string, string][]} layout names and encodings of the columns
 * @returns {Promise<Columns>}
 */
export async function decodeChunk(base64, layout) {
    const bytes = await inflate(base64);
    const rows = new DataView(bytes.buffer).getUint32(0, true);
    /** @type {Record<string, Numbers>} */
    const of = {};
    let at = 4 + layout.length;
    for (let i = 0; i < layout.length; i++) {
        const width = bytes[4 + i];
        of[layout[i][0]] = column(bytes, at, width, rows, layout[i][1] === "delta");
        at += width * rows;
    }
    return { rows, of };
}

/**
 * Joins several chunks into one table.
 * @param {Columns[]} parts
 * @param {[string, string][]} layout
 * @returns {Columns}
 */
export function joined(parts, layout) {
    if (parts.length === 1) {
        return parts[0];
    }
    const rows = parts.reduce((sum, part) => sum + part.rows, 0);
    /** @type {Record<string, Numbers>} */
    const of = {};
    for (const [name] of layout) {
        const all = parts.every((part) => part.of[name] instanceof Uint8Array)
            ? new Uint8Array(rows) : new Float64Array(rows);
        let at = 0;
        for (const part of parts) {
            all.set(part.of[name], at);
            at += part.rows;
        }
        of[name] = all;
    }
    return { rows, of };
}
