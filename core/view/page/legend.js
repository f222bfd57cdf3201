// The labels that execute longest, with their colours and shapes, above the timeline.

import { parsed } from "./app.js";
import { stateStyle } from "./colours.js";
import { element } from "./dom.js";
import { iconOf } from "./icons.js";

/** @typedef {import("./app.js").App} App */

const STATES = [["waiting", "waiting"], ["locks", "lock"], ["forking", "fork, join"],
    ["mpi", "in MPI"], ["paused", "paused"], ["lost", "lost"]];
const MAX_LABELS = 12; // fewer if the line is short

/**
 * What the lines above slices mean.
 * @param {App} app
 */
function offProcessor({ index, time }) {
    const least = index.shortest_off ? ` for ${time(index.shortest_off)} or longer` : "";
    return !index.chunks.some((chunk) => chunk.table === "off") ? [] : [["ink-soft", "blocked"],
        ["state-lost", "preempted"]].map(([colour, text]) => element("span", { class: "soft",
        title: `A line above a slice: the thread is not on a processor${least}` },
    element("i", { class: "swatch line", style: `color: var(--${colour})` }), text));
}

/** @param {App} app */
export function createLegend(app) {
    const { store } = app;
    const all = app.index.labels.map((_, label) => label)
        .filter((label) => app.same[label] === label && app.executed(label) > 0)
        .sort((a, b) => app.executed(b) - app.executed(a)).slice(0, MAX_LABELS);
    const buttons = all.map((label) => element("button", { type: "button", class: "jump",
        title: `${app.name(label)}: show only this label`, onclick: () => store.set({
            select: store.get().select === `label:${label}` ? "" : `label:${label}`, range: "" }) },
    iconOf(app, label), app.shorts[label][0]));

    store.listen((state, changed) => {
        if (changed.has("select")) {
            const [kind, selected] = parsed(state.select);
            all.forEach((label, i) => buttons[i].classList.toggle("on",
                kind === "label" && app.same[selected] === label));
        }
    });
    const states = STATES.filter(([state]) => app.index.lanes.some((lane) => lane.totals[
        app.index.states.indexOf(state === "locks" ? "lock" : state)] > 0));
    return element("div", { class: "labels", role: "group", "aria-label": "Labels" },
        ...states.map(([state, text]) => element("span", { class: "soft" }, element("i",
            { class: "swatch", style: stateStyle(state) }), text)), ...offProcessor(app),
        ...buttons);
}
