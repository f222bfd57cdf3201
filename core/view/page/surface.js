// A canvas with the screen's resolution, and with texts that are cut to the available width.

/**
 * @param {HTMLCanvasElement} canvas
 */
export function createSurface(canvas) {
    const context = /** @type {CanvasRenderingContext2D} */ (
        canvas.getContext("2d", { alpha: false }));
    /** @type {Map<string, number>} */
    let widths = new Map();
    let width = 0;
    let height = 0;

    /** @param {string} text */
    function widthOf(text) {
        const key = context.font + text;
        let known = widths.get(key);
        if (known === undefined) {
            if (widths.size > 5000) {
                widths = new Map();
            }
            known = context.measureText(text).width;
            widths.set(key, known);
        }
        return known;
    }

    return {
        canvas,
        context,
        /** Adapts the canvas to its element. Returns its size in CSS pixels. */
        resize() {
            const box = canvas.getBoundingClientRect();
            const scale = devicePixelRatio || 1;
            width = Math.max(1, Math.round(box.width));
            height = Math.max(1, Math.round(box.height));
            const [w, h] = [Math.round(width * scale), Math.round(height * scale)];
            if (canvas.width !== w || canvas.height !== h) {
                canvas.width = w;
                canvas.height = h;
            }
            context.setTransform(scale, 0, 0, scale, 0, 0);
            return { width, height };
        },
        widthOf,
        /**
         * The first text that fits; "" if none fits.
         * @param {string[]} texts
         * @param {number} room in pixels
         */
        fitting: (texts, room) => texts.find((text) => text.length < 200 && widthOf(text) <= room) ?? "",
        /**
         * Draws as much of the text as fits; nothing if that is less than two letters.
         * @param {string} text
         * @param {number} x
         * @param {number} y
         * @param {number} room in pixels
         */
        text(text, x, y, room) {
            if (room < 14) {
                return;
            }
            if (text.length > 200) {
                text = text.slice(0, 200);
            }
            if (widthOf(text) <= room) {
                context.fillText(text, x, y);
                return;
            }
            let fits = Math.floor(text.length * room / widthOf(text));
            while (fits >= 2 && widthOf(`${text.slice(0, fits)}\u2026`) > room) {
                fits--;
            }
            if (fits >= 2) {
                context.fillText(`${text.slice(0, fits)}\u2026`, x, y);
            }
        },
    };
}

/** @typedef {ReturnType<typeof createSurface>} Surface */
