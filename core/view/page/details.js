// The details of the selection: a task, a label, a slice, a finding, or a range of time.

import { parsed } from "./app.js";
import { stateName } from "./colours.js";
import { element, fill } from "./dom.js";
import { count, percent, plain, seconds } from "./format.js";
import { functionsOf } from "./functions.js";
import { iconOf } from "./icons.js";
import { STATE } from "./data/index_types.js";
import { rangeStatistics } from "./timeline/range.js";
import { around } from "./timeline/viewport.js";

/** @typedef {import("./app.js").App} App */
/** @typedef {import("./dom.js").Child} Child */
/** @typedef {import("./tasks.js").Task} Task */

const MAX_LINKS = 24;

/**
 * @param {string} text
 * @param {() => void} go
 * @param {string} [title]
 */
function jump(text, go, title) {
    return element("button", { type: "button", class: "jump", onclick: go, title }, text);
}

/**
 * Pairs of a term and its description; leaves out pairs without a description.
 * @param {[string, Child][]} pairs
 */
function list(pairs) {
    return element("dl", { class: "facts" }, ...pairs.filter(([, value]) => value || value === 0)
        .map(([term, value]) => element("div", {}, element("dt", {}, term),
            element("dd", {}, value))));
}

/**
 * "task 1:17"
 * @param {App} app
 * @param {number} number
 */
export function taskName(app, number) {
    const task = app.tasks.get(number);
    return !task ? "task (left out)" : task.id ? `task ${task.id}` : `${task.kind} task`;
}

/**
 * Selects a task and scrolls the timeline to it.
 * @param {App} app
 * @param {number} number
 */
export function goToTask(app, number) {
    const task = app.tasks.get(number);
    if (!task) {
        return;
    }
    const state = app.store.get();
    const isVisible = task.begin >= state.from && task.end <= state.to
        && task.end - task.begin > (state.to - state.from) / 500;
    const width = Math.max((task.end - task.begin) * 8, (state.to - state.from) / 50);
    const middle = (task.begin + task.end) / 2;
    app.store.set({ select: `task:${number}`, range: "",
        ...isVisible ? {} : around(middle - width / 2, middle + width / 2, app.end) });
}

/**
 * Buttons that select tasks, and how many more tasks there are.
 * @param {App} app
 * @param {{task: number, note: string}[]} tasks
 */
function links(app, tasks) {
    const shown = tasks.slice(0, MAX_LINKS).map(({ task, note }) => element("li", {},
        app.tasks.get(task) ? jump(taskName(app, task), () => goToTask(app, task)) : "left out",
        " ", element("span", { class: "soft" },
            [app.tasks.get(task) ? app.name(app.tasks.get(task)?.label ?? -1) : "", note]
                .filter(Boolean).join(", "))));
    const more = tasks.length - shown.length;
    return tasks.length === 0 ? element("p", { class: "soft" }, "none")
        : element("ul", { class: "links" }, ...shown,
            more > 0 ? element("li", { class: "soft" }, `and ${count(more)} more`) : null);
}

/**
 * @param {App} app
 * @param {Task} task
 */
function taskDetails(app, task) {
    const creator = app.tasks.get(task.creator);
    const label = app.index.labels[task.label];
    const before = app.tasks.into(task.task).map((edge) => ({ task: edge.from, note: edge.kind }));
    const after = app.tasks.outOf(task.task).map((edge) => ({ task: edge.to, note: edge.kind }));
    const children = app.tasks.children(task.task).map((child) => ({ task: child, note: "" }));
    return [
        title(app, taskName(app, task.task), task.label),
        element("div", { class: "columns" },
            list([
                ["label", jump(app.name(task.label), () => app.store.set({
                    select: `label:${task.label}` }))],
                ["line", label?.where ? element("code", {}, plain(label.where)) : null],
                ["function", label?.function ? element("code", {}, plain(label.function)) : null],
                ["kind", [task.kind, ...task.flags].join(", ")],
                ["ran on", app.laneName(task.lane) ? jump(app.laneName(task.lane), () => app.store.set({
                    select: `task:${task.task}`, tab: "timeline" })) : "no thread"],
                ["created by", creator ? jump(taskName(app, creator.task),
                    () => goToTask(app, creator.task)) : task.creator ? "a task left out" : null],
            ]),
            list([
                ["begin", app.time(task.begin)],
                ["executed", `${app.time(task.work)}`],
                ["begin to end", app.time(task.end - task.begin)],
                ["created", task.creator ? `${app.time(task.begin - task.created)} before` : null],
                ["queue delay", app.time(task.begin - task.ready)],
                ["waited for", task.last ? jump(taskName(app, task.last),
                    () => goToTask(app, task.last), "the task that ended last") : "no task"],
                ["slack", task.slack === null ? null : element("span",
                    { title: "how much longer it may take before the span gets longer" },
                    app.time(task.slack))],
                ["slack in this run", task.realisedSlack === null ? null : element("span",
                    { title: "how much longer it may take before the run gets longer" },
                    app.time(task.realisedSlack))],
            ]),
            element("div", {}, element("h3", {}, `Predecessors ${count(before.length)}`),
                links(app, before)),
            element("div", {}, element("h3", {}, `Successors ${count(after.length)}`),
                links(app, after)),
            children.length ? element("div", {}, element("h3", {},
                `Created ${count(task.children)}`), links(app, children)) : null),
        element("p", { class: "actions" },
            jump("Zoom to it (f)", () => app.store.set({ tab: "timeline",
                ...around(task.begin, task.end, app.end) })),
            jump("Around it in the graph", () => app.store.set({ tab: "graph",
                open: `task:${task.task}` }))),
    ];
}

/**
 * @param {App} app
 * @param {string} text
 * @param {number} label
 */
function title(app, text, label) {
    return element("h2", {}, label >= 0 ? iconOf(app, label) : null, text,
        element("button", { type: "button", class: "icon close", title: "Close (Esc)",
            "aria-label": "Close the details",
            onclick: () => app.store.set({ select: "", range: "" }) }, "\u00d7"));
}

/**
 * @param {App} app
 * @param {number} number
 */
function labelDetails(app, number) {
    number = app.ownLabel(number);
    const label = app.index.labels[number];
    if (!label) {
        return [title(app, "no label", -1)];
    }
    const tables = app.index.ranks[app.rank()].index.report.tables ?? {};
    const row = (tables.labels ?? []).find((/** @type {any} */ r) => r.label === label.text);
    const tasks = (tables.tasks ?? []).find((/** @type {any} */ r) => r.task === label.text);
    const longest = app.tasks.ofLabel(number, 8).map((at) => app.tasks.taskAt(at));
    return [
        title(app, app.name(number), number),
        element("div", { class: "columns" },
            list([
                ["construct", label.construct ? plain(label.construct) : null],
                ["line", label.where ? element("code", {}, plain(label.where)) : null],
                ["function", label.function ? element("code", {}, plain(label.function)) : null],
                ["file", label.file ? element("code", {},
                    `${plain(label.file)}:${label.line}`) : null],
            ]),
            row ? list([
                ["of", app.index.job ? app.rankName(app.rank()) : null],
                ["executed", `${seconds(row.executed_s)}, ${percent(row.executed_percent)}`],
                ["creating tasks", row.creating_s > 0 ? seconds(row.creating_s) : null],
                ["blame", seconds(row.blame_s)],
                ["on the realised path", seconds(row.realised_path_s)],
                ["on the span", seconds(row.span_s)],
            ]) : null,
            tasks ? list([
                ["tasks", count(tasks.count)],
                ["median work", seconds(tasks.median_s)],
                ["longest", seconds(tasks.max_s)],
                ["median queue delay", seconds(tasks.median_queued_s)],
            ]) : null,
            longest.length ? element("div", {}, element("h3", {}, "Longest tasks"),
                element("ul", { class: "links" }, ...longest.map((task) => element("li", {},
                    jump(taskName(app, task.task), () => goToTask(app, task.task)), " ",
                    element("span", { class: "soft" }, app.time(task.work)))))) : null),
        element("p", { class: "actions" },
            jump("In the graph", () => app.store.set({ tab: "graph", open: "" })),
            jump("Histogram", () => app.store.set({ tab: "lengths" })),
            jump("Tables", () => app.store.set({ tab: "tables", filter: label.text }))),
    ];
}

/**
 * @param {App} app
 * @param {number} lane
 * @param {number} row
 * @param {number} start
 */
async function sliceDetails(app, lane, row, start) {
    /** @type {Child[]} */
    let found = [title(app, "nothing", -1)];
    await app.lanes.loadedSlices(lane, row, start, start, (of, i) => {
        if (of.start[i] !== start) {
            return;
        }
        const state = app.index.states[of.state[i]];
        const isExecuting = state === "executing";
        const label = isExecuting || row > 0 ? of.label[i] : of.construct[i];
        const task = of.task[i];
        found = [
            title(app, isExecuting ? app.name(label) : state, isExecuting ? label : -1),
            element("div", { class: "columns" }, list([
                ["state", stateName(state)],
                ["in", label < app.names.length ? jump(app.name(label),
                    () => app.store.set({ select: `label:${label}` })) : null],
                ["of task", task ? jump(taskName(app, task), () => goToTask(app, task)) : null],
                ["thread", app.laneName(lane)],
            ]), list([
                ["begin", app.time(start)],
                ["duration", app.time(of.duration[i])],
            ])),
            element("p", { class: "actions" }, jump("Zoom to it (f)", () => app.store.set(
                around(start, start + of.duration[i], app.end)))),
        ];
    });
    return found;
}

/**
 * The spans of a finding, the longest first.
 * @param {import("./data/index_types.js").Evidence | undefined} evidence
 */
export function spansOf(evidence) {
    return [...evidence?.spans ?? []].sort((a, b) => (b[2] - b[1]) - (a[2] - a[1]) || a[1] - b[1]);
}

/**
 * Shows another piece of the selected finding's evidence in the timeline.
 * @param {App} app
 * @param {number} step 1 or -1
 */
export function stepEvidence(app, step) {
    const { select, piece } = app.store.get();
    const [kind, number] = parsed(select);
    const evidence = kind === "finding" ? app.index.findings[number] : null;
    if (evidence?.spans.length) {
        const n = evidence.spans.length;
        showPiece(app, evidence, piece < 0 ? (step > 0 ? 0 : n - 1) : (piece + step + n) % n);
    }
}

/**
 * @param {App} app
 * @param {import("./data/index_types.js").Evidence} evidence
 * @param {number} piece
 */
function showPiece(app, evidence, piece) {
    const [, begin, end] = spansOf(evidence)[piece];
    app.store.set({ piece, tab: "timeline", ...around(begin, end, app.end) });
}

/**
 * @param {App} app
 * @param {import("./data/index_types.js").Evidence} evidence
 */
function evidenceTable(app, evidence) {
    const { piece } = app.store.get();
    const spans = spansOf(evidence);
    /**
     * @param {string} text
     * @param {string} name
     * @param {number} by
     */
    const step = (text, name, by) => element("button", { type: "button", title: name,
        onclick: () => stepEvidence(app, by) }, text);
    return element("div", { class: "evidence" }, element("h3", {}, `Evidence, ${piece < 0
        ? `${count(spans.length)} times, the longest first` : `${count(piece + 1)} of ${
            count(spans.length)}`} `, element("span", { class: "choice" },
        step("\u2039", "Previous (p)", -1), step("\u203a", "Next (n)", 1))),
    element("div", { class: "rows" }, element("table", { class: "parts" },
        element("thead", {}, element("tr", {}, ...["thread", "begin", "time", "of the run"].map(
            (text) => element("th", { scope: "col" }, text)))),
        element("tbody", {}, ...spans.map(([lane, begin, end], i) => element("tr",
            { class: i === piece ? "on" : null },
            element("th", { scope: "row" }, jump(app.laneName(lane), () => showPiece(app, evidence, i))),
            element("td", {}, app.time(begin)), element("td", {}, app.time(end - begin)),
            element("td", {}, percent((end - begin) / app.end * 100))))))));
}

/**
 * @param {App} app
 * @param {number} i
 */
function findingDetails(app, i) {
    const evidence = app.index.findings[i];
    if (!evidence?.finding) {
        return [title(app, "no finding", -1)];
    }
    const { finding, rank } = evidence;
    const first = app.index.findings.findIndex((one) => one.rank === rank);
    return [
        title(app, `${app.index.job ? `Rank ${app.index.ranks[rank].rank}: ` : ""}${
            i - first + 1}. ${finding.kind}`, evidence.label < app.names.length
            ? evidence.label : -1),
        element("div", { class: "columns finding-columns" },
            element("div", {}, element("p", {}, plain(finding.text)),
                evidence.label < app.names.length ? element("p", {}, jump(
                    app.name(evidence.label), () => app.store.set({
                        select: `label:${evidence.label}` }))) : null),
            evidence.spans.length ? evidenceTable(app, evidence) : null),
    ];
}

/**
 * @param {App} app
 * @param {number} from
 * @param {number} to
 * @param {number} lane -1: all
 */
async function rangeDetails(app, from, to, lane) {
    const sums = await rangeStatistics(app, from, to, lane);
    const total = Math.max(sums.states.reduce((a, b) => a + b, 0), 1);
    const about = sums.isExact ? "" : "about ";
    return [
        title(app, `${app.time(to - from)} from ${app.time(from)}`, -1),
        element("div", { class: "columns" },
            list(/** @type {[string, Child][]} */ ([
                ["lanes", lane >= 0 ? app.laneName(lane)
                    : `${count(sums.lanes)} threads`],
                ...app.index.states.slice(0, STATE.aggregate).map((name, i) => [stateName(name),
                    sums.states[i] ? `${app.time(sums.states[i])}, ${
                        percent(sums.states[i] / total * 100)}` : null]),
                ["busy threads", (sums.states[1] / Math.max(to - from, 1)).toFixed(2)],
            ])),
            element("div", {}, element("h3", {}, "Busy with"),
                element("table", { class: "parts" }, element("tbody", {},
                    ...sums.labels.slice(0, 12).map(([label, ticks]) => element("tr", {},
                        element("th", { scope: "row" }, iconOf(app, label),
                            jump(app.name(label), () => app.store.set({
                                select: `label:${label}` }))),
                        element("td", {}, about + app.time(ticks)),
                        element("td", {}, percent(ticks / total * 100)))))))),
        element("p", { class: "actions" }, jump("Zoom to it (f)", () => app.store.set(
            { from, to }))),
    ];
}

/**
 * @param {App} app
 * @param {Readonly<import("./data/store.js").State>} state
 * @returns {Promise<Child[] | null>}
 */
async function contentOf(app, state) {
    const [kind, a = 0, b = 0, c = 0] = parsed(state.select);
    if (state.range) {
        const [from, to, lane = -1] = state.range.split(":").map(Number);
        return rangeDetails(app, from, to, lane);
    }
    if (!state.select) {
        return null;
    }
    await app.tasks.load();
    switch (kind) {
    case "task": {
        const task = app.tasks.get(a);
        return task ? taskDetails(app, task) : [title(app, "This task was left out", -1)];
    }
    case "label": return labelDetails(app, a);
    case "slice": return sliceDetails(app, a, b, c);
    case "finding": return findingDetails(app, a);
    default: return null;
    }
}

/**
 * @param {App} app
 * @param {HTMLElement} root
 * @param {HTMLElement} live says the selection to screen readers
 * @param {() => void} shown  is called when the details have their place
 */
export function createDetails(app, root, live, shown) {
    let turn = 0;

    async function show() {
        const mine = ++turn;
        const content = await contentOf(app, app.store.get());
        const functions = content ? await functionsOf(app, app.store.get(), app.rank()) : null;
        if (mine !== turn) {
            return;
        }
        root.hidden = content === null;
        fill(root, ...content ?? []);
        root.querySelector(".columns")?.append(...functions ? [functions] : []);
        live.textContent = root.querySelector("h2")?.textContent?.replace("\u00d7", "") ?? "";
        shown();
        app.redraw();
    }

    app.store.listen((_, changed) => {
        if (["select", "range", "rank", "piece"].some((key) => changed.has(
            /** @type {keyof import("./data/store.js").State} */ (key)))) {
            show();
        }
    });
    return { show };
}
