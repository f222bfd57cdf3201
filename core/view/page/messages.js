// Arrows of messages between ranks.

import { arrow } from "./timeline/timeline_overlay.js";
import { TOP, xOf } from "./timeline/timeline_draw.js";

/** @typedef {import("./data/decode.js").Columns} Columns */
/** @typedef {import("./timeline/timeline_draw.js").Frame} Frame */
/** @typedef {{fromLane: number, leaves: number, toLane: number, arrives: number,
 *             bytes: number}} Message */

const MAX_MESSAGES = 120; // arrows in one picture, at most

/** @type {WeakMap<Columns, Message[]>} */
const known = new WeakMap();

/**
 * The messages with both ends in the file, the longest first.
 * @param {Columns} ends
 */
export function messagesOf(ends) {
    let messages = known.get(ends);
    if (!messages) {
        const { message, is_send: isSend, lane, time, bytes } = ends.of;
        const sends = new Map();
        for (let i = 0; i < ends.rows; i++) {
            if (isSend[i]) {
                sends.set(message[i], i);
            }
        }
        messages = [];
        for (let i = 0; i < ends.rows; i++) {
            const send = sends.get(message[i]);
            if (!isSend[i] && send !== undefined) {
                messages.push({ fromLane: lane[send], leaves: time[send], toLane: lane[i],
                    arrives: time[i], bytes: bytes[i] });
            }
        }
        messages.sort((a, b) => (b.arrives - b.leaves) - (a.arrives - a.leaves));
        known.set(ends, messages);
    }
    return messages;
}

/**
 * Draws the longest visible messages. Returns their number.
 * @param {Frame} frame
 * @param {Columns | null} ends
 */
export function drawMessages(frame, ends) {
    const { surface: { context }, look: { c }, scene, width, left, height } = frame;
    let n = 0;
    context.save();
    context.beginPath();
    context.rect(left, TOP, width - left, height - TOP);
    context.clip();
    context.globalAlpha = 0.8;
    const to = scene.from + scene.width / scene.scale;
    for (const one of ends ? messagesOf(ends) : []) {
        const isVisible = one.leaves < to && one.arrives > scene.from
            && xOf(frame, one.arrives) - xOf(frame, one.leaves) >= 1;
        if (isVisible && n < MAX_MESSAGES) {
            arrow(frame, one, c.accent);
            n++;
        }
    }
    context.restore();
    return n;
}
