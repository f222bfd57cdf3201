// Tasks and their edges.

import { lowerBound } from "./timeline/lanes.js";

/** @typedef {import("./data/data.js").Data} Data */
/** @typedef {import("./data/decode.js").Columns} Columns */
/**
 * @typedef {object} Task times are ticks
 * @property {number} task     number in the columns
 * @property {string} id       "1:17", or "" without a number
 * @property {number} label
 * @property {string} kind
 * @property {string[]} flags
 * @property {number} creator  0: none
 * @property {number} lane     first thread; none: lanes.length
 * @property {number} begin
 * @property {number} end
 * @property {number} work
 * @property {number} created
 * @property {number} ready
 * @property {number} last     the task that it waited for last; 0: none
 * @property {number | null} slack          null: unknown
 * @property {number | null} realisedSlack
 * @property {number} children
 */
/**
 * @typedef {object} Edge
 * @property {number} from   task
 * @property {number} to     task
 * @property {string} kind
 * @property {number} leaves
 * @property {number} arrives
 * @property {number} fromLane
 * @property {number} toLane
 */

/** @param {Data} data */
export function createTasks(data) {
    const { index } = data;
    /** @type {Columns} */
    let tasks = { rows: 0, of: {} };
    /** @type {Columns} */
    let edges = { rows: 0, of: {} };
    // Edges in the order of their targets and of their sources, and tasks in the order of their
    // creators.
    /** @type {Uint32Array} */
    let byTarget = new Uint32Array(0);
    let targets = new Float64Array(0);
    /** @type {Uint32Array} */
    let bySource = new Uint32Array(0);
    let sources = new Float64Array(0);
    /** @type {Uint32Array} */
    let byCreator = new Uint32Array(0);
    let creators = new Float64Array(0);
    /** @type {Promise<void> | null} */
    let loading = null;

    /**
     * @param {ArrayLike<number>} values
     * @returns {Uint32Array}
     */
    function orderOf(values) {
        return Uint32Array.from({ length: values.length }, (_, i) => i)
            .sort((a, b) => values[a] - values[b] || a - b);
    }

    async function read() {
        [tasks, edges] = await Promise.all([data.table("tasks"), data.table("edges")]);
        byTarget = orderOf(edges.of.to ?? []);
        targets = Float64Array.from(byTarget, (i) => edges.of.to[i]);
        bySource = orderOf(edges.of.from ?? []);
        sources = Float64Array.from(bySource, (i) => edges.of.from[i]);
        byCreator = orderOf(tasks.of.creator ?? []);
        creators = Float64Array.from(byCreator, (i) => tasks.of.creator[i]);
    }

    /**
     * @param {number} task
     * @returns {number} its row, or -1 if it is not in the file
     */
    function rowOf(task) {
        if (task < 1 || tasks.rows === 0) {
            return -1;
        }
        const row = lowerBound(tasks.of.task, task, 0, tasks.rows);
        return row < tasks.rows && tasks.of.task[row] === task ? row : -1;
    }

    /**
     * @param {number} i
     * @returns {Edge}
     */
    function edge(i) {
        const { of } = edges;
        return { from: of.from[i], to: of.to[i], kind: index.edge_kinds[of.kind[i]] ?? "",
            leaves: of.leaves[i], arrives: of.arrives[i], fromLane: of.from_lane[i],
            toLane: of.to_lane[i] };
    }

    /**
     * @param {number} row
     * @returns {Task}
     */
    function taskAt(row) {
        const { of } = tasks;
        const task = of.task[row];
        return {
            task,
            id: of.number[row] ? `${of.location[row]}:${of.number[row]}` : "",
            label: of.label[row],
            kind: index.task_kinds[of.kind[row]] ?? "",
            flags: index.task_flags.filter((_, bit) => (of.flags[row] >> bit) & 1),
            creator: of.creator[row],
            lane: of.lane[row],
            begin: of.begin[row],
            end: of.begin[row] + of.span[row],
            work: of.work[row],
            created: of.begin[row] - of.since_created[row],
            ready: of.begin[row] - of.since_ready[row],
            last: of.last[row],
            slack: of.slack[row] ? of.slack[row] - 1 : null,
            realisedSlack: of.realised_slack[row] ? of.realised_slack[row] - 1 : null,
            children: lowerBound(creators, task + 1, 0, creators.length)
                - lowerBound(creators, task, 0, creators.length),
        };
    }

    return {
        load() {
            loading ??= read();
            return loading;
        },
        rows: () => tasks.rows,
        taskAt,
        /**
         * @param {number} task
         * @returns {Task | null}
         */
        get(task) {
            const row = rowOf(task);
            return row < 0 ? null : taskAt(row);
        },
        /**
         * At most `most` edges that end at the task.
         * @param {number} task
         * @param {number} [most]
         */
        into(task, most = 1000) {
            const low = lowerBound(targets, task, 0, targets.length);
            const high = Math.min(lowerBound(targets, task + 1, low, targets.length), low + most);
            return Array.from(byTarget.subarray(low, high), edge);
        },
        /**
         * Edges that begin at the task.
         * @param {number} task
         * @param {number} [most]
         */
        outOf(task, most = 1000) {
            const low = lowerBound(sources, task, 0, sources.length);
            const high = Math.min(lowerBound(sources, task + 1, low, sources.length), low + most);
            return Array.from(bySource.subarray(low, high), edge);
        },
        /**
         * Tasks that the task has created.
         * @param {number} task
         * @param {number} [most]
         */
        children(task, most = 1000) {
            const low = lowerBound(creators, task, 0, creators.length);
            const high = Math.min(lowerBound(creators, task + 1, low, creators.length), low + most);
            return Array.from(byCreator.subarray(low, high), (row) => tasks.of.task[row]);
        },
        /**
         * The tasks with this id, such as "1:17": at most one of each rank.
         * @param {string} id
         */
        find(id) {
            const [location, number] = id.split(":").map(Number);
            const { of } = tasks;
            const found = [];
            for (let row = 0; row < tasks.rows; row++) {
                if (of.number[row] === number && of.location[row] === location) {
                    found.push(of.task[row]);
                }
            }
            return found;
        },
        /**
         * Rows of the tasks of a label, the longest first.
         * @param {number} label
         * @param {number} most
         */
        ofLabel(label, most) {
            const rows = [];
            for (let row = 0; row < tasks.rows; row++) {
                if (tasks.of.label[row] === label) {
                    rows.push(row);
                }
            }
            return rows.sort((a, b) => tasks.of.work[b] - tasks.of.work[a]).slice(0, most);
        },
    };
}

/** @typedef {ReturnType<typeof createTasks>} Tasks */
