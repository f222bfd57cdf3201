// The flame graph by creation path: a bar is a label that tasks of this path execute.

import { element, fill } from "./dom.js";
import { count, percent } from "./format.js";
import { createSurface } from "./surface.js";
import { token } from "./colours.js";

/** @typedef {import("./app.js").App} App */
/** @typedef {import("./data/decode.js").Columns} Columns */
/** @typedef {{node: number, x: number, y: number, w: number}} Bar */

const ROW = 22;

/**
 * The children of each node, the heaviest first.
 * @param {Columns} tree
 */
function childrenOf(tree) {
    /** @type {number[][]} */
    const children = Array.from({ length: tree.rows }, () => []);
    for (let node = 1; node < tree.rows; node++) {
        children[tree.of.parent[node]].push(node);
    }
    children.forEach((list) => list.sort((a, b) => tree.of.total[b] - tree.of.total[a]));
    return children;
}

/** @param {App} app */
export function createFlame(app) {
    const { store } = app;
    const canvas = element("canvas", { class: "picture", tabindex: 0, role: "application",
        "aria-label": "Flame graph by creation path. Arrow keys select, Enter opens." });
    const bar = element("div", { class: "graph-bar" });
    const tip = element("div", { class: "tip", hidden: true });
    const root = element("div", { class: "graph" }, bar,
        element("div", { class: "flame" }, canvas, tip));
    const surface = createSurface(canvas);
    /** @type {Columns | null} */
    let tree = null;
    /** @type {number[][]} */
    let children = [];
    /** @type {Bar[]} */
    let bars = [];
    let focus = 0;
    let isLoading = false;

    async function load() {
        isLoading = true;
        tree = await app.data.table("flame");
        children = childrenOf(tree);
        app.redraw();
    }

    /** @param {number} node */
    function nameOf(node) {
        return node === 0 ? "program" : app.name(tree?.of.label[node] ?? -1);
    }

    /** The root of the nodes that are drawn. */
    function top() {
        const node = Number(store.get().flame) || 0;
        return tree && node < tree.rows ? node : 0;
    }

    /** @param {number} node */
    function pathTo(node) {
        const path = [node];
        while (tree && node !== 0) {
            node = tree.of.parent[node];
            path.unshift(node);
        }
        return path;
    }

    /**
     * @param {number} node
     * @param {number} x
     * @param {number} y
     * @param {number} w
     */
    function place(node, x, y, w) {
        if (!tree || bars.length > 5000) {
            return;
        }
        bars.push({ node, x, y, w });
        const total = Math.max(tree.of.total[node], 1);
        let at = x;
        for (const child of children[node]) {
            const part = tree.of.total[child] / total * w;
            if (part < 0.75) {
                break;
            }
            place(child, at, y + ROW, part);
            at += part;
        }
    }

    function draw() {
        if (root.closest("[hidden]") || !root.isConnected) {
            return;
        }
        if (!tree) {
            if (!isLoading) {
                load();
            }
            return;
        }
        const { width, height } = surface.resize();
        const { context } = surface;
        const only = /^label:/.test(store.get().select) ? Number(store.get().select.slice(6)) : -1;
        bars = [];
        if (tree.rows > 0) {
            place(top(), 8, 8, Math.max(width - 16, 10));
        }
        context.fillStyle = token("bg");
        context.fillRect(0, 0, width, height);
        context.font = `12px ${getComputedStyle(document.body).fontFamily}`;
        context.textBaseline = "middle";
        const [ink, idle, soft] = [token("ink"), token("state-idle"), token("ink")];
        for (const one of bars) {
            const label = tree.of.label[one.node];
            const colour = one.node === 0 ? undefined : app.colours[label];
            context.globalAlpha = only >= 0 && app.same[only] !== app.same[label] ? 0.3 : 1;
            context.fillStyle = colour?.fill ?? idle;
            context.fillRect(one.x, one.y, Math.max(one.w - 0.75, 0.5), ROW - 1.5);
            context.fillStyle = colour?.ink ?? soft;
            surface.text(nameOf(one.node), one.x + 5, one.y + ROW / 2, one.w - 8);
            context.globalAlpha = 1;
            if (one.node === focus && document.activeElement === canvas) {
                context.strokeStyle = ink;
                context.lineWidth = 2;
                context.strokeRect(one.x + 1, one.y + 1, Math.max(one.w - 2.5, 1), ROW - 3.5);
            }
        }
        showBar();
    }

    function showBar() {
        const path = pathTo(top());
        fill(bar, element("nav", { "aria-label": "Path" }, ...path.map((node, i) => element(
            "button", { type: "button", disabled: i === path.length - 1,
                onclick: () => store.set({ flame: node ? String(node) : "" }) }, nameOf(node)))),
        element("span", { class: "soft" }, tree && tree.rows > 1
            ? "The width is the busy time of all threads; each row was created by the row above."
            : "There are no tasks."));
    }

    /** @param {number} node */
    function textOf(node) {
        if (!tree) {
            return [];
        }
        const { total, self, count: n } = tree.of;
        return [element("b", {}, nameOf(node)),
            element("span", {}, `${app.time(total[node])}, ${
                percent(total[node] / Math.max(total[0], 1) * 100)} of all`),
            element("span", {}, `itself ${app.time(self[node])}`),
            element("i", {}, `${count(n[node])} tasks`)];
    }

    /** @param {MouseEvent} event */
    function barAt(event) {
        const box = canvas.getBoundingClientRect();
        const [x, y] = [event.clientX - box.left, event.clientY - box.top];
        return bars.find((one) => x >= one.x && x < one.x + one.w && y >= one.y
            && y < one.y + ROW) ?? null;
    }

    /** @param {number} node */
    function open(node) {
        focus = node;
        const label = tree?.of.label[node] ?? -1;
        store.set({ flame: node ? String(node) : "",
            select: node && label < app.names.length ? `label:${label}` : "", range: "" });
        app.redraw();
    }

    canvas.addEventListener("click", (event) => {
        const found = barAt(event);
        if (found) {
            open(found.node);
        }
    });
    canvas.addEventListener("mousemove", (event) => {
        const found = barAt(event);
        tip.hidden = !found;
        canvas.style.cursor = found ? "pointer" : "default";
        if (found) {
            fill(tip, ...textOf(found.node));
            const box = canvas.getBoundingClientRect();
            tip.style.left = `${Math.max(Math.min(event.clientX - box.left + 14,
                box.width - tip.offsetWidth - 8), 0)}px`;
            tip.style.top = `${event.clientY - box.top + 18}px`;
        }
    });
    canvas.addEventListener("mouseleave", () => {
        tip.hidden = true;
    });
    canvas.addEventListener("keydown", (event) => {
        if (!tree || tree.rows === 0) {
            return;
        }
        const siblings = children[tree.of.parent[focus]] ?? [];
        const at = siblings.indexOf(focus);
        const next = { ArrowDown: children[focus][0], ArrowUp: tree.of.parent[focus],
            ArrowLeft: siblings[at - 1], ArrowRight: siblings[at + 1] }[event.code];
        if (next !== undefined) {
            focus = next;
            app.redraw();
        } else if (event.code === "Enter") {
            open(focus);
        } else {
            return;
        }
        event.preventDefault();
    });
    canvas.addEventListener("focus", app.redraw);
    canvas.addEventListener("blur", app.redraw);
    app.onRedraw(draw);
    new ResizeObserver(app.redraw).observe(root);
    return { root, update: app.redraw, bars: () => bars };
}
