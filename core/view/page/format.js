// Numbers and times as texts. In tables, the texts are the same as in `otter report`.

const UNITS = ["s", "ms", "us", "ns"];

/**
 * Rounds like printf(): a value halfway between two texts gets the even one.
 * @param {number} value
 * @param {number} digits
 */
export function fixed(value, digits) {
    const isHalfway = Math.abs(value * 2 ** (digits + 1)) % 2 === 1;
    const cut = value.toFixed(digits + 1).replace(/\.?5$/, "");
    return isHalfway && /[02468]$/.test(cut) ? cut : value.toFixed(digits);
}

/**
 * "2.74 ms", like otter_duration_text().
 * @param {number} value
 * @returns {string}
 */
export function seconds(value) {
    if (value < 0) {
        return `-${seconds(-value)}`;
    }
    let unit = 0;
    for (; value < 0.9995 && unit < UNITS.length - 1; unit++) {
        value *= 1000;
    }
    const isWhole = unit === UNITS.length - 1 || value >= 99.95;
    return `${fixed(value, isWhole ? 0 : value >= 9.995 ? 1 : 2)} ${UNITS[unit]}`;
}

/**
 * A time on a ruler whose marks are `step` apart, with enough digits to distinguish neighbouring
 * marks.
 * @param {number} value
 * @param {number} step
 */
export function rulerSeconds(value, step) {
    const reach = Math.max(Math.abs(value), step);
    const found = UNITS.findIndex((_, i) => reach >= 0.9995 / 1000 ** i);
    const unit = found < 0 ? UNITS.length - 1 : found;
    const digits = Math.max(0, Math.ceil(-Math.log10(step * 1000 ** unit) - 1e-9));
    return `${(value * 1000 ** unit).toFixed(Math.min(digits, 9))} ${UNITS[unit]}`;
}

/**
 * "1,234,567".
 * @param {number} value
 */
export function count(value) {
    return Math.round(value).toString().replace(/\B(?=(\d{3})+$)/g, ",");
}

/** @param {number} value a percentage */
export function percent(value) {
    return value > 1000 ? ">1000 %" : `${fixed(value, 1)} %`;
}

/** @param {number} value */
export function ratio(value) {
    return fixed(value, 2);
}

/** @param {number} value */
export function bytes(value) {
    const names = ["bytes", "KiB", "MiB", "GiB", "TiB"];
    let i = 0;
    while (value >= 1024 && i < names.length - 1) {
        value /= 1024;
        i++;
    }
    return `${fixed(value, i === 0 ? 0 : 1)} ${names[i]}`;
}

const INVISIBLE =
    /[\u0000-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/g;

/** @type {Record<string, string>} */
const SHORT = { "\n": "\\n", "\r": "\\r", "\t": "\\t" };

/**
 * A text of the program that cannot affect the text around it: control characters and direction
 * marks are shown as in `otter report`.
 * @param {string} text
 */
export function plain(text) {
    return text.replace(INVISIBLE, (c) => SHORT[c] ?? (c < "\x80" ? "\\x" : "\\u")
        + c.charCodeAt(0).toString(16).padStart(c < "\x80" ? 2 : 4, "0"));
}
