// The nodes and edges that the graph draws: groups, the tasks of one label, or the tasks around one
// task. There are never more than a few hundred.

import { count } from "./format.js";
import { layered } from "./layout.js";

/** @typedef {import("./app.js").App} App */
/**
 * @typedef {object} DrawnNode
 * @property {string} key       "group:3", "task:17", "rest"
 * @property {string} name
 * @property {string} note
 * @property {string[]} facts  of the tool tip
 * @property {boolean} isEnd   the end of a construct, not drawn with its start
 * @property {number} label
 * @property {boolean} onPath
 * @property {boolean} isTask
 * @property {number} x
 * @property {number} y
 * @property {number} w
 * @property {number} h
 */
/** @typedef {{from: number, to: number, kind: string, count: number, isBack: boolean,
 *             onPath: boolean, leaves: number}} DrawnEdge  leaves: a frame, at its end; -1: none */
/** @typedef {{key: number, x: number, y: number, w: number, h: number, text: string,
 *             hasBegin: boolean, isHead: boolean}} DrawnFrame  hasBegin: a node has the text;
 *             isHead: the first part of a frame in several columns */
/** @typedef {{nodes: DrawnNode[], edges: DrawnEdge[], frames: DrawnFrame[], width: number,
 *             height: number, note: string}} Drawing */

const NODE_WIDTH = 170;
const NODE_HEIGHT = 44;
const MAX_TASKS = 60;
const COLUMN_GAP = 70;
const FRAME_MARGIN = 10; // pixels above and below a frame's part of a column
const FRAME_GAP = 14; // pixels beside a frame's content, as in lane/drawing.c

/**
 * The tops of `n` columns of about equal height, each between two layers: no node is cut and, if
 * possible, no frame and no edge. Null if a column has no such top.
 * @param {Drawing} drawing
 * @param {number} n
 * @returns {number[] | null}
 */
function columnTops({ nodes, edges, frames, height }, n) {
    const cuts = [...new Set([...nodes, ...frames].map((box) => box.y))].sort((a, b) => a - b)
        .filter((y) => nodes.every((box) => box.y >= y || box.y + box.h < y));
    const each = height / n;
    const tops = [cuts[0]];
    for (let k = 1; k < n; k++) {
        const near = cuts.filter((y) => Math.abs(y - each * k) < each * 0.45 && y > tops[k - 1]);
        const costs = near.map((y) => Math.abs(y - each * k) / each
            + edges.filter(({ from, to }) => (nodes[from].y < y) !== (nodes[to].y < y)).length
            + 2 * frames.filter((frame) => frame.y < y && frame.y + frame.h > y).length);
        if (near.length === 0) {
            return null;
        }
        tops.push(near[costs.indexOf(Math.min(...costs))]);
    }
    return tops;
}

/** @typedef {{x: number, y: number, w: number, h: number}} Box */

/**
 * @param {Box} inner
 * @param {Box} outer
 */
function isInside(inner, outer) {
    return inner.x >= outer.x && inner.x + inner.w <= outer.x + outer.w && inner.y >= outer.y
        && inner.y + inner.h <= outer.y + outer.h;
}

/**
 * The drawing in columns side by side.
 * @param {Drawing} drawing
 * @param {number[]} tops of the columns
 * @returns {Drawing}
 */
function divided(drawing, tops) {
    /** @param {number} y */
    const columnOf = (y) => Math.max(tops.filter((top) => top <= y).length - 1, 0);
    const nodes = drawing.nodes.map((node) => ({ column: columnOf(node.y), box: { ...node } }));
    const frames = drawing.frames.flatMap((frame) => tops.flatMap((top, column) => {
        const y = Math.max(frame.y, column > 0 ? top - FRAME_MARGIN : frame.y);
        const end = Math.min(frame.y + frame.h, (tops[column + 1] ?? Infinity) - 2 * FRAME_MARGIN);
        return end > y ? [{ column, box: { ...frame, y, h: end - y, isHead: y === frame.y } }] : [];
    }));
    // Each part of a frame is as wide as its content; inner frames come after outer ones.
    [...frames].reverse().forEach(({ column, box }, i) => {
        const inside = [...nodes, ...frames.slice(frames.length - i)].filter((other) =>
            other.column === column && isInside(other.box, box)).map((other) => other.box);
        if (inside.length > 0) {
            const ends = inside.map(({ x, w }) => x + w);
            box.x = Math.min(...inside.map(({ x }) => x)) - FRAME_GAP;
            box.w = Math.max(...ends) + FRAME_GAP - box.x;
        }
    });
    let right = -COLUMN_GAP;
    tops.forEach((top, at) => {
        const boxes = [...nodes, ...frames].filter(({ column }) => column === at)
            .map(({ box }) => box);
        const left = Math.min(...boxes.map((box) => box.x));
        const shift = right + COLUMN_GAP - left;
        for (const box of boxes) {
            box.x += shift;
            box.y += tops[0] - top;
            right = Math.max(right, box.x + box.w);
        }
    });
    return { ...drawing, nodes: nodes.map(({ box }) => box), frames: frames.map(({ box }) => box),
        width: right, height: Math.max(...nodes.map(({ box }) => box.y + box.h)) };
}

/**
 * A long chain is drawn in columns side by side, to use the width.
 * @param {Drawing} drawing
 * @param {number} width of the picture
 * @param {number} height
 * @returns {Drawing}
 */
export function inColumns(drawing, width, height) {
    const narrowest = Math.min(...drawing.nodes.map(({ w }) => w));
    const most = Math.floor((width + COLUMN_GAP) / (narrowest + COLUMN_GAP));
    for (let n = Math.min(Math.ceil(drawing.height / height), most); n > 1; n--) {
        const tops = columnTops(drawing, n);
        const result = tops && divided(drawing, tops);
        if (result && result.width <= width) {
            return result;
        }
    }
    return drawing;
}

/**
 * The outermost closed frame around a frame; -1 if there is none.
 * @param {App} app
 * @param {number} frame
 * @param {Set<number>} closed
 */
function closedAround(app, frame, closed) {
    let found = -1;
    for (let at = frame; at >= 0; at = app.index.graph.frames[at].parent) {
        found = closed.has(at) ? at : found;
    }
    return found;
}

/**
 * The groups as nodes; a closed frame is one node.
 * @param {App} app
 * @param {Set<number>} closed
 * @returns {Drawing}
 */
export function groupedDrawing(app, closed) {
    const all = groupDrawing(app);
    const { nodes: groups, frames } = app.index.graph;
    /** @type {DrawnNode[]} */
    const nodes = [];
    const places = new Map(); // key → index in nodes
    const placeOf = groups.map((group, i) => {
        const at = closedAround(app, group.frame, closed);
        const key = at < 0 ? `group:${i}` : `frame:${at}`;
        if (!places.has(key)) {
            places.set(key, nodes.length);
            nodes.push(at < 0 ? all.nodes[i] : closedNode(app, at));
        }
        nodes[places.get(key)].onPath ||= all.nodes[i].onPath;
        return places.get(key);
    });
    const edges = all.edges.map((edge) => ({ ...edge, from: placeOf[edge.from],
        to: placeOf[edge.to], leaves: closedAround(app, edge.leaves, closed) < 0 ? edge.leaves : -1,
    })).filter((edge) => edge.from !== edge.to);
    return { ...all, nodes, edges,
        frames: all.frames.filter((frame) => closedAround(app, frame.key, closed) < 0
            && frames[frame.key]) };
}

/**
 * @param {App} app
 * @param {number} at a frame
 * @returns {DrawnNode}
 */
function closedNode(app, at) {
    const { frames, nodes } = app.index.graph;
    const frame = frames[at];
    const n = nodes.filter((node) => closedAround(app, node.frame, new Set([at])) === at).length;
    const w = Math.min(Math.max(frame.w, 150), 260);
    return { key: `frame:${at}`, name: app.plain(frame.text), note: `closed, ${count(n)} groups`,
        facts: [`${count(n)} groups`, "click: open it"], isEnd: false,
        label: frame.label, onPath: false, isTask: false, x: frame.x + (frame.w - w) / 2,
        y: frame.y + (frame.h - NODE_HEIGHT) / 2, w, h: NODE_HEIGHT };
}

/**
 * The frame at whose end an edge begins, because the start of a construct stands for its end; -1:
 * none.
 * @param {App} app
 * @param {import("./data/index_types.js").GroupEdge} edge
 */
function frameLeft(app, { from, to }) {
    const { frames, nodes } = app.index.graph;
    const found = frames.findIndex(({ begin }) => begin === from);
    for (let at = nodes[to].frame; at >= 0; at = frames[at].parent) {
        if (at === found) {
            return -1;
        }
    }
    return found;
}

/**
 * @param {App} app
 * @param {import("./data/index_types.js").Group} node
 */
function factsOf(app, node) {
    const { shared } = node;
    return [`${count(node.count)} ${node.count === 1 ? "time" : "times"}`,
        node.executed > 0 ? `executed ${app.time(node.executed)}${shared > 1
            ? `, at all ${count(shared)} places of this label` : ""}` : "",
        node.total > 0 ? `begin to end, with waits: ${app.time(node.total)}${node.count > 1
            ? `, the longest ${app.time(node.longest)}` : ""}` : "",
        node.path > 0 ? `${app.time(node.path)} on the heaviest path` : ""].filter(Boolean);
}

/**
 * @param {App} app
 * @returns {Drawing}
 */
function groupDrawing(app) {
    const { nodes, edges, frames, width, height, left_out: leftOut }
        = app.index.graph;
    return {
        nodes: nodes.map((node, i) => ({
            key: `group:${i}`, name: app.plain(node.text || app.name(node.label)),
            note: [node.count > 1 ? `${count(node.count)} times` : "",
                node.executed > 0 ? `executed ${app.time(node.executed)}` : "",
                node.kind === "sync" && node.total > 0 ? `waits ${app.time(node.total)}` : ""]
                .filter(Boolean).join(", "),
            facts: factsOf(app, node), isEnd: node.kind === "end",
            label: node.label, onPath: node.path > 0, isTask: false,
            x: node.x, y: node.y, w: node.w, h: node.h,
        })),
        edges: edges.map((edge) => ({
            from: edge.from, to: edge.to, kind: app.index.edge_kinds[edge.kind] ?? "",
            count: edge.count, isBack: edge.is_back, onPath: edge.path,
            leaves: frameLeft(app, edge),
        })),
        frames: frames.map((frame, key) => ({ key, x: frame.x, y: frame.y, w: frame.w, h: frame.h,
            text: app.plain(frame.text), hasBegin: frame.begin >= 0, isHead: true })),
        width, height,
        note: `Each node stands for all executions of a construct at one place.${leftOut > 0
            ? ` The ${leftOut} groups with the least time are left out.` : ""}`,
    };
}

/**
 * Tasks with their places, and the edges between them.
 * @param {App} app
 * @param {number[]} members tasks
 * @param {string} note
 * @returns {Drawing}
 */
function drawingOf(app, members, note) {
    const at = new Map(members.map((task, i) => [task, i]));
    /** @type {Map<string, DrawnEdge>} */
    const edges = new Map();
    /**
     * @param {number} source
     * @param {number} target
     * @param {string} kind
     */
    function add(source, target, kind) {
        const [from, to] = [at.get(source), at.get(target)];
        if (from === undefined || to === undefined || from === to) {
            return;
        }
        const known = edges.get(`${from}/${to}/${kind}`);
        if (known) {
            known.count++;
        } else {
            edges.set(`${from}/${to}/${kind}`,
                { from, to, kind, count: 1, isBack: false, onPath: false, leaves: -1 });
        }
    }
    for (const task of members) {
        add(app.tasks.get(task)?.creator ?? 0, task, "creation");
        for (const edge of app.tasks.into(task, 200)) {
            add(edge.from, edge.to, edge.kind);
        }
    }
    const drawn = [...edges.values()];
    const { places, width, height } = layered(members.length, drawn, NODE_WIDTH, NODE_HEIGHT);
    return {
        nodes: members.map((task, i) => {
            const found = app.tasks.get(task);
            return {
                key: `task:${task}`,
                name: found ? [found.id, app.place(found.label)].filter(Boolean).join("  ")
                    : "left out",
                note: found ? `executed ${app.time(found.work)}` : "left out",
                facts: found ? [`executed ${app.time(found.work)}`,
                    `begin ${app.time(found.begin)}`,
                    `begin to end, with waits: ${app.time(found.end - found.begin)}`] : [],
                isEnd: false,
                label: found?.label ?? -1, onPath: found?.flags.some((f) => /path/.test(f))
                    ?? false,
                isTask: true, ...places[i], w: NODE_WIDTH, h: NODE_HEIGHT,
            };
        }),
        edges: drawn, frames: [], width, height, note,
    };
}

/**
 * The tasks within `radius` edges of a task.
 * @param {App} app
 * @param {number} task
 * @param {number} radius
 */
export function neighbourhood(app, task, radius) {
    const seen = new Set([task]);
    let border = [task];
    let isCut = false;
    for (let step = 0; step < radius; step++) {
        const next = [];
        for (const one of border) {
            const found = app.tasks.get(one);
            const others = [found?.creator ?? 0, ...app.tasks.into(one, 40).map((e) => e.from),
                ...app.tasks.outOf(one, 40).map((e) => e.to), ...app.tasks.children(one, 40)];
            for (const other of others) {
                if (!seen.has(other) && app.tasks.get(other)) {
                    if (seen.size >= MAX_TASKS) {
                        isCut = true;
                        continue;
                    }
                    seen.add(other);
                    next.push(other);
                }
            }
        }
        border = next;
    }
    const note = `${seen.size} tasks within ${radius} ${radius === 1 ? "edge" : "edges"}${
        isCut ? `, cut at ${MAX_TASKS}` : ""}.`;
    return drawingOf(app, [...seen], note);
}

/**
 * The longest tasks of a label.
 * @param {App} app
 * @param {number} label
 */
export function tasksOfLabel(app, label) {
    const rows = app.tasks.ofLabel(label, MAX_TASKS / 2);
    const title = `The ${rows.length} longest tasks of ${app.name(label)}.`;
    return drawingOf(app, rows.map((row) => app.tasks.taskAt(row).task),
        `${title} Select one to see its neighbours.`);
}
