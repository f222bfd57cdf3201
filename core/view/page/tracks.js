// The tracks of the timeline from top to bottom: profile, memory, sections, lanes. A folded lane
// shows its row 0 alone; an unfolded one shows constructs above it, from outside to inside. In a
// job each rank has a heading with its profile; a folded rank has nothing else.

/** @typedef {import("./index_types.js").Index} Index */
/** @typedef {import("./index_types.js").Lane} Lane */
/** @typedef {import("./store.js").State} State */
/**
 * @typedef {object} Track
 * @property {"profile" | "memory" | "rank" | "lane"} kind
 * @property {number} item      lane or memory space; of a profile the rank, -1: all
 * @property {number} rank      index
 * @property {string} name
 * @property {number} y         from the top of all tracks
 * @property {number} h
 * @property {boolean} isFolded
 * @property {boolean} canFold
 * @property {{row: number, y: number, h: number}[]} rows of a lane; y from the track's top
 */

const CONSTRUCT_HEIGHT = 15;
const GAP = 5;
const RANK_HEIGHT = 24;
const MOST_UNFOLDED = 24; // lanes; with more, the chosen rank alone is unfolded
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
 * The profiles of all ranks and of the chosen one, at full height.
 * @param {Index} index
 * @param {number} chosen index of a rank
 * @param {number} room pixels
 * @returns {{tracks: Track[], height: number}}
 */
export function layoutProfile(index, chosen, room) {
    const items = index.ranks.length > 1 ? [-1, chosen] : [-1];
    const h = Math.max((room - 12) / items.length - GAP, 40);
    return { tracks: items.map((item, i) => ({ kind: "profile", item, rank: item,
        name: nameOfProfile(index, item), y: 2 + i * (h + GAP), h, isFolded: false,
        canFold: false, rows: [] })), height: 0 };
}

/**
 * @param {Index} index
 * @param {number} rank index; -1: all
 */
function nameOfProfile(index, rank) {
    return !index.job ? "Threads" : rank < 0 ? "All ranks" : `Rank ${index.ranks[rank].rank}`;
}

/**
 * Whether a rank shows its heading alone.
 * @param {Index} index
 * @param {Pick<State, "ranks" | "rank">} state
 * @param {number} rank index
 */
export function isRankFolded(index, state, rank) {
    const isUsual = index.lanes.length > MOST_UNFOLDED && index.ranks[rank].rank !== state.rank;
    return isUsual !== lanesOf(state.ranks, index.ranks.length).has(rank);
}

/**
 * Folds or unfolds a rank.
 * @param {Index} index
 * @param {Pick<State, "ranks">} state
 * @param {number} rank index
 */
export function toggledRank(index, state, rank) {
    const ranks = lanesOf(state.ranks, index.ranks.length);
    if (!ranks.delete(rank)) {
        ranks.add(rank);
    }
    return rangesOf(ranks);
}

/**
 * @param {Index} index
 * @param {Pick<State, "fold" | "nest" | "ranks" | "rank">} state
 * @param {number[]} order of the ranks
 * @returns {{tracks: Track[], height: number}}
 */
export function layoutTracks(index, state, order) {
    /** @type {Track[]} */
    const tracks = [];
    let y = 2;
    /** @param {Omit<Track, "y">} track */
    function add(track) {
        tracks.push({ ...track, y });
        y += track.h + GAP;
    }
    add({ kind: "profile", item: -1, rank: -1, name: nameOfProfile(index, -1), h: 64,
        isFolded: false, canFold: false, rows: [] });
    for (const rank of order) {
        const isFolded = index.job !== null && isRankFolded(index, state, rank);
        if (index.job) {
            add({ kind: "rank", item: rank, rank, name: nameOfProfile(index, rank),
                h: RANK_HEIGHT, isFolded, canFold: true, rows: [] });
        }
        if (!isFolded) {
            tracksOfRank(index, state, rank).forEach(add);
        }
    }
    return { tracks, height: y + 8 };
}

/**
 * @param {Index} index
 * @param {Pick<State, "fold" | "nest">} state
 * @param {number} rank index
 * @returns {Omit<Track, "y">[]}
 */
function tracksOfRank(index, { fold, nest }, rank) {
    const folded = lanesOf(fold, index.lanes.length);
    const most = nest < 0 ? usualNesting(index) : nest;
    const main = MAIN_HEIGHTS.find(([n]) => index.lanes.length <= n)?.[1] ?? 11;
    /** @type {Omit<Track, "y">[]} */
    const tracks = index.ranks[rank].index.memory.spaces.map((space, item) => ({
        kind: "memory", item, rank, name: space.name, h: 40, isFolded: false, canFold: false,
        rows: [] }));
    /** @type {[number, Lane][]} */
    const lanes = [...index.lanes.entries()].filter(([, lane]) => (lane.rank ?? 0) === rank);
    for (const [item, lane] of lanes.filter((entry) => entry[1].kind === "sections")) {
        const canFold = lane.rows > 2;
        const isFolded = canFold && folded.has(item);
        const rows = Array.from({ length: isFolded ? 1 : lane.rows - 1 }, (_, i) => (
            { row: i + 1, y: i * CONSTRUCT_HEIGHT, h: CONSTRUCT_HEIGHT - 1 }));
        tracks.push({ kind: "lane", item, rank, name: lane.name,
            h: rows.length * CONSTRUCT_HEIGHT, isFolded, canFold, rows });
    }
    for (const [item, lane] of lanes.filter((entry) => entry[1].kind !== "sections")) {
        const canFold = lane.rows > 1 && most > 0;
        const isFolded = canFold && folded.has(item);
        const above = isFolded ? 0 : Math.min(lane.rows - 1, most);
        const rows = Array.from({ length: above }, (_, i) => (
            { row: i + 1, y: i * CONSTRUCT_HEIGHT, h: CONSTRUCT_HEIGHT - 1 }));
        rows.push({ row: 0, y: above * CONSTRUCT_HEIGHT, h: main });
        tracks.push({ kind: "lane", item, rank, name: lane.name,
            h: above * CONSTRUCT_HEIGHT + main, isFolded, canFold, rows });
    }
    return tracks;
}
