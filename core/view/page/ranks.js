// The ranks of a job as one index: lanes, labels and tasks of each rank follow those of the
// previous rank. The page of one process has one rank.

import { inflate } from "./data/decode.js";

/** @typedef {import("./data/decode.js").Columns} Columns */
/** @typedef {import("./data/index_types.js").Groups} Groups */
/** @typedef {import("./data/index_types.js").Index} Index */
/** @typedef {import("./data/index_types.js").JobIndex} JobIndex */
/** @typedef {import("./data/index_types.js").Marker} Marker */
/** @typedef {import("./data/index_types.js").Rank} Rank */
/** @typedef {"task" | "lane" | "label"} Kind */

/**
 * Columns with numbers of the rank, which become numbers of the page.
 * @type {Record<string, Record<string, Kind>>}
 */
const SHIFTED = {
    slices: { label: "label", construct: "label", task: "task" },
    pyramid: { label: "label" },
    tasks: { task: "task", creator: "task", last: "task", label: "label", lane: "lane" },
    edges: { from: "task", to: "task", from_lane: "lane", to_lane: "lane" },
    span: { lane: "lane", label: "label", task: "task" },
    realised: { lane: "lane", label: "label", task: "task" },
    job_path: { lane: "lane", label: "label", task: "task" },
    messages: { lane: "lane" },
    flame: { label: "label" },
    histogram: { label: "label" },
    off: { lane: "lane" },
    samples: { lane: "lane", label: "label", task: "task" },
};

/**
 * Converts a number of a rank to a number of the page. 0 means no task; the number of all lanes, or
 * of all labels, means no lane or label.
 * @param {Index} index
 * @param {Rank} rank
 * @param {Kind} kind
 * @returns {(value: number) => number}
 */
function shift(index, rank, kind) {
    if (kind === "task") {
        return (value) => (value > 0 ? value + rank.firstTask : 0);
    }
    const [n, first, none] = kind === "lane"
        ? [rank.index.lanes.length, rank.firstLane, index.lanes.length]
        : [rank.index.labels.length, rank.firstLabel, index.labels.length];
    return (value) => (value >= 0 && value < n ? value + first : value < 0 ? value : none);
}

/**
 * The columns of a rank's chunk, with numbers of the page.
 * @param {Index} index
 * @param {number} chunk
 * @param {Columns} columns
 * @returns {Columns}
 */
export function shiftedColumns(index, chunk, columns) {
    const { table, rank } = index.chunks[chunk];
    if (index.job) {
        for (const [name, kind] of Object.entries(SHIFTED[table] ?? {})) {
            columns.of[name] = Float64Array.from(columns.of[name],
                shift(index, index.ranks[rank ?? 0], kind));
        }
    }
    return columns;
}

/**
 * Makes the ranks for the page of one process.
 * @param {Index} own
 * @returns {Index}
 */
export function indexOfProcess(own) {
    const rank = { rank: 0, host: "", program: "", deviation_ns: 0, first_chunk: 0, firstLane: 0,
        firstLabel: 0, firstTask: 0, index: own };
    return { ...own, job: null, ranks: [rank],
        findings: own.findings.map((evidence, i) => ({ ...evidence, rank: 0,
            finding: own.report.findings[i] })) };
}

/**
 * Reads the indexes of all ranks.
 * @param {JobIndex} job
 * @param {(rank: number) => string} textOf base64 of a rank's index
 * @returns {Promise<Index>}
 */
export async function indexOfJob(job, textOf) {
    const own = await Promise.all(job.ranks.map(async ({ rank }) => /** @type {Index} */ (
        JSON.parse(new TextDecoder().decode(await inflate(textOf(rank)))))));
    if (own.length === 0) {
        throw new Error("no rank has pictures: otter view --size=N makes a larger file");
    }
    const sums = { lanes: 0, labels: 0, tasks: 0 };
    const ranks = own.map((index, i) => {
        const rank = { ...job.ranks[i], firstLane: sums.lanes, firstLabel: sums.labels,
            firstTask: sums.tasks, index };
        sums.lanes += index.lanes.length;
        sums.labels += index.labels.length;
        sums.tasks += index.tasks;
        return rank;
    });
    return composed(job, ranks);
}

/**
 * The markers of all ranks in order of time. A marker that each rank has belongs to the job.
 * @param {Rank[]} ranks
 * @returns {Marker[]}
 */
function markersOf(ranks) {
    /** @type {Map<string, { marker: Marker, numbers: number[] }>} */
    const all = new Map();
    for (const rank of ranks) {
        for (const marker of rank.index.markers) {
            const key = JSON.stringify(marker);
            const same = all.get(key) ?? { marker, numbers: [] };
            same.numbers.push(rank.rank);
            all.set(key, same);
        }
    }
    const named = [...all.values()].map(({ marker, numbers }) => {
        const text = `rank ${numbers.join(", ")}: ${marker.text || marker.category}`;
        return ranks.length > 1 && numbers.length === ranks.length ? marker : { ...marker, text };
    });
    return named.sort((a, b) => a.time - b.time);
}

/**
 * @param {JobIndex} job
 * @param {Rank[]} ranks
 * @returns {Index}
 */
function composed(job, ranks) {
    const own = ranks.map((rank) => rank.index);
    /** @template T @param {(index: Index, i: number) => T[]} list */
    const all = (list) => own.flatMap(list);
    /** @type {Index} */
    const index = {
        ...own[0], job, ranks, title: job.title, clock: job.clock,
        lanes: all((one, i) => one.lanes.map((lane) => ({ ...lane, rank: i }))),
        labels: all((one) => one.labels),
        tables: Object.assign({}, ...own.map((one) => one.tables)),
        chunks: all((one, i) => one.chunks.map((chunk, k) => ({ ...chunk, rank: i,
            id: ranks[i].first_chunk + k,
            segments: chunk.segments?.map(([lane, ...rest]) => (
                [lane + ranks[i].firstLane, ...rest])) }))),
        pyramid: { coarsest: Math.max(...own.map((one) => one.pyramid.coarsest)),
            finest: Math.min(...own.map((one) => one.pyramid.finest)) },
        memory: { step: own[0].memory.step, spaces: [] },
        pauses: all((one, i) => one.pauses.map(([lane, begin, end]) => (
            /** @type {[number, number, number]} */ ([lane + ranks[i].firstLane, begin, end])))),
        losses: { events: own.reduce((sum, one) => sum + one.losses.events, 0),
            cut_off: own.some((one) => one.losses.cut_off),
            damaged: own.some((one) => one.losses.damaged), losing: null, stopped: null },
        markers: markersOf(ranks),
        findings: [],
        left_out: { ...own[0].left_out,
            is_complete: job.left_out === 0 && own.every((one) => one.left_out.is_complete) },
        tasks: own.reduce((sum, one) => sum + one.tasks, 0),
    };
    index.findings = all((one, i) => one.findings.map((evidence, k) => ({
        ...evidence, rank: i, finding: one.report.findings[k],
        label: shift(index, ranks[i], "label")(evidence.label),
        spans: evidence.spans.map(([lane, begin, end]) => (
            /** @type {[number, number, number]} */ ([lane + ranks[i].firstLane, begin, end]))),
    })));
    return index;
}

/**
 * The index for the pictures of one rank: its report, graph and costs.
 * @param {Index} index
 * @param {number} i of the rank
 * @returns {Index}
 */
export function indexOfRank(index, i) {
    const rank = index.ranks[i];
    const label = shift(index, rank, "label");
    /** @type {Groups} */
    const graph = { ...rank.index.graph,
        nodes: rank.index.graph.nodes.map((node) => ({ ...node, label: label(node.label) })),
        frames: rank.index.graph.frames.map((frame) => ({ ...frame,
            label: label(frame.label) })) };
    return index.job ? { ...index, report: rank.index.report, costs: rank.index.costs, graph,
        losses: rank.index.losses, left_out: rank.index.left_out } : index;
}
