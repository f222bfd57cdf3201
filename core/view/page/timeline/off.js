// Times in which threads were on no processor: a line above their slices.

import { lowerBound } from "./lanes.js";
import { TOP, xOf } from "./timeline_draw.js";

/** @typedef {import("./timeline_draw.js").Frame} Frame */
/** @typedef {import("../data/decode.js").Columns} Columns */

const HEIGHT = 4;
const BLOCKED = 0; // kinds; 2: preempted by another thread of the program

/**
 * Calls `use` for the times of a lane that overlap a range.
 * @param {Columns} times
 * @param {number} lane
 * @param {number} from
 * @param {number} to
 * @param {(begin: number, end: number, kind: number) => void} use
 */
function each({ rows, of }, lane, from, to, use) {
    const first = lowerBound(of.lane, lane, 0, rows);
    const end = lowerBound(of.lane, lane + 1, first, rows);
    let i = Math.max(lowerBound(of.begin, from, first, end) - 1, first);
    for (; i < end && of.begin[i] < to; i++) {
        if (of.begin[i] + of.duration[i] > from) {
            use(of.begin[i], of.begin[i] + of.duration[i], of.kind[i]);
        }
    }
}

/**
 * @param {Frame} frame
 * @param {Columns | null} times
 */
export function drawOff(frame, times) {
    const { surface: { context }, left, width, height } = frame;
    if (!times || times.rows === 0) {
        return;
    }
    context.save();
    context.beginPath();
    context.rect(left, TOP, width - left, height - TOP);
    context.clip();
    for (const [lane, track] of frame.places) {
        const row = track.rows[track.rows.length - 1];
        const y = TOP + track.y + row.y - frame.scroll;
        if (row.h < 3 * HEIGHT || y > height || y + row.h < TOP) {
            continue;
        }
        drawLine(frame, y, times, lane);
    }
    context.restore();
}

/**
 * Draws the line of a lane. A pixel with several times is as opaque as its share of them.
 * @param {Frame} frame
 * @param {number} y
 * @param {Columns} times
 * @param {number} lane
 */
function drawLine(frame, y, times, lane) {
    const { surface: { context }, look: { c }, left, width, scene } = frame;
    const shares = [0, 0]; // of the pixel: blocked, preempted
    let pixel = -1;

    /**
     * @param {number} x
     * @param {number} w
     * @param {boolean} isBlocked
     * @param {number} share
     */
    function paint(x, w, isBlocked, share) {
        context.globalAlpha = Math.min(share, 1);
        context.fillStyle = isBlocked ? c["ink-soft"] : c["state-lost"];
        context.fillRect(x, y, w, HEIGHT);
    }

    /**
     * @param {number} next the pixel that gets a share
     * @param {number} share
     * @param {boolean} isBlocked
     */
    function add(next, share, isBlocked) {
        if (next !== pixel) {
            paint(pixel, 1, shares[0] > shares[1], shares[0] + shares[1]);
            shares[0] = shares[1] = 0;
            pixel = next;
        }
        shares[isBlocked ? 0 : 1] += share;
    }
    each(times, lane, scene.from, scene.from + scene.width / scene.scale, (begin, end, kind) => {
        const x0 = Math.max(xOf(frame, begin), left);
        const x1 = Math.min(xOf(frame, end), width);
        const [first, last] = [Math.floor(x0), Math.floor(x1)];
        add(first, Math.min(first + 1, x1) - x0, kind === BLOCKED);
        if (last > first) {
            paint(first + 1, last - first - 1, kind === BLOCKED, 1);
            add(last, x1 - last, kind === BLOCKED);
        }
    });
    add(-1, 0, false);
    context.globalAlpha = 1;
}

/**
 * The ticks in which a lane was on no processor.
 * @param {Columns | null} times
 * @param {number} lane
 * @param {number} from
 * @param {number} to
 */
export function offWithin(times, lane, from, to) {
    const sums = { blocked: 0, preempted: 0 };
    if (times) {
        each(times, lane, from, to, (begin, end, kind) => {
            sums[kind === BLOCKED ? "blocked" : "preempted"] += Math.min(end, to)
                - Math.max(begin, from);
        });
    }
    return sums;
}
