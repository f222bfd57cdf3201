// The graph as SVG: groups and, on demand, single tasks.

import { parsed } from "./app.js";
import { element, fill, svg } from "./dom.js";
import { groupedDrawing, inColumns, neighbourhood, tasksOfLabel } from "./graph_model.js";
import { iconOf } from "./icons.js";
import { lanesOf, rangesOf } from "./timeline/tracks.js";

/** @typedef {import("./app.js").App} App */
/** @typedef {import("./graph_model.js").Drawing} Drawing */
/** @typedef {import("./graph_model.js").DrawnNode} DrawnNode */
/** @typedef {import("./graph_model.js").DrawnEdge} DrawnEdge */

const MARGIN = 24;
const LEAST_SCALE = 0.9; // at which texts are readable

/**
 * Cuts a text to a width.
 * @param {string} text
 * @param {number} room
 * @param {number} [letter] pixels of a letter
 */
function cut(text, room, letter = 6.4) {
    const most = Math.max(Math.floor(room / letter), 3);
    return text.length <= most ? text : `${text.slice(0, most - 1)}\u2026`;
}

/** @typedef {{x: number, y: number, w: number, h: number}} Box */

/**
 * @param {Box} a
 * @param {Box} b
 */
function pathBetween(a, b) {
    const x0 = a.x + a.w / 2;
    const x1 = b.x + b.w / 2;
    if (b.y > a.y + a.h - 1) {
        const y0 = a.y + a.h;
        const y1 = b.y - 2;
        const bend = Math.max((y1 - y0) / 2, 12);
        return `M${x0},${y0}C${x0},${y0 + bend} ${x1},${y1 - bend} ${x1},${y1}`;
    }
    if (b.x > a.x + a.w && b.y + b.h < a.y + a.h / 2) { // the edge leads to the next column
        const [left, right] = [a.x + a.w, b.x - 2];
        const [y0, y1, middle] = [a.y + a.h / 2, b.y + b.h / 2, (left + right) / 2];
        return `M${left},${y0}C${middle},${y0} ${middle},${y1} ${right},${y1}`;
    }
    if (b.y + b.h < a.y + 1) {
        const side = Math.max(a.x + a.w, b.x + b.w);
        const y0 = a.y + a.h / 2;
        const y1 = b.y + b.h / 2;
        return `M${a.x + a.w},${y0}C${side + 30},${y0} ${side + 30},${y1} ${b.x + b.w + 2},${y1}`;
    }
    const y = a.y + a.h / 2;
    const [left, right] = a.x < b.x ? [a.x + a.w, b.x - 2] : [a.x, b.x + b.w + 2];
    return `M${left},${y}C${left},${y + 26} ${right},${y + 26} ${right},${b.y + b.h / 2}`;
}

/** @param {App} app */
export function createGraph(app) {
    const { store } = app;
    const layer = svg("g");
    const picture = svg("svg", { class: "picture", role: "group", "aria-label": "Task graph" },
        svg("defs", {}, ...["plain", "path"].map((name) => svg("marker", { id: `head-${name}`,
            viewBox: "0 0 8 8", refX: 7, refY: 4, markerWidth: 9, markerHeight: 9,
            markerUnits: "userSpaceOnUse", orient: "auto-start-reverse", class: `head ${name}` },
        svg("path", { d: "M0,0.5L8,4L0,7.5z" })))), layer);
    const bar = element("div", { class: "graph-bar" });
    const tip = element("div", { class: "tip", hidden: true });
    const root = element("div", { class: "graph" }, bar, picture, tip);
    let view = { x: 0, y: 0, scale: 1 };
    /** @type {Drawing | null} */
    let drawing = null;
    let radius = 2;
    let drawnKey = "";
    let isMoved = false; // the user has zoomed, so a new window size changes nothing

    function place() {
        layer.setAttribute("transform", `translate(${view.x},${view.y}) scale(${view.scale})`);
    }

    /** Fits the whole graph. */
    function fit() {
        const box = picture.getBoundingClientRect();
        if (!drawing || box.width === 0) {
            return;
        }
        const scale = Math.min((box.width - 2 * MARGIN) / Math.max(drawing.width, 1),
            (box.height - 2 * MARGIN) / Math.max(drawing.height, 1), 1.25);
        const readable = Math.max(scale, LEAST_SCALE);
        view = { scale: readable, x: (box.width - drawing.width * readable) / 2,
            y: (box.height - drawing.height * readable) / 2 };
        const chosen = drawing.nodes.find((node) => node.key === store.get().open);
        // too large to read as a whole: begin at the opened node, or at the top
        if (scale < readable) {
            view.x = chosen ? box.width / 2 - (chosen.x + chosen.w / 2) * readable : view.x;
            view.y = chosen ? box.height / 2 - (chosen.y + chosen.h / 2) * readable : MARGIN;
        }
        place();
    }

    /** @param {DrawnNode} node */
    function choose(node) {
        const [kind, number] = parsed(node.key);
        if (kind === "frame") {
            toggleFrame(number);
        } else if (kind === "task") {
            store.set({ select: node.key, open: node.key, range: "" });
        } else if (kind === "group" && node.label < app.names.length) {
            store.set({ select: `label:${node.label}`, range: "" });
            if (app.index.graph.nodes[number]?.kind === "task") {
                store.set({ open: `label:${node.label}` });
            }
        }
    }

    function closedFrames() {
        return lanesOf(store.get().closed, app.index.graph.frames.length);
    }

    /** @param {number} frame */
    function toggleFrame(frame) {
        const closed = closedFrames();
        if (!closed.delete(frame)) {
            closed.add(frame);
        }
        store.set({ closed: rangesOf(closed) });
    }

    /** @param {import("./graph_model.js").DrawnFrame} frame */
    function frameElement(frame) {
        return svg("g", { class: "frame", tabindex: 0, role: "button", "data-frame": frame.key,
            "aria-label": `Close ${frame.text}`, onclick: () => toggleFrame(frame.key),
            onkeydown: (/** @type {KeyboardEvent} */ event) => {
                if (event.code === "Enter" || event.code === "Space") {
                    toggleFrame(frame.key);
                    event.preventDefault();
                }
            } },
        svg("rect", { x: frame.x, y: frame.y, width: frame.w, height: frame.h, rx: 8 }),
        frame.isHead ? svg("text", { x: frame.x + 8, y: frame.y + 14 }, frame.hasBegin ? "\u25be"
            : `\u25be ${cut(frame.text, frame.w - 28)}`) : null,
        svg("title", {}, `${frame.text}: click to close`));
    }

    /**
     * @param {DrawnNode} node
     * @param {Element} made
     */
    function showTip(node, made) {
        const [box, around] = [made.getBoundingClientRect(), root.getBoundingClientRect()];
        fill(tip, element("b", {}, iconOf(app, node.label), node.name),
            ...node.facts.map((fact) => element("span", {}, fact)));
        tip.hidden = false;
        tip.style.left = `${Math.max(Math.min(box.left - around.left,
            around.width - tip.offsetWidth - 8), 0)}px`;
        const isBelow = box.bottom + tip.offsetHeight + 8 < around.bottom;
        tip.style.top = `${isBelow ? box.bottom - around.top + 6
            : box.top - around.top - tip.offsetHeight - 6}px`;
    }

    /** @param {DrawnNode} node */
    function nodeElement(node) {
        const colour = app.colours[node.label]?.fill ?? "var(--state-idle)";
        const made = svg("g", {
            class: `node${node.onPath ? " on-path" : ""}${node.isEnd ? " end" : ""}`, tabindex: 0, role: "button",
            "data-key": node.key, "data-label": node.label,
            "aria-label": `${node.name}, ${node.note}${node.onPath ? ", on the critical path" : ""}`,
            transform: `translate(${node.x},${node.y})`, onclick: () => choose(node),
            onkeydown: (/** @type {KeyboardEvent} */ event) => {
                if (event.code === "Enter" || event.code === "Space") {
                    choose(node);
                    event.preventDefault();
                }
            },
        },
        svg("rect", { width: node.w, height: node.h, rx: node.isEnd ? 12 : 5, class: "box" }),
        svg("rect", { width: 6, height: node.h - 8, x: 5, y: 4, rx: 2, style: `fill: ${colour}` }),
        svg("text", { x: 17, y: node.note && !node.isEnd ? node.h / 2 - 8 : node.h / 2 + 1,
            class: "name" }, cut(node.name, node.w - 22)),
        node.isEnd ? null : svg("text", { x: 17, y: node.h / 2 + 10, class: "soft" },
            cut(node.note, node.w - 22, 5.8)));
        made.addEventListener("pointerenter", () => showTip(node, made));
        made.addEventListener("pointerleave", () => {
            tip.hidden = true;
        });
        return made;
    }

    /**
     * @param {DrawnEdge} edge
     * @param {Drawing} all
     */
    function edgeElement(edge, { nodes, frames }) {
        if (edge.from === edge.to) {
            return null;
        }
        const left = frames.filter(({ key }) => key === edge.leaves).at(-1);
        return svg("path", { d: pathBetween(left ?? nodes[edge.from], nodes[edge.to]),
            class: `edge ${edge.kind.replace(/\W+/g, "-")}${edge.onPath ? " on-path" : ""}${
                edge.isBack ? " back" : ""}`,
            "stroke-width": Math.min(1 + Math.log10(Math.max(edge.count, 1)), 4),
            "marker-end": `url(#head-${edge.onPath ? "path" : "plain"})` },
        svg("title", {}, `${edge.kind}${edge.count > 1 ? `, ${edge.count} edges` : ""}`));
    }

    /**
     * @param {string} open
     * @param {boolean} [keepsView]
     */
    async function show(open, keepsView = false) {
        const [kind, number] = parsed(open);
        drawnKey = `${open}/${radius}`;
        if (kind !== "") {
            await app.tasks.load();
        }
        isMoved = false;
        drawing = kind === "task" && app.tasks.get(number)
            ? neighbourhood(app, number, radius)
            : kind === "label" ? tasksOfLabel(app, number) : groupedDrawing(app, closedFrames());
        const { width, height } = picture.getBoundingClientRect();
        drawing = width > 0 ? inColumns(drawing, (width - 2 * MARGIN) / LEAST_SCALE,
            (height - 2 * MARGIN) / LEAST_SCALE) : drawing;
        const all = drawing;
        const { nodes, edges, frames } = all;
        fill(layer,
            ...frames.map(frameElement),
            ...edges.map((edge) => edgeElement(edge, all)),
            ...nodes.map(nodeElement));
        showBar(kind, number);
        mark();
        if (!keepsView) {
            fit();
        }
    }

    /**
     * @param {string} kind
     * @param {number} number
     */
    function showBar(kind, number) {
        const present = drawing;
        fill(bar,
            element("nav", { "aria-label": "Level" },
                element("button", { type: "button", disabled: kind === "",
                    onclick: () => store.set({ open: "" }) }, "All groups"),
                kind === "label" ? element("span", {}, `\u203a ${app.name(number)}`) : null,
                kind === "task" ? element("span", {},
                    `\u203a around ${app.tasks.get(number)?.id || "a task"}`) : null),
            kind === "task" ? element("label", {}, "Distance ",
                element("input", { type: "number", min: 1, max: 6, value: radius,
                    onchange: (/** @type {Event} */ event) => {
                        radius = Math.min(Math.max(Number(
                            /** @type {HTMLInputElement} */ (event.target).value) || 1, 1), 6);
                        show(store.get().open);
                    } })) : null,
            element("span", { class: "soft" }, present?.nodes.length ? present.note
                : "The graph has no nodes."));
    }

    function mark() {
        const { select } = store.get();
        const [kind, number] = parsed(select);
        for (const node of layer.querySelectorAll(".node")) {
            const isOn = node.getAttribute("data-key") === select || (kind === "label"
                && app.same[Number(node.getAttribute("data-label"))] === app.same[number]
                && !node.getAttribute("data-key")?.startsWith("task:"));
            node.classList.toggle("on", isOn);
        }
    }

    /**
     * @param {number} factor
     * @param {number} x
     * @param {number} y
     */
    function zoom(factor, x, y) {
        const scale = Math.min(Math.max(view.scale * factor, 0.05), 4);
        const change = scale / view.scale;
        view = { scale, x: x - (x - view.x) * change, y: y - (y - view.y) * change };
        isMoved = true;
        place();
    }

    picture.addEventListener("wheel", (event) => {
        const box = picture.getBoundingClientRect();
        if (event.ctrlKey || event.metaKey) {
            zoom(Math.exp(-event.deltaY * 0.004), event.clientX - box.left,
                event.clientY - box.top);
        } else {
            view.x -= event.shiftKey ? event.deltaY : event.deltaX;
            view.y -= event.shiftKey ? 0 : event.deltaY;
            isMoved = true;
            place();
        }
        event.preventDefault();
    }, { passive: false });
    picture.addEventListener("pointerdown", (event) => {
        const from = { x: event.clientX - view.x, y: event.clientY - view.y };
        if (event.target instanceof Element && event.target.closest(".node, .frame")) {
            return;
        }
        picture.setPointerCapture(event.pointerId);
        /** @param {PointerEvent} move */
        function pan(move) {
            view.x = move.clientX - from.x;
            view.y = move.clientY - from.y;
            isMoved = true;
            place();
        }
        picture.addEventListener("pointermove", pan);
        picture.addEventListener("pointerup",
            () => picture.removeEventListener("pointermove", pan), { once: true });
    });
    layer.addEventListener("focusin", () => {
        // undo the browser's scrolling to the focused node
        picture.scrollTop = picture.scrollLeft = 0;
    });

    new ResizeObserver(() => {
        if (!isMoved) {
            fit();
        }
    }).observe(picture);

    function update() {
        const { open } = store.get();
        if (root.closest("[hidden]") === null && `${open}/${radius}` !== drawnKey) {
            show(open);
        }
    }
    store.listen((_, changed) => {
        if (changed.has("tab") || changed.has("open")) {
            update();
        }
        if (changed.has("closed") && !changed.has("open") && root.closest("[hidden]") === null) {
            show(store.get().open, true);
        }
        if (changed.has("select")) {
            mark();
        }
    });
    return {
        root,
        update,
        fit,
        /** @param {number} factor */
        zoom(factor) {
            const box = picture.getBoundingClientRect();
            zoom(factor, box.width / 2, box.height / 2);
        },
        /**
         * @param {number} x
         * @param {number} y
         */
        pan(x, y) {
            view.x += x;
            view.y += y;
            place();
        },
    };
}
