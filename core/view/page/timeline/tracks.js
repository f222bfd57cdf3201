// The tracks of the timeline from top to bottom: profile, ready tasks, memory, sections, lanes. A
// folded lane shows only its row 0; an unfolded one shows constructs above it, from outside to
// inside. In a job each rank has a heading with its profile; a folded rank has nothing else.

/** @typedef {import("../data/index_types.js").Index} Index */
/** @typedef {import("../data/index_types.js").Lane} Lane */
/** @typedef {import("../data/store.js").State} State */
/**
 * @typedef {object} Track
 * @property {"profile" | "ready" | "memory" | "rank" | "lane"} kind
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
const MAX_CONSTRUCT = 20; // pixels of a row of constructs, if there is room
const MAX_MAIN = 120; // pixels of a lane's row 0, if there is room
const READY_HEIGHT = 46;
const GAP = 5;
const RANK_HEIGHT = 24;
const MAX_UNFOLDED = 24; // lanes; with more, only the chosen rank is unfolded at first
/** The heights of row 0, each for at most this many lanes. */
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
 * The rows of constructs that are shown if the user has not chosen a number.
 * @param {Index} index
 */
export function usualNesting(index) {
    const n = index.lanes.length;
    return n <= 8 ? 3 : n <= 24 ? 1 : 0;
}

/**
 * The profiles of all ranks and of the chosen rank, at full height.
 * @param {Index} index
 * @param {number} chosen index of a rank
 * @param {number} room pixels
 * @returns {{tracks: Track[], height: number}}
 */
export function layoutProfile(index, chosen, room) {
    const items = index.ranks.length > 1 ? [-1, chosen] : [-1];
    const below = hasTasks(index) ? Math.min(room / items.length * 0.3, 130) + GAP : 0;
    const h = Math.max((room - 12) / items.length - GAP - below, 40);
    const common = { isFolded: false, canFold: false, rows: [] };
    return { tracks: items.flatMap((item, i) => {
        const y = 2 + i * (h + GAP + below);
        /** @type {Track[]} */
        const tracks = [{ kind: "profile", item, rank: item, name: nameOfProfile(index, item), y, h,
            ...common }];
        return below === 0 ? tracks : [...tracks, { kind: "ready", item, rank: item,
            name: "Ready tasks", y: y + h + GAP, h: below - GAP, ...common }];
    }), height: 0 };
}

/**
 * Whether the program creates tasks.
 * @param {Index} index
 */
export function hasTasks(index) {
    return index.ranks.some((rank) => rank.index.report.tables?.tasks?.length > 0);
}

/**
 * @param {Index} index
 * @param {number} rank index; -1: all
 */
function nameOfProfile(index, rank) {
    return !index.job ? "Threads" : rank < 0 ? "All ranks" : `Rank ${index.ranks[rank].rank}`;
}

/**
 * Whether a rank shows only its heading.
 * @param {Index} index
 * @param {Pick<State, "ranks" | "rank">} state
 * @param {number} rank index
 */
export function isRankFolded(index, state, rank) {
    const isUsual = index.lanes.length > MAX_UNFOLDED && index.ranks[rank].rank !== state.rank;
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
 * @param {number} room pixels, which lanes use if there are few
 * @returns {{tracks: Track[], height: number}}
 */
export function layoutTracks(index, state, order, room) {
    const main = MAIN_HEIGHTS.find(([n]) => index.lanes.length <= n)?.[1] ?? 11;
    const usual = placed(index, state, order, main, CONSTRUCT_HEIGHT);
    const lanes = usual.tracks.filter((track) => track.kind === "lane");
    const rows = lanes.reduce((sum, lane) => sum + lane.rows.length - 1, 0);
    const free = room - usual.height;
    if (free <= 0 || lanes.length === 0) {
        return usual;
    }
    const more = Math.min(Math.floor(free / (rows + 3 * lanes.length)),
        MAX_CONSTRUCT - CONSTRUCT_HEIGHT);
    const rest = Math.floor((free - rows * more) / lanes.length);
    return placed(index, state, order, Math.min(main + rest, Math.max(MAX_MAIN, main)),
        CONSTRUCT_HEIGHT + more);
}

/**
 * @param {Index} index
 * @param {Pick<State, "fold" | "nest" | "ranks" | "rank">} state
 * @param {number[]} order of the ranks
 * @param {number} main pixels of a lane's row 0
 * @param {number} row pixels of a row of constructs
 * @returns {{tracks: Track[], height: number}}
 */
function placed(index, state, order, main, row) {
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
    if (hasTasks(index)) {
        add({ kind: "ready", item: -1, rank: -1, name: "Ready tasks", h: READY_HEIGHT,
            isFolded: false, canFold: false, rows: [] });
    }
    for (const rank of order) {
        const isFolded = index.job !== null && isRankFolded(index, state, rank);
        if (index.job) {
            add({ kind: "rank", item: rank, rank, name: nameOfProfile(index, rank),
                h: RANK_HEIGHT, isFolded, canFold: true, rows: [] });
        }
        if (!isFolded) {
            tracksOfRank(index, state, rank, main, row).forEach(add);
        }
    }
    return { tracks, height: y + 8 };
}

/**
 * @param {Index} index
 * @param {Pick<State, "fold" | "nest">} state
 * @param {number} rank index
 * @param {number} main pixels of a lane's row 0
 * @param {number} high pixels of a row of constructs
 * @returns {Omit<Track, "y">[]}
 */
function tracksOfRank(index, { fold, nest }, rank, main, high) {
    const folded = lanesOf(fold, index.lanes.length);
    const most = nest < 0 ? usualNesting(index) : nest;
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
            { row: i + 1, y: i * high, h: high - 1 }));
        tracks.push({ kind: "lane", item, rank, name: lane.name,
            h: rows.length * high, isFolded, canFold, rows });
    }
    for (const [item, lane] of lanes.filter((entry) => entry[1].kind !== "sections")) {
        const canFold = lane.rows > 1 && most > 0;
        const isFolded = canFold && folded.has(item);
        const above = isFolded ? 0 : Math.min(lane.rows - 1, most);
        const rows = Array.from({ length: above }, (_, i) => (
            { row: i + 1, y: i * high, h: high - 1 }));
        rows.push({ row: 0, y: above * high, h: main });
        tracks.push({ kind: "lane", item, rank, name: lane.name,
            h: above * high + main, isFolded, canFold, rows });
    }
    return tracks;
}
