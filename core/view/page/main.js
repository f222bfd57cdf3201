// The page: reads the index, makes the views and connects them.

import { appOfRank, createApp, parsed } from "./app.js";
import { createDetails, goToTask, spansOf, stepEvidence } from "./details.js";
import { byId, element, fill } from "./dom.js";
import { createFlame } from "./flame.js";
import { createFunctions } from "./functions.js";
import { plain } from "./format.js";
import { createGraph } from "./graph.js";
import { createJob } from "./job.js";
import { listenKeys, showKeys } from "./keys.js";
import { createLengths } from "./lengths.js";
import { indexOfJob, indexOfProcess } from "./ranks.js";
import { createReport } from "./report.js";
import { createSearch } from "./search.js";
import { createTables } from "./tables.js";
import { startTheme } from "./theme.js";
import { createTimeline } from "./timeline/timeline.js";
import { createTools } from "./tools.js";
import { fragmentOf, stateOf } from "./data/url.js";
import { around, clamped } from "./timeline/viewport.js";

/** @typedef {import("./app.js").App} App */
/** @typedef {import("./data/store.js").State} State */
/** @typedef {{id: string, name: string, view: {root: HTMLElement, update?: () => void}}} Tab */

const URL_DELAY = 200; // ms before a change enters the address
const TASKS_DELAY = 1500; // ms, if the timeline is not visible

/**
 * The tabs and their panels; a picture is drawn when its panel becomes visible.
 * @param {App} app
 * @param {Tab[]} tabs
 */
function createTabs(app, tabs) {
    const buttons = tabs.map((tab, i) => element("button", { type: "button", role: "tab",
        id: `tab-${tab.id}`, "aria-controls": `panel-${tab.id}`, title: `${tab.name} (${i + 1})`,
        onclick: () => app.store.set({ tab: tab.id }) }, tab.name));
    const panels = tabs.map((tab) => element("section", { id: `panel-${tab.id}`, class: "panel",
        role: "tabpanel", "aria-labelledby": `tab-${tab.id}`, hidden: true }, tab.view.root));
    fill(byId("tabs"), ...buttons);
    fill(byId("panels"), ...panels);
    byId("tabs").addEventListener("keydown", (event) => {
        const step = { ArrowLeft: -1, ArrowRight: 1 }[event.code];
        if (step) {
            const at = tabs.findIndex((tab) => tab.id === app.store.get().tab);
            const next = (at + step + tabs.length) % tabs.length;
            app.store.set({ tab: tabs[next].id });
            buttons[next].focus();
            event.preventDefault();
        }
    });

    function show() {
        const { tab: wanted } = app.store.get();
        const at = Math.max(tabs.findIndex((tab) => tab.id === wanted), 0);
        panels.forEach((panel, i) => {
            panel.hidden = i !== at;
            buttons[i].setAttribute("aria-selected", String(i === at));
            buttons[i].tabIndex = i === at ? 0 : -1;
        });
        tabs[at].view.update?.();
        app.redraw();
    }
    app.store.listen((_, changed) => {
        if (changed.has("tab")) {
            show();
        }
    });
    return { show };
}

/**
 * The picture of the chosen rank; a picture is made when its rank is first shown.
 * @template {{root: HTMLElement, update?: () => void}} View
 * @param {App} app
 * @param {(app: App) => View} create
 */
function ofRank(app, create) {
    const root = element("div", { class: "of-rank" });
    /** @type {Map<number, View>} */
    const views = new Map();

    function current() {
        const rank = app.rank();
        const view = views.get(rank) ?? create(appOfRank(app, rank));
        views.set(rank, view);
        return view;
    }

    function update() {
        const view = current();
        if (root.firstChild !== view.root) {
            fill(root, view.root);
        }
        view.update?.();
    }
    app.store.listen((_, changed) => {
        if (changed.has("rank") && !root.closest("[hidden]")) {
            update();
        }
    });
    return { root, update, current };
}

/**
 * Chooses the rank of what is selected.
 * @param {App} app
 */
function chooseSelected(app) {
    const { store, index } = app;
    store.listen((state, changed) => {
        const [kind, number] = parsed(state.select);
        const lane = kind === "task" ? app.tasks.get(number)?.lane : kind === "slice" ? number : -1;
        const rank = kind === "finding" ? index.findings[number]?.rank
            : index.lanes[lane ?? -1]?.rank;
        if (changed.has("select") && rank !== undefined) {
            store.set({ rank: index.ranks[rank].rank });
        }
    });
}

/**
 * Keeps the fragment of the address in step with the state.
 * @param {App} app
 */
function connectAddress(app) {
    const { store, defaults, end } = app;
    let timer = 0;

    function read() {
        const state = stateOf(location.hash, defaults);
        store.set({ ...state, ...clamped(state.from, state.to, end) });
    }
    store.listen(() => {
        clearTimeout(timer);
        timer = setTimeout(() => {
            const { from, to } = store.get();
            history.replaceState(null, "", fragmentOf({ ...store.get(), from: Math.round(from),
                to: Math.round(to) }, defaults));
        }, URL_DELAY);
    });
    addEventListener("hashchange", read);
    read();
}

/**
 * The time of the selection; null if it has none.
 * @param {App} app
 * @returns {Promise<[number, number] | null>}
 */
async function timeOf(app) {
    const { select, range } = app.store.get();
    const [kind, a = 0, b = 0, c = 0] = parsed(select);
    if (range) {
        const [from, to] = range.split(":").map(Number);
        return [from, to];
    }
    if (kind === "task") {
        const task = app.tasks.get(a);
        return task ? [task.begin, task.end] : null;
    }
    if (kind === "finding" && app.index.findings[a]) {
        return [app.index.findings[a].begin, app.index.findings[a].end];
    }
    /** @type {[number, number] | null} */
    let found = null;
    if (kind === "slice") {
        await app.lanes.loadedSlices(a, b, c, c, (of, i) => {
            found = of.start[i] === c ? [c, c + of.duration[i]] : found;
        });
    }
    return found;
}

/**
 * @param {App} app
 * @param {number} step -1: the task waited for, or the creator; 1: the first successor
 */
async function follow(app, step) {
    await app.tasks.load();
    const [kind, number] = parsed(app.store.get().select);
    const task = kind === "task" ? app.tasks.get(number) : null;
    if (task) {
        const next = step < 0 ? task.last || task.creator
            : app.tasks.outOf(number, 1)[0]?.to ?? app.tasks.children(number, 1)[0];
        goToTask(app, next ?? 0);
    }
}

/** @param {unknown} error */
function fail(error) {
    byId("app").hidden = false;
    const note = byId("note");
    note.hidden = false;
    note.textContent = `The page cannot show its data: ${error instanceof Error ? error.message
        : error}`;
}

async function start() {
    const own = JSON.parse(byId("otter-index").textContent ?? "");
    const index = own.ranks
        ? await indexOfJob(own, (rank) => byId(`otter-rank-${rank}`).textContent ?? "")
        : indexOfProcess(own);
    const app = createApp(index, (chunk) => byId(`otter-chunk-${chunk}`).textContent ?? "");
    byId("app").hidden = false;
    byId("title").textContent = plain(index.title).replace(/^\/\S*\/(?=[^/\s]+(\s|$))/, "");
    byId("title").title = plain(index.title);

    const timeline = createTimeline(app, "lanes");
    const parallelism = createTimeline(app, "profile");
    const graph = ofRank(app, createGraph);
    const flame = ofRank(app, createFlame);
    const functions = ofRank(app, createFunctions);
    const tabs = [
        ...index.job ? [{ id: "job", name: "Job", view: createJob(app) }] : [],
        { id: "timeline", name: "Timeline", view: timeline },
        { id: "parallelism", name: "Parallelism", view: parallelism },
        { id: "graph", name: "Graph", view: graph },
        { id: "creation", name: "Creation", view: flame },
        ...app.samples.exist ? [{ id: "functions", name: "Functions", view: functions }] : [],
        { id: "lengths", name: "Lengths", view: ofRank(app, createLengths) },
        { id: "tables", name: "Tables", view: ofRank(app, createTables) },
    ];
    const { show } = createTabs(app, tabs);
    createReport(app, byId("report"));
    createTools(app, byId("tools"), {
        zoomGraph: (factor) => graph.current().zoom(factor),
        fitGraph: () => graph.current().fit(),
    });
    const details = createDetails(app, byId("details"), byId("live"),
        () => revealSelected(app, timeline.reveal));
    const input = /** @type {HTMLInputElement} */ (byId("search-text"));
    createSearch(app, /** @type {HTMLFormElement} */ (byId("search")), input,
        byId("search-results"));
    const dialog = /** @type {HTMLDialogElement} */ (byId("keys"));
    byId("help").addEventListener("click", () => showKeys(dialog));

    app.store.listen((state) => {
        document.body.classList.toggle("no-report", !state.report);
        byId("toggle-report").setAttribute("aria-expanded", String(state.report));
        app.redraw();
    });
    byId("toggle-report").addEventListener("click",
        () => app.store.set({ report: !app.store.get().report }));
    startTheme(byId("theme"), () => {
        timeline.changeTheme();
        parallelism.changeTheme();
    });

    let mouse = -1;
    for (const { canvas } of [timeline, parallelism]) {
        canvas.addEventListener("pointermove", (event) => {
            mouse = event.clientX - canvas.getBoundingClientRect().left;
        });
        canvas.addEventListener("pointerleave", () => {
            mouse = -1;
        });
    }
    listenKeys(app, {
        anchor() {
            const { from, to, tab } = app.store.get();
            const { frame: drawn } = tab === "parallelism" ? parallelism : timeline;
            const frame = drawn();
            return frame && mouse >= frame.left ? from + (mouse - frame.left) / frame.scene.scale
                : (from + to) / 2;
        },
        async fit() {
            const time = app.store.get().tab === "graph" ? graph.current().fit()
                : await timeOf(app);
            if (time) {
                app.store.set(around(time[0], time[1], app.end));
            }
        },
        all: () => (app.store.get().tab === "graph" ? graph.current().fit()
            : app.store.set({ from: 0, to: app.end })),
        follow: (step) => follow(app, step),
        evidence: (step) => stepEvidence(app, step),
        tabs: tabs.map(({ id }) => id),
        help: () => showKeys(dialog),
        search: () => input.focus(),
        graph: {
            zoom: (factor) => graph.current().zoom(factor),
            pan: (x, y) => graph.current().pan(x, y),
        },
    });
    if (index.job) {
        chooseSelected(app);
    }
    connectAddress(app);
    show();
    details.show();
    // Reading all tasks takes time, and the first picture does not need them.
    const delay = new Promise((done) => setTimeout(done, TASKS_DELAY));
    Promise.race([timeline.drawn, parallelism.drawn, delay])
        .then(app.tasks.load).then(() => Promise.all(index.ranks.map((_, i) => (
            app.samples.load(i))))).then(app.redraw);
    // For the console and the tests.
    /** @type {any} */ (globalThis).otter = { app, timeline, parallelism,
        flame: { bars: () => flame.current().bars() },
        functions: { bars: () => functions.current().bars() } };
}

/**
 * Scrolls the timeline to the lane of the selected task, or of the piece of evidence shown.
 * @param {App} app
 * @param {(lane: number) => void} reveal
 */
function revealSelected(app, reveal) {
    const { select, piece } = app.store.get();
    const [kind, number] = parsed(select);
    const lane = kind === "task" ? app.tasks.get(number)?.lane
        : kind === "finding" ? spansOf(app.index.findings[number])[piece]?.[0] : undefined;
    if (lane !== undefined) {
        reveal(lane);
    }
}

start().catch(fail);
