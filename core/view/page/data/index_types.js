// The types of the index; core/view/README.md describes the values.

/** @typedef {{text: string, what: string, where: string, function: string, file: string,
 *             line: number, construct: string, kind: string}} Label */
/** @typedef {{name: string, kind: "thread" | "device" | "sections", rows: number,
 *             totals: number[], rank?: number}} Lane  rank: index; none: 0 */
/** @typedef {{table: string, rows: number, segments?: number[][], rank?: number,
 *             id?: number}} Chunk  id: of the element; none: the chunk's index */
/** @typedef {{kind: string, cost_s: number, cost_percent: number, what?: string, where?: string,
 *             text: string, worst_rank?: number}} Finding  worst_rank: of a job */
/** @typedef {{label: number, begin: number, end: number,
 *             spans: [number, number, number][], rank: number, finding: Finding}} Evidence */
/** @typedef {{label: number, text: string, kind: string, count: number, total: number,
 *             longest: number, executed: number, shared: number, path: number,
 *             frame: number, layer: number, x: number, y: number,
 *             w: number, h: number}} Group */
/** @typedef {{from: number, to: number, kind: number, count: number, is_back: boolean,
 *             path: boolean}} GroupEdge */
/** @typedef {{parent: number, begin: number, label: number, text: string, x: number, y: number,
 *             w: number, h: number}} Frame */
/** @typedef {{nodes: Group[], edges: GroupEdge[], frames: Frame[], width: number,
 *             height: number, left_out: number}} Groups */
/** @typedef {{rank: number, host: string, program: string, deviation_ns: number,
 *             first_chunk: number}} RankEntry  rank: number in the world */
/** @typedef {RankEntry & {firstLane: number, firstLabel: number, firstTask: number,
 *             index: Index}} Rank */
/** @typedef {{title: string, otter: string, report: any, report_text: string,
 *             sentences: string[], clock: Clock, ranks: RankEntry[], outliers: number[],
 *             shortest_message: number, left_out: number}} JobIndex */
/** @typedef {{resolution: number, begin: number, end: number, realtime_ns: number}} Clock */
/** @typedef {{time: number, group: string, category: string, severity: string,
 *             text: string}} Marker */

/**
 * @typedef {object} Index
 * @property {number} version
 * @property {string} otter
 * @property {string} title
 * @property {any} report        the object of `otter report --json`
 * @property {string} [report_text]  not of a rank of a job
 * @property {Clock} clock
 * @property {[number, number] | null} window
 * @property {string[]} states
 * @property {string[]} reasons
 * @property {string[]} edge_kinds
 * @property {string[]} task_kinds
 * @property {string[]} task_flags
 * @property {Label[]} labels
 * @property {Lane[]} lanes
 * @property {Record<string, [string, string][]>} tables
 * @property {Chunk[]} chunks
 * @property {{coarsest: number, finest: number}} pyramid
 * @property {{step: number}} profile
 * @property {{step: number, spaces: {name: string, high_water: number}[]}} memory
 * @property {{functions: string[], period_ns: number, every: number, lost: number} | null} samples
 * @property {number} shortest_off
 * @property {number} span
 * @property {number} work
 * @property {number} wall
 * @property {{creation: number, scheduling: number, join: number, knee: number}} costs
 * @property {[number, number, number][]} pauses
 * @property {{events: number, cut_off: boolean, damaged: boolean, losing: number | null,
 *             stopped: number | null}} losses
 * @property {Marker[]} markers
 * @property {Evidence[]} findings
 * @property {Groups} graph
 * @property {{is_complete: boolean, slices: number, tasks: number, edges: number, bars: number,
 *             threshold: number, has_paths: boolean, text: string}} left_out
 * @property {number} tasks
 * @property {JobIndex | null} job   of the page of a job
 * @property {Rank[]} ranks
 */

export const STATE = { outside: 0, executing: 1, waiting: 2, lock: 3, forking: 4, mpi: 5,
    paused: 6, lost: 7, unused: 8, aggregate: 9 };

/**
 * Whether a thread has nothing to do with the program.
 * @param {number} state
 */
export function isIdle(state) {
    return state === STATE.outside || state === STATE.unused;
}
