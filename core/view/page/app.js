// All that the views share.

import { labelColours } from "./colours.js";
import { createData } from "./data.js";
import { plain, seconds } from "./format.js";
import { createLanes } from "./lanes.js";
import { createStore } from "./store.js";
import { createTasks } from "./tasks.js";

/** @typedef {import("./index_types.js").Index} Index */
/** @typedef {import("./store.js").State} State */

/**
 * @param {Index} index
 * @returns {State}
 */
function usualState(index) {
    const [from, to] = index.window ?? [0, index.clock.end];
    return { tab: "timeline", from, to, select: "", range: "", table: "", sort: "", filter: "",
        open: "", flame: "", path: "", fold: "", nest: -1, report: true };
}

/**
 * @param {Index} index
 * @param {(chunk: number) => string} textOf
 */
export function createApp(index, textOf) {
    /** @type {(() => void)[]} */
    const redraws = [];
    let isDue = false;

    /** Draws all visible pictures before the next frame. */
    function redraw() {
        if (!isDue) {
            isDue = true;
            requestAnimationFrame(() => {
                isDue = false;
                redraws.forEach((draw) => draw());
            });
        }
    }

    const data = createData(index, textOf, redraw);
    const defaults = usualState(index);
    /** @type {Map<string, number>} */
    const executed = new Map((index.report.tables?.labels ?? [])
        .map((/** @type {any} */ row) => [row.label, row.executed_s]));
    const names = index.labels.map((label) => plain(label.text));
    return {
        index,
        data,
        defaults,
        store: createStore(defaults),
        lanes: createLanes(data),
        tasks: createTasks(data),
        end: index.clock.end,
        /** Texts by label. */
        names,
        colours: labelColours(index.labels.map((label) => (
            { text: label.text, weight: executed.get(label.text) ?? 0 }))),
        redraw,
        /** @param {() => void} draw */
        onRedraw(draw) {
            redraws.push(draw);
        },
        plain,
        /** @param {number} ticks */
        time: (ticks) => seconds(ticks / index.clock.resolution),
        /** @param {number} label */
        name: (label) => names[label] ?? "no label",
        /**
         * A short name of a label: its source line if it has one.
         * @param {number} label
         */
        place: (label) => plain(index.labels[label]?.where || "") || (names[label] ?? "no label"),
        /**
         * The label with this text, which tables of the report name; -1 if there is none.
         * @param {string} text
         */
        labelOf: (text) => index.labels.findIndex((label) => label.text === text),
    };
}

/** @typedef {ReturnType<typeof createApp>} App */

/**
 * "task:17" → ["task", 17]; "slice:0:2:500" → ["slice", 0, 2, 500].
 * @param {string} text
 * @returns {[string, ...number[]]}
 */
export function parsed(text) {
    const [kind, ...numbers] = text.split(":");
    return [kind, ...numbers.map(Number)];
}
