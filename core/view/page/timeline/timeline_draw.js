// One frame of the timeline: overview, ruler, tracks, names.

import { stateName, token } from "../colours.js";
import { bytes, count, plain, rulerSeconds } from "../format.js";
import { drawLine, drawStack, sampled, STACK } from "../profile.js";
import { drawRow } from "./timeline_rows.js";
import { rulerStep } from "./viewport.js";

/** @typedef {import("../app.js").App} App */
/** @typedef {import("../data/decode.js").Columns} Columns */
/** @typedef {import("../surface.js").Surface} Surface */
/** @typedef {import("./timeline_rows.js").Hit} Hit */
/** @typedef {import("./timeline_rows.js").Scene} Scene */
/** @typedef {import("./tracks.js").Track} Track */
/**
 * @typedef {object} Look fonts, colours and fills of the present theme
 * @property {string} font
 * @property {Record<string, string>} c
 * @property {Record<string, string | CanvasPattern>} fills
 */
/**
 * @typedef {object} Frame what one frame draws
 * @property {App} app
 * @property {Surface} surface
 * @property {Look} look
 * @property {number} width of the canvas
 * @property {number} height
 * @property {number} left  of the time axis
 * @property {number} scroll pixels
 * @property {Track[]} tracks
 * @property {Scene} scene
 * @property {Columns | null} profile of all ranks
 * @property {(name: string, rank: number) => Columns | null} table
 * @property {Map<number, Track>} places of lanes
 * @property {Map<number, Track>} headings of ranks, by index
 * @property {Map<Track, number>} mostReady the number of ready tasks at full height of a track
 * @property {number} lane with the focus of the keyboard; -1: none
 */

export const OVERVIEW = 42;
export const RULER = 24;
export const TOP = OVERVIEW + RULER;

const COARSE = 8; // pixels of a step

const TOKENS = ["bg", "bg-raised", "bg-lane", "line", "line-strong", "ink", "ink-soft", "accent",
    "accent-soft", "path", "state-executing", "state-idle", "state-fork", "state-lock", "ready",
    "memory", "memory-soft", "shade", "state-lost", "device"];

/** @returns {Record<string, string>} */
export function readTokens() {
    return Object.fromEntries(TOKENS.map((name) => [name, token(name)]));
}

/**
 * @param {Frame} frame
 * @param {number} ticks
 */
export function xOf({ scene }, ticks) {
    return scene.left + (ticks - scene.from) * scene.scale;
}

/**
 * The fills of STACK.
 * @param {Frame} frame
 */
function stackFills({ look: { fills } }) {
    return [fills.executing, fills.forking, fills.locks, fills.mpi, fills.waiting];
}

/** @param {Frame} frame */
export function drawOverview(frame) {
    const { app, surface: { context }, look: { c }, profile, left, width, scene } = frame;
    const threads = app.threads(-1);
    const pixels = width - left;
    context.fillStyle = c["bg-raised"];
    context.fillRect(0, 0, width, OVERVIEW);
    if (profile && pixels > 0) {
        const samples = sampled(profile, app.index.profile.step, app.end, 0, app.end, pixels);
        drawStack(context, samples, { x: left, y: 4, h: OVERVIEW - 8 }, threads,
            stackFills(frame));
    }
    const per = pixels / Math.max(app.end, 1);
    const x0 = left + scene.from * per;
    const x1 = Math.max(left + (scene.from + scene.width / scene.scale) * per, x0 + 2);
    context.fillStyle = c.shade;
    context.fillRect(left, 0, x0 - left, OVERVIEW);
    context.fillRect(x1, 0, width - x1, OVERVIEW);
    context.strokeStyle = c.accent;
    context.lineWidth = 1.5;
    context.strokeRect(x0 + 0.75, 0.75, Math.max(x1 - x0 - 1.5, 1), OVERVIEW - 1.5);
    context.fillStyle = c.accent;
    context.fillRect(x0 - 1, OVERVIEW / 2 - 8, 3, 16);
    context.fillRect(x1 - 2, OVERVIEW / 2 - 8, 3, 16);
    label(frame, "All", OVERVIEW / 2, c["ink-soft"]);
}

/**
 * @param {Frame} frame
 * @param {string} text
 * @param {number} y
 * @param {string} colour
 */
function label(frame, text, y, colour) {
    const { surface, left } = frame;
    surface.context.fillStyle = colour;
    surface.text(text, 10, y + 0.5, left - 18);
}

/** @param {Frame} frame */
export function drawRuler(frame) {
    const { app, surface: { context }, look: { c }, left, width, height, scene } = frame;
    const second = app.index.clock.resolution;
    const range = scene.width / scene.scale / second;
    const step = rulerStep(range, scene.width, 90);
    context.fillStyle = c.bg;
    context.fillRect(0, OVERVIEW, width, RULER);
    context.fillStyle = c.line;
    context.fillRect(0, TOP - 1, width, 1);
    context.fillRect(0, OVERVIEW, width, 1);
    const from = scene.from / second;
    for (let n = Math.ceil(from / step - 1e-9); n * step <= from + range; n++) {
        const x = Math.round(xOf(frame, n * step * second));
        context.fillStyle = c.line;
        context.fillRect(x, TOP - 6, 1, height);
        context.fillStyle = c["ink-soft"];
        const text = n === 0 ? "0" : rulerSeconds(n * step, step);
        if (x + 4 + frame.surface.widthOf(text) < width) {
            context.fillText(text, x + 4, OVERVIEW + 11);
        }
    }
    context.fillStyle = c.bg;
    context.fillRect(0, OVERVIEW + 1, left, RULER - 2);
    label(frame, `${app.time(scene.width / scene.scale)} visible`, OVERVIEW + 12, c["ink-soft"]);
}

/** @param {Frame} frame */
export function drawTracks(frame) {
    const { surface: { context }, look: { c }, width, height, scroll, tracks, left } = frame;
    context.save();
    context.beginPath();
    context.rect(left, TOP, width - left, height - TOP);
    context.clip();
    for (const track of tracks) {
        const y = TOP + track.y - scroll;
        if (y > height || y + track.h < TOP) {
            continue;
        }
        if (track.kind === "profile") {
            drawProfile(frame, track, y);
        } else if (track.kind === "ready") {
            drawReady(frame, track, y);
        } else if (track.kind === "rank") {
            drawRank(frame, track, y);
        } else if (track.kind === "memory") {
            drawMemory(frame, track, y);
        } else {
            context.fillStyle = c["bg-lane"];
            const last = track.rows[track.rows.length - 1];
            context.fillRect(left, y + last.y, width - left, last.h);
            for (const row of track.rows) {
                drawRow(frame.scene, track.item, row.row, y + row.y, row.h);
            }
        }
    }
    context.restore();
}

/**
 * Draws the states of a rank's threads, as far as its heading has room.
 * @param {Frame} frame
 * @param {Track} track
 * @param {number} y
 */
function drawRank(frame, track, y) {
    const { app, surface: { context }, look: { c }, left, width, scene } = frame;
    const profile = frame.table("profile", track.rank);
    context.fillStyle = c["bg-raised"];
    context.fillRect(left, y, width - left, track.h);
    if (profile && width > left) {
        const to = scene.from + scene.width / scene.scale;
        drawStack(context, sampled(profile, app.index.profile.step, app.end, scene.from, to,
            width - left), { x: left, y: y + 2, h: track.h - 4 }, app.threads(track.rank),
        stackFills(frame));
    }
    scene.isWaiting ||= !profile;
}

/**
 * @param {Frame} frame
 * @param {Track} track
 * @param {number} y
 */
function drawProfile(frame, track, y) {
    const { app, surface: { context }, look: { c }, left, width, scene } = frame;
    const { h } = track;
    const threads = app.threads(track.rank);
    const profile = frame.table("profile", track.rank);
    context.fillStyle = c["bg-lane"];
    context.fillRect(left, y, width - left, h);
    if (!profile || width <= left) {
        return;
    }
    const to = scene.from + scene.width / scene.scale;
    const samples = sampled(profile, app.index.profile.step, app.end, scene.from, to,
        width - left);
    const box = { x: left, y: y + 2, h: h - 2 };
    drawStack(context, samples, box, threads, stackFills(frame));
    if (isTall(h)) {
        context.fillStyle = c["line-strong"];
        for (const n of threadMarks(threads)) {
            context.fillRect(left, Math.round(y + h - n / threads * (h - 2)), width - left, 1);
        }
    }
    const { step } = app.index.profile;
    if (isTall(h) && step * scene.scale > COARSE) {
        note(frame, `means of ${app.time(step)}`, y);
    }
}

/**
 * Draws a text at the right edge of a track.
 * @param {Frame} frame
 * @param {string} text
 * @param {number} y
 */
function note({ surface, look: { c }, width }, text, y) {
    const { context } = surface;
    const room = surface.widthOf(text);
    context.globalAlpha = 0.85;
    context.fillStyle = c.bg;
    context.fillRect(width - room - 14, y + 2, room + 12, 15);
    context.globalAlpha = 1;
    context.fillStyle = c["ink-soft"];
    context.fillText(text, width - room - 8, y + 10);
}

/**
 * Draws the number of ready tasks, with an axis that begins at 0.
 * @param {Frame} frame
 * @param {Track} track
 * @param {number} y
 */
function drawReady(frame, track, y) {
    const { app, surface: { context }, look: { c }, left, width, scene } = frame;
    const profile = frame.table("profile", track.rank);
    context.fillStyle = c["bg-lane"];
    context.fillRect(left, y, width - left, track.h);
    if (!profile || width <= left) {
        return;
    }
    const to = scene.from + scene.width / scene.scale;
    const { ready } = sampled(profile, app.index.profile.step, app.end, scene.from, to,
        width - left);
    const most = readyScale(ready);
    frame.mostReady.set(track, most);
    context.fillStyle = c.line;
    for (const share of [0.5, 1]) {
        context.fillRect(left, Math.round(y + track.h - share * (track.h - 4)), width - left, 1);
    }
    drawLine(context, ready, { x: left, y: y + 4, h: track.h - 4 }, most, c.ready, c["bg-lane"]);
}

/**
 * Whether a profile has marks for numbers of threads.
 * @param {number} h
 */
function isTall(h) {
    return h > 100;
}

/**
 * A few numbers of threads, up to all threads.
 * @param {number} threads
 */
function threadMarks(threads) {
    const step = Math.ceil(threads / 8);
    return Array.from({ length: Math.floor(threads / step) }, (_, i) => (i + 1) * step);
}

/**
 * Mean numbers of threads and ready tasks around a tick, as text.
 * @param {Frame} frame
 * @param {number} tick
 * @param {number} rank index; -1: all
 */
export function profileAt({ app, table, scene }, tick, rank) {
    const profile = table("profile", rank);
    if (!profile) {
        return [];
    }
    const half = 0.5 / scene.scale;
    const { parts, ready, device } = sampled(profile, app.index.profile.step, app.end,
        Math.max(tick - half, 0), Math.min(tick + half, app.end), 1);
    return [...STACK.map((name, i) => [stateName(name), parts[i][0]]), ["ready tasks", ready[0]],
        ["activities of devices", device[0]]]
        .filter(([, value]) => value).map(([name, value]) => `${name} ${(+value).toFixed(2)}`);
}

/**
 * The number of ready tasks at full height: 2 or more.
 * @param {Float64Array} ready
 */
function readyScale(ready) {
    const most = ready.reduce((a, b) => Math.max(a, b), 2);
    const power = 10 ** Math.floor(Math.log10(most));
    return [1, 2, 4, 6, 8, 10].map((n) => n * power).find((n) => n >= most) ?? most;
}

/**
 * Draws the bytes in use in a memory space: the range in each pixel.
 * @param {Frame} frame
 * @param {Track} track
 * @param {number} y
 */
function drawMemory(frame, track, y) {
    const { app, surface: { context }, look: { c }, left, width } = frame;
    const memory = frame.table("memory", track.rank);
    context.fillStyle = c["bg-lane"];
    context.fillRect(left, y, width - left, track.h);
    const space = app.index.ranks[track.rank].index.memory.spaces[track.item];
    const { step } = app.index.memory;
    const most = Math.max(space.high_water, 1);
    const h = track.h - 3;
    let before = 0;
    let x = left;
    /** @param {number} value */
    const yOf = (value) => y + track.h - value / most * h;
    context.fillStyle = c["memory-soft"];
    context.strokeStyle = c.memory;
    context.lineWidth = 1.25;
    context.beginPath();
    context.moveTo(left, y + track.h);
    for (let i = 0; memory && i < memory.rows; i++) {
        if (memory.of.space[i] === track.item) {
            const at = xOf(frame, memory.of.bucket[i] * step);
            const next = Math.max(Math.min(at, width), left);
            context.lineTo(next, yOf(before));
            context.lineTo(next, yOf(memory.of.most[i]));
            before = memory.of.last[i];
            x = Math.max(Math.min(at + step * frame.scene.scale, width), next);
            context.lineTo(x, yOf(memory.of.most[i]));
            context.lineTo(x, yOf(before));
            if (at > width) {
                break;
            }
        }
    }
    context.lineTo(Math.max(x, width), yOf(before));
    context.lineTo(Math.max(x, width), y + track.h);
    context.fill();
    context.stroke();
}

/** @param {Frame} frame */
export function drawNames(frame) {
    const { app, surface, look: { c }, height, scroll, tracks, left } = frame;
    const { context } = surface;
    context.fillStyle = c.bg;
    context.fillRect(0, TOP, left, height - TOP);
    context.fillStyle = c.line;
    context.fillRect(left - 1, 0, 1, height);
    context.save();
    context.beginPath();
    context.rect(0, TOP, left - 1, height - TOP);
    context.clip();
    for (const track of tracks) {
        const y = TOP + track.y - scroll;
        if (y > height || y + track.h < TOP) {
            continue;
        }
        const main = track.rows[track.rows.length - 1];
        const middle = main ? y + main.y + main.h / 2 : y + 12;
        if (track.kind === "rank") {
            rankName(frame, track, y);
            continue;
        }
        if (track.kind === "lane" && track.item === frame.lane) {
            context.fillStyle = c["accent-soft"];
            context.fillRect(0, y - 2, left - 1, track.h + 4);
        }
        if (track.canFold) {
            triangle(context, 11, middle, track.isFolded, c["ink-soft"]);
        }
        context.fillStyle = track.kind === "lane" ? c.ink : c["ink-soft"];
        if (!main || main.h >= 9) {
            surface.text(plain(track.name), 20, middle + 0.5, left - 28);
        }
        if (track.kind === "memory") {
            context.fillStyle = c["ink-soft"];
            const space = app.index.ranks[track.rank].index.memory.spaces[track.item];
            surface.text(`up to ${bytes(space.high_water)}`, 20, middle + 15, left - 28);
        } else if (track.kind === "profile") {
            profileLegend(frame, track, y);
        } else if (track.kind === "ready") {
            readyAxis(frame, track, y);
        }
    }
    context.restore();
}

/**
 * The name of a rank, and its host if there are several hosts.
 * @param {Frame} frame
 * @param {Track} track
 * @param {number} y
 */
function rankName({ app, surface, look: { c }, left }, track, y) {
    const { context } = surface;
    const { host } = app.index.ranks[track.rank];
    const hasHosts = app.index.ranks.some((rank) => rank.host !== host);
    const middle = y + track.h / 2;
    context.fillStyle = track.rank === app.rank() ? c["accent-soft"] : c["bg-raised"];
    context.fillRect(0, y, left - 1, track.h);
    triangle(context, 11, middle, track.isFolded, c["ink-soft"]);
    context.fillStyle = c.ink;
    surface.text(track.name, 20, middle + 0.5, left - 28);
    const room = left - 36 - surface.widthOf(track.name);
    if (hasHosts && room > 20) {
        context.fillStyle = c["ink-soft"];
        surface.text(plain(host), 28 + surface.widthOf(track.name), middle + 0.5, room);
    }
}

/**
 * @param {Frame} frame
 * @param {Track} track
 * @param {number} y
 */
function profileLegend(frame, track, y) {
    const { app, surface, left } = frame;
    const { h } = track;
    const threads = app.threads(track.rank);
    for (const n of isTall(h) ? threadMarks(threads) : []) {
        const text = String(n);
        surface.context.fillStyle = frame.look.c["ink-soft"];
        surface.context.fillText(text, left - 6 - surface.widthOf(text),
            Math.max(y + h - n / threads * (h - 2), y + 6));
    }
    const fills = stackFills(frame);
    const texts = ["busy", "fork, join", "lock", "MPI", "waiting"];
    const hasMpi = app.index.ranks.some(({ index }) => index.report.thread_time?.mpi_s > 0);
    let row = 0;
    for (const i of [4, 3, 2, 1, 0]) {
        const at = y + 26 + row * (isTall(h) ? 16 : 11);
        const isShown = STACK[i] === "mpi" ? hasMpi : isTall(h) || i === 0 || i === 4;
        if (isShown) {
            surface.context.fillStyle = fills[i];
            surface.context.fillRect(20, at - 4, 8, 8);
            surface.context.fillStyle = frame.look.c["ink-soft"];
            surface.text(texts[i], 33, at + 0.5, left - (isTall(h) ? 58 : 38));
            row++;
        }
    }
}

/**
 * @param {Frame} frame
 * @param {Track} track
 * @param {number} y
 */
function readyAxis({ surface, look: { c }, left, mostReady }, track, y) {
    const most = mostReady.get(track) ?? 0;
    surface.context.fillStyle = c["ink-soft"];
    for (const share of most > 0 ? [0, 0.5, 1] : []) {
        const text = most < 1000 ? count(share * most) : most < 1e6 ? `${share * most / 1e3}k`
            : `${share * most / 1e6}M`; // short, to fit beside the name of the lane
        surface.context.fillText(text, left - 6 - surface.widthOf(text),
            Math.min(Math.max(y + track.h - share * (track.h - 4), y + 7), y + track.h - 5));
    }
}

/**
 * @param {CanvasRenderingContext2D} context
 * @param {number} x
 * @param {number} y
 * @param {boolean} isFolded
 * @param {string} colour
 */
function triangle(context, x, y, isFolded, colour) {
    context.fillStyle = colour;
    context.beginPath();
    if (isFolded) {
        context.moveTo(x - 2, y - 4), context.lineTo(x + 3, y), context.lineTo(x - 2, y + 4);
    } else {
        context.moveTo(x - 4, y - 2), context.lineTo(x + 4, y - 2), context.lineTo(x, y + 3);
    }
    context.fill();
}

/**
 * The scroll bar of the tracks.
 * @param {Frame} frame
 * @param {number} content height of all tracks
 */
export function drawScrollBar(frame, content) {
    const { surface: { context }, look: { c }, width, height, scroll } = frame;
    const room = height - TOP;
    if (content <= room) {
        return;
    }
    context.globalAlpha = 0.5;
    context.fillStyle = c["ink-soft"];
    context.fillRect(width - 6, TOP + scroll / content * room, 4,
        Math.max(room / content * room, 16));
    context.globalAlpha = 1;
}
