// The parallelism profile: how many threads execute, wait, ... at a time, and how many tasks are
// ready. It is a tab, a track of the timeline and the overview strip.

/** @typedef {import("./data/decode.js").Columns} Columns */

/** Stacked from the bottom. */
export const STACK = ["executing", "forking", "lock", "mpi", "waiting"];

/**
 * For each pixel, the mean numbers of threads in the states of STACK, and of ready tasks.
 * @param {Columns} profile
 * @param {number} step ticks of a row
 * @param {number} end of the recording
 * @param {number} from
 * @param {number} to
 * @param {number} pixels
 */
export function sampled(profile, step, end, from, to, pixels) {
    const parts = STACK.map(() => new Float64Array(pixels));
    const ready = new Float64Array(pixels);
    const device = new Float64Array(pixels);
    const columns = STACK.map((name) => profile.of[name]);
    const perPixel = (to - from) / pixels;
    for (let x = 0; x < pixels && profile.rows > 0; x++) {
        const low = from + x * perPixel;
        const first = Math.min(Math.floor(low / step), profile.rows - 1);
        const last = Math.min(Math.max(Math.ceil((low + perPixel) / step), first + 1),
            profile.rows);
        const ticks = Math.min(last * step, end) - first * step;
        for (let row = first; row < last && ticks > 0; row++) {
            parts.forEach((part, i) => {
                part[x] += columns[i][row] / ticks;
            });
            ready[x] += profile.of.ready[row] / ticks;
            device[x] += profile.of.device[row] / ticks;
        }
    }
    return { parts, ready, device };
}

/**
 * @param {CanvasRenderingContext2D} context
 * @param {ReturnType<typeof sampled>} samples
 * @param {{x: number, y: number, h: number}} box
 * @param {number} threads at full height
 * @param {(string | CanvasPattern)[]} fills of STACK
 */
export function drawStack(context, samples, box, threads, fills) {
    const pixels = samples.ready.length;
    const below = new Float64Array(pixels);
    samples.parts.forEach((part, i) => {
        context.fillStyle = fills[i];
        context.beginPath();
        for (let x = 0; x < pixels; x++) {
            const height = Math.min(part[x], threads) / threads * box.h;
            if (height > 0.05) {
                context.rect(box.x + x, box.y + box.h - below[x] - height, 1, height);
                below[x] += height;
            }
        }
        context.fill();
    });
}

/**
 * Draws the number of ready tasks as a line, which is cut above `most`.
 * @param {CanvasRenderingContext2D} context
 * @param {Float64Array} values
 * @param {{x: number, y: number, h: number}} box
 * @param {number} most
 * @param {string} colour
 * @param {string} halo the colour around the line
 */
export function drawLine(context, values, box, most, colour, halo) {
    context.beginPath();
    values.forEach((value, x) => {
        const y = box.y + box.h - Math.min(value / most, 1) * (box.h - 1) - 0.5;
        if (x === 0) {
            context.moveTo(box.x, y);
        } else {
            context.lineTo(box.x + x, y);
        }
    });
    context.lineJoin = "round";
    context.strokeStyle = halo;
    context.lineWidth = 4;
    context.stroke();
    context.strokeStyle = colour;
    context.lineWidth = 1.5;
    context.stroke();
}
