// The buttons beside the tabs: critical path, nesting, zoom.

import { element, fill } from "./dom.js";
import { usualNesting } from "./timeline/tracks.js";
import { zoomed } from "./timeline/viewport.js";

/** @typedef {import("./app.js").App} App */

/**
 * The tick at which the last rank leaves MPI_Init; 0 if there is no such call.
 * @param {App} app
 */
async function endOfInit(app) {
    const isInit = app.index.labels.map((label) => /^MPI_Init(_thread)?$/.test(label.what));
    let last = 0;
    for (const [lane, { kind }] of isInit.includes(true) ? app.index.lanes.entries() : []) {
        await app.lanes.loadedSlices(lane, 0, 0, app.end / 2, (of, i) => {
            if (kind === "thread" && (isInit[of.label[i]] || isInit[of.construct[i]])) {
                last = Math.max(last, of.start[i] + of.duration[i]);
            }
        });
    }
    return last;
}

/**
 * @param {App} app
 * @param {HTMLElement} root
 * @param {{zoomGraph: (factor: number) => void, fitGraph: () => void}} graph
 */
export function createTools(app, root, graph) {
    const { store, index, end } = app;
    let lastPath = app.defaults.path || "realised";
    let afterInit = 0; // tick
    const deepest = index.lanes.reduce((most, lane) => (
        lane.kind === "sections" ? most : Math.max(most, lane.rows - 1)), 0);

    /**
     * @param {string} text
     * @param {string} title
     * @param {() => void} onclick
     * @param {Record<string, any>} [more]
     */
    function button(text, title, onclick, more = {}) {
        return element("button", { type: "button", title, "aria-label": title, onclick, ...more },
            text);
    }

    /** @param {number} factor */
    function zoom(factor) {
        const { from, to } = store.get();
        store.set(zoomed({ from, to }, factor, (from + to) / 2, end));
    }

    function nesting() {
        const { nest } = store.get();
        return Math.min(nest < 0 ? usualNesting(index) : nest, deepest);
    }

    function zoomTools() {
        return zoomButtons(() => zoom(0.5), () => zoom(2), () => store.set({ from: 0, to: end }));
    }

    function timelineTools() {
        const { path } = store.get();
        lastPath = path || lastPath;
        const select = element("select", { "aria-label": "Which critical path", disabled: !path,
            title: "The realised path took the wall time; the span is the heaviest path of the graph",
            onchange: () => store.set({ path: select.value }) },
        ...[...index.job ? [["job", "of the job"]] : [],
            ["realised", "realised"], ["span", "span"]].map(([value, text]) => element("option",
            { value, selected: value === lastPath }, text)));
        return [
            element("span", { class: "choice" }, button("Critical path", "Critical path (c)",
                () => store.set({ path: path ? "" : lastPath }),
                { "aria-pressed": path !== "", class: "path-switch" }), select),
            afterInit ? button("After MPI_Init", "From the end of MPI_Init on",
                () => store.set({ from: afterInit, to: end })) : null,
            index.job ? orderChoice() : null,
            index.chunks.some((chunk) => chunk.table === "messages") ? button("Messages",
                "Arrows of the longest visible messages between ranks", () => store.set({
                    messages: !store.get().messages }),
                { "aria-pressed": store.get().messages, class: "toggle" }) : null,
            deepest > 0 ? element("span", { class: "choice", role: "group",
                "aria-label": "Nested constructs" },
            button("\u2212", "Fewer nested constructs", () => store.set({
                nest: Math.max(nesting() - 1, 0) }), { disabled: nesting() === 0 }),
            element("span", {}, `nesting ${nesting()}`),
            button("+", "More nested constructs", () => store.set({
                nest: Math.min(nesting() + 1, deepest) }), { disabled: nesting() === deepest }))
                : null,
            zoomTools(),
        ];
    }

    function orderChoice() {
        const select = element("select", { "aria-label": "Order of ranks",
            onchange: () => store.set({ order: select.value }) },
        ...[["", "By number"], ["outliers", "Outliers first"]].map(([value, text]) => element(
            "option", { value, selected: value === store.get().order }, text)));
        return select;
    }

    /**
     * @param {() => void} nearer
     * @param {() => void} farther
     * @param {() => void} all
     */
    function zoomButtons(nearer, farther, all) {
        return element("span", { class: "choice", role: "group", "aria-label": "Zoom" },
            button("\u2212", "Zoom out (s)", farther), button("+", "Zoom in (w)", nearer),
            button("All", "Everything (0)", all));
    }

    function show() {
        const { tab } = store.get();
        const focused = root.contains(document.activeElement)
            ? document.activeElement?.getAttribute("aria-label") : null;
        fill(root, ...tab === "timeline" ? timelineTools() : tab === "parallelism" ? [zoomTools()]
            : tab === "graph"
            ? [zoomButtons(() => graph.zoomGraph(1.3), () => graph.zoomGraph(1 / 1.3),
                graph.fitGraph)] : []);
        if (focused) {
            const again = [...root.querySelectorAll("button, select")].find(
                (one) => one.getAttribute("aria-label") === focused);
            /** @type {HTMLElement | undefined} */ (again)?.focus();
        }
    }

    endOfInit(app).then((tick) => {
        afterInit = tick;
        show();
    });
    store.listen((_, changed) => {
        if (changed.has("tab") || changed.has("path") || changed.has("nest")
            || changed.has("order") || changed.has("messages")) {
            show();
        }
    });
    show();
}
