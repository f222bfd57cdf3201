// Numbers and times as texts.

/** @type {[number, string][]} */
const UNITS = [[1, "s"], [1e-3, "ms"], [1e-6, "us"], [1e-9, "ns"]];

/**
 * Three digits, as `otter report` prints them.
 * @param {number} value
 */
function threeDigits(value) {
    const magnitude = Math.abs(value);
    return value.toFixed(magnitude >= 99.95 ? 0 : magnitude >= 9.995 ? 1 : 2);
}

/**
 * "2.74 ms".
 * @param {number} value
 */
export function seconds(value) {
    const magnitude = Math.abs(value);
    if (!(magnitude > 0)) {
        return "0 s";
    }
    const [unit, name] = UNITS.find(([size]) => magnitude >= size * 0.9995)
        ?? UNITS[UNITS.length - 1];
    return `${threeDigits(value / unit)} ${name}`;
}

/**
 * A time on a ruler whose marks are `step` apart: two marks differ in their digits.
 * @param {number} value
 * @param {number} step
 */
export function rulerSeconds(value, step) {
    const reach = Math.max(Math.abs(value), step);
    const [unit, name] = UNITS.find(([size]) => reach >= size * 0.9995) ?? UNITS[UNITS.length - 1];
    const digits = Math.max(0, Math.ceil(-Math.log10(step / unit) - 1e-9));
    return `${(value / unit).toFixed(Math.min(digits, 9))} ${name}`;
}

/**
 * "1 234 567", with narrow spaces.
 * @param {number} value
 */
export function count(value) {
    return Math.round(value).toString().replace(/\B(?=(\d{3})+$)/g, "\u202f");
}

/** @param {number} value a percentage */
export function percent(value) {
    return `${value.toFixed(1)} %`;
}

/** @param {number} value */
export function ratio(value) {
    return threeDigits(value);
}

/** @param {number} value */
export function bytes(value) {
    const names = ["B", "KiB", "MiB", "GiB", "TiB"];
    let i = 0;
    while (Math.abs(value) >= 1024 && i < names.length - 1) {
        value /= 1024;
        i++;
    }
    return `${i === 0 ? Math.round(value) : threeDigits(value)} ${names[i]}`;
}

const INVISIBLE =
    /[\u0000-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/g;

/**
 * A text of the program without effect on the text around it: controls and marks of direction
 * are shown as their numbers.
 * @param {string} text
 */
export function plain(text) {
    return text.replace(INVISIBLE,
        (c) => `\u2039${c.charCodeAt(0).toString(16).padStart(4, "0")}\u203a`);
}
