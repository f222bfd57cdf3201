// The samples of threads, by rank: which functions they executed, and when.

/** @typedef {import("./data/data.js").Data} Data */
/** @typedef {import("./data/decode.js").Columns} Columns */
/**
 * @typedef {object} Samples of a rank
 * @property {number} rows
 * @property {Record<string, ArrayLike<number>>} of  columns: lane, time, call, label, state, task
 * @property {Columns} calls    a tree: parent, function
 * @property {string[]} names   of functions
 * @property {number} period    seconds of processor time that a row stands for
 * @property {number} every     the file has one of so many samples
 * @property {(task: number) => number[]} ofTask  rows of a task
 */
/** @typedef {{name: string, n: number, share: number}} Part  n: rows; share of all rows */

/** @param {Data} data */
export function createSamples(data) {
    const { index } = data;
    /** @type {Map<number, Samples>} */
    const ready = new Map();
    /** @type {Map<number, Promise<Samples | null>>} */
    const loading = new Map();

    /** @param {number} rank */
    async function read(rank) {
        const own = index.ranks[rank].index.samples;
        if (!own) {
            return null;
        }
        const [{ rows, of }, calls] = await Promise.all([data.table("samples", rank),
            data.table("calls", rank)]);
        /** @type {Map<number, number[]>} */
        const tasks = new Map();
        for (let row = 0; row < rows; row++) {
            if (of.task[row] > 0) {
                const list = tasks.get(of.task[row]) ?? [];
                list.push(row);
                tasks.set(of.task[row], list);
            }
        }
        const samples = { rows, of, calls, names: own.functions, every: own.every,
            period: own.period_ns * own.every / 1e9,
            ofTask: (/** @type {number} */ task) => tasks.get(task) ?? [] };
        ready.set(rank, samples);
        return samples;
    }

    return {
        /** Whether a rank has samples. */
        exist: index.ranks.some((rank) => rank.index.samples),
        /**
         * The samples if they were read.
         * @param {number} rank index
         */
        get: (rank) => ready.get(rank) ?? null,
        /**
         * @param {number} rank index
         * @returns {Promise<Samples | null>} null: the rank has none
         */
        load(rank) {
            const promise = loading.get(rank) ?? read(rank);
            loading.set(rank, promise);
            return promise;
        },
    };
}

/**
 * The functions with the most samples of their own.
 * @param {Samples} samples
 * @param {number[]} rows
 * @param {number} most
 * @returns {Part[]}
 */
export function hottest(samples, rows, most) {
    /** @type {Map<number, number>} */
    const counts = new Map();
    for (const row of rows) {
        const number = samples.calls.of.function[samples.of.call[row]];
        counts.set(number, (counts.get(number) ?? 0) + 1);
    }
    return [...counts].sort((a, b) => b[1] - a[1] || a[0] - b[0]).slice(0, most).map(
        ([number, n]) => ({ name: samples.names[number], n, share: n / rows.length }));
}

/**
 * The share in percent that `n` of `all` samples have, with a probability of 95 %: Wilson's
 * interval, as in `otter report`.
 * @param {number} n
 * @param {number} all
 * @returns {[number, number]}
 */
export function interval(n, all) {
    const z = 1.96;
    const share = n / all;
    const middle = (share + z * z / (2 * all)) / (1 + z * z / all);
    const half = z * Math.sqrt(share * (1 - share) / all + z * z / (4 * all * all))
        / (1 + z * z / all);
    return [Math.max(middle - half, 0) * 100, (middle + half) * 100];
}
