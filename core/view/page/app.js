// The data and functions that all views share.

import { labelColours } from "./colours.js";
import { createData } from "./data/data.js";
import { plain, seconds } from "./format.js";
import { createLanes } from "./timeline/lanes.js";
import { indexOfRank } from "./ranks.js";
import { createSamples } from "./samples.js";
import { createStore } from "./data/store.js";
import { createTasks } from "./tasks.js";

/** @typedef {import("./data/index_types.js").Index} Index */
/** @typedef {import("./data/store.js").State} State */

/**
 * The indexes of the ranks: those whose work is farthest from the mean are first.
 * @param {Index} index
 */
export function outliersOf(index) {
    const places = new Map((index.job?.outliers ?? []).map((rank, i) => [rank, i]));
    const place = (/** @type {number} */ i) => places.get(index.ranks[i].rank) ?? 0;
    return index.ranks.map((_, i) => i).sort((a, b) => place(a) - place(b));
}

/** The kinds of labels that have names: a kernel's name says more than its place. */
const NAMED = new Set(["kernel", "copy", "region"]);

/**
 * @param {Index} index
 * @returns {State}
 */
function usualState(index) {
    const [from, to] = index.window ?? [0, index.clock.end];
    const first = outliersOf(index)[0];
    const { messages = 0, collectives = 0 } = index.job?.report.critical_path ?? {};
    const hasPath = messages + collectives > 0;
    return { tab: index.job ? "job" : "timeline", rank: index.ranks[first].rank, ranks: "",
        order: "", messages: true, from, to, select: "", piece: -1, side: "", range: "",
        table: "", columns: "", sort: "", filter: "",
        open: "", closed: "", flame: "", call: "", fold: "", nest: -1, report: true,
        path: hasPath ? "job" : index.job ? "" : "realised" };
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
    const store = createStore(defaults);
    /** @type {Map<string, number>} */
    const executed = new Map();
    for (const { index: { report } } of index.ranks) {
        for (const row of report.tables?.labels ?? []) {
            executed.set(row.label, (executed.get(row.label) ?? 0) + row.executed_s);
        }
    }
    // Users see labels with the same text as one label: each gets the number of the first.
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
    // From long to short: "m.c:8 taskwait", "m.c:8", ":8". Names from the program come first.
    const shorts = index.labels.map(({ where, what, text, line, kind }) => [...!where ? [text]
        : NAMED.has(kind) ? [`${what} ${where}`, what, where, `:${line}`]
            : [`${where} ${what}`, where, `:${line}`]].filter((short) => short !== ":0").map(plain));
    // Tables name kernels without their place.
    const whole = new Map(index.labels.filter(({ kind }) => NAMED.has(kind)).reverse().map(
        ({ what, text }) => [what, first.get(text)]));

    /** The index of the chosen rank. */
    function rank() {
        return Math.max(index.ranks.findIndex((one) => one.rank === store.get().rank), 0);
    }

    const app = {
        index,
        data,
        defaults,
        store,
        rank,
        /** The rank whose pictures use this app; -1: all. */
        only: -1,
        lanes: createLanes(data),
        tasks: createTasks(data),
        samples: createSamples(data),
        end: index.clock.end,
        /** The texts of labels. */
        names,
        /**
         * Seconds of all ranks.
         * @param {number} label
         */
        executed: (label) => executed.get(index.labels[label].text) ?? 0,
        /** Texts by label, from long to short; they begin with the line of the source. */
        shorts,
        /** Colours by label. */
        colours: index.labels.map((label) => colourOf.get(label.text) ?? colours[0]),
        /** For each label, the first label with the same text. */
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
         * The label with this text, as in the tables of the report; -1 if there is none.
         * @param {string} text
         */
        labelOf: (text) => first.get(text) ?? whole.get(text) ?? -1,
        /**
         * The number of a label in the chosen rank; the same number if this rank lacks the label.
         * @param {number} label
         */
        ownLabel(label) {
            const { firstLabel, index: own } = index.ranks[rank()];
            const end = firstLabel + own.labels.length;
            const found = same.indexOf(same[label], firstLabel);
            return found >= 0 && found < end ? found : label;
        },
        /** @param {number} i index of a rank */
        rankName: (i) => `rank ${index.ranks[i].rank}`,
        /**
         * "thread 1"; in a job, "rank 3, thread 1".
         * @param {number} lane
         */
        laneName(lane) {
            const one = index.lanes[lane];
            return !one ? "" : `${index.job ? `rank ${index.ranks[one.rank ?? 0].rank}, ` : ""}${
                plain(one.name)}`;
        },
        /**
         * The number of threads.
         * @param {number} i index of a rank; -1: all
         */
        threads: (i) => Math.max(index.lanes.filter((lane) => lane.kind === "thread"
            && (i < 0 || (lane.rank ?? 0) === i)).length, 1),
    };
    return app;
}

/**
 * The app for the pictures of one rank. Its listeners are called while this rank is chosen.
 * @param {App} app
 * @param {number} i index of the rank
 * @returns {App}
 */
export function appOfRank(app, i) {
    const { store, data } = app;
    return {
        ...app, only: i, index: indexOfRank(app.index, i),
        data: { ...data, table: (name) => data.table(name,
            ["tasks", "edges"].includes(name) ? -1 : i) },
        store: { ...store, listen: (listener) => store.listen((state, changed) => {
            if (app.rank() === i) {
                listener(state, changed);
            }
        }) },
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
