// The report beside the pictures: numbers, thread time, findings.

import { appOfRank } from "./app.js";
import { stateStyle } from "./colours.js";
import { element, fill } from "./dom.js";
import { count, fixed, percent, plain, ratio, seconds } from "./format.js";
import { fragmentOf } from "./data/url.js";
import { around } from "./timeline/viewport.js";

/** @typedef {import("./app.js").App} App */
/** @typedef {import("./data/index_types.js").Finding} Finding */
/** @typedef {import("./data/index_types.js").Index} Index */

/** The parts of the thread time, in the order of `otter report`. */
const PARTS = ["executing", "preempted", "creating", "scheduling", "delay", "tied", "no_work",
    "locks", "forking", "mpi", "outside", "paused", "lost"];

/**
 * @param {any} time the report's thread_time
 * @param {Record<string, string>} heads their names
 * @returns {{key: string, name: string, value: number}[]}
 */
function partsOf(time, heads) {
    return PARTS.map((key) => ({ key, name: heads[`${key}_s`], value: time[`${key}_s`] ?? 0 }))
        .filter((part) => part.value > 0);
}

/**
 * @param {string} name
 * @param {string} value
 * @param {string} title
 */
function figure(name, value, title) {
    return element("div", { class: "figure", title }, element("dt", {}, name),
        element("dd", {}, value));
}

/** @param {any} report */
function figures(report) {
    return element("dl", { class: "figures" },
        figure("wall time", seconds(report.wall_s), "first to last event of any thread"),
        figure("threads", count(report.threads), "CPU locations with events"),
        figure("work T1", seconds(report.work_s), "execution of all threads"),
        figure("speed-up", `${ratio(report.speed_up)} of ${count(report.threads)}`,
            "work divided by recorded wall time"),
        figure("span", seconds(report.span_s), "heaviest path through the task graph"),
        figure("parallelism", fixed(report.parallelism, 1), "work divided by span"));
}

/** @param {any} report */
function threadTime({ thread_time: time, heads }) {
    const parts = partsOf(time, heads.thread_time);
    const share = (/** @type {number} */ value) => value / time.total_s * 100;
    return element("section", {},
        element("h2", {}, "Thread time ", element("small", {}, seconds(time.total_s))),
        element("div", { class: "stack", "aria-hidden": "true" }, ...parts.map((part) => element(
            "span", { style: `width: ${share(part.value)}%; ${stateStyle(part.key)}`,
                title: `${part.name} ${percent(share(part.value))}` }))),
        element("table", { class: "parts" }, element("tbody", {}, ...parts.map((part) => element(
            "tr", {},
            element("th", { scope: "row" },
                element("i", { class: "swatch", style: stateStyle(part.key) }), part.name),
            element("td", {}, seconds(part.value)),
            element("td", {}, percent(share(part.value))))))));
}

/** @param {any} report */
function efficiencyLine({ efficiency, heads }) {
    const terms = ["mpi", "serial", "load_balance", "scheduling"]
        .filter((key) => efficiency[key] !== undefined && (key !== "mpi" || efficiency[key] < 1));
    return element("section", {},
        element("h2", {}, "Efficiency ", element("small", {}, percent(efficiency.total * 100))),
        element("div", { class: "factors" }, ...terms.flatMap((key, i) => [
            i > 0 ? element("span", { class: "times", "aria-hidden": "true" }, "\u00d7") : null,
            element("div", {}, element("b", {}, percent(efficiency[key] * 100)),
                element("span", {}, heads.efficiency[key])),
        ]).filter(Boolean)));
}

/**
 * The state that shows the evidence of a finding.
 * @param {App} app
 * @param {number} i
 * @param {string} [side] the report beside it
 */
export function findingState(app, i, side = "rank") {
    const evidence = app.index.findings[i];
    const rank = app.index.ranks[evidence?.rank ?? 0].rank;
    const has = evidence && evidence.end > evidence.begin;
    const range = has ? around(evidence.begin, evidence.end, app.end)
        : { from: 0, to: app.end };
    return { ...app.defaults, rank, tab: "timeline", ...range,
        side: app.index.job ? side : "", select: i < 0 ? "" : `finding:${i}` };
}

/**
 * The evidence of a job's finding in its worst rank; -1: none is in the file.
 * @param {Index} index
 * @param {any} finding
 */
export function evidenceOf(index, finding) {
    return index.findings.findIndex((one) => one.finding.kind === finding.kind
        && index.ranks[one.rank].rank === finding.worst_rank
        && (!finding.what || (one.finding.what === finding.what
            && one.finding.where === finding.where)));
}

/**
 * @param {App} app
 * @param {Finding} finding
 * @param {number} i its evidence; -1: none is in the file
 * @param {string} [side]
 */
function findingCard(app, finding, i, side) {
    const place = [finding.what, finding.where].filter(Boolean).join(" ");
    const { worst_rank: worst } = finding;
    const isLoss = finding.cost_s > 0;
    return element("li", { class: "finding", "data-finding": i },
        element("a", { href: fragmentOf(findingState(app, i, side), app.defaults) },
            element("b", {}, finding.kind),
            ...isLoss ? [element("span", { class: "cost" }, percent(finding.cost_percent)),
                element("span", { class: "meter", "aria-hidden": "true" }, element("i", {
                    style: `width: ${Math.min(finding.cost_percent, 100)}%` }))] : []),
        place ? element("p", { class: "place" }, plain(place)) : null,
        element("p", {}, plain(finding.text)),
        isLoss ? element("p", { class: "soft" }, `costs ${seconds(finding.cost_s)} of thread time`,
            worst === undefined ? "" : ", most in ",
            worst === undefined ? "" : i < 0 ? `rank ${worst}` : element("a", {
                href: fragmentOf(findingState(app, i), app.defaults) }, `rank ${worst}`)) : null);
}

/**
 * Sentences about what the recording or the file lacks.
 * @param {App} app
 */
function warnings(app) {
    const { losses, left_out: leftOut, window } = app.index;
    const texts = [];
    if (losses.events > 0) {
        texts.push(`${count(losses.events)} events are lost: the recording has gaps.`);
    }
    if (losses.cut_off) {
        texts.push("The recording was cut off: open tasks end at its last event.");
    }
    if (losses.damaged) {
        texts.push("Part of the archive is damaged; the rest is shown.");
    }
    if (app.index.report.hint) {
        texts.push(plain(app.index.report.hint));
    }
    if (leftOut.text) {
        texts.push(plain(leftOut.text));
    }
    if (window) {
        texts.push(`Full detail from ${app.time(window[0])} to ${app.time(window[1])}.`);
    }
    return texts.map((text) => element("p", { class: "warning" }, text));
}

/**
 * The report of one rank.
 * @param {App} app of the rank
 */
function contentOf(app) {
    const { report } = app.index;
    const first = app.index.findings.findIndex((one) => one.rank === Math.max(app.only, 0));
    const findings = /** @type {Finding[]} */ (report.findings ?? []);
    const recorded = app.index.clock.realtime_ns
        ? new Date(app.index.clock.realtime_ns / 1e6).toISOString().slice(0, 19).replace("T", " ")
        : "";
    return [
        element("div", { class: "source" }, element("code", {}, plain(report.archive ?? "")),
            recorded ? element("span", {}, `recorded ${recorded} UTC`) : null),
        ...warnings(app),
        figures(report),
        element("section", {},
            element("h2", {}, "Findings ", element("small", {}, findings.length
                ? `${findings.length}, the most costly first${
                    findings.some(({ kind }, i) => i > 0 && kind === "noise") ? ", noise last" : ""}`
                : "none")),
            findings.length ? element("ol", { class: "findings" },
                ...findings.map((finding, i) => findingCard(app, finding, first + i)))
                : element("p", { class: "soft" },
                    "Nothing costs 2 % of the thread time or more.")),
        report.thread_time ? threadTime(report) : null,
        report.efficiency ? efficiencyLine(report) : null,
        element("p", { class: "soft foot" }, `Made by otter ${plain(app.index.otter)}.`),
    ];
}

/**
 * The report of all ranks, with the findings of `otter report`.
 * @param {App} app
 */
function contentOfJob(app) {
    const { job } = app.index;
    const { report } = /** @type {import("./data/index_types.js").JobIndex} */ (job);
    const findings = /** @type {any[]} */ (report.findings ?? []);
    const mpi = report.ranks.reduce((/** @type {number} */ sum, /** @type {any} */ rank) => (
        sum + rank.mpi_s), 0);
    return [
        element("div", { class: "source" }, element("code", {}, plain(report.archive ?? ""))),
        element("dl", { class: "figures" },
            figure("wall time", seconds(report.wall_s), "first to last event of any rank"),
            figure("ranks", count(report.ranks.length), "processes of the job"),
            figure("threads", count(report.threads), "of all ranks"),
            figure("work T1", seconds(report.work_s), "execution of all threads"),
            figure("in MPI", seconds(mpi), "thread time of all ranks in MPI calls"),
            figure("efficiency", percent(report.efficiency * 100), "work divided by thread time")),
        element("section", {},
            element("h2", {}, "Findings ", element("small", {}, findings.length
                ? `${findings.length} of the job, the most costly first${
                    findings.some(({ kind }) => kind === "MPI job") ? ", its start last" : ""}`
                : "none")),
            element("ol", { class: "findings" }, ...findings.map((finding) => findingCard(app,
                finding, evidenceOf(app.index, finding), "")))),
        element("p", { class: "soft foot" }, `Made by otter ${plain(app.index.otter)}.`),
    ];
}

/**
 * Whether the report beside the pictures describes all ranks.
 * @param {App} app
 */
function isOfJob(app) {
    const { side, tab } = app.store.get();
    return app.index.job !== null && side === ""
        && ["job", "timeline", "parallelism"].includes(tab);
}

/**
 * The choice of a rank, above its report.
 * @param {App} app
 */
function rankChoice(app) {
    const { store, index: { ranks } } = app;
    const isAll = isOfJob(app);
    const at = isAll ? -1 : app.rank();
    /** @param {number} i */
    const choose = (i) => store.set(i < 0 ? { side: "" } : { rank: ranks[i].rank, side: "rank" });
    const canBeAll = ["job", "timeline", "parallelism"].includes(store.get().tab);
    const select = element("select", { id: "rank",
        onchange: () => choose(select.selectedIndex - Number(canBeAll)) },
    canBeAll ? element("option", { value: "all", selected: isAll }, "all") : null,
        ...ranks.map(({ rank, host }, i) => element("option", { value: rank, selected: i === at },
            `${rank}${ranks.some((one) => one.host !== host) ? ` on ${plain(host)}` : ""}`)));
    return element("div", { class: "rank-choice" },
        element("label", { for: "rank" }, "Rank"), select,
        element("button", { type: "button", "aria-label": "Previous rank", disabled: at <= 0,
            onclick: () => choose(at - 1) }, "\u2039"),
        element("button", { type: "button", "aria-label": "Next rank",
            disabled: at === ranks.length - 1, onclick: () => choose(at + 1) }, "\u203a"));
}

/**
 * @param {App} app
 * @param {HTMLElement} root
 */
export function createReport(app, root) {
    const { store } = app;
    let shownFor = "";
    function mark() {
        for (const card of root.querySelectorAll(".finding")) {
            const isOn = store.get().select === `finding:${card.getAttribute("data-finding")}`;
            card.classList.toggle("on", isOn);
            card.querySelector("a")?.setAttribute("aria-current", String(isOn));
        }
    }

    function show() {
        const focused = root.contains(document.activeElement)
            ? document.activeElement?.getAttribute("aria-label") ?? "rank" : "";
        shownFor = `${isOfJob(app)}/${store.get().tab}`;
        fill(root, app.index.job ? rankChoice(app) : null, ...isOfJob(app) ? contentOfJob(app)
            : contentOf(appOfRank(app, app.rank())));
        mark();
        if (focused) {
            const again = [...root.querySelectorAll("button")].find((one) => !one.disabled
                && one.getAttribute("aria-label") === focused);
            /** @type {HTMLElement | null} */ (again ?? root.querySelector("#rank"))?.focus();
        }
    }

    store.listen((_, changed) => {
        if (changed.has("rank") || (app.index.job
            && shownFor !== `${isOfJob(app)}/${store.get().tab}`)) {
            show();
        } else {
            mark();
        }
    });
    show();
}
