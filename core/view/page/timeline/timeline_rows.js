// Draws one row of a lane: slices where they are wide enough, otherwise cells with shares of
// states.

import { drawIcon, ICON } from "../icons.js";
import { STATE_COLUMNS } from "./lanes.js";
import { isIdle, STATE } from "../data/index_types.js";

/** @typedef {import("./lanes.js").Lanes} Lanes */
/** @typedef {import("../surface.js").Surface} Surface */
/**
 * @typedef {object} Hit what is drawn somewhere
 * @property {number} x
 * @property {number} y
 * @property {number} w
 * @property {number} h
 * @property {number} lane
 * @property {number} row
 * @property {number} from
 * @property {number} to
 * @property {number} state
 * @property {number} label
 * @property {number} construct
 * @property {number} task
 * @property {number} count   slices; more than 1 of a cell
 * @property {number[]} [sums]  ticks by state, of a cell
 */
/**
 * @typedef {object} Scene all that the rows of one frame share
 * @property {Surface} surface
 * @property {Lanes} lanes
 * @property {number} left    pixels of the gutter
 * @property {number} width   pixels of the time axis
 * @property {number} from    tick at the left edge
 * @property {number} end     last tick of the recording
 * @property {number} scale   pixels in a tick
 * @property {{fill: string, ink: string}[]} colours by label
 * @property {(string | CanvasPattern)[]} states fills by state
 * @property {string} idle    ink of texts in waits
 * @property {string[][]} shorts texts by label, from long to short
 * @property {string[]} kinds of constructs, by label
 * @property {(ticks: number) => string} time
 * @property {number[]} same  the first label with the same text, by label
 * @property {number} only    the label (first of its text) that is not dimmed; -1: all
 * @property {number} task    the selected task; 0: none
 * @property {string} outline
 * @property {Hit[]} hits
 * @property {boolean} isWaiting set if data is not inflated yet
 */

const CELL = 2; // pixels; narrower slices are drawn together
const MAX_SLICES_PER_PIXEL = 3;
const DIMMED = 0.2;
const MIN_ICON = 14; // pixels from which on a slice shows an icon
const HIGH = 40; // pixels from which on a row has two lines of text
const LINE = 14;

/**
 * Storage for the sums of slices that are narrower than a cell.
 * @typedef {object} Pending
 * @property {number} from
 * @property {number} to
 * @property {number[]} sums
 * @property {number} label
 * @property {number} longest
 * @property {number} count
 */
/** @returns {Pending} */
function nothing() {
    return { from: -1, to: -1, sums: STATE_COLUMNS.map(() => 0), label: -1, longest: -1, count: 0 };
}

/**
 * @param {Scene} scene
 * @param {number} lane
 * @param {number} row
 * @param {number} y
 * @param {number} h
 */
export function drawRow(scene, lane, row, y, h) {
    const { lanes, from, width, scale } = scene;
    const to = from + width / scale;
    const isFine = lanes.estimate(lane, row, from, to) <= width * MAX_SLICES_PER_PIXEL;
    if (isFine && drawSlices(scene, lane, row, y, h, to)) {
        return;
    }
    const level = lanes.level(CELL / scale);
    const wasFine = 4 ** level * scale > CELL * 4.5; // the pyramid is too coarse here
    if (wasFine && drawSlices(scene, lane, row, y, h, to)) {
        return;
    }
    drawCells(scene, lane, row, y, h, from, to, level);
}

/**
 * @param {Scene} scene
 * @param {number} lane
 * @param {number} row
 * @param {number} y
 * @param {number} h
 * @param {number} from
 * @param {number} to
 * @param {number} level
 */
function drawCells(scene, lane, row, y, h, from, to, level) {
    const isReady = scene.lanes.cells(lane, row, level, from, to, (of, i, begin, width) => {
        const sums = STATE_COLUMNS.map((name) => of[name][i]);
        const first = Math.max(begin, from);
        const last = Math.min(begin + width, to);
        if (last > first) {
            const part = (last - first) / (Math.min(begin + width, scene.end) - begin);
            cell(scene, lane, row, y, h, {
                from: first, to: last, sums: sums.map((ticks) => ticks * part),
                label: of.label[i], longest: of.longest[i], count: of.count[i],
            }, last - first);
        }
    });
    scene.isWaiting ||= !isReady;
}

/**
 * @param {Scene} scene
 * @param {number} lane
 * @param {number} row
 * @param {number} y
 * @param {number} h
 * @param {number} to
 */
function drawSlices(scene, lane, row, y, h, to) {
    const { lanes, from, scale } = scene;
    let pending = nothing();
    function flush() {
        if (pending.count > 0) {
            cell(scene, lane, row, y, h, pending, pending.to - pending.from);
            pending = nothing();
        }
    }
    const isReady = lanes.slices(lane, row, from, to, (of, i) => {
        const begin = of.start[i];
        const duration = of.duration[i];
        const state = of.state[i];
        if (state === STATE.aggregate && duration * scale >= CELL) {
            flush();
            aggregate(scene, lane, row, y, h, begin, begin + duration, of.count[i]);
        } else if (duration * scale >= CELL) {
            flush();
            slice(scene, {
                x: 0, y, w: 0, h, lane, row, from: begin, to: begin + duration, state,
                label: of.label[i], construct: of.construct[i], task: of.task[i], count: 1,
            });
        } else {
            if (pending.count > 0 && (begin - pending.from) * scale >= CELL) {
                flush();
            }
            if (pending.count === 0) {
                pending.from = begin;
            }
            pending.to = Math.max(pending.to, begin + duration);
            if (state === STATE.aggregate) {
                addAggregate(scene, lane, row, begin, begin + duration, pending);
            } else {
                pending.sums[state] += duration;
            }
            pending.count += of.count[i];
            if (state === STATE.executing && duration > pending.longest) {
                pending.longest = duration;
                pending.label = of.label[i];
            }
        }
    });
    flush();
    scene.isWaiting ||= !isReady;
    return isReady;
}

/**
 * The level of the pyramid for a range without slices: as fine as the picture and the range need.
 * @param {Scene} scene
 * @param {number} ticks
 */
function levelOf({ lanes, scale }, ticks) {
    return Math.min(lanes.level(CELL / scale), lanes.level(ticks / 4));
}

/**
 * Adds the pyramid's sums in a narrow range to a cell.
 * @param {Scene} scene
 * @param {number} lane
 * @param {number} row
 * @param {number} begin
 * @param {number} end
 * @param {Pending} pending
 */
function addAggregate(scene, lane, row, begin, end, pending) {
    const level = levelOf(scene, end - begin);
    const isReady = scene.lanes.cells(lane, row, level, begin, end, (of, i, first, width) => {
        const part = Math.max(Math.min(end, first + width) - Math.max(begin, first), 0)
            / (Math.min(first + width, scene.end) - first);
        STATE_COLUMNS.forEach((name, state) => {
            pending.sums[state] += of[name][i] * part;
        });
        if (of.executing[i] * part > pending.longest) {
            pending.longest = of.executing[i] * part;
            pending.label = of.label[i];
        }
    });
    scene.isWaiting ||= !isReady;
}

/**
 * Draws a range without slices: the sums of the pyramid, with a mark.
 * @param {Scene} scene
 * @param {number} lane
 * @param {number} row
 * @param {number} y
 * @param {number} h
 * @param {number} begin
 * @param {number} end
 * @param {number} count
 */
function aggregate(scene, lane, row, y, h, begin, end, count) {
    const { surface: { context }, scale } = scene;
    const from = Math.max(begin, scene.from);
    const to = Math.min(end, scene.from + scene.width / scale);
    if (to <= from) {
        return;
    }
    drawCells(scene, lane, row, y, h, from, to, levelOf(scene, end - begin));
    const x = scene.left + (from - scene.from) * scale;
    const w = (to - from) * scale;
    if (w >= 6) {
        context.fillStyle = scene.outline;
        for (let at = x; at < x + w - 2; at += 6) {
            context.fillRect(at, y, 3, 1);
        }
        scene.hits.push({ x, y, w, h, lane, row, from: begin, to: end, state: STATE.aggregate,
            label: -1, construct: -1, task: 0, count });
    }
}

/**
 * @param {Scene} scene
 * @param {Hit} hit its place in pixels is set here
 */
function slice(scene, hit) {
    const { surface, left, width, from, scale } = scene;
    const { context } = surface;
    const x0 = Math.max(left, left + (hit.from - from) * scale);
    const x1 = Math.min(left + width, left + (hit.to - from) * scale);
    hit.x = x0;
    hit.w = x1 - x0;
    if (hit.w <= 0) {
        return;
    }
    scene.hits.push(hit);
    const isExecuting = hit.state === STATE.executing;
    if (isIdle(hit.state)) {
        return;
    }
    const colour = scene.colours[hit.label];
    const isDim = scene.only >= 0 && scene.only !== scene.same[hit.label]
        && scene.only !== scene.same[hit.construct];
    context.globalAlpha = (isDim ? DIMMED : 1) * (hit.row > 0 ? 0.5 : 1);
    context.fillStyle = isExecuting && colour ? colour.fill : scene.states[hit.state];
    const gap = hit.w > 3 ? 0.5 : 0;
    context.fillRect(x0, hit.y, hit.w - gap, hit.h);
    context.globalAlpha = isDim ? 0.5 : 1;
    if (hit.w >= MIN_ICON && hit.h >= 10) {
        context.fillStyle = hit.state === STATE.waiting ? scene.idle
            : isExecuting && colour && hit.row === 0 ? colour.ink : scene.outline;
        caption(scene, hit, isExecuting ? hit.label : hit.construct);
    }
    context.globalAlpha = 1;
}

/**
 * Draws the icon of a construct, as much of its name as fits, and in high lanes the duration.
 * @param {Scene} scene
 * @param {Hit} hit
 * @param {number} label
 */
function caption(scene, hit, label) {
    const { surface } = scene;
    const kind = scene.kinds[label];
    const room = hit.w - ICON - 11;
    const text = kind ? surface.fitting(scene.shorts[label], room) : "";
    const time = scene.time(hit.to - hit.from);
    const isHigh = text !== "" && hit.h >= HIGH && surface.widthOf(time) <= room;
    const y = hit.y + hit.h / 2 + 0.5 - (isHigh ? LINE / 2 : 0);
    if (!kind) {
        return;
    }
    drawIcon(surface.context, kind, text ? hit.x + 4 : hit.x + (hit.w - ICON) / 2, y);
    surface.context.fillText(text, hit.x + ICON + 8, y);
    if (isHigh) {
        surface.context.globalAlpha *= 0.8;
        surface.context.fillText(time, hit.x + ICON + 8, y + LINE);
    }
}

/**
 * Draws shares of states, from the bottom: execution in the colour of the label that executes most,
 * then the others.
 * @param {Scene} scene
 * @param {number} lane
 * @param {number} row
 * @param {number} y
 * @param {number} h
 * @param {Pending} pending
 * @param {number} ticks that are 100 %
 */
function cell(scene, lane, row, y, h, pending, ticks) {
    const { surface: { context }, left, width, from, scale } = scene;
    const { sums, label } = pending;
    // Uses whole pixels, so that there is no seam between adjacent cells.
    const x0 = Math.min(Math.max(left, Math.round(left + (pending.from - from) * scale)),
        left + width - 1);
    const x1 = Math.min(left + width, Math.max(Math.round(left + (pending.to - from) * scale),
        x0 + 1));
    if (x1 <= x0) {
        return;
    }
    scene.hits.push({ x: x0, y, w: x1 - x0, h, lane, row, from: pending.from, to: pending.to,
        state: STATE.aggregate, label, construct: -1, task: 0, count: pending.count, sums });
    const isDim = scene.only >= 0 && scene.only !== scene.same[label];
    context.globalAlpha = (isDim ? DIMMED : 1) * (row > 0 ? 0.5 : 1);
    let bottom = y + h;
    for (const state of [STATE.executing, STATE.lock, STATE.forking, STATE.mpi, STATE.paused,
        STATE.lost, STATE.waiting]) {
        if (sums[state] > 0) {
            const part = Math.min(bottom - y, Math.max(sums[state] / ticks * h, 0.75));
            context.fillStyle = state === STATE.executing && scene.colours[label]
                ? scene.colours[label].fill : scene.states[state];
            context.fillRect(x0, bottom - part, x1 - x0, part);
            bottom -= part;
        }
    }
    context.globalAlpha = 1;
}
