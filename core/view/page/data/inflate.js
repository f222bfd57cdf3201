// Inflates short zlib streams synchronously: a stream of the browser takes milliseconds before its
// first byte, and a job has thousands of short chunks.

const LENGTHS = bases(29, 3, 4);
const DISTANCES = bases(30, 1, 2);
const ORDER = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15]; // RFC 1951, 3.2.7

/** @typedef {{bytes: Uint8Array, at: number, bits: number, n: number}} Input */
/** @typedef {{bits: number, symbols: Uint16Array, lengths: Uint8Array}} Codes */

/**
 * For each code of lengths or distances, its smallest value and the number of bits after it.
 * @param {number} n
 * @param {number} first
 * @param {number} group codes with equally many bits
 */
function bases(n, first, group) {
    const base = [];
    const extra = [];
    for (let i = 0, next = first; i < n; i++) {
        extra.push(Math.max(Math.floor(i / group) - 1, 0));
        base.push(next);
        next += 2 ** extra[i];
    }
    return { base: Uint16Array.from(base), extra: Uint8Array.from(extra) };
}

/**
 * @param {Input} input
 * @param {number} n at most 16
 */
function peek(input, n) {
    while (input.n < n) {
        if (input.at > input.bytes.length + 4) {
            throw new Error("a chunk of this file is cut off");
        }
        input.bits |= (input.bytes[input.at++] ?? 0) << input.n;
        input.n += 8;
    }
    return input.bits & ((1 << n) - 1);
}

/**
 * @param {Input} input
 * @param {number} n
 */
function take(input, n) {
    const value = peek(input, n);
    input.bits >>>= n;
    input.n -= n;
    return value;
}

/**
 * The canonical codes of these lengths, by the next bits of the input.
 * @param {ArrayLike<number>} lengths
 * @returns {Codes}
 */
function codesOf(lengths) {
    const bits = Math.max(1, ...Array.from(lengths));
    const symbols = new Uint16Array(1 << bits);
    const known = new Uint8Array(1 << bits);
    for (let length = 1, code = 0; length <= bits; length++, code <<= 1) {
        for (let symbol = 0; symbol < lengths.length; symbol++) {
            if (lengths[symbol] === length) {
                let reversed = 0;
                for (let i = 0; i < length; i++) {
                    reversed |= ((code >> i) & 1) << (length - 1 - i);
                }
                for (let at = reversed; at < symbols.length; at += 1 << length) {
                    symbols[at] = symbol;
                    known[at] = length;
                }
                code++;
            }
        }
    }
    return { bits, symbols, lengths: known };
}

/**
 * @param {Input} input
 * @param {Codes} codes
 */
function symbolOf(input, codes) {
    const at = peek(input, codes.bits);
    const length = codes.lengths[at];
    if (length === 0) {
        throw new Error("a chunk of this file is damaged");
    }
    take(input, length);
    return codes.symbols[at];
}

/** @param {Input} input */
function dynamicCodes(input) {
    const nLengths = take(input, 5) + 257;
    const nDistances = take(input, 5) + 1;
    const nOrders = take(input, 4) + 4;
    const own = new Uint8Array(19);
    for (let i = 0; i < nOrders; i++) {
        own[ORDER[i]] = take(input, 3);
    }
    const codes = codesOf(own);
    /** @type {number[]} */
    const all = [];
    while (all.length < nLengths + nDistances) {
        const symbol = symbolOf(input, codes);
        const value = symbol === 16 ? all[all.length - 1] : symbol < 16 ? symbol : 0;
        const times = symbol === 16 ? 3 + take(input, 2) : symbol === 17 ? 3 + take(input, 3)
            : symbol === 18 ? 11 + take(input, 7) : 1;
        for (let i = 0; i < times; i++) {
            all.push(value);
        }
    }
    return { lengths: codesOf(all.slice(0, nLengths)),
        distances: codesOf(all.slice(nLengths, nLengths + nDistances)) };
}

const FIXED = {
    lengths: codesOf(Array.from({ length: 288 },
        (_, i) => (i < 144 ? 8 : i < 256 ? 9 : i < 280 ? 7 : 8))),
    distances: codesOf(new Array(30).fill(5)),
};

/** @typedef {{bytes: Uint8Array, n: number}} Output the bytes so far, and their number */

/**
 * @param {Output} output
 * @param {number} more
 */
function reserve(output, more) {
    if (output.n + more > output.bytes.length) {
        const larger = new Uint8Array(2 * (output.n + more));
        larger.set(output.bytes);
        output.bytes = larger;
    }
}

/**
 * @param {Input} input
 * @param {Output} output
 */
function stored(input, output) {
    take(input, input.n & 7);
    const n = take(input, 16);
    take(input, 16);
    reserve(output, n);
    for (let i = 0; i < n; i++) {
        output.bytes[output.n++] = take(input, 8);
    }
}

/**
 * Repeats bytes from `distance` bytes before.
 * @param {Output} output
 * @param {number} distance
 * @param {number} length
 */
function repeat(output, distance, length) {
    reserve(output, length);
    const { bytes, n } = output;
    if (distance > n) {
        throw new Error("a chunk of this file is damaged");
    }
    for (let i = n; i < n + length; i++) {
        bytes[i] = bytes[i - distance];
    }
    output.n = n + length;
}

/**
 * The value of a code and of the bits after it.
 * @param {Input} input
 * @param {{base: Uint16Array, extra: Uint8Array}} values
 * @param {number} code
 */
function valueOf(input, { base, extra }, code) {
    if (code >= base.length) {
        throw new Error("a chunk of this file is damaged");
    }
    return base[code] + take(input, extra[code]);
}

/**
 * @param {Input} input
 * @param {Output} output
 * @param {{lengths: Codes, distances: Codes}} codes
 */
function compressed(input, output, { lengths, distances }) {
    for (let symbol = symbolOf(input, lengths); symbol !== 256; symbol = symbolOf(input, lengths)) {
        if (symbol < 256) {
            reserve(output, 1);
            output.bytes[output.n++] = symbol;
        } else {
            const i = symbol - 257;
            const length = i === 28 ? 258 : valueOf(input, LENGTHS, i);
            repeat(output, valueOf(input, DISTANCES, symbolOf(input, distances)), length);
        }
    }
}

/**
 * The checksum of zlib. The sums of 3800 bytes are below 2^31.
 * @param {Uint8Array} bytes
 */
function adler(bytes) {
    let a = 1;
    let b = 0;
    for (let at = 0; at < bytes.length; at += 3800) {
        const end = Math.min(at + 3800, bytes.length);
        for (let i = at; i < end; i++) {
            a += bytes[i];
            b += a;
        }
        a %= 65521;
        b %= 65521;
    }
    return b * 65536 + a;
}

/**
 * @param {Uint8Array} bytes a zlib stream
 * @returns {Uint8Array}
 */
export function inflateAtOnce(bytes) {
    const input = { bytes, at: 2, bits: 0, n: 0 }; // after the header of 2 bytes
    const output = { bytes: new Uint8Array(6 * bytes.length), n: 0 };
    for (let isLast = 0; !isLast;) {
        isLast = take(input, 1);
        const kind = take(input, 2);
        if (kind === 0) {
            stored(input, output);
        } else {
            compressed(input, output, kind === 1 ? FIXED : dynamicCodes(input));
        }
    }
    const all = output.bytes.subarray(0, output.n);
    take(input, input.n & 7);
    const sum = [24, 16, 8, 0].reduce((value, shift) => value + take(input, 8) * 2 ** shift, 0);
    if (sum !== adler(all)) {
        throw new Error("a chunk of this file is damaged");
    }
    return all;
}
