// Flame graphs: a tree whose bars are as wide as their totals. The flame graph by creation path: a
// bar is a label that tasks of this path execute.

import { element, fill } from "./dom.js";
import { count, percent } from "./format.js";
import { createSurface } from "./surface.js";
import { token } from "./colours.js";

/** @typedef {import("./app.js").App} App */
/** @typedef {import("./dom.js").Child} Child */
/** @typedef {{node: number, x: number, y: number, w: number}} Bar */
/**
 * @typedef {object} Tree
 * @property {number} rows
 * @property {ArrayLike<number>} parent  of each node; node 0 is the root
 * @property {ArrayLike<number>} total
 * @property {(node: number) => string} name
 * @property {(node: number) => {fill: string, ink: string} | undefined} colour
 * @property {(node: number) => boolean} isDim
 * @property {(node: number) => Child[]} text  of the tip
 * @property {(node: number) => void} open     is called in addition to making it the root
 */
/**
 * @typedef {object} Source
 * @property {"flame" | "call"} key     of the state: the root of the drawn nodes
 * @property {string} name              for screen readers
 * @property {() => Promise<Tree | null>} load
 * @property {(tree: Tree) => Child[]} bar  beside the path
 */

const ROW = 22;

/**
 * The children of each node, the heaviest first.
 * @param {Tree} tree
 */
function childrenOf({ rows, parent, total }) {
    /** @type {number[][]} */
    const children = Array.from({ length: rows }, () => []);
    for (let node = 1; node < rows; node++) {
        children[parent[node]].push(node);
    }
    children.forEach((list) => list.sort((a, b) => total[b] - total[a]));
    return children;
}

/** @param {App} app */
export function createFlame(app) {
    const { store } = app;

    async function load() {
        const { rows, of } = await app.data.table("flame");
        const { parent, label, total, self, count: n } = of;
        /** @param {number} node */
        const name = (node) => (node === 0 ? "program" : app.name(label[node]));
        /** @type {Tree} */
        const tree = {
            rows, parent, total, name,
            colour: (node) => (node === 0 ? undefined : app.colours[label[node]]),
            isDim(node) {
                const { select } = store.get();
                const only = /^label:/.test(select) ? Number(select.slice(6)) : -1;
                return only >= 0 && app.same[only] !== app.same[label[node]];
            },
            text: (node) => [element("b", {}, name(node)),
                element("span", {}, `${app.time(total[node])}, ${
                    percent(total[node] / Math.max(total[0], 1) * 100)} of all`),
                element("span", {}, `itself ${app.time(self[node])}`),
                element("i", {}, `${count(n[node])} tasks`)],
            open: (node) => store.set({ range: "",
                select: node && label[node] < app.names.length ? `label:${label[node]}` : "" }),
        };
        return tree;
    }
    return createPicture(app, {
        key: "flame",
        name: "Flame graph by creation path. Arrow keys select, Enter opens.",
        load,
        bar: (tree) => [element("span", { class: "soft" }, tree.rows > 1
            ? "The width is the busy time of all threads; each row was created by the row above."
            : "There are no tasks.")],
    });
}

/**
 * @param {App} app
 * @param {Source} source
 */
export function createPicture(app, source) {
    const { store } = app;
    const canvas = element("canvas", { class: "picture", tabindex: 0, role: "application",
        "aria-label": source.name });
    const bar = element("div", { class: "graph-bar" });
    const tip = element("div", { class: "tip", hidden: true });
    const root = element("div", { class: "graph" }, bar,
        element("div", { class: "flame" }, canvas, tip));
    const surface = createSurface(canvas);
    /** @type {Tree | null} */
    let tree = null;
    /** @type {number[][]} */
    let children = [];
    /** @type {Bar[]} */
    let bars = [];
    let focus = 0;
    // the tree that is wanted, and the last that was read or is being read
    let wanted = 1;
    let begun = 0;
    /** @type {{tree: Tree | null, path: string}} what the bar shows */
    let shown = { tree: null, path: "" };

    /** Reads the tree; the present one is shown until then. */
    async function load() {
        const mine = wanted;
        begun = mine;
        try {
            const loaded = await source.load();
            if (loaded && mine === wanted) {
                tree = loaded;
                children = childrenOf(tree);
                focus = Math.min(focus, tree.rows - 1);
                app.redraw();
            }
        } catch (error) {
            begun = mine === wanted ? 0 : begun; // the next redraw reads it again
            throw error;
        }
    }

    /** The root of the nodes that are drawn. */
    function top() {
        const node = Number(store.get()[source.key]) || 0;
        return tree && node < tree.rows ? node : 0;
    }

    /** @param {number} node */
    function pathTo(node) {
        const path = [node];
        while (tree && node !== 0) {
            node = tree.parent[node];
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
        const total = Math.max(tree.total[node], 1);
        let at = x;
        for (const child of children[node]) {
            const part = tree.total[child] / total * w;
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
        if (begun !== wanted) {
            load();
        }
        if (!tree) {
            return;
        }
        const { width, height } = surface.resize();
        const { context } = surface;
        bars = [];
        if (tree.rows > 0) {
            place(top(), 8, 8, Math.max(width - 16, 10));
        }
        context.fillStyle = token("bg");
        context.fillRect(0, 0, width, height);
        context.font = `12px ${getComputedStyle(document.body).fontFamily}`;
        context.textBaseline = "middle";
        const [ink, idle] = [token("ink"), token("state-idle")];
        for (const one of bars) {
            const colour = tree.colour(one.node);
            context.globalAlpha = tree.isDim(one.node) ? 0.3 : 1;
            context.fillStyle = colour?.fill ?? idle;
            context.fillRect(one.x, one.y, Math.max(one.w - 0.75, 0.5), ROW - 1.5);
            context.fillStyle = colour?.ink ?? ink;
            surface.text(tree.name(one.node), one.x + 5, one.y + ROW / 2, one.w - 8);
            context.globalAlpha = 1;
            if (one.node === focus && document.activeElement === canvas) {
                context.strokeStyle = ink;
                context.lineWidth = 2;
                context.strokeRect(one.x + 1, one.y + 1, Math.max(one.w - 2.5, 1), ROW - 3.5);
            }
        }
        showBar(tree);
    }

    /** @param {Tree} present */
    function showBar(present) {
        const path = pathTo(top());
        if (shown.tree === present && shown.path === path.join()) {
            return;
        }
        shown = { tree: present, path: path.join() };
        const focused = bar.contains(document.activeElement)
            ? document.activeElement?.getAttribute("aria-label") : null;
        fill(bar, element("nav", { "aria-label": "Path" }, ...path.map((node, i) => element(
            "button", { type: "button", disabled: i === path.length - 1,
                onclick: () => store.set({ [source.key]: node ? String(node) : "" }) },
            present.name(node)))), ...source.bar(present));
        if (focused) {
            bar.querySelector("select")?.focus();
        }
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
        store.set({ [source.key]: node ? String(node) : "" });
        tree?.open(node);
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
        if (found && tree) {
            fill(tip, ...tree.text(found.node));
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
        const siblings = children[tree.parent[focus]] ?? [];
        const at = siblings.indexOf(focus);
        const next = { ArrowDown: children[focus][0], ArrowUp: tree.parent[focus],
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
    return { root, update: app.redraw, bars: () => bars,
        /** Reads the tree again. */
        reload() {
            wanted++;
            focus = 0;
            app.redraw();
        } };
}
