// The state of the page as the fragment of the address: `#count?puzzle=queens&n=8`.
//
// A long value, or one with several lines, is compressed: `~` and the deflated text in base64url.

/** @typedef {import("./places.js").Parameters} Parameters */

/** Values of at least this many characters are compressed. Shorter ones hardly shrink. */
const LONG = 120;

/** Largest number of characters of an inflated value, against addresses that inflate without end. */
const INFLATED_MAX = 8 << 20;

/** @param {Uint8Array} bytes */
function toBase64(bytes) {
    let text = "";
    // `apply` takes a bounded number of arguments.
    for (let at = 0; at < bytes.length; at += 0x8000) {
        text += String.fromCharCode(...bytes.subarray(at, at + 0x8000));
    }
    return btoa(text).replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "");
}

/** @param {string} text */
function fromBase64(text) {
    const bytes = atob(text.replace(/-/g, "+").replace(/_/g, "/"));
    return Uint8Array.from(bytes, (byte) => byte.charCodeAt(0));
}

/**
 * Compresses a text to base64url.
 * @param {string} text
 */
export async function deflate(text) {
    const stream = new Blob([text]).stream().pipeThrough(new CompressionStream("deflate-raw"));
    return toBase64(new Uint8Array(await new Response(stream).arrayBuffer()));
}

/**
 * Reverses `deflate`.
 * @param {string} packed
 * @throws if the text is damaged or longer than `INFLATED_MAX`
 */
export async function inflate(packed) {
    const stream = new Blob([fromBase64(packed)]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
    const reader = stream.pipeThrough(new TextDecoderStream()).getReader();
    let text = "";
    for (;;) {
        const { done, value } = await reader.read();
        if (done) {
            return text;
        }
        text += value;
        if (text.length > INFLATED_MAX) {
            await reader.cancel();
            throw new RangeError("the text in the address is too long");
        }
    }
}

/**
 * Writes a place and its parameters as a fragment.
 * @param {string} place
 * @param {Parameters} parameters
 * @returns {Promise<string>}
 */
export async function encode(place, parameters) {
    const search = new URLSearchParams();
    for (const [key, value] of Object.entries(parameters)) {
        const isPlain = value.length < LONG && !value.includes("\n") && !value.startsWith("~");
        search.set(key, isPlain ? value : `~${await deflate(value)}`);
    }
    const query = search.toString().replace(/%7E/g, "~").replace(/%3A/g, ":").replace(/%2C/g, ",");
    return `#${place}${query ? `?${query}` : ""}`;
}

/**
 * Reads a fragment. Damaged values are left out and named in `damaged`.
 * @param {string} fragment
 * @returns {Promise<{ place: string, parameters: Parameters, damaged: string[] }>}
 */
export async function decode(fragment) {
    const [place, query = ""] = fragment.replace(/^#/, "").split(/\?(.*)/s);
    /** @type {Parameters} */
    const parameters = {};
    const damaged = [];
    for (const [key, value] of new URLSearchParams(query)) {
        try {
            parameters[key] = value.startsWith("~") ? await inflate(value.slice(1)) : value;
        } catch {
            damaged.push(key);
        }
    }
    return { place, parameters, damaged };
}
