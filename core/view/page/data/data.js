// The data in the file: the index, tables that are read as a whole, and chunks that are inflated
// when a picture needs them.

import { decodeChunk, joined } from "./decode.js";
import { shiftedColumns } from "../ranks.js";

/** @typedef {import("./decode.js").Columns} Columns */
/** @typedef {import("./index_types.js").Index} Index */

const MAX_CHUNKS = 48; // kept inflated at the same time; a chunk has about 2 MB

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
    const chunksOf = chunksByTable(index);

    /** @param {number} chunk */
    async function decode(chunk) {
        const { table, id } = index.chunks[chunk];
        const columns = await decodeChunk(textOf(id ?? chunk), index.tables[table]);
        return shiftedColumns(index, chunk, columns);
    }

    /**
     * @param {string} name
     * @param {number} rank index; -1: all
     */
    function read(name, rank) {
        const chunks = chunksOf.get(`${name}/${rank}`) ?? [];
        return chunks.length === 0 ? Promise.resolve(empty(index, name))
            : Promise.all(chunks.map(decode)).then((parts) => joined(parts, index.tables[name]));
    }

    /** @param {number} chunk */
    function load(chunk) {
        const known = ready.get(chunk);
        if (known) {
            ready.delete(chunk); // moves the chunk used last to the end of the map
            ready.set(chunk, known);
            return Promise.resolve(known);
        }
        let promise = running.get(chunk);
        if (!promise) {
            promise = decode(chunk).then((columns) => {
                running.delete(chunk);
                ready.set(chunk, columns);
                if (ready.size > MAX_CHUNKS) {
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
         * @param {number} [rank] index; all without it. The profile of all is the sum.
         * @returns {Promise<Columns>}
         */
        table(name, rank = -1) {
            const key = `${name}/${rank}`;
            let promise = tables.get(key);
            if (!promise) {
                promise = name === "profile" && rank < 0
                    ? Promise.all(index.ranks.map((_, i) => this.table(name, i))).then(total)
                    : name === "job_path" ? read(name, rank).then(byBegin) : read(name, rank);
                tables.set(key, promise);
            }
            return promise;
        },
    };
}

/**
 * The chunks of each table, by its name and rank; rank -1: all ranks.
 * @param {Index} index
 */
function chunksByTable(index) {
    /** @type {Map<string, number[]>} */
    const chunksOf = new Map();
    index.chunks.forEach(({ table, rank }, i) => {
        for (const key of [`${table}/${rank ?? 0}`, `${table}/-1`]) {
            const chunks = chunksOf.get(key) ?? [];
            chunks.push(i);
            chunksOf.set(key, chunks);
        }
    });
    return chunksOf;
}

/**
 * The sums of tables with the same rows.
 * @param {Columns[]} parts
 * @returns {Columns}
 */
function total(parts) {
    if (parts.length === 1) {
        return parts[0];
    }
    const rows = Math.max(...parts.map((part) => part.rows));
    return { rows, of: Object.fromEntries(Object.keys(parts[0].of).map((name) => {
        const sums = new Float64Array(rows);
        for (const { rows: n, of } of parts) {
            const values = of[name];
            for (let i = 0; i < n; i++) {
                sums[i] += values[i];
            }
        }
        return [name, sums];
    })) };
}

/**
 * The rows in the order of their start.
 * @param {Columns} columns
 * @returns {Columns}
 */
function byBegin({ rows, of }) {
    const order = Array.from({ length: rows }, (_, i) => i)
        .sort((a, b) => of.begin[a] - of.begin[b]);
    return { rows, of: Object.fromEntries(Object.entries(of).map(([name, values]) => (
        [name, Float64Array.from(order, (i) => values[i])]))) };
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
