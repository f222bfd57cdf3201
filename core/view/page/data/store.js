// The state of the page. A view reads the state, changes it with `set`, and redraws after each
// change.

/**
 * @typedef {object} State
 * @property {string} tab         which picture: "timeline", "graph", ...
 * @property {number} from        first visible tick
 * @property {number} to          last visible tick
 * @property {string} select      "" or "task:N", "label:N", "slice:LANE:ROW:START", "finding:N"
 * @property {number} piece       of the selected finding's evidence; -1: none
 * @property {string} columns     shown columns of tables, with commas; "": those that fit
 * @property {string} side        "" or "rank": the report beside the pictures of a job
 * @property {string} range       "" or "FROM:TO" or "FROM:TO:LANE": ticks with statistics
 * @property {string} table       which table
 * @property {string} sort        "" or "COLUMN" (descending) or "-COLUMN"
 * @property {string} filter      the filter of the table
 * @property {string} open        the opened group or task of the graph
 * @property {string} closed      closed frames of the grouped graph: "0-3,7"
 * @property {string} flame       the root of the flame graph by creation
 * @property {string} call        the root of the flame graph of functions
 * @property {string} path        "" or which path is drawn: "job", "realised" or "span"
 * @property {string} fold        folded lanes: "0-3,7"
 * @property {number} nest        rows of constructs above a lane; -1: the usual number
 * @property {number} rank        number of the chosen rank
 * @property {string} ranks       groups of ranks whose fold differs from the usual: "0-3,7"
 * @property {boolean} messages   whether messages between ranks are drawn
 * @property {string} order       "" or "outliers": the order of the ranks in the timeline
 * @property {boolean} report     whether the report stands beside the pictures
 */

/**
 * @template {object} S
 * @param {S} initial
 */
export function createStore(initial) {
    /** @type {((state: S, changed: Set<keyof S>) => void)[]} */
    const listeners = [];
    let state = { ...initial };
    /** @type {Set<keyof S>} */
    let changed = new Set();
    let isWaiting = false;

    function publish() {
        isWaiting = false;
        const keys = changed;
        changed = new Set();
        for (const listener of listeners) {
            listener(state, keys);
        }
    }

    return {
        /** @returns {Readonly<S>} */
        get: () => state,
        /**
         * Changes values; the listeners are called once before the next frame.
         * @param {Partial<S>} values
         */
        set(values) {
            for (const key of /** @type {(keyof S)[]} */ (Object.keys(values))) {
                if (state[key] !== values[key]) {
                    changed.add(key);
                }
            }
            state = { ...state, ...values };
            if (changed.size > 0 && !isWaiting) {
                isWaiting = true;
                requestAnimationFrame(publish);
            }
        },
        /** @param {(state: S, changed: Set<keyof S>) => void} listener */
        listen(listener) {
            listeners.push(listener);
        },
    };
}

/** @typedef {ReturnType<typeof createStore<State>>} Store */
