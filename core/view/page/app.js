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
        open: "", closed: "", flame: "", path: "", fold: "", nest: -1, report: true };
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
    // Labels with the same text are one for the user: each has the number of the first.
    const first = new Map();
    const same = index.labels.map((label, i) => {
        if (!first.has(label.text)) {
            first.set(label.text, i);
        }
        return first.get(label.text);
    });
    const colours = labelColours([...first.keys()].map((text) => (
        { text, weight: executed.get(text) ?? 0 })));
    const colourOf = new Map([...first.keys()].map((text, i) => [text, colours[i]]));
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
        /** Colours by label. */
        colours: index.labels.map((label) => colourOf.get(label.text) ?? colours[0]),
        /** The first label with the same text, by label. */
        same,
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
        labelOf: (text) => first.get(text) ?? -1,
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
