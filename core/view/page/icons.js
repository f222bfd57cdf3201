// A shape for each kind of construct, in addition to its colour: for canvases and for SVG.

import { element, svg } from "./dom.js";

/** @typedef {import("./app.js").App} App */

/** The outlines, in a square of 10 units. */
/** @type {Record<string, string>} */
const SHAPES = {
    task: "M5 1a4 4 0 1 0 .01 0z",
    parallel: "M1.5 1h2.5v8h-2.5zM6 1h2.5v8h-2.5z",
    work: "M5 .8a4.2 4.2 0 1 0 .01 0zM5 3.2a1.8 1.8 0 1 1 -.01 0z",
    kernel: "M5 .3L9.7 5L5 9.7L.3 5z",
    region: "M1 1h3v1.6h-1.4v4.8h1.4v1.6h-3zM9 1h-3v1.6h1.4v4.8h-1.4v1.6h3z",
    copy: "M.5 3.7h4.5v-2.7l4.5 4l-4.5 4v-2.7h-4.5z",
    wait: "M1.5 1h7l-2.8 4l2.8 4h-7l2.8-4z",
    lock: "M1.5 4.6h7v4.6h-7zM2.8 4.6v-1.4a2.2 2.2 0 0 1 4.4 0v1.4h-1.4v-1.4a.8.8 0 0 0-1.6 0v1.4z",
    device: "M1 1h8v8h-8zM3.2 3.2v3.6h3.6v-3.6z",
    other: "M2.5 2.5h5v5h-5z",
};

/** @type {Map<string, Path2D>} */
const paths = new Map();

/** @param {string} kind of a label */
function pathOf(kind) {
    const shape = SHAPES[kind] ?? SHAPES.other;
    const path = paths.get(shape) ?? new Path2D(shape);
    paths.set(shape, path);
    return path;
}

export const ICON = 10; // pixels

/**
 * @param {CanvasRenderingContext2D} context whose fillStyle is used
 * @param {string} kind
 * @param {number} x
 * @param {number} y of its middle
 */
export function drawIcon(context, kind, x, y) {
    context.save();
    context.translate(x, y - ICON / 2);
    context.fill(pathOf(kind), "evenodd");
    context.restore();
}

/**
 * The shape of a label on its colour.
 * @param {App} app
 * @param {number} label
 */
export function iconOf(app, label) {
    const colour = app.colours[label];
    const kind = app.index.labels[label]?.kind ?? "";
    return element("i", { class: "swatch", title: app.index.labels[label]?.construct || null,
        style: `background: ${colour ? colour.fill : "var(--state-idle)"}` },
    kind ? svg("svg", { viewBox: "-2.5 -2.5 15 15", "aria-hidden": "true" }, svg("path", {
        d: SHAPES[kind] ?? SHAPES.other, "fill-rule": "evenodd",
        fill: colour ? colour.ink : "currentColor" })) : null);
}
