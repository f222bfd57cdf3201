// The buttons beside the tabs: critical path, nesting, zoom, and the legend of the timeline.

import { stateStyle } from "./colours.js";
import { element, fill } from "./dom.js";
import { usualNesting } from "./tracks.js";
import { zoomed } from "./viewport.js";

/** @typedef {import("./app.js").App} App */

const LEGEND = [["waiting", "waiting"], ["locks", "lock"], ["forking", "fork, join"],
    ["mpi", "in MPI"],    ["paused", "paused"], ["lost", "lost"]];

/**
 * @param {App} app
 * @param {HTMLElement} root
 * @param {{zoomGraph: (factor: number) => void, fitGraph: () => void}} graph
 */
export function createTools(app, root, graph) {
    const { store, index, end } = app;
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
        const select = element("select", { "aria-label": "Critical path",
            onchange: () => store.set({ path: select.value }) },
        ...[["", "No path"], ...index.job ? [["job", "Path of the job"]] : [],
            ["realised", "Realised path"], ["span", "Span path"]].map(
            ([value, text]) => element("option", { value, selected: value === path }, text)));
        return [
            element("span", { class: "legend" }, ...LEGEND.filter(([state]) => index.lanes.some(
                (lane) => lane.totals[index.states.indexOf(state === "locks" ? "lock" : state)] > 0))
                .map(([state, text]) => element("span", {}, element("i", { class: "swatch",
                    style: stateStyle(state) }), text))),
            select,
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

    store.listen((_, changed) => {
        if (changed.has("tab") || changed.has("path") || changed.has("nest")
            || changed.has("order") || changed.has("messages")) {
            show();
        }
    });
    show();
}
