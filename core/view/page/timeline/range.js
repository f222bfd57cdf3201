// Sums over a range of time, from slices or, where these are too many, from the pyramid.

import { STATE } from "../data/index_types.js";
import { isAggregate, STATE_COLUMNS } from "./lanes.js";

/** @typedef {import("../app.js").App} App */
/**
 * @typedef {object} Sums ticks
 * @property {number[]} states
 * @property {[number, number][]} labels  label and executed ticks, the largest first
 * @property {boolean} isExact
 * @property {number} lanes
 */

const MAX_SLICES = 400000;

/**
 * @param {App} app
 * @param {number} from
 * @param {number} to
 * @param {number} only a lane, or -1: all threads
 * @returns {Promise<Sums>}
 */
export async function rangeStatistics(app, from, to, only) {
    const states = app.index.states.slice(0, STATE.aggregate).map(() => 0);
    /** @type {Map<number, number>} */
    const labels = new Map();
    const threads = app.index.lanes.map((_, i) => i)
        .filter((i) => (only >= 0 ? i === only : app.index.lanes[i].kind === "thread"));
    const estimate = threads.reduce((sum, lane) => sum + app.lanes.estimate(lane, 0, from, to), 0);
    let isExact = estimate <= MAX_SLICES;

    /**
     * @param {number} label
     * @param {number} ticks
     */
    function execute(label, ticks) {
        if (ticks > 0) {
            labels.set(label, (labels.get(label) ?? 0) + ticks);
        }
    }

    /**
     * Adds cells. A cell that is partly outside the range counts in proportion.
     * @param {number} lane
     * @param {number} begin
     * @param {number} end
     */
    function addCells(lane, begin, end) {
        isExact = false;
        const level = app.lanes.level((end - begin) / 64);
        app.lanes.cells(lane, 0, level, begin, end, (of, i, first, width) => {
            const part = (Math.min(end, first + width) - Math.max(begin, first))
                / (Math.min(app.end, first + width) - first);
            if (part > 0) {
                STATE_COLUMNS.forEach((name, state) => {
                    states[state] += of[name][i] * part;
                });
                execute(of.label[i], of.executing[i] * part);
            }
        });
    }

    for (const lane of threads) {
        if (estimate > MAX_SLICES) {
            addCells(lane, from, to);
            continue;
        }
        await app.lanes.loadedSlices(lane, 0, from, to, (of, i) => {
            const begin = Math.max(of.start[i], from);
            const end = Math.min(of.start[i] + of.duration[i], to);
            if (end <= begin) {
                return;
            }
            if (isAggregate(of.state[i])) {
                addCells(lane, begin, end);
                return;
            }
            states[of.state[i]] += end - begin;
            if (of.state[i] === 1) {
                execute(of.label[i], end - begin);
            }
        });
    }
    return { states, labels: [...labels].sort((a, b) => b[1] - a[1]), isExact,
        lanes: threads.length };
}
