// The timeline: lanes of threads and devices over time; or only the parallelism profile.

import { outliersOf, parsed } from "../app.js";
import { stateFills } from "../colours.js";
import { spansOf } from "../details.js";
import { element } from "../dom.js";
import { createLegend } from "../legend.js";
import { drawMessages } from "../messages.js";
import { createSurface } from "../surface.js";
import { drawNames, drawOverview, drawRuler, drawScrollBar, drawTracks, readTokens, TOP }
    from "./timeline_draw.js";
import { drawOff } from "./off.js";
import { listenTimeline } from "./timeline_input.js";
import { drawArrows, drawEvidence, drawMarkers, drawPath, drawPauses, drawRange }
    from "./timeline_overlay.js";
import { isRankFolded, layoutProfile, layoutTracks, toggledRank } from "./tracks.js";

/** @typedef {import("../app.js").App} App */
/** @typedef {import("../data/decode.js").Columns} Columns */
/** @typedef {import("./timeline_draw.js").Frame} Frame */
/** @typedef {import("./timeline_rows.js").Hit} Hit */

/**
 * @param {App} app
 * @param {"lanes" | "profile"} kind
 */
export function createTimeline(app, kind) {
    const { index, store } = app;
    const canvas = element("canvas", { tabindex: 0, class: "picture", role: "application",
        "aria-label": kind === "profile" ? "Parallelism. w s a d zoom and pan, ? lists keys."
            : "Timeline. Arrow keys select slices, w s a d zoom and pan, ? lists keys." });
    const tip = element("div", { class: "tip", hidden: true });
    const cursor = element("div", { class: "cursor", hidden: true });
    const drawing = element("div", { class: "drawing" }, canvas, cursor, tip);
    const root = element("div", { class: "timeline" },
        kind === "lanes" ? createLegend(app) : null, drawing);
    const surface = createSurface(canvas);
    /** @type {import("./timeline_draw.js").Look | null} */
    let look = null;
    /** @type {Record<string, Columns | null>} */
    const tables = {};
    const byNumber = index.ranks.map((_, i) => i);
    const byWork = outliersOf(index);
    /** @type {Frame | null} */
    let frame = null;
    let isDrawn = false;
    /** @type {() => void} */
    let finish = () => {};
    /** @type {Promise<void>} */
    const drawn = new Promise((resolve) => {
        finish = resolve;
    });
    const view = { scroll: 0, lane: -1, content: 0 };

    /**
     * Returns the table if it is inflated; otherwise null, and it is drawn later.
     * @param {string} name
     * @param {number} rank index; -1: all
     */
    function need(name, rank) {
        const key = `${name}/${rank}`;
        if (tables[key] === undefined) {
            tables[key] = null;
            app.data.table(name, rank).then((columns) => {
                tables[key] = columns;
                app.redraw();
            });
        }
        return tables[key];
    }

    function layout(/** @type {number} */ room) {
        const state = store.get();
        return kind === "profile" ? layoutProfile(index, app.rank(), room)
            : layoutTracks(index, state, state.order ? byWork : byNumber, room);
    }

    function theme() {
        const style = getComputedStyle(document.body);
        look ??= { font: `11.5px ${style.fontFamily}`, c: readTokens(),
            fills: stateFills(surface.context) };
        return look;
    }

    /**
     * @param {number} width
     * @param {number} height
     * @returns {Frame}
     */
    function nextFrame(width, height) {
        const state = store.get();
        const left = width < 500 ? 78 : 128;
        const { tracks, height: content } = layout(height - TOP);
        view.content = content;
        view.scroll = Math.min(Math.max(view.scroll, 0), Math.max(content - (height - TOP), 0));
        const [selectedKind, selected = -1] = parsed(state.select);
        const axis = Math.max(width - left, 1);
        const { c, fills } = theme();
        return {
            app, surface, look: theme(), width, height, left, scroll: view.scroll, tracks,
            places: new Map(tracks.filter((track) => track.kind === "lane")
                .map((track) => [track.item, track])),
            headings: new Map(tracks.filter((track) => track.kind === "rank")
                .map((track) => [track.rank, track])),
            profile: need("profile", -1), table: need, mostReady: new Map(),
            lane: document.activeElement === canvas ? view.lane : -1,
            scene: {
                surface, lanes: app.lanes, left, width: axis, from: state.from, end: app.end,
                scale: axis / Math.max(state.to - state.from, 1), colours: app.colours,
                states: index.states.map((name) => fills[
                    name === "lock" ? "locks" : name] ?? fills.waiting),
                idle: c["ink-soft"], shorts: app.shorts,
                kinds: index.labels.map((label) => label.kind), time: app.time,
                same: app.same,
                only: app.same[selectedKind === "label" ? selected : selectedKind === "finding"
                    ? index.findings[selected]?.label ?? -1 : -1] ?? -1,
                task: selectedKind === "task" ? selected : 0,
                outline: c.ink, hits: [], isWaiting: false,
            },
        };
    }

    function draw() {
        if (root.hidden || !root.isConnected || root.closest("[hidden]")) {
            return;
        }
        const state = store.get();
        const { width, height } = surface.resize();
        const { context } = surface;
        context.font = theme().font;
        context.textBaseline = "middle";
        frame = nextFrame(width, height);
        context.fillStyle = frame.look.c.bg;
        context.fillRect(0, 0, width, height);
        drawRuler(frame);
        drawTracks(frame);
        drawOverlays(frame, state);
        drawNames(frame);
        drawScrollBar(frame, view.content);
        drawOverview(frame);
        if (!isDrawn && frame.profile && !frame.scene.isWaiting) {
            isDrawn = true;
            performance.mark("otter-first-picture");
            finish();
        }
    }

    /**
     * @param {Frame} present
     * @param {Readonly<import("../data/store.js").State>} state
     */
    function drawOverlays(present, state) {
        const [selectedKind, selected] = parsed(state.select);
        drawPauses(present);
        drawOff(present, kind === "lanes" ? need("off", -1) : null);
        if (state.path) {
            const isJob = state.path === "job";
            drawPath(present, need(isJob ? "job_path" : state.path === "span" ? "span"
                : "realised", isJob ? -1 : app.rank()));
        }
        if (state.range) {
            const [from, to, lane = -1] = state.range.split(":").map(Number);
            drawRange(present, from, to, lane);
        }
        if (selectedKind === "finding" && index.findings[selected]) {
            const { spans } = index.findings[selected];
            drawEvidence(present, spans, spansOf(index.findings[selected])[state.piece]);
        }
        if (selectedKind === "slice") {
            const hit = present.scene.hits.find((one) => `slice:${one.lane}:${one.row}:${one.from}`
                === state.select);
            if (hit) {
                present.surface.context.strokeStyle = present.look.c.ink;
                present.surface.context.lineWidth = 2;
                present.surface.context.strokeRect(hit.x + 1, hit.y + 1,
                    Math.max(hit.w - 2, 1), hit.h - 2);
            }
        }
        if (index.job && state.messages && kind === "lanes") {
            drawMessages(present, need("messages", -1));
        }
        drawArrows(present);
        drawMarkers(present);
    }

    app.onRedraw(draw);
    new ResizeObserver(app.redraw).observe(root);
    const timeline = {
        root,
        canvas,
        tip,
        cursor,
        view,
        drawn,
        /** The contents of the last frame. */
        frame: () => frame,
        /** Reads colours and fonts again. */
        changeTheme() {
            look = null;
            app.redraw();
        },
        /**
         * Scrolls until the lane is visible.
         * @param {number} lane
         */
        reveal(lane) {
            const rank = index.lanes[lane]?.rank ?? 0;
            if (index.job && isRankFolded(index, store.get(), rank)) {
                store.set({ ranks: toggledRank(index, store.get(), rank) });
            }
            const room = canvas.clientHeight - TOP;
            const { tracks } = layout(room);
            const track = tracks.find((one) => one.kind === "lane" && one.item === lane);
            if (track && (track.y < view.scroll || track.y + track.h > view.scroll + room)) {
                view.scroll = Math.max(track.y - room / 2, 0);
            }
        },
    };
    listenTimeline(app, timeline);
    return timeline;
}

/**
 * @typedef {object} Timeline
 * @property {HTMLDivElement} root
 * @property {HTMLCanvasElement} canvas
 * @property {HTMLDivElement} tip
 * @property {HTMLDivElement} cursor
 * @property {{scroll: number, lane: number, content: number}} view
 * @property {Promise<void>} drawn the first complete picture
 * @property {() => Frame | null} frame
 * @property {() => void} changeTheme
 * @property {(lane: number) => void} reveal
 */
