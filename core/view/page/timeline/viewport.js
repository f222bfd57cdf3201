// The visible range of time, and its changes by zoom and pan. All functions are pure.

/**
 * @typedef {object} Viewport
 * @property {number} from   tick at the left edge
 * @property {number} to     tick at the right edge
 */

const MIN_TICKS = 20;

/**
 * A range inside [0, end] that is at least MIN_TICKS wide.
 * @param {number} from
 * @param {number} to
 * @param {number} end
 * @returns {Viewport}
 */
export function clamped(from, to, end) {
    const width = Math.min(Math.max(to - from, Math.min(MIN_TICKS, end)), end);
    const left = Math.min(Math.max(from + (to - from - width) / 2, 0), end - width);
    return { from: left, to: left + width };
}

/**
 * @param {Viewport} view
 * @param {number} factor below 1 zooms in
 * @param {number} anchor the tick that stays where it is
 * @param {number} end
 */
export function zoomed(view, factor, anchor, end) {
    const width = Math.min(Math.max((view.to - view.from) * factor, MIN_TICKS), end);
    const share = (anchor - view.from) / (view.to - view.from);
    const from = Math.min(Math.max(anchor - share * width, 0), end - width);
    return { from, to: from + width };
}

/**
 * @param {Viewport} view
 * @param {number} ticks
 * @param {number} end
 */
export function panned(view, ticks, end) {
    const width = view.to - view.from;
    const from = Math.min(Math.max(view.from + ticks, 0), end - width);
    return { from, to: from + width };
}

/**
 * A range around [from, to] with a margin on both sides.
 * @param {number} from
 * @param {number} to
 * @param {number} end
 */
export function around(from, to, end) {
    const margin = Math.max((to - from) * 0.15, 2);
    return clamped(from - margin, to + margin, end);
}

/**
 * Steps of a ruler: 1, 2 or 5 times a power of ten, at least `leastPixels` apart.
 * @param {number} width    of the range, in seconds
 * @param {number} pixels
 * @param {number} leastPixels
 */
export function rulerStep(width, pixels, leastPixels) {
    const raw = width / pixels * leastPixels;
    const power = 10 ** Math.floor(Math.log10(raw));
    return [1, 2, 5, 10].map((n) => n * power).find((step) => step >= raw * 0.999) ?? raw;
}
