// Search by label, source line or task id.

import { goToTask } from "./details.js";
import { iconOf } from "./icons.js";
import { element, fill } from "./dom.js";
import { plain } from "./format.js";

/** @typedef {import("./app.js").App} App */
/** @typedef {{text: string, note: string, label: number, go: () => void}} Result */

const MAX_RESULTS = 12;

/**
 * How well a label matches: 4 a whole name, 3 whole words, 2 the start of a word, 1 a part, 0 not
 * at all.
 * @param {import("./data/index_types.js").Label} label
 * @param {string} wanted in small letters
 */
function rankOf(label, wanted) {
    const names = [label.text, label.what, label.where, label.function,
        `${label.file}:${label.line}`].map((name) => name.toLowerCase());
    const isWord = (/** @type {string} */ letter) => /[\p{L}\p{N}_]/u.test(letter);
    return names.reduce((best, name) => {
        let rank = name === wanted ? 4 : 0;
        for (let at = name.indexOf(wanted); at >= 0 && rank < 3;
            at = name.indexOf(wanted, at + 1)) {
            const begins = at === 0 || !isWord(name[at - 1]) || !isWord(wanted[0]);
            const ends = !isWord(name[at + wanted.length] ?? "") || !isWord(wanted.slice(-1));
            rank = Math.max(rank, begins && ends ? 3 : begins ? 2 : 1);
        }
        return Math.max(best, rank);
    }, 0);
}

/**
 * @param {App} app
 * @param {string} text
 * @returns {Result[]}
 */
export function search(app, text) {
    const wanted = text.trim().toLowerCase();
    if (!wanted) {
        return [];
    }
    /** @type {Result[]} */
    const results = [];
    const id = wanted.match(/^(?:task\s+)?(\d+:\d+)$/);
    for (const task of id ? app.tasks.find(id[1]) : []) {
        const { lane = -1, label = -1 } = app.tasks.get(task) ?? {};
        const rank = app.index.job ? `, ${app.rankName(app.index.lanes[lane]?.rank ?? 0)}` : "";
        results.push({ text: `task ${id?.[1]}`, note: app.name(label) + rank, label,
            go: () => goToTask(app, task) });
    }
    const ranked = app.index.labels.map((label, i) => ({ i, rank: app.same[i] === i
        ? rankOf(label, wanted) : 0 })).filter(({ rank }) => rank > 0)
        .sort((a, b) => b.rank - a.rank || app.executed(b.i) - app.executed(a.i));
    for (const { i } of ranked) {
        const label = app.index.labels[i];
        results.push({ text: app.name(i), note: plain(label.function || label.construct),
            label: i, go: () => app.store.set({ select: `label:${i}`, range: "" }) });
    }
    app.index.lanes.forEach((lane, i) => {
        if (results.length < MAX_RESULTS && app.laneName(i).toLowerCase().includes(wanted)) {
            results.push({ text: app.laneName(i), note: lane.kind, label: -1,
                go: () => app.store.set({ tab: "timeline", select: "",
                    range: `0:${app.end}:${i}` }) });
        }
    });
    return results.slice(0, MAX_RESULTS);
}

/**
 * @param {App} app
 * @param {HTMLFormElement} form
 * @param {HTMLInputElement} input
 * @param {HTMLElement} list
 */
export function createSearch(app, form, input, list) {
    /** @type {Result[]} */
    let results = [];
    let at = 0;

    function close() {
        list.hidden = true;
        input.setAttribute("aria-expanded", "false");
        input.removeAttribute("aria-activedescendant");
    }

    function show() {
        fill(list, ...results.map((result, i) => element("li", { role: "option", id: `result-${i}`,
            "aria-selected": i === at,
            onpointerdown: (/** @type {Event} */ event) => {
                event.preventDefault();
                choose(i);
            } },
        result.label >= 0 ? iconOf(app, result.label) : null,
        element("b", {}, result.text), element("span", { class: "soft" }, result.note))),
        results.length === 0 ? element("li", { class: "soft" },
            app.index.left_out.is_complete ? "Nothing found." : "Nothing found in this file.")
            : null);
        list.hidden = input.value.trim() === "";
        input.setAttribute("aria-expanded", String(!list.hidden));
        if (results.length > 0) {
            input.setAttribute("aria-activedescendant", `result-${at}`);
        }
    }

    async function update() {
        await app.tasks.load();
        results = search(app, input.value);
        at = 0;
        show();
    }

    /** @param {number} i */
    function choose(i) {
        results[i]?.go();
        close();
        input.blur();
    }

    input.addEventListener("input", update);
    input.addEventListener("focus", () => {
        if (input.value) {
            update();
        }
    });
    input.addEventListener("blur", close);
    input.addEventListener("keydown", (event) => {
        const step = { ArrowDown: 1, ArrowUp: -1 }[event.code];
        if (step && results.length > 0) {
            at = (at + step + results.length) % results.length;
            show();
            event.preventDefault();
        } else if (event.code === "Escape") {
            input.value = "";
            close();
            input.blur();
        }
    });
    form.addEventListener("submit", async (event) => {
        event.preventDefault();
        if (results.length === 0 || list.hidden) {
            await update();
        }
        choose(at);
    });
}
