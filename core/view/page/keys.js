// Keys of the whole page, and the dialog that lists all keys.

import { element, fill } from "./dom.js";
import { panned, zoomed } from "./timeline/viewport.js";

/** @typedef {import("./app.js").App} App */

/** @type {[string, [string, string][]][]} */
const HELP = [
    ["Time", [
        ["W S", "zoom in, zoom out at the mouse"],
        ["A D", "earlier, later"],
        ["Ctrl + wheel", "zoom at the mouse"],
        ["Shift + wheel, Shift + drag", "pan"],
        ["Wheel", "scroll the lanes"],
        ["F", "zoom to the selection"],
        ["0", "everything"],
    ]],
    ["Select", [
        ["Click", "details"],
        ["Double click", "zoom to the slice"],
        ["Drag", "a range of time with statistics"],
        ["\u2190 \u2192  , .", "previous, next slice of the lane"],
        ["\u2191 \u2193", "lane above, lane below"],
        ["Enter", "select the task of the slice"],
        ["[ ]", "the task that it waited for, its first successor"],
        ["N P", "next, previous evidence of the finding"],
        ["Esc", "clear"],
    ]],
    ["Page", [
        ["1 \u2026 7", "pictures and tables"],
        ["/", "search a label, file:line or task 1:17"],
        ["C", "critical path: realised, span, off"],
        ["Space, click on a name", "fold a lane, or a rank"],
        ["R", "show or hide the report"],
        ["?", "this list"],
    ]],
];

/** @param {HTMLDialogElement} dialog */
export function showKeys(dialog) {
    fill(dialog,
        element("h2", { id: "keys-title" }, "Keys and mouse"),
        element("div", { class: "key-groups" }, ...HELP.map(([name, keys]) => element("section", {},
            element("h3", {}, name),
            element("dl", {}, ...keys.map(([key, text]) => element("div", {},
                element("dt", {}, element("kbd", {}, key)), element("dd", {}, text))))))),
        element("form", { method: "dialog" }, element("button", {}, "Close")));
    dialog.showModal();
}

/**
 * Zooms and pans as long as a key is down.
 * @param {App} app
 * @param {() => number} anchor the tick that a zoom keeps
 */
function createMotion(app, anchor) {
    /** @type {Set<string>} */
    const down = new Set();
    let last = 0;

    /** @param {number} now */
    function step(now) {
        if (down.size === 0) {
            last = 0;
            return;
        }
        const passed = Math.min(now - (last || now - 16), 50) / 1000;
        last = now;
        const { from, to } = app.store.get();
        let view = { from, to };
        const pan = Number(down.has("KeyD")) - Number(down.has("KeyA"));
        const zoom = Number(down.has("KeyS")) - Number(down.has("KeyW"));
        if (zoom) {
            view = zoomed(view, Math.exp(zoom * passed * 3.2), anchor(), app.end);
        }
        if (pan) {
            view = panned(view, pan * passed * (view.to - view.from) * 1.1, app.end);
        }
        app.store.set(view);
        requestAnimationFrame(step);
    }

    addEventListener("blur", () => down.clear());
    return {
        /** @param {string} code */
        press(code) {
            if (down.size === 0) {
                requestAnimationFrame(step);
            }
            down.add(code);
        },
        /** @param {string} code */
        release: (code) => down.delete(code),
    };
}

/**
 * @param {App} app
 * @param {{anchor: () => number, fit: () => void, all: () => void, follow: (step: number) => void,
 *          evidence: (step: number) => void,
 *          tabs: string[], help: () => void, search: () => void, graph: {zoom: (f: number) => void,
 *          pan: (x: number, y: number) => void}}} actions
 */
export function listenKeys(app, actions) {
    const { store } = app;
    const motion = createMotion(app, actions.anchor);
    const paths = ["", ...app.index.job ? ["job"] : [], "realised", "span"];

    /** @type {Record<string, () => void>} */
    const byCode = {
        KeyF: actions.fit,
        Digit0: actions.all,
        Numpad0: actions.all,
        KeyC: () => store.set({ path: paths[(paths.indexOf(store.get().path) + 1)
            % paths.length] }),
        KeyN: () => actions.evidence(1),
        KeyP: () => actions.evidence(-1),
        KeyR: () => store.set({ report: !store.get().report }),
        Escape: () => store.set({ select: "", range: "", piece: -1 }),
    };
    actions.tabs.forEach((tab, i) => {
        byCode[`Digit${i + 1}`] = () => store.set({ tab });
    });
    /** @type {Record<string, () => void>} */
    const byKey = { "/": actions.search, "?": actions.help, "[": () => actions.follow(-1),
        "]": () => actions.follow(1) };
    /** @type {Record<string, () => void>} */
    const inGraph = {
        KeyW: () => actions.graph.zoom(1.2), KeyS: () => actions.graph.zoom(1 / 1.2),
        KeyA: () => actions.graph.pan(60, 0), KeyD: () => actions.graph.pan(-60, 0),
    };

    /** @param {KeyboardEvent} event */
    function isForPage(event) {
        const { target } = event;
        return !event.ctrlKey && !event.metaKey && !event.altKey
            && !(target instanceof HTMLInputElement) && !(target instanceof HTMLSelectElement)
            && !document.querySelector("dialog[open]");
    }

    addEventListener("keydown", (event) => {
        if (!isForPage(event)) {
            return;
        }
        const isMotion = ["KeyW", "KeyA", "KeyS", "KeyD"].includes(event.code);
        if (isMotion && store.get().tab === "graph") {
            inGraph[event.code]();
        } else if (isMotion) {
            motion.press(event.code);
        } else if (byKey[event.key]) {
            byKey[event.key]();
        } else if (byCode[event.code] && !event.shiftKey) {
            byCode[event.code]();
        } else {
            return;
        }
        event.preventDefault();
    });
    addEventListener("keyup", (event) => motion.release(event.code));
}
