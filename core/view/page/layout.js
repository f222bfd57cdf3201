// A small layered layout for the neighbourhood of a task: at most a few hundred nodes.

/** @typedef {{from: number, to: number, isBack?: boolean}} Link indices of nodes */

const GAP_X = 26;
const GAP_Y = 52;

/**
 * Marks the edges that close a cycle.
 * @param {number} n
 * @param {Link[]} links
 */
function markBack(n, links) {
    /** @type {Link[][]} */
    const out = Array.from({ length: n }, () => []);
    links.forEach((link) => out[link.from].push(link));
    const state = new Uint8Array(n); // 0 new, 1 open, 2 done
    for (let root = 0; root < n; root++) {
        /** @type {[number, number][]} */
        const stack = state[root] === 0 ? [[root, 0]] : [];
        while (stack.length > 0) {
            const top = stack[stack.length - 1];
            const [node, next] = top;
            state[node] = 1;
            if (next >= out[node].length) {
                state[node] = 2;
                stack.pop();
                continue;
            }
            top[1]++;
            const link = out[node][next];
            link.isBack = state[link.to] === 1;
            if (state[link.to] === 0) {
                stack.push([link.to, 0]);
            }
        }
    }
}

/**
 * The longest path to each node without the edges that close cycles.
 * @param {number} n
 * @param {Link[]} links
 */
function layersOf(n, links) {
    const layer = new Array(n).fill(0);
    const forward = links.filter((link) => !link.isBack && link.from !== link.to);
    for (let round = 0, isChanged = true; isChanged && round < n; round++) {
        isChanged = false;
        for (const { from, to } of forward) {
            if (layer[to] < layer[from] + 1) {
                layer[to] = layer[from] + 1;
                isChanged = true;
            }
        }
    }
    return layer;
}

/**
 * Orders the nodes of each layer by the mean place of their neighbours.
 * @param {number[][]} rows
 * @param {Link[]} links
 * @param {number} n
 */
function orderRows(rows, links, n) {
    const place = new Array(n).fill(0);
    /** @type {number[][]} */
    const neighbours = Array.from({ length: n }, () => []);
    links.forEach(({ from, to }) => {
        neighbours[from].push(to);
        neighbours[to].push(from);
    });
    const number = () => rows.forEach((row) => row.forEach((node, i) => {
        place[node] = (i + 0.5) / row.length;
    }));
    number();
    for (let round = 0; round < 8; round++) {
        for (const row of round % 2 ? [...rows].reverse() : rows) {
            const mean = new Map(row.map((node) => [node, neighbours[node].length
                ? neighbours[node].reduce((sum, other) => sum + place[other], 0)
                    / neighbours[node].length : place[node]]));
            row.sort((a, b) => (mean.get(a) ?? 0) - (mean.get(b) ?? 0));
            row.forEach((node, i) => {
                place[node] = (i + 0.5) / row.length;
            });
        }
        number();
    }
}

/**
 * @param {number} n
 * @param {Link[]} links isBack is set here
 * @param {number} w of a node
 * @param {number} h of a node
 * @returns {{places: {x: number, y: number}[], width: number, height: number}}
 */
export function layered(n, links, w, h) {
    markBack(n, links);
    const layer = layersOf(n, links);
    /** @type {number[][]} */
    const rows = [];
    layer.forEach((at, node) => (rows[at] ??= []).push(node));
    const filled = split(rows.filter(Boolean));
    orderRows(filled, links, n);
    const most = Math.max(...filled.map((row) => row.length), 1);
    const width = most * (w + GAP_X);
    /** @type {{x: number, y: number}[]} */
    const places = new Array(n);
    filled.forEach((row, y) => {
        const left = (width - row.length * (w + GAP_X) + GAP_X) / 2;
        row.forEach((node, x) => {
            places[node] = { x: left + x * (w + GAP_X), y: y * (h + GAP_Y) };
        });
    });
    return { places, width, height: filled.length * (h + GAP_Y) - GAP_Y };
}

const MAX_IN_ROW = 8;

/**
 * Divides wide layers into several rows.
 * @param {number[][]} rows
 */
function split(rows) {
    return rows.flatMap((row) => {
        const parts = Math.ceil(row.length / MAX_IN_ROW);
        const size = Math.ceil(row.length / parts);
        return Array.from({ length: parts }, (_, i) => row.slice(i * size, (i + 1) * size));
    });
}
