// Mouse, touch and arrow keys on the timeline.

import { parsed } from "../app.js";
import { stateName } from "../colours.js";
import { taskName } from "../details.js";
import { element, fill } from "../dom.js";
import { count, percent, rulerSeconds } from "../format.js";
import { topFunctions } from "../functions.js";
import { iconOf } from "../icons.js";
import { isIdle, STATE } from "../data/index_types.js";
import { STATE_COLUMNS } from "./lanes.js";
import { offWithin } from "./off.js";
import { OVERVIEW, profileAt, TOP } from "./timeline_draw.js";
import { isRankFolded, lanesOf, rangesOf, toggledRank } from "./tracks.js";
import { around, panned, zoomed } from "./viewport.js";

/** @typedef {import("../app.js").App} App */
/** @typedef {import("./timeline.js").Timeline} Timeline */
/** @typedef {import("./timeline_rows.js").Hit} Hit */

const MIN_DRAG = 4; // pixels

/**
 * What a click on a slice selects.
 * @param {Hit} hit
 * @returns {Partial<import("../data/store.js").State>}
 */
export function selectionOf(hit) {
    if (hit.count !== 1) {
        return { range: `${Math.round(hit.from)}:${Math.round(hit.to)}:${hit.lane}`, select: "" };
    }
    if (hit.task > 0 && hit.row === 0) {
        return { select: `task:${hit.task}`, range: "" };
    }
    return { select: `slice:${hit.lane}:${hit.row}:${hit.from}`, range: "" };
}

/**
 * @param {App} app
 * @param {Timeline} timeline
 */
export function listenTimeline(app, timeline) {
    const { store, end } = app;
    const { canvas, tip, cursor, view } = timeline;
    /** @type {{kind: string, x: number, y: number, from: number, to: number, scroll: number,
     *          moved: boolean} | null} */
    let drag = null;
    /** @type {Hit | null} The slice under the last click. */
    let clicked = null;

    /** @param {MouseEvent} event */
    function position(event) {
        const box = canvas.getBoundingClientRect();
        return { x: event.clientX - box.left, y: event.clientY - box.top };
    }

    /** @param {number} x */
    function tickAt(x) {
        const frame = timeline.frame();
        return frame ? Math.min(Math.max(frame.scene.from + (x - frame.left) / frame.scene.scale,
            0), end) : 0;
    }

    /**
     * @param {number} x
     * @param {number} y
     * @returns {Hit | null}
     */
    function hitAt(x, y) {
        const frame = timeline.frame();
        if (!frame || y < TOP || x < frame.left) {
            return null;
        }
        let best = null;
        for (const hit of frame.scene.hits) {
            if (x >= hit.x - 1 && x <= hit.x + hit.w + 1 && y >= hit.y && y < hit.y + hit.h
                && (!best || inside(hit, x) > inside(best, x))) {
                best = hit;
            }
        }
        return best;
    }

    /**
     * @param {Hit} hit
     * @param {number} x
     */
    function inside(hit, x) {
        return Math.min(x - hit.x, hit.x + hit.w - x);
    }

    /** @param {number} y */
    function trackAt(y) {
        const frame = timeline.frame();
        const at = y - TOP + view.scroll;
        return frame?.tracks.find((track) => at >= track.y && at < track.y + track.h) ?? null;
    }

    canvas.addEventListener("wheel", (event) => {
        const state = store.get();
        const { x } = position(event);
        const unit = event.deltaMode === 1 ? 16 : event.deltaMode === 2 ? 400 : 1;
        const width = state.to - state.from;
        if (event.ctrlKey || event.metaKey) {
            const factor = Math.exp(Math.max(-60, Math.min(60, event.deltaY * unit)) * 0.006);
            store.set(zoomed(state, factor, tickAt(x), end));
        } else {
            const across = event.shiftKey && !event.deltaX ? event.deltaY : event.deltaX;
            const down = event.shiftKey ? 0 : event.deltaY;
            if (across) {
                store.set(panned(state, across * unit / canvas.clientWidth * width, end));
            }
            view.scroll += down * unit;
            app.redraw();
        }
        event.preventDefault();
    }, { passive: false });

    canvas.addEventListener("pointerdown", (event) => {
        const { x, y } = position(event);
        const state = store.get();
        const left = timeline.frame()?.left ?? 0;
        const isPan = event.shiftKey || event.button === 1 || event.pointerType === "touch";
        if (event.button > 1) {
            return;
        }
        const kind = y < OVERVIEW && x >= left ? "overview" : x < left ? "names"
            : isPan ? "pan" : "range";
        drag = { kind, x, y, from: state.from, to: state.to, scroll: view.scroll, moved: false };
        canvas.setPointerCapture(event.pointerId);
        canvas.focus({ preventScroll: true });
        if (kind === "overview") {
            beginOverview(x);
        }
        event.preventDefault();
    });

    /** @param {number} x */
    function overviewTick(x) {
        const left = timeline.frame()?.left ?? 0;
        return (x - left) / Math.max(canvas.clientWidth - left, 1) * end;
    }

    /**
     * A press inside the window moves the window, a press near an edge moves the edge, and a press
     * elsewhere centres the window.
     * @param {number} x
     */
    function beginOverview(x) {
        const state = store.get();
        const tick = overviewTick(x);
        const near = end * 6 / Math.max(canvas.clientWidth, 1);
        if (!drag) {
            return;
        }
        if (Math.abs(tick - state.from) < near) {
            drag.kind = "overview-from";
        } else if (Math.abs(tick - state.to) < near) {
            drag.kind = "overview-to";
        } else if (tick < state.from || tick > state.to) {
            store.set(panned(state, tick - (state.from + state.to) / 2, end));
            drag.from = store.get().from;
            drag.to = store.get().to;
        } else if (state.to - state.from >= end * 0.999) {
            drag.kind = "overview-new";
        }
    }

    canvas.addEventListener("pointermove", (event) => {
        const { x, y } = position(event);
        moveCursor(x);
        if (!drag) {
            hover(x, y);
            return;
        }
        tip.hidden = true;
        drag.moved ||= Math.abs(x - drag.x) + Math.abs(y - drag.y) >= MIN_DRAG;
        if (drag.moved) {
            dragTo(x, y);
        }
    });

    /**
     * @param {number} x
     * @param {number} y
     */
    function dragTo(x, y) {
        const frame = timeline.frame();
        if (!drag || !frame) {
            return;
        }
        const was = { from: drag.from, to: drag.to };
        const tick = Math.min(Math.max(overviewTick(x), 0), end);
        if (drag.kind === "pan") {
            view.scroll = drag.scroll - (y - drag.y);
            store.set(panned(was, -(x - drag.x) / frame.scene.scale, end));
            app.redraw();
        } else if (drag.kind === "range") {
            const [a, b] = [tickAt(drag.x), tickAt(x)].sort((p, q) => p - q);
            store.set({ range: `${Math.round(a)}:${Math.round(b)}` });
        } else if (drag.kind === "overview") {
            store.set(panned(was, overviewTick(x) - overviewTick(drag.x), end));
        } else if (drag.kind === "overview-from" && tick < drag.to - 20) {
            store.set({ from: tick });
        } else if (drag.kind === "overview-to" && tick > drag.from + 20) {
            store.set({ to: tick });
        } else if (drag.kind === "overview-new") {
            const [a, b] = [overviewTick(drag.x), tick].sort((p, q) => p - q);
            store.set(zoomed({ from: Math.max(a, 0), to: b }, 1, a, end));
        }
    }

    canvas.addEventListener("pointerup", (event) => {
        const { x, y } = position(event);
        const done = drag;
        drag = null;
        if (!done || done.moved || event.button !== 0) {
            return;
        }
        if (done.kind === "names") {
            fold(y);
        } else if (done.kind === "range" || done.kind === "pan") {
            const hit = clicked = hitAt(x, y);
            view.lane = trackAt(y)?.kind === "lane" ? trackAt(y)?.item ?? -1 : view.lane;
            store.set(hit ? selectionOf(hit) : { select: "", range: "" });
            app.redraw();
        }
    });
    canvas.addEventListener("pointercancel", () => {
        drag = null;
    });
    canvas.addEventListener("pointerleave", () => {
        tip.hidden = cursor.hidden = true;
    });

    /** @param {number} y */
    function fold(y) {
        const track = trackAt(y);
        if (track?.kind === "lane") {
            view.lane = track.item;
            toggleFold(track.item);
        } else if (track?.kind === "rank") {
            foldRank(track);
        }
    }

    /**
     * Folds or unfolds a rank, and chooses it.
     * @param {import("./tracks.js").Track} track
     */
    function foldRank(track) {
        const { rank } = app.index.ranks[track.rank];
        store.set({ rank });
        if (isRankFolded(app.index, store.get(), track.rank) === track.isFolded) {
            store.set({ ranks: toggledRank(app.index, store.get(), track.rank) });
        }
    }

    /** @param {number} lane */
    function toggleFold(lane) {
        const folded = lanesOf(store.get().fold, app.index.lanes.length);
        if (!folded.delete(lane)) {
            folded.add(lane);
        }
        store.set({ fold: rangesOf(folded) });
    }

    // The first click opens the details of the slice, which makes the picture lower. So the second
    // click of a double click may be on another slice, or on the details.
    window.addEventListener("mousedown", (event) => {
        const first = event.detail === 2 ? clicked : null;
        clicked = null;
        if (first) {
            drag = null;
            store.set(around(first.from, first.to, end));
            const stop = (/** @type {Event} */ second) => second.stopPropagation();
            window.addEventListener("click", stop, { capture: true, once: true });
            window.addEventListener("mouseup", () => setTimeout(() => window.removeEventListener(
                "click", stop, { capture: true })), { once: true });
        }
    });
    canvas.addEventListener("dblclick", (event) => {
        if (position(event).y < OVERVIEW) {
            store.set({ from: 0, to: end });
        }
    });

    /**
     * Shows the time at the mouse in the ruler.
     * @param {number} x
     */
    function moveCursor(x) {
        const frame = timeline.frame();
        cursor.hidden = !frame || x < frame.left;
        if (frame && !cursor.hidden) {
            const second = app.index.clock.resolution;
            cursor.style.left = `${x}px`;
            cursor.classList.toggle("on-left", x > canvas.clientWidth - 110);
            fill(cursor, element("b", {}, rulerSeconds(tickAt(x) / second,
                1 / frame.scene.scale / second)));
        }
    }

    /**
     * @param {number} x
     * @param {number} y
     */
    function hover(x, y) {
        const hit = hitAt(x, y);
        const left = timeline.frame()?.left ?? 0;
        canvas.style.cursor = y < OVERVIEW && x >= left ? "ew-resize" : hit || x < left ? "pointer"
            : "crosshair";
        const frame = timeline.frame();
        const track = y >= TOP ? trackAt(y) : null;
        const isProfile = track && ["profile", "ready", "rank"].includes(track.kind);
        const parts = frame && track && !hit && x >= left && isProfile
            ? profileAt(frame, tickAt(x), track.rank)
                .filter((part) => (track.kind === "ready") === part.startsWith("ready")) : [];
        tip.hidden = hit ? isIdle(hit.state) && hit.count === 1 : parts.length === 0;
        if (!tip.hidden) {
            fill(tip, ...hit ? tipOf(app, hit, frame) : [element("b", {},
                `${track?.name ?? ""} at ${app.time(tickAt(x))}`),
                ...parts.map((part) => element("span", {}, part))]);
            const room = canvas.clientWidth - tip.offsetWidth - 8;
            tip.style.left = `${Math.max(Math.min(x + 14, room), 0)}px`;
            tip.style.top = `${y + 18 + tip.offsetHeight > canvas.clientHeight
                ? y - tip.offsetHeight - 10 : y + 18}px`;
        }
    }

    canvas.addEventListener("keydown", (event) => {
        if (event.ctrlKey || event.metaKey || event.altKey) {
            return;
        }
        const step = { ArrowLeft: -1, ArrowRight: 1, Comma: -1, Period: 1 }[event.code];
        const down = { ArrowUp: -1, ArrowDown: 1 }[event.code];
        if (step) {
            selectNext(step);
        } else if (down) {
            moveLane(down);
        } else if (event.code === "Enter") {
            selectTask();
        } else if (event.code === "Space") {
            toggleFold(Math.max(view.lane, 0));
        } else {
            return;
        }
        event.preventDefault();
    });

    /**
     * Gives the focus to the lane above or below.
     * @param {number} down 1 or -1
     */
    function moveLane(down) {
        const lanes = (timeline.frame()?.tracks ?? []).filter((track) => track.kind === "lane");
        const at = lanes.findIndex((track) => track.item === view.lane);
        const next = lanes[Math.min(Math.max(at + down, 0), lanes.length - 1)];
        if (next) {
            view.lane = next.item;
            timeline.reveal(view.lane);
            app.redraw();
        }
    }

    /**
     * Selects the next or the previous slice of the lane that is not outside.
     * @param {number} step 1 or -1
     */
    async function selectNext(step) {
        view.lane = Math.max(view.lane, 0);
        const state = store.get();
        const [kind, first, , start] = parsed(state.select);
        let at = step > 0 ? state.from - 1 : state.to + 1;
        if (kind === "slice" && first === view.lane) {
            at = start;
        } else if (kind === "task") {
            const task = app.tasks.get(first);
            at = task?.lane === view.lane ? task.begin : at;
        }
        const found = await neighbour(app, view.lane, at, step);
        if (found) {
            store.set({ select: `slice:${found.lane}:${found.row}:${found.from}`, range: "" });
            const width = state.to - state.from;
            if (found.from < state.from || found.from > state.to) {
                store.set(panned(state, found.from - state.from - width / 2, end));
            }
        }
    }

    /** Selects the task of the selected slice. */
    async function selectTask() {
        const [kind, lane, row, start] = parsed(store.get().select);
        if (kind === "slice") {
            await app.lanes.loadedSlices(lane, row, start, start, (of, i) => {
                if (of.start[i] === start && of.task[i] > 0) {
                    store.set({ select: `task:${of.task[i]}` });
                }
            });
        }
    }
}

/**
 * @param {App} app
 * @param {number} lane
 * @param {number} at tick
 * @param {number} step 1: the first slice after `at`; -1: the last in front of it
 * @returns {Promise<Hit | null>}
 */
async function neighbour(app, lane, at, step) {
    for (let width = app.end / 256; ; width *= 4) {
        const [from, to] = step > 0 ? [at, at + width] : [at - width, at];
        /** @type {Hit | null} */
        let found = null;
        await app.lanes.loadedSlices(lane, 0, from, to, (of, i) => {
            const start = of.start[i];
            const isNext = step > 0 ? start > at && !found : start < at;
            if (isNext && !isIdle(of.state[i])) {
                found = { x: 0, y: 0, w: 0, h: 0, lane, row: 0, from: start,
                    to: start + of.duration[i], state: of.state[i], label: of.label[i],
                    construct: of.construct[i], task: of.task[i], count: of.count[i] };
            }
        });
        if (found || width > app.end) {
            return found;
        }
    }
}

/**
 * @param {App} app
 * @param {Hit} hit
 * @param {import("./timeline_draw.js").Frame | null} frame
 */
function tipOf(app, hit, frame) {
    const time = app.time(hit.to - hit.from);
    if (hit.count !== 1) {
        const sums = hit.sums ?? [];
        const parts = STATE_COLUMNS.map((name, i) => [name, sums[i] ?? 0])
            .filter(([, ticks]) => ticks).map(([name, ticks]) => `${stateName(
                String(name))} ${app.time(+ticks)}`);
        return [element("b", {}, `${count(hit.count)} slices in ${time}`),
            element("span", {}, parts.join(", ")),
            hit.label >= 0 && hit.sums?.[STATE.executing]
                ? element("span", {}, `mostly ${app.name(hit.label)}`) : null,
            element("i", {}, app.laneName(hit.lane))];
    }
    const isExecuting = hit.state === STATE.executing;
    const label = isExecuting ? hit.label : hit.construct;
    const task = hit.task > 0 ? app.tasks.get(hit.task) : null;
    const { preempted, blocked } = offWithin(hit.row === 0 && frame ? frame.table("off", -1)
        : null, hit.lane, hit.from, hit.to);
    const functions = task && isExecuting ? topFunctions(app, task) : "";
    return [
        element("b", {}, app.names[label] ? iconOf(app, label) : null,
            isExecuting ? app.name(label) : app.index.states[hit.state],
            !isExecuting && app.names[label] ? ` in ${app.name(label)}` : ""),
        element("span", {}, `${time}, ${percent((hit.to - hit.from) / app.end * 100)} of the run, `
            + `from ${app.time(hit.from)}`),
        task ? element("span", {}, `${taskName(app, hit.task)}: executed ${app.time(task.work)}, `
            + `waiting ${app.time(Math.max(task.end - task.begin - task.work, 0))}, `
            + `begin ${app.time(task.begin)}`) : null,
        functions ? element("span", {}, functions) : null,
        preempted + blocked > 0 ? element("span", {}, `on no processor: ${[
            preempted > 0 ? `${app.time(preempted)} preempted` : "",
            blocked > 0 ? `${app.time(blocked)} blocked` : ""].filter(Boolean).join(", ")}`) : null,
        element("i", {}, app.laneName(hit.lane)),
    ];
}
