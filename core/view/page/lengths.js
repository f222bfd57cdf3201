// Histograms of the work of tasks, one for each label, with the knee. With less work than this, a
// task's costs take 10 % or more of its time.

import { iconOf } from "./icons.js";
import { element, fill, svg } from "./dom.js";
import { count, percent } from "./format.js";

/** @typedef {import("./app.js").App} App */
/** @typedef {import("./data/decode.js").Columns} Columns */
/** @typedef {{label: number, counts: Map<number, number>, works: Map<number, number>,
 *             n: number, work: number}} Site */

const WIDTH = 520;
const HEIGHT = 96;
const MAX_SITES = 40;

/** @param {number} bin */
function binBegin(bin) {
    return 2 ** (bin >> 2) * (4 + (bin & 3)) / 4;
}

/** @param {number} ticks */
function binOf(ticks) {
    const power = Math.max(Math.floor(Math.log2(Math.max(ticks, 1))), 0);
    return power * 4 + (ticks / 2 ** power - 1) * 4;
}

/**
 * @param {Columns} table
 * @returns {Site[]}
 */
function sitesOf(table) {
    /** @type {Map<number, Site>} */
    const sites = new Map();
    const { label, bin, count: n, work } = table.of;
    for (let i = 0; i < table.rows; i++) {
        let site = sites.get(label[i]);
        if (!site) {
            site = { label: label[i], counts: new Map(), works: new Map(), n: 0, work: 0 };
            sites.set(label[i], site);
        }
        site.counts.set(bin[i], n[i]);
        site.works.set(bin[i], work[i]);
        site.n += n[i];
        site.work += work[i];
    }
    return [...sites.values()].sort((a, b) => b.work - a.work);
}

/** @param {App} app */
export function createLengths(app) {
    const bar = element("div", { class: "graph-bar" });
    const body = element("div", { class: "lengths" });
    const root = element("div", { class: "graph" }, bar, body);
    let isByWork = false;
    /** @type {Site[] | null} */
    let sites = null;
    let low = 0;
    let high = 1;

    /** @param {number} bin */
    function x(bin) {
        return (bin - low) / Math.max(high - low, 1) * WIDTH;
    }

    /** The marks at powers of ten of a second. */
    function axis() {
        const second = app.index.clock.resolution;
        const marks = [];
        for (let power = -9; power < 6; power++) {
            const bin = binOf(10 ** power * second);
            if (10 ** power * second >= 1 && bin >= low && bin <= high) {
                marks.push(svg("line", { x1: x(bin), x2: x(bin), y1: 0, y2: HEIGHT,
                    class: "mark" }));
                if (x(bin) < WIDTH - 34) {
                    marks.push(svg("text", { x: x(bin) + 3, y: HEIGHT + 13 },
                        app.time(10 ** power * second).replace(/\.0+ /, " ")));
                }
            }
        }
        return marks;
    }

    /** @param {Site} site */
    function figure(site) {
        const values = isByWork ? site.works : site.counts;
        const most = Math.max(...values.values(), 1);
        const { knee } = app.index.costs;
        const at = knee > 0 ? x(binOf(knee)) : -1;
        const below = [...site.counts].filter(([bin]) => knee > 0 && binBegin(bin + 1) <= knee)
            .reduce((sum, [, n]) => sum + n, 0);
        const text = `${count(site.n)} tasks, mean ${app.time(site.work / site.n)}${
            below > 0 ? `, ${percent(below / site.n * 100)} below the knee` : ""}`;
        return element("figure", { "data-label": site.label },
            element("figcaption", {},
                element("button", { type: "button", class: "jump",
                    onclick: () => app.store.set({ select: `label:${site.label}`, range: "" }) },
                iconOf(app, site.label), app.name(site.label)),
                element("span", { class: "soft" }, text)),
            svg("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT + 18}`, role: "img",
                "aria-label": `Histogram: ${text}` },
            ...axis(),
            ...[...values].map(([bin, value]) => svg("rect", {
                x: x(bin) + 0.5, width: Math.max(x(bin + 1) - x(bin) - 1, 1),
                y: HEIGHT - Math.max(value / most * HEIGHT, 1.5),
                height: Math.max(value / most * HEIGHT, 1.5),
                style: `fill: ${app.colours[site.label]?.fill ?? "var(--state-idle)"}` },
            svg("title", {}, `${app.time(binBegin(bin))} to ${app.time(binBegin(bin + 1))}: ${
                isByWork ? app.time(value) : `${count(value)} tasks`}`))),
            svg("line", { x1: 0, x2: WIDTH, y1: HEIGHT, y2: HEIGHT, class: "base" }),
            at >= 0 && at <= WIDTH ? svg("g", { class: "knee" },
                svg("line", { x1: at, x2: at, y1: 0, y2: HEIGHT }),
                svg("text", { x: at > WIDTH - 90 ? at - 4 : at + 4, y: 10,
                    "text-anchor": at > WIDTH - 90 ? "end" : "start" },
                `knee ${app.time(knee)}`)) : null));
    }

    function show() {
        if (!sites) {
            return;
        }
        const bins = sites.flatMap((site) => [...site.counts.keys()]);
        const knee = app.index.costs.knee > 0 ? [binOf(app.index.costs.knee)] : [];
        low = bins.concat(knee).reduce((a, b) => Math.min(a, b), Infinity) - 2;
        high = bins.concat(knee).reduce((a, b) => Math.max(a, b), 0) + 3;
        fill(bar, element("div", { class: "choice", role: "group", "aria-label": "Height of bars" },
            ...[false, true].map((byWork) => element("button", { type: "button",
                "aria-pressed": byWork === isByWork, onclick: () => {
                    isByWork = byWork;
                    show();
                } }, byWork ? "Work" : "Tasks"))),
        element("span", { class: "soft" }, sites.length === 0 ? "There are no explicit tasks."
            : app.index.costs.knee > 0
                ? "Tasks shorter than the knee spend 10 % or more on creation and scheduling."
                : "The costs of a task are unknown, so there is no knee."));
        fill(body, ...sites.slice(0, MAX_SITES).map(figure));
        mark();
    }

    function mark() {
        const { select } = app.store.get();
        for (const one of /** @type {NodeListOf<HTMLElement>} */ (
            body.querySelectorAll("figure"))) {
            one.classList.toggle("on", /^label:/.test(select)
                && app.same[Number(select.slice(6))] === app.same[Number(one.dataset.label)]);
        }
        if (!root.closest("[hidden]")) {
            body.querySelector("figure.on")?.scrollIntoView({ block: "nearest" });
        }
    }

    app.store.listen((_, changed) => {
        if (changed.has("select") || changed.has("tab")) {
            mark();
        }
    });
    return {
        root,
        async update() {
            if (!sites) {
                sites = sitesOf(await app.data.table("histogram"));
                show();
            }
        },
    };
}
