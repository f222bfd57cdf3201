// The tracks of the timeline from top to bottom: profile, memory, sections, lanes. A folded lane
// shows its row 0 alone; an unfolded one shows constructs above it, from outside to inside.

/** @typedef {import("./index_types.js").Index} Index */
/** @typedef {import("./index_types.js").Lane} Lane */
/**
 * @typedef {object} Track
 * @property {"profile" | "memory" | "lane"} kind
 * @property {number} item      lane or memory space
 * @property {string} name
 * @property {number} y         from the top of all tracks
 * @property {number} h
 * @property {boolean} isFolded
 * @property {boolean} canFold
 * @property {{row: number, y: number, h: number}[]} rows of a lane; y from the track's top
 */

const CONSTRUCT_HEIGHT = 15;
const GAP = 5;
/** Heights of row 0 for at most so many lanes. */
const MAIN_HEIGHTS = [[2, 44], [4, 34], [8, 28], [16, 22], [64, 16]];

/**
 * Lane indices as text: "0-3,7".
 * @param {Set<number>} lanes
 */
export function rangesOf(lanes) {
    const sorted = [...lanes].sort((a, b) => a - b);
    const parts = [];
    for (let i = 0; i < sorted.length;) {
        let j = i;
        while (sorted[j + 1] === sorted[j] + 1) {
            j++;
        }
        parts.push(i === j ? `${sorted[i]}` : `${sorted[i]}-${sorted[j]}`);
        i = j + 1;
    }
    return parts.join(",");
}

/**
 * @param {string} text
 * @param {number} n lanes
 * @returns {Set<number>}
 */
export function lanesOf(text, n) {
    const lanes = new Set();
    for (const part of text.split(",").filter(Boolean)) {
        const ends = part.split("-").map(Number);
        for (let lane = ends[0]; lane <= Math.min(ends[ends.length - 1], n - 1); lane++) {
            lanes.add(lane);
        }
    }
    return lanes;
}

/**
 * Rows of constructs that are shown if the person has not chosen a number.
 * @param {Index} index
 */
export function usualNesting(index) {
    const n = index.lanes.length;
    return n <= 8 ? 3 : n <= 24 ? 1 : 0;
}

/**
 * The profile alone, at full height.
 * @param {number} room pixels
 * @returns {{tracks: Track[], height: number}}
 */
export function layoutProfile(room) {
    return { tracks: [{ kind: "profile", item: 0, name: "Threads", y: 2, h: Math.max(room - 12, 40),
        isFolded: false, canFold: false, rows: [] }], height: 0 };
}

/**
 * @param {Index} index
 * @param {string} fold     lanes whose fold differs from the usual
 * @param {number} nesting  rows of constructs; -1: the usual number
 * @returns {{tracks: Track[], height: number}}
 */
export function layoutTracks(index, fold, nesting) {
    /** @type {Track[]} */
    const tracks = [];
    const folded = lanesOf(fold, index.lanes.length);
    const most = nesting < 0 ? usualNesting(index) : nesting;
    const main = MAIN_HEIGHTS.find(([n]) => index.lanes.length <= n)?.[1] ?? 11;
    let y = 2;
    /** @param {Omit<Track, "y">} track */
    function add(track) {
        tracks.push({ ...track, y });
        y += track.h + GAP;
    }
    add({ kind: "profile", item: 0, name: "Threads", h: 64, isFolded: false, canFold: false,
        rows: [] });
    index.memory.spaces.forEach((space, item) => add({
        kind: "memory", item, name: space.name, h: 40, isFolded: false, canFold: false, rows: [],
    }));
    /** @type {[number, Lane][]} */
    const lanes = [...index.lanes.entries()];
    for (const [item, lane] of lanes.filter((entry) => entry[1].kind === "sections")) {
        const canFold = lane.rows > 2;
        const isFolded = canFold && folded.has(item);
        const rows = Array.from({ length: isFolded ? 1 : lane.rows - 1 }, (_, i) => (
            { row: i + 1, y: i * CONSTRUCT_HEIGHT, h: CONSTRUCT_HEIGHT - 1 }));
        add({ kind: "lane", item, name: lane.name, h: rows.length * CONSTRUCT_HEIGHT, isFolded,
            canFold, rows });
    }
    for (const [item, lane] of lanes.filter((entry) => entry[1].kind !== "sections")) {
        const canFold = lane.rows > 1 && most > 0;
        const isFolded = canFold && folded.has(item);
        const above = isFolded ? 0 : Math.min(lane.rows - 1, most);
        const rows = Array.from({ length: above }, (_, i) => (
            { row: i + 1, y: i * CONSTRUCT_HEIGHT, h: CONSTRUCT_HEIGHT - 1 }));
        rows.push({ row: 0, y: above * CONSTRUCT_HEIGHT, h: main });
        add({ kind: "lane", item, name: lane.name, h: above * CONSTRUCT_HEIGHT + main, isFolded,
            canFold, rows });
    }
    return { tracks, height: y + 8 };
}
