// The state of the page as the fragment of its address, which contains only values that differ from
// the default.

/** @typedef {import("./store.js").State} State */

/**
 * @param {State} state
 * @param {State} defaults
 */
export function fragmentOf(state, defaults) {
    const parts = [];
    for (const [key, value] of Object.entries(state)) {
        if (value !== defaults[/** @type {keyof State} */ (key)]) {
            const text = typeof value === "boolean" ? String(Number(value)) : String(value);
            parts.push(`${key}=${encodeURIComponent(text).replace(/%3A/g, ":")}`);
        }
    }
    return parts.length > 0 ? `#${parts.join("&")}` : "#";
}

/**
 * Ignores unknown names, and values of a wrong kind.
 * @param {string} fragment
 * @param {State} defaults
 * @returns {State}
 */
export function stateOf(fragment, defaults) {
    /** @type {Record<string, any>} */
    const state = { ...defaults };
    for (const part of fragment.replace(/^#/, "").split("&")) {
        const at = part.indexOf("=");
        const key = part.slice(0, at);
        if (at < 1 || !Object.hasOwn(defaults, key)) {
            continue;
        }
        const text = decoded(part.slice(at + 1));
        const usual = defaults[/** @type {keyof State} */ (key)];
        if (typeof usual === "number") {
            const value = Number(text);
            state[key] = Number.isFinite(value) ? value : usual;
        } else {
            state[key] = typeof usual === "boolean" ? text === "1" : text;
        }
    }
    return /** @type {State} */ (state);
}

/** @param {string} text */
function decoded(text) {
    try {
        return decodeURIComponent(text);
    } catch {
        return "";
    }
}
