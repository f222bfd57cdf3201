// Marks above the slices: pauses, markers, the critical path, arrows, the range.

import { OVERVIEW, TOP, xOf } from "./timeline_draw.js";
import { lowerBound } from "./lanes.js";

/** @typedef {import("./timeline_draw.js").Frame} Frame */
/** @typedef {import("../data/decode.js").Columns} Columns */

/**
 * The vertical place of a lane's row 0; null if the lane is not visible.
 * @param {Frame} frame
 * @param {number} lane
 * @param {boolean} [orHeading] of the rank, if it is folded
 */
function placeOf(frame, lane, orHeading = false) {
    const track = frame.places.get(lane)
        ?? (orHeading ? frame.headings.get(frame.app.index.lanes[lane]?.rank ?? 0) : undefined);
    if (!track) {
        return null;
    }
    const main = track.rows[track.rows.length - 1] ?? { y: 0, h: track.h };
    return { y: TOP + track.y + main.y - frame.scroll, h: main.h };
}

/** @param {Frame} frame */
export function drawPauses(frame) {
    const { app, surface: { context }, look, width, left, height } = frame;
    for (const [lane, begin, end] of app.index.pauses) {
        const place = placeOf(frame, lane);
        const x0 = Math.max(xOf(frame, begin), left);
        const x1 = Math.min(xOf(frame, end), width);
        if (place && x1 > x0) {
            context.fillStyle = look.fills.paused;
            context.fillRect(x0, place.y, Math.max(x1 - x0, 1), place.h);
        }
    }
    const { losing, stopped } = app.index.losses;
    for (const [tick, text] of /** @type {[number | null, string][]} */ (
        [[losing, "events are lost from here"], [stopped, "recording stopped"]])) {
        if (tick !== null && tick !== undefined) {
            const x = xOf(frame, tick);
            context.fillStyle = look.fills.lost;
            context.globalAlpha = 0.25;
            context.fillRect(Math.max(x, left), TOP, Math.max(width - Math.max(x, left), 0),
                height);
            context.globalAlpha = 1;
            flag(frame, x, text, look.c["state-lost"]);
        }
    }
}

/**
 * A line through all lanes, with a text in the ruler.
 * @param {Frame} frame
 * @param {number} x
 * @param {string} text
 * @param {string} colour
 */
function flag(frame, x, text, colour) {
    const { surface, look: { c }, width, height, left } = frame;
    if (x < left || x > width) {
        return;
    }
    const { context } = surface;
    context.fillStyle = colour;
    context.fillRect(Math.round(x), OVERVIEW, 1, height);
    const room = Math.min(surface.widthOf(text), 220);
    context.fillStyle = c.bg;
    context.fillRect(x + 2, OVERVIEW + 2, room + 6, 18);
    context.fillStyle = colour;
    surface.text(text, x + 5, OVERVIEW + 12, room + 1);
}

/** @param {Frame} frame */
export function drawMarkers(frame) {
    const { app, look: { c } } = frame;
    let last = -Infinity;
    for (const marker of app.index.markers) {
        const x = xOf(frame, marker.time);
        if (x - last >= 3) {
            flag(frame, x, app.plain(marker.text || marker.category), c["ink-soft"]);
            last = x;
        }
    }
}

/**
 * The steps of a path: a band under the lane's row, and a line to the lane of the next step.
 * @param {Frame} frame
 * @param {Columns | null} path
 */
export function drawPath(frame, path) {
    const { surface: { context }, look: { c }, scene, width, left, height } = frame;
    if (!path) {
        return;
    }
    const { begin, duration, lane } = path.of;
    const places = frame.app.index.lanes.map((_, i) => placeOf(frame, i, true));
    context.save();
    context.beginPath();
    context.rect(left, TOP, width - left, height - TOP);
    context.clip();
    context.strokeStyle = c.path;
    context.fillStyle = c.path;
    context.lineWidth = 1.5;
    const to = scene.from + scene.width / scene.scale;
    let i = Math.max(lowerBound(begin, scene.from, 0, path.rows) - 1, 0);
    let before = null;
    let lastX = -Infinity;
    context.beginPath();
    for (; i < path.rows && (begin[i] <= to || before); i++) {
        const place = places[lane[i]];
        if (!place) {
            continue;
        }
        const x0 = xOf(frame, begin[i]);
        const x1 = Math.max(xOf(frame, begin[i] + duration[i]), x0 + 1);
        const y = place.y + place.h - 1.5;
        if (before && (before.lane !== lane[i] || x0 - before.x > 1.5) && x0 - lastX >= 0.75) {
            context.moveTo(before.x, before.y);
            context.lineTo(x0, y);
            lastX = x0;
        }
        if (before?.lane !== lane[i] || x1 > before.x) {
            context.fillRect(x0, y - 2, x1 - x0, 4);
        }
        before = { lane: lane[i], x: x1, y };
        if (begin[i] > to) {
            break;
        }
    }
    context.stroke();
    context.restore();
}

/**
 * An arrow between two lanes.
 * @param {Frame} frame
 * @param {{fromLane: number, leaves: number, toLane: number, arrives: number}} edge
 * @param {string} colour
 */
export function arrow(frame, edge, colour) {
    const { surface: { context } } = frame;
    const source = placeOf(frame, edge.fromLane, true);
    const target = placeOf(frame, edge.toLane, true);
    if (!source || !target) {
        return;
    }
    const x0 = xOf(frame, edge.leaves);
    const x1 = xOf(frame, edge.arrives);
    const y0 = source.y + source.h / 2;
    const y1 = target.y + target.h / 2;
    if (Math.abs(x1 - x0) + Math.abs(y1 - y0) < 12) {
        return; // too narrow for a frame: the task's mark is enough
    }
    const bend = Math.min(Math.abs(x1 - x0) / 2 + 4, 60);
    context.strokeStyle = colour;
    context.fillStyle = colour;
    context.lineWidth = 1.5;
    context.beginPath();
    context.moveTo(x0, y0);
    context.bezierCurveTo(x0 + bend, y0, x1 - bend, y1, x1 - 4, y1);
    context.stroke();
    context.beginPath();
    context.moveTo(x1, y1);
    context.lineTo(x1 - 7, y1 - 4);
    context.lineTo(x1 - 7, y1 + 4);
    context.fill();
    context.beginPath();
    context.arc(x0, y0, 2.5, 0, 7);
    context.fill();
}

const MAX_ARROWS = 200;

/**
 * Arrows to and from the selected task.
 * @param {Frame} frame
 */
export function drawArrows(frame) {
    const { app, surface: { context }, look: { c }, width, left, height, scene } = frame;
    const task = scene.task ? app.tasks.get(scene.task) : null;
    if (!task) {
        return;
    }
    context.save();
    context.beginPath();
    context.rect(left, TOP, width - left, height - TOP);
    context.clip();
    const creator = app.tasks.get(task.creator);
    if (creator && task.created >= 0) {
        context.setLineDash([4, 3]);
        arrow(frame, { fromLane: creator.lane, leaves: task.created, toLane: task.lane,
            arrives: task.begin }, c["ink-soft"]);
        context.setLineDash([]);
    }
    for (const edge of app.tasks.into(task.task, MAX_ARROWS)) {
        arrow(frame, edge, edge.from === task.last ? c.path : c.accent);
    }
    for (const edge of app.tasks.outOf(task.task, MAX_ARROWS)) {
        arrow(frame, edge, c.ready);
    }
    context.restore();
    context.save();
    context.beginPath();
    context.rect(left, TOP - 8, width - left, height);
    context.clip();
    drawSelected(frame, task);
    context.restore();
}

/**
 * A frame around the selected task and a mark above it. If the task is not visible, a mark at the
 * edge points towards it.
 * @param {Frame} frame
 * @param {import("../tasks.js").Task} task
 */
function drawSelected(frame, task) {
    const { surface: { context }, look: { c }, left, width } = frame;
    const place = placeOf(frame, task.lane);
    if (!place || place.y + place.h < TOP) {
        return;
    }
    const x0 = xOf(frame, task.begin);
    const x1 = Math.max(xOf(frame, task.end), x0 + MIN_FRAME);
    const visible = (Math.max(x0, left) + Math.min(x1, width)) / 2;
    const middle = Math.min(Math.max(visible, left + 8), width - 8);
    const side = x1 < left ? -1 : x0 > width ? 1 : 0;
    if (side === 0) {
        for (const [line, colour] of /** @type {[number, string][]} */ ([[5, c.bg], [2, c.ink]])) {
            context.lineWidth = line;
            context.strokeStyle = colour;
            context.strokeRect(x0 - 1, place.y - 1, x1 - x0 + 2, place.h + 2);
        }
    }
    const y = side === 0 ? Math.max(place.y - 9, TOP + 2) : place.y + place.h / 2 - 5;
    context.fillStyle = c.ink;
    context.strokeStyle = c.bg;
    context.lineWidth = 1.5;
    context.beginPath();
    if (side === 0) {
        context.moveTo(middle, y + 9), context.lineTo(middle - 6, y), context.lineTo(middle + 6, y);
    } else {
        context.moveTo(middle + side * 6, y + 5), context.lineTo(middle - side * 6, y - 4);
        context.lineTo(middle - side * 6, y + 14);
    }
    context.closePath();
    context.fill();
    context.stroke();
}

const MIN_FRAME = 4; // narrowest frame of a task, in pixels

/**
 * @param {Frame} frame
 * @param {number} from
 * @param {number} to
 * @param {number} lane -1: all
 */
export function drawRange(frame, from, to, lane) {
    const { surface, look: { c }, width, left, height, app } = frame;
    const { context } = surface;
    const x0 = Math.max(xOf(frame, from), left);
    const x1 = Math.min(xOf(frame, to), width);
    if (x1 < left || x0 > width) {
        return;
    }
    const place = lane >= 0 ? placeOf(frame, lane) : null;
    const [y, h] = place ? [place.y, place.h] : [TOP, height - TOP];
    context.fillStyle = c.accent;
    context.globalAlpha = 0.13;
    context.fillRect(x0, Math.max(y, TOP), x1 - x0, h);
    context.globalAlpha = 1;
    context.fillStyle = c.accent;
    context.fillRect(x0, OVERVIEW, 1, height);
    context.fillRect(x1 - 1, OVERVIEW, 1, height);
    const text = app.time(to - from);
    if (x1 - x0 > surface.widthOf(text) + 14) {
        const middle = (x0 + x1) / 2;
        context.fillRect(x0, TOP - 5, x1 - x0, 3);
        context.fillStyle = c.bg;
        const room = surface.widthOf(text) + 10;
        context.fillRect(middle - room / 2, OVERVIEW + 3, room, RANGE_TEXT);
        context.fillStyle = c.accent;
        context.fillText(text, middle - room / 2 + 5, OVERVIEW + 12);
    }
}

const RANGE_TEXT = 16;

/**
 * Frames around spans of evidence.
 * @param {Frame} frame
 * @param {[number, number, number][]} spans
 * @param {[number, number, number] | undefined} shown the one of them that is shown
 */
export function drawEvidence(frame, spans, shown) {
    const { surface: { context }, look: { c }, width, left, height } = frame;
    context.save();
    context.beginPath();
    context.rect(left, TOP, width - left, height - TOP);
    context.clip();
    for (const span of spans) {
        const [lane, begin, end] = span;
        context.strokeStyle = span === shown ? c.ink : c.path;
        context.lineWidth = span === shown ? 3 : 2;
        const place = placeOf(frame, lane);
        const x0 = Math.max(xOf(frame, begin), left - 4);
        const x1 = Math.min(xOf(frame, end), width + 4);
        if (place && x1 >= x0) {
            context.strokeRect(x0, place.y - 1, Math.max(x1 - x0, 2), place.h + 2);
        }
    }
    context.restore();
}
