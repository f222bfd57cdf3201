// The data in the file: the index, tables that are read whole, and chunks that are inflated when
// a picture needs them.

import { decodeChunk, joined } from "./decode.js";

/** @typedef {import("./decode.js").Columns} Columns */
/** @typedef {import("./index_types.js").Index} Index */

const MOST_CHUNKS = 48; // inflated at once; a chunk has some 2 MB

/**
 * @param {Index} index
 * @param {(chunk: number) => string} textOf base64 of a chunk
 * @param {() => void} onChunk called when a chunk has been inflated
 */
export function createData(index, textOf, onChunk) {
    /** @type {Map<number, Columns>} */
    const ready = new Map();
    /** @type {Map<number, Promise<Columns>>} */
    const running = new Map();
    /** @type {Map<string, Promise<Columns>>} */
    const tables = new Map();

    /** @param {number} chunk */
    function decode(chunk) {
        return decodeChunk(textOf(chunk), index.tables[index.chunks[chunk].table]);
    }

    /** @param {number} chunk */
    function load(chunk) {
        const known = ready.get(chunk);
        if (known) {
            ready.delete(chunk); // the newest use is the last of the map
            ready.set(chunk, known);
            return Promise.resolve(known);
        }
        let promise = running.get(chunk);
        if (!promise) {
            promise = decode(chunk).then((columns) => {
                running.delete(chunk);
                ready.set(chunk, columns);
                if (ready.size > MOST_CHUNKS) {
                    ready.delete(/** @type {number} */ (ready.keys().next().value));
                }
                onChunk();
                return columns;
            });
            running.set(chunk, promise);
        }
        return promise;
    }

    return {
        index,
        load,
        /**
         * The chunk if it is inflated; otherwise null, and onChunk is called later.
         * @param {number} chunk
         */
        peek(chunk) {
            const known = ready.get(chunk);
            if (!known) {
                load(chunk);
            }
            return known ?? null;
        },
        /**
         * All rows of a table.
         * @param {string} name
         * @returns {Promise<Columns>}
         */
        table(name) {
            let promise = tables.get(name);
            if (!promise) {
                const chunks = index.chunks.map((_, i) => i)
                    .filter((i) => index.chunks[i].table === name);
                promise = chunks.length === 0 ? Promise.resolve(empty(index, name))
                    : Promise.all(chunks.map(decode))
                        .then((parts) => joined(parts, index.tables[name]));
                tables.set(name, promise);
            }
            return promise;
        },
    };
}

/**
 * @param {Index} index
 * @param {string} name
 * @returns {Columns}
 */
function empty(index, name) {
    return {
        rows: 0,
        of: Object.fromEntries((index.tables[name] ?? []).map(([c]) => [c, new Uint8Array(0)])),
    };
}

/** @typedef {ReturnType<typeof createData>} Data */
