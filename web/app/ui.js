// Small parts of the user interface.

/** @typedef {Node | string | number | null | undefined | false} Child */

/**
 * Makes an element. Attributes that start with `on` are listeners, `true` is an empty attribute, and
 * `false`, `null` and `undefined` leave the attribute out.
 * @template {keyof HTMLElementTagNameMap} T
 * @param {T} tag
 * @param {Record<string, unknown>} [attributes]
 * @param {...(Child | Child[])} children
 * @returns {HTMLElementTagNameMap[T]}
 */
export function element(tag, attributes = {}, ...children) {
    const made = document.createElement(tag);
    assign(made, attributes, children);
    return made;
}

/**
 * Makes an SVG element; see `element`.
 * @template {keyof SVGElementTagNameMap} T
 * @param {T} tag
 * @param {Record<string, unknown>} [attributes]
 * @param {...(Child | Child[])} children
 * @returns {SVGElementTagNameMap[T]}
 */
export function shape(tag, attributes = {}, ...children) {
    const made = document.createElementNS("http://www.w3.org/2000/svg", tag);
    assign(made, attributes, children);
    return made;
}

/**
 * @param {Element} made
 * @param {Record<string, unknown>} attributes
 * @param {(Child | Child[])[]} children
 */
function assign(made, attributes, children) {
    for (const [name, value] of Object.entries(attributes)) {
        if (name.startsWith("on") && typeof value === "function") {
            made.addEventListener(name.slice(2).toLowerCase(), /** @type {EventListener} */ (value));
        } else if (value === true) {
            made.setAttribute(name, "");
        } else if (value !== false && value !== null && value !== undefined) {
            made.setAttribute(name, String(value));
        }
    }
    for (const child of children.flat()) {
        if (child !== null && child !== undefined && child !== false) {
            made.append(child instanceof Node ? child : String(child));
        }
    }
}

/** Elements of the program's pictures. */
const SVG_TAGS = new Set(["svg", "g", "path", "rect", "circle", "ellipse", "line", "polyline", "polygon", "text", "tspan", "title", "desc", "defs", "marker", "use", "clipPath"]);

/**
 * Reads a picture of the program. Only plain shapes and attributes are kept; the colors of the theme
 * come from `style.css`, so that pictures and page always agree.
 * @param {string} text
 * @param {string} [label] description for screen readers; without it the picture is decoration
 * @returns {SVGSVGElement | null} `null` if the text is no picture
 */
export function svg(text, label) {
    // The policy of the page would report a style even in a document that is only read.
    const plain = text.replace(/<style>[^<]*<\/style>/g, "");
    const read = new DOMParser().parseFromString(plain, "image/svg+xml");
    const root = read.documentElement;
    if (root.nodeName !== "svg" || read.querySelector("parsererror")) {
        return null;
    }
    for (const part of [root, ...root.querySelectorAll("*")]) {
        if (!SVG_TAGS.has(part.localName)) {
            part.remove();
            continue;
        }
        for (const { name, value } of [...part.attributes]) {
            const isActive = /^on/i.test(name) || name === "style";
            const isLink = /href$/i.test(name) && !value.startsWith("#");
            if (isActive || isLink || /url\((?!#)/.test(value)) {
                part.removeAttribute(name);
            }
        }
    }
    const picture = /** @type {SVGSVGElement} */ (document.importNode(/** @type {Node} */ (root), true));
    picture.classList.add("picture");
    if (label) {
        picture.setAttribute("role", "img");
        picture.setAttribute("aria-label", label);
    } else {
        picture.setAttribute("aria-hidden", "true");
    }
    return picture;
}

/**
 * @param {Child | Child[]} label
 * @param {(event: MouseEvent) => void} onclick
 * @param {Record<string, unknown>} [attributes]
 */
export function button(label, onclick, attributes = {}) {
    return element("button", { type: "button", ...attributes, onclick }, ...[label].flat());
}

/** Number of fields made, for their ids. */
let fieldCount = 0;

/**
 * Puts a label, and a hint if there is one, next to a control.
 * @param {string} label
 * @param {HTMLElement} control
 * @param {string} [hint]
 */
export function field(label, control, hint) {
    control.id ||= `field-${(fieldCount += 1)}`;
    const parts = [element("label", { for: control.id }, label), control];
    if (hint) {
        control.setAttribute("aria-describedby", `${control.id}-hint`);
        parts.push(element("small", { id: `${control.id}-hint` }, hint));
    }
    return element("div", { class: "field" }, parts);
}

/**
 * Makes a selection list.
 * @param {[value: string, label: string][]} choices
 * @param {string} value
 * @param {(value: string) => void} onchange
 * @param {Record<string, unknown>} [attributes]
 */
export function select(choices, value, onchange, attributes = {}) {
    const options = choices.map(([choice, label]) =>
        element("option", { value: choice, selected: choice === value }, label),
    );
    const made = element("select", attributes, options);
    made.addEventListener("change", () => onchange(made.value));
    return made;
}

/** A position that a message of the program names, with both numbers from 1. @typedef {{ line: number, column: number }} Position */

const PLACE = /^(standard input|argument):(\d+)(?::(\d+))?: /;

/**
 * Splits the notes of an answer: the first error with its position, without the name of the input.
 * @param {string[]} notes
 * @returns {{ text: string, position: Position | null }}
 */
export function readNotes(notes) {
    const text = notes.join("\n");
    const found = PLACE.exec(text);
    return {
        text: text.replace(/^(standard input|argument):/gm, ""),
        position: found ? { line: Number(found[2]), column: Number(found[3] ?? 1) } : null,
    };
}

/**
 * Shows an error, or the notes of an answer: `line:column: message`, the line, and a caret.
 * @param {string | string[]} notes
 * @param {{ kind?: "error" | "note", onPlace?: (position: Position) => void }} [options]
 */
export function message(notes, { kind = "error", onPlace } = {}) {
    const { text, position } = readNotes([notes].flat());
    const [first, ...rest] = text.split("\n");
    const words = first.replace(/^(\d+):(\d+): /, "line $1, column $2: ");
    const jump =
        position && onPlace
            ? button("Show in the text", () => onPlace(position), { class: "plain small" })
            : null;
    return element(
        "div",
        { class: `message ${kind}` },
        element("p", {}, words, jump ? " " : null, jump),
        rest.length > 0 ? element("pre", {}, rest.join("\n")) : null,
    );
}

/**
 * Calls a function once its calls pause for `wait` milliseconds.
 * @template {unknown[]} A
 * @param {(...args: A) => void} call
 * @param {number} wait
 */
export function debounce(call, wait) {
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    let timer;
    const debounced = (/** @type {A} */ ...args) => {
        clearTimeout(timer);
        timer = setTimeout(() => call(...args), wait);
    };
    debounced.cancel = () => clearTimeout(timer);
    return debounced;
}

/**
 * Offers a text as a file.
 * @param {string} name
 * @param {Blob} content
 */
export function download(name, content) {
    const address = URL.createObjectURL(content);
    const link = element("a", { href: address, download: name });
    link.click();
    setTimeout(() => URL.revokeObjectURL(address), 10_000);
}

/** Largest number of characters of a file, which the address and the program can take. */
const FILE_MAX = 8 << 20;

/**
 * Reads a file as text; BurrTools compresses its files with gzip.
 * @param {File} file
 * @throws {Error} with a message for people, if the file is too long or damaged
 */
export async function fileText(file) {
    const start = new Uint8Array(await file.slice(0, 2).arrayBuffer());
    const isPacked = start[0] === 0x1f && start[1] === 0x8b;
    const bytes = /** @type {ReadableStream<any>} */ (file.stream());
    const reader = (isPacked ? bytes.pipeThrough(new DecompressionStream("gzip")) : bytes).pipeThrough(new TextDecoderStream()).getReader();
    let text = "";
    for (;;) {
        const { done, value } = await reader.read().catch(() => {
            throw new Error(`${file.name} is damaged: it cannot be unpacked.`);
        });
        if (done) return text;
        text += value;
        if (text.length > FILE_MAX) {
            await reader.cancel();
            throw new Error(`${file.name} has more than 8 MiB. The program on the command line reads it.`);
        }
    }
}

/** Writes a short time with three digits. @param {number} seconds */
export function time(seconds) {
    if (seconds === 0) return "< 0.1 ms";
    if (seconds < 1e-6) return `${(seconds * 1e9).toFixed(0)} ns`;
    if (seconds < 1e-3) return `${(seconds * 1e6).toPrecision(3)} µs`;
    if (seconds < 1) return `${(seconds * 1e3).toPrecision(3)} ms`;
    return `${seconds.toPrecision(3)} s`;
}

/** Writes a number of seconds for people. @param {number} seconds */
export function duration(seconds) {
    if (seconds < 0.9995) {
        return `${Math.max(1, Math.round(seconds * 1000))} ms`;
    }
    return seconds < 100 ? `${seconds.toFixed(1)} s` : `${Math.round(seconds)} s`;
}

/** Groups the digits of a number by thousands. @param {string | number} digits */
export function grouped(digits) {
    return String(digits).replace(/\B(?=(\d{3})+$)/g, "\u202f");
}
