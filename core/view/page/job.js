// The report of a job: the critical path across ranks, numbers over all ranks, and each rank,
// beginning with the one that differs most. The job's findings are in the report beside the
// pictures.

import { element, fill } from "./dom.js";
import { count, percent, plain, seconds } from "./format.js";
import { findingState } from "./report.js";
import { fragmentOf } from "./data/url.js";

/** @typedef {import("./app.js").App} App */
/** @typedef {import("./dom.js").Child} Child */
/** @typedef {Record<string, any>} Row */

/** The numbers of `otter report`, in its order: name, column, whether it is a share. */
/** @type {[string, string, boolean][]} */
const NUMBERS = [["wall time", "wall_s", false], ["work T1", "work_s", false],
    ["in MPI", "mpi_s", false], ["efficiency", "efficiency", true],
    ["\u2003MPI", "mpi_efficiency", true], ["\u2003serial", "serial_efficiency", true],
    ["\u2003in regions", "regions_efficiency", true]];

/**
 * @param {number} value
 * @param {boolean} isShare
 */
function textOf(value, isShare) {
    return isShare ? percent(value * 100) : seconds(value);
}

/** @param {Row[]} rows */
function meanWork(rows) {
    return rows.reduce((sum, row) => sum + row.work_s, 0) / Math.max(rows.length, 1);
}

/** @param {App} app */
export function createJob(app) {
    const { store, index } = app;
    const { job } = index;
    /** @type {Row[]} */
    const rows = job?.report.ranks ?? [];
    /** @type {Map<number, Row>} */
    const onPath = new Map((job?.report.critical_path?.ranks ?? []).map(
        (/** @type {Row} */ row) => [row.rank, row]));
    const root = element("div", { class: "job", tabindex: 0, "aria-label": "Report of the job" });
    const known = new Set(index.ranks.map(({ rank }) => rank));

    /**
     * A button that chooses a rank; only text if the rank has no pictures.
     * @param {number} rank
     * @param {string} [text]
     */
    function choice(rank, text = `rank ${rank}`) {
        return known.has(rank) ? element("button", { type: "button", class: "jump",
            onclick: () => store.set({ rank }) }, text) : text;
    }

    /** @param {[string, string, boolean]} number */
    function summaryRow([name, column, isShare]) {
        const least = rows.reduce((a, b) => (b[column] < a[column] ? b : a));
        const most = rows.reduce((a, b) => (b[column] > a[column] ? b : a));
        const mean = rows.reduce((sum, row) => sum + row[column], 0) / rows.length;
        return element("tr", {}, element("th", { scope: "row" }, name),
            element("td", { class: "number" }, textOf(least[column], isShare)),
            element("td", {}, choice(least.rank)),
            element("td", { class: "number" }, textOf(mean, isShare)),
            element("td", { class: "number" }, textOf(most[column], isShare)),
            element("td", {}, choice(most.rank)));
    }

    function summary() {
        return element("div", { class: "table" }, element("table", { class: "summary" },
            element("thead", {}, element("tr", {},
                ...["", "least", "", "mean", "largest", ""].map((text) => element("th",
                    { scope: "col" }, text)))),
            element("tbody", {}, ...NUMBERS.map(summaryRow))));
    }

    /** @param {number} rank */
    function timelineLink(rank) {
        const state = { ...app.defaults, rank, side: "rank", tab: "timeline" };
        return known.has(rank)
            ? element("a", { href: fragmentOf(state, app.defaults) }, "timeline")
            : element("span", { class: "soft" }, "left out");
    }

    /** @param {Row} row */
    function firstFinding(row) {
        const text = plain(row.first_finding) || "nothing limits it";
        const kind = String(row.first_finding).split(":")[0];
        const at = index.findings.findIndex(({ rank, finding }) => finding.kind === kind
            && index.ranks[rank].rank === row.rank);
        return at < 0 ? text : element("a", {
            href: fragmentOf(findingState(app, at), app.defaults) }, text);
    }

    /**
     * @param {Row} row
     * @param {{mean: number, far: number, wall: number, hasPath: boolean}} all
     */
    function rankRow(row, { mean, far, wall, hasPath }) {
        const away = mean > 0 ? row.work_s / mean - 1 : 0;
        const path = onPath.get(row.rank);
        const waits = (/** @type {string} */ what) => (path ? path[`${what}_late_senders_s`]
            + path[`${what}_late_receivers_s`] + path[`${what}_last_arrivals_s`] : 0);
        const number = (/** @type {Child} */ text, share = 0) => element("td", { class: "number",
            style: share > 0 ? `--share: ${(share * 100).toFixed(1)}%` : null }, text);
        return element("tr", { "data-rank": row.rank },
            element("th", { scope: "row" }, choice(row.rank, String(row.rank))),
            number(seconds(row.wall_s)), number(seconds(row.work_s)),
            number(`${away >= 0 ? "+" : "\u2212"}${percent(Math.abs(away) * 100)}`,
                far > 0 ? Math.abs(away) / far : 0),
            number(percent(row.efficiency * 100)), number(percent(row.mpi_efficiency * 100)),
            hasPath ? number(percent((path?.on_path_s ?? 0) / wall * 100),
                (path?.on_path_s ?? 0) / wall) : null,
            hasPath ? number(seconds(waits("caused"))) : null,
            hasPath ? number(seconds(waits("root_cause"))) : null,
            element("td", { title: plain(row.first_finding) }, firstFinding(row),
                row.complete ? null : element("span", { class: "soft" }, " (incomplete)")),
            element("td", {}, timelineLink(row.rank)));
    }

    function ranks() {
        const mean = meanWork(rows);
        const outliers = job?.outliers ?? [];
        const path = job?.report.critical_path;
        const hasPath = path?.messages > 0 || path?.collectives > 0;
        const all = { mean, wall: path?.wall_s ?? 1, hasPath, far: rows.reduce((most, row) => (
            Math.max(most, mean > 0 ? Math.abs(row.work_s / mean - 1) : 0)), 0) };
        /** @type {[string, string][]} */
        const head = [["rank", ""], ["wall", ""], ["work", ""],
            ["to mean", "work above or below the mean of all ranks"], ["efficiency", ""],
            ["MPI", "the part of the efficiency that is due to MPI"],
            .../** @type {[string, string][]} */ (hasPath
                ? [["on path", "of the critical path across ranks"],
                    ["waited for", "time of other ranks in MPI until this rank sent, received "
                        + "or arrived"],
                    ["root cause", "time of other ranks in MPI because this rank delayed them, "
                        + "directly or not"]] : []),
            ["first finding", ""], ["", ""]];
        return element("div", { class: "table" }, element("table", { class: "ranks" },
            element("thead", {}, element("tr", {}, ...head.map(([text, title]) => element(
                "th", { scope: "col", title }, text)))),
            element("tbody", {}, ...outliers.flatMap((rank) => rows.filter((row) => row.rank === rank))
                .map((row) => rankRow(row, all)))));
    }

    function show() {
        const leftOut = job?.left_out ?? 0;
        const folder = element("code", {}, plain(job?.report.archive ?? ""));
        fill(root,
            element("p", { class: "source" }, folder),
            leftOut > 0 ? element("p", { class: "warning" }, `${count(leftOut)} of ${
                count(rows.length)} ranks have no pictures in this file, but are in all numbers `
                + "here. 'otter view --size=N' makes a larger file, --rank=N the page of one rank.")
                : null,
            ...(job?.sentences ?? []).map((text, i) => element("p", {}, plain(text.replace(/^\* /, "")), " ",
                i === 0 && app.defaults.path ? element("a", { href: fragmentOf(
                    { ...app.defaults, tab: "timeline" }, app.defaults) }, "Show it") : null)),
            element("h2", {}, "Over all ranks"), rows.length ? summary() : null,
            element("h2", {}, "Ranks ",
                element("small", {}, "farthest from the mean work first")), ranks());
        mark();
    }

    function mark() {
        for (const row of root.querySelectorAll("tr[data-rank]")) {
            row.classList.toggle("on", row.getAttribute("data-rank") === String(store.get().rank));
        }
    }

    store.listen((_, changed) => {
        if (changed.has("rank")) {
            mark();
        }
    });
    show();
    return { root };
}
