// Slices and cells of the pyramid, by lane, row and range of time.

import { STATE } from "../data/index_types.js";

/** @typedef {import("../data/data.js").Data} Data */
/** @typedef {import("../data/decode.js").Columns} Columns */
/** @typedef {{chunk: number, first: number, n: number, begin: number, end: number}} Segment */
/** @typedef {(of: Columns["of"], i: number) => void} Visit */

/**
 * The first row in [low, high) whose value is at least `value`; the values ascend.
 * @param {ArrayLike<number>} values
 * @param {number} value
 * @param {number} low
 * @param {number} high
 */
export function lowerBound(values, value, low, high) {
    while (low < high) {
        const middle = (low + high) >> 1;
        if (values[middle] < value) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

/** @param {Data} data */
export function createLanes(data) {
    const { index } = data;
    /** @type {Map<string, Segment[]>} */
    const segments = new Map();

    /**
     * @param {string} key
     * @param {Segment} segment
     */
    function add(key, segment) {
        const list = segments.get(key);
        if (list) {
            list.push(segment);
        } else {
            segments.set(key, [segment]);
        }
    }
    index.chunks.forEach((chunk, i) => {
        for (const s of chunk.segments ?? []) {
            if (chunk.table === "slices") {
                add(`${s[0]}/${s[1]}`, { chunk: i, first: s[2], n: s[3], begin: s[4], end: s[5] });
            } else {
                add(`${s[0]}/${s[1]}/${s[2]}`,
                    { chunk: i, first: s[3], n: s[4], begin: 0, end: Infinity });
            }
        }
    });

    /**
     * @param {number} lane
     * @param {number} row
     * @param {number} from
     * @param {number} to
     */
    function slicesAround(lane, row, from, to) {
        return (segments.get(`${lane}/${row}`) ?? []).filter((s) => s.end >= from && s.begin <= to);
    }

    /**
     * @param {Columns} columns
     * @param {Segment} segment
     * @param {number} from
     * @param {number} to
     * @param {Visit} visit
     */
    function visitSlices(columns, segment, from, to, visit) {
        const { start, duration } = columns.of;
        const end = segment.first + segment.n;
        let i = lowerBound(start, from, segment.first, end);
        while (i > segment.first && start[i - 1] + duration[i - 1] > from) {
            i--;
        }
        for (; i < end && start[i] <= to; i++) {
            visit(columns.of, i);
        }
    }

    return {
        /**
         * An upper estimate of the slices of a row in a range.
         * @param {number} lane
         * @param {number} row
         * @param {number} from
         * @param {number} to
         */
        estimate(lane, row, from, to) {
            let sum = 0;
            for (const s of slicesAround(lane, row, from, to)) {
                const share = (Math.min(to, s.end) - Math.max(from, s.begin)) / (s.end - s.begin);
                sum += Math.ceil(s.n * Math.min(1, share || 1));
            }
            return sum;
        },
        /**
         * Visits slices in order of time. Returns false if a chunk is not inflated yet: then
         * nothing was visited.
         * @param {number} lane
         * @param {number} row
         * @param {number} from
         * @param {number} to
         * @param {Visit} visit
         */
        slices(lane, row, from, to, visit) {
            const around = slicesAround(lane, row, from, to);
            const columns = around.map((s) => data.peek(s.chunk));
            if (columns.includes(null)) {
                return false;
            }
            around.forEach((s, i) => visitSlices(/** @type {Columns} */ (columns[i]), s, from, to,
                visit));
            return true;
        },
        /**
         * Like slices(), but waits for the chunks.
         * @param {number} lane
         * @param {number} row
         * @param {number} from
         * @param {number} to
         * @param {Visit} visit
         */
        async loadedSlices(lane, row, from, to, visit) {
            for (const s of slicesAround(lane, row, from, to)) {
                visitSlices(await data.load(s.chunk), s, from, to, visit);
            }
        },
        /**
         * Visits the cells of a level, or of the next coarser level of the row that is inflated.
         * Returns false if a finer level is not inflated yet.
         * @param {number} lane
         * @param {number} row
         * @param {number} level
         * @param {number} from
         * @param {number} to
         * @param {(of: Columns["of"], i: number, begin: number, width: number) => void} visit
         */
        cells(lane, row, level, from, to, visit) {
            const { coarsest, finest } = index.pyramid;
            let isReady = true;
            for (let k = Math.max(level, finest); k <= coarsest; k++) {
                const list = segments.get(`${lane}/${row}/${k}`) ?? [];
                const columns = list.map((s) => data.peek(s.chunk));
                isReady &&= !columns.includes(null);
                if (list.length === 0 || columns.includes(null)) {
                    continue;
                }
                const width = 4 ** k;
                list.forEach((s, at) => {
                    const { of } = /** @type {Columns} */ (columns[at]);
                    const end = s.first + s.n;
                    for (let i = lowerBound(of.bucket, Math.floor(from / width), s.first, end);
                        i < end && of.bucket[i] * width <= to; i++) {
                        visit(of, i, of.bucket[i] * width, width);
                    }
                });
                break;
            }
            return isReady;
        },
        /**
         * The level whose cells are at least `ticks` long.
         * @param {number} ticks
         */
        level(ticks) {
            const { coarsest, finest } = index.pyramid;
            const wanted = Math.ceil(Math.log(Math.max(ticks, 1)) / Math.log(4));
            return Math.min(Math.max(wanted, finest), coarsest);
        },
    };
}

/** @typedef {ReturnType<typeof createLanes>} Lanes */

/** The columns of the pyramid by state. */
export const STATE_COLUMNS = ["outside", "executing", "waiting", "lock", "forking", "mpi",
    "paused", "lost", "unused"];

/** @param {number} state */
export function isAggregate(state) {
    return state === STATE.aggregate;
}
