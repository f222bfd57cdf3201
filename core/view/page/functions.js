// The functions that threads executed: those of the selected label, task, slice or range of time.

import { parsed } from "./app.js";
import { labelColours, stateName } from "./colours.js";
import { element } from "./dom.js";
import { count, percent, plain, seconds } from "./format.js";
import { createPicture } from "./flame.js";
import { hottest, interval } from "./samples.js";
import { STATE } from "./data/index_types.js";

/** @typedef {import("./app.js").App} App */
/** @typedef {import("./dom.js").Child} Child */
/** @typedef {import("./flame.js").Tree} Tree */
/** @typedef {import("./samples.js").Samples} Samples */
/** @typedef {import("./data/store.js").State} State */
/** @typedef {{rows: number[], name: string}} Choice */

const FEW = 10; // samples whose shares say little
const MAX_HOTTEST = 6;

/**
 * @param {Samples} samples
 * @param {(row: number) => boolean} test
 */
function rowsWith({ rows }, test) {
    const found = [];
    for (let row = 0; row < rows; row++) {
        if (test(row)) {
            found.push(row);
        }
    }
    return found;
}

/**
 * The samples of what is selected.
 * @param {App} app
 * @param {Samples} samples
 * @param {Readonly<State>} state
 * @returns {Promise<Choice>}
 */
export async function choose(app, samples, { select, range }) {
    const { time, lane, label } = samples.of;
    const [kind, a = 0, b = 0, c = 0] = parsed(select);
    /**
     * @param {number} from
     * @param {number} to
     * @param {number} only  a lane, or -1
     */
    const within = (from, to, only) => rowsWith(samples, (row) => time[row] >= from
        && time[row] <= to && (only < 0 || lane[row] === only));
    if (range) {
        const [from, to, only = -1] = range.split(":").map(Number);
        const isAll = from <= 0 && to >= app.end;
        const thread = only >= 0 ? app.laneName(only) : "all threads";
        return { rows: within(from, to, only), name: isAll ? thread
            : `${thread}, ${app.time(to - from)} from ${app.time(from)}` };
    }
    const evidence = kind === "finding" ? app.index.findings[a] : null;
    const chosen = kind === "label" ? a : evidence?.label ?? -1;
    if (chosen >= 0 && chosen < app.names.length) {
        const same = app.same[chosen];
        return { rows: rowsWith(samples, (row) => app.same[label[row]] === same),
            name: app.name(chosen) };
    }
    if (evidence) {
        return { rows: within(evidence.begin, evidence.end, -1), name: evidence.finding.kind };
    }
    if (kind === "task") {
        await app.tasks.load();
        const task = app.tasks.get(a);
        return { rows: samples.ofTask(a), name: `task ${task?.id || app.name(task?.label ?? -1)}` };
    }
    let end = c;
    if (kind === "slice") {
        await app.lanes.loadedSlices(a, b, c, c, (of, i) => {
            end = of.start[i] === c ? c + of.duration[i] : end;
        });
        return { rows: within(c, end, a), name: `${app.time(end - c)} of ${app.laneName(a)}` };
    }
    return { rows: rowsWith(samples, () => true), name: "all samples" };
}

/**
 * A tree of what was executed: labels and states, and the functions below them. A single label or
 * state has no row of its own.
 * @param {App} app
 * @param {Samples} samples
 * @param {Choice} choice
 */
function grow(app, samples, { rows }) {
    const { label, state, call } = samples.of;
    const { parent, function: functionOf } = samples.calls.of;
    // of each node: the function, or -1 - the label, or -1 - labels.length - the state
    const tree = { parent: [0], name: [NaN], self: [0], total: [0] };
    /** @type {Map<string, number>} */
    const known = new Map();
    const nLabels = app.names.length;
    /** @param {number} row */
    const groupOf = (row) => (state[row] === STATE.executing && label[row] < nLabels
        ? -1 - app.same[label[row]] : -1 - nLabels - state[row]);
    const isSingle = new Set(rows.map(groupOf)).size === 1;

    /**
     * @param {number} above
     * @param {number} name
     */
    function child(above, name) {
        const key = `${above}/${name}`;
        const found = known.get(key) ?? tree.parent.length;
        if (found === tree.parent.length) {
            known.set(key, found);
            tree.parent.push(above);
            tree.name.push(name);
            tree.self.push(0);
            tree.total.push(0);
        }
        return found;
    }

    /**
     * The node of a call below a group.
     * @param {number} group
     * @param {number} at
     * @returns {number}
     */
    function place(group, at) {
        const key = `${group}:${at}`;
        const found = known.get(key) ?? (at === 0 ? group
            : child(place(group, parent[at]), functionOf[at]));
        known.set(key, found);
        return found;
    }

    for (const row of rows) {
        const group = isSingle ? 0 : child(0, groupOf(row));
        tree.self[place(group, call[row])]++;
    }
    for (let node = tree.parent.length - 1; node >= 0; node--) {
        tree.total[node] += tree.self[node];
        if (node > 0) {
            tree.total[tree.parent[node]] += tree.total[node];
        }
    }
    return tree;
}

/**
 * @param {App} app
 * @param {Samples} samples
 * @param {Choice} choice
 * @param {{fill: string, ink: string}[]} colours of functions
 * @returns {Tree}
 */
function treeOf(app, samples, choice, colours) {
    const { parent, name, self, total } = grow(app, samples, choice);
    const nLabels = app.names.length;
    /** @param {number} node */
    const labelOf = (node) => (name[node] < 0 && name[node] >= -nLabels ? -1 - name[node] : -1);
    /** @param {number} node */
    const nameOf = (node) => (node === 0 ? choice.name
        : name[node] >= 0 ? plain(samples.names[name[node]])
            : labelOf(node) >= 0 ? app.name(labelOf(node))
                : `(${stateName(app.index.states[-1 - nLabels - name[node]] ?? "no label")})`);
    return {
        rows: parent.length, parent, total, name: nameOf,
        colour: (node) => (name[node] >= 0 ? colours[name[node]] : app.colours[labelOf(node)]),
        isDim: () => false,
        text(node) {
            const [low, high] = interval(total[node], Math.max(total[0], 1));
            return [element("b", {}, nameOf(node)),
                element("span", {}, `${percent(total[node] / Math.max(total[0], 1) * 100)}, ${
                    percent(low)} to ${percent(high)}`),
                samples.period > 0 ? element("span", {}, `about ${seconds(total[node]
                    * samples.period)} of processor time`) : null,
                element("span", {}, `itself ${percent(self[node] / Math.max(total[0], 1) * 100)}`),
                element("i", {}, `${count(total[node])} samples`)];
        },
        open(node) {
            if (labelOf(node) >= 0) {
                app.store.set({ select: `label:${labelOf(node)}`, range: "" });
            }
        },
    };
}

/**
 * A list of threads that selects the whole time of one.
 * @param {App} app
 */
function threadChoice(app) {
    const { range } = app.store.get();
    const [from, to, only = -1] = range ? range.split(":").map(Number) : [0, app.end];
    const rank = Math.max(app.only, 0);
    const select = element("select", { "aria-label": "Thread", onchange: () => app.store.set({
        select: "", range: select.value === "" && from <= 0 && to >= app.end ? ""
            : [from, to, ...select.value === "" ? [] : [select.value]].join(":") }) },
    element("option", { value: "" }, "all threads"),
    ...app.index.lanes.map((lane, i) => (lane.kind === "thread" && (lane.rank ?? 0) === rank
        ? element("option", { value: i, selected: i === only }, plain(lane.name)) : null)));
    return select;
}

/** @param {App} app of a rank */
export function createFunctions(app) {
    const rank = Math.max(app.only, 0);
    /** @type {{fill: string, ink: string}[]} */
    let colours = [];
    let note = "";

    async function load() {
        const samples = await app.samples.load(rank);
        if (!samples) {
            return null;
        }
        if (colours.length === 0) {
            const weights = new Float64Array(samples.names.length);
            for (let row = 0; row < samples.rows; row++) {
                weights[samples.calls.of.function[samples.of.call[row]]]++;
            }
            colours = labelColours(samples.names.map((text, i) => ({ text, weight: weights[i] })));
        }
        const choice = await choose(app, samples, app.store.get());
        const n = count(choice.rows.length);
        note = choice.rows.length === 0 ? "No samples: it was shorter than the sampling period, or waited "
            + "without a processor." : `${n} samples${samples.every > 1 ? `, 1 of ${count(
            samples.every)} recorded` : ""}. The width is processor time; each row was called by the `
            + "row above.";
        return treeOf(app, samples, choice, colours);
    }
    const picture = createPicture(app, {
        key: "call",
        name: "Flame graph of functions. Arrow keys select, Enter opens.",
        load,
        bar: () => [threadChoice(app), app.store.get().select ? element("button", {
            type: "button", onclick: () => app.store.set({ select: "", range: "" }) },
        "All samples") : null, element("span", { class: "soft" }, note)],
    });
    app.store.listen((_, changed) => {
        if (changed.has("select") || changed.has("range")) {
            app.store.set({ call: "" });
            picture.reload();
        }
    });
    return { ...picture, update: picture.reload };
}

/**
 * The functions of what is selected, for the details. *Returns* null without samples.
 * @param {App} app
 * @param {Readonly<State>} state
 * @param {number} rank index
 */
export async function functionsOf(app, state, rank) {
    const samples = await app.samples.load(rank);
    const choice = samples ? await choose(app, samples, state) : null;
    if (!samples || !choice || choice.rows.length === 0) {
        return null;
    }
    const all = choice.rows.length;
    return element("div", {}, element("h3", {}, `Functions, ${count(all)} samples`),
        element("table", { class: "parts" }, element("tbody", {},
            ...hottest(samples, choice.rows, MAX_HOTTEST).map(({ name, n, share }) => {
                const [low, high] = interval(n, all);
                return element("tr", {}, element("th", { scope: "row" }, plain(name)),
                    element("td", {}, percent(share * 100)),
                    element("td", { class: "soft" }, `${percent(low)} to ${percent(high)}`));
            }))),
        element("button", { type: "button", class: "jump",
            onclick: () => app.store.set({ tab: "functions" }) }, "Flame graph of functions"));
}

/**
 * The top functions of a task as a line: its own, or those of its label if it has few samples.
 * @param {App} app
 * @param {import("./tasks.js").Task} task
 */
export function topFunctions(app, task) {
    const samples = app.samples.get(app.index.lanes[task.lane]?.rank ?? 0);
    if (!samples) {
        return "";
    }
    const own = samples.ofTask(task.task);
    const isOwn = own.length >= FEW;
    const same = app.same[task.label];
    const rows = isOwn ? own : rowsWith(samples,
        (row) => app.same[samples.of.label[row]] === same);
    const parts = hottest(samples, rows, 3).map(({ name, share }) => `${plain(name)} ${
        percent(share * 100)}`);
    return parts.length === 0 ? "" : `${isOwn ? "functions" : "functions of its label"}: ${
        parts.join(", ")}`;
}
