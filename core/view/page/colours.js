// Colours and patterns. Labels have colours of Paul Tol's qualitative schemes "light" and "muted",
// which colour-blind people can distinguish; states without execution are grey with a pattern.

/** Fill and text colours of labels. The labels that execute longest get the first eight. */
const PALETTE = [
    ["#77aadd", "#06203c"], ["#ee8866", "#3a1204"], ["#44bb99", "#00291d"],
    ["#eedd88", "#332b00"], ["#ffaabb", "#4a0716"], ["#bbcc33", "#272c00"],
    ["#99ddff", "#00293d"], ["#aaaa00", "#1f1f00"], ["#aa4499", "#ffffff"],
    ["#117733", "#ffffff"], ["#882255", "#ffffff"], ["#6c63c7", "#ffffff"],
    ["#cc6677", "#1d0007"], ["#999933", "#151500"], ["#44aaaa", "#001f1f"],
    ["#c9a227", "#211900"],
];

/**
 * FNV-1a of a text, 32 bits.
 * @param {string} text
 */
export function hash(text) {
    let value = 0x811c9dc5;
    for (let i = 0; i < text.length; i++) {
        value = Math.imul(value ^ text.charCodeAt(i), 0x01000193);
    }
    return value >>> 0;
}

/**
 * The colours of labels: a stable hash of the text chooses one. If another label has it, the
 * heaviest labels get the next free colour.
 * @param {{text: string, weight: number}[]} labels
 * @returns {{fill: string, ink: string}[]}
 */
export function labelColours(labels) {
    const order = labels.map((_, i) => i).sort((a, b) => labels[b].weight - labels[a].weight
        || (labels[a].text < labels[b].text ? -1 : 1));
    const used = new Set();
    /** @type {{fill: string, ink: string}[]} */
    const colours = new Array(labels.length);
    for (const i of order) {
        const room = used.size < 8 ? 8 : PALETTE.length;
        let at = hash(labels[i].text) % room;
        while (used.size < PALETTE.length && used.has(at)) {
            at = (at + 1) % room;
        }
        used.add(at);
        colours[i] = { fill: PALETTE[at][0], ink: PALETTE[at][1] };
    }
    return colours;
}

/**
 * The value of a CSS custom property in the current theme.
 * @param {string} name
 */
export function token(name) {
    return getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
}

/**
 * How states are drawn, in the order of the report's thread time.
 * @type {Record<string, {key: string, pattern: string}>}
 */
export const STATES = {
    executing: { key: "state-executing", pattern: "" },
    preempted: { key: "state-executing", pattern: "falling" },
    creating: { key: "state-creating", pattern: "dots" },
    scheduling: { key: "state-scheduling", pattern: "dots" },
    delay: { key: "state-delay", pattern: "rising" },
    tied: { key: "state-delay", pattern: "falling" },
    no_work: { key: "state-idle", pattern: "" },
    waiting: { key: "state-idle", pattern: "" },
    locks: { key: "state-lock", pattern: "cross" },
    forking: { key: "state-fork", pattern: "vertical" },
    mpi: { key: "state-lock", pattern: "rising" },
    outside: { key: "state-outside", pattern: "" },
    paused: { key: "state-paused", pattern: "cross" },
    lost: { key: "state-lost", pattern: "falling" },
    unused: { key: "state-outside", pattern: "" },
};

/**
 * The name of a slice's state. In it the thread executes, creates tasks or is preempted: only the
 * report tells these apart.
 * @param {string} state
 */
export function stateName(state) {
    return state === "executing" ? "busy" : state;
}

/**
 * @param {CanvasRenderingContext2D} context
 * @param {string} pattern
 */
function stroke(context, pattern) {
    context.beginPath();
    if (pattern === "rising" || pattern === "cross") {
        context.moveTo(-1, 7), context.lineTo(7, -1);
    }
    if (pattern === "falling" || pattern === "cross") {
        context.moveTo(-1, -1), context.lineTo(7, 7);
    }
    if (pattern === "vertical") {
        context.moveTo(1.5, 0), context.lineTo(1.5, 6);
        context.moveTo(4.5, 0), context.lineTo(4.5, 6);
    }
    if (pattern === "dots") {
        context.rect(1, 1, 1, 1), context.rect(4, 4, 1, 1);
    }
    context.stroke();
}

/**
 * The fills of the states on a canvas, in the current theme.
 * @param {CanvasRenderingContext2D} context
 * @returns {Record<string, string | CanvasPattern>}
 */
export function stateFills(context) {
    /** @type {Record<string, string | CanvasPattern>} */
    const fills = {};
    for (const [state, { key, pattern }] of Object.entries(STATES)) {
        fills[state] = token(key);
        if (pattern) {
            const tile = document.createElement("canvas");
            tile.width = tile.height = 6;
            const paint = /** @type {CanvasRenderingContext2D} */ (tile.getContext("2d"));
            paint.fillStyle = token(key);
            paint.fillRect(0, 0, 6, 6);
            paint.strokeStyle = token("state-pattern");
            paint.lineWidth = 1;
            stroke(paint, pattern);
            fills[state] = context.createPattern(tile, "repeat") ?? fills[state];
        }
    }
    return fills;
}

/**
 * The same fill as a CSS background, for legends.
 * @param {string} state
 */
export function stateStyle(state) {
    const { key, pattern } = STATES[state] ?? STATES.no_work;
    const line = "var(--state-pattern) 0 1px, transparent 1px 4px";
    const images = {
        "": "none",
        rising: `repeating-linear-gradient(135deg, ${line})`,
        falling: `repeating-linear-gradient(45deg, ${line})`,
        cross: [45, 135].map((angle) => `repeating-linear-gradient(${angle}deg, ${line})`).join(),
        vertical: `repeating-linear-gradient(90deg, ${line})`,
        dots: "radial-gradient(var(--state-pattern) 0.8px, transparent 1px) 0 0 / 4px 4px",
    };
    const image = images[/** @type {keyof images} */ (pattern)];
    return pattern === "dots" ? `background: ${image} var(--${key})`
        : `background-color: var(--${key}); background-image: ${image}`;
}
