// Drawings of tilings as SVG: colors, outlines, and pictures of finished tilings for galleries.

import { connectedParts, keyOf, readTiling } from "./lattice.js";

/** @typedef {import("./lattice.js").Place} Place */
/** @typedef {import("./lattice.js").Lattice} Lattice */

const SVG = "http://www.w3.org/2000/svg";

/**
 * Makes an element of SVG.
 * @param {string} tag
 * @param {Record<string, string | number | undefined>} [attributes]
 * @param {...(Node | string)} children
 * @returns {SVGElement}
 */
export function shape(tag, attributes = {}, ...children) {
    const node = document.createElementNS(SVG, tag);
    for (const [name, value] of Object.entries(attributes)) {
        if (value === undefined) continue;
        // The page forbids style attributes, but not the properties of an element.
        if (name === "hue") node.style.setProperty("--hue", String(value));
        else node.setAttribute(name, String(value));
    }
    node.append(...children);
    return node;
}

/** Hue of the piece with this index: the golden angle keeps neighbors apart, as in the program's pictures. @param {number} index */
export const hueOf = (index) => Math.round((205 + 137.508 * index) % 360);

/** @param {number} n */
const short = (n) => String(Math.round(n * 1000) / 1000);

/** @param {[number, number][]} points */
export const pathOf = (points) => `M${points.map(([x, y]) => `${short(x)} ${short(y)}`).join("L")}`;

/**
 * The border of a set of cells: the sides that belong to one cell only, each as two points.
 * @param {Lattice} lattice
 * @param {Place[]} places
 */
export function borderOf(lattice, places) {
    /** @type {Map<string, [[number, number], [number, number]]>} */
    const sides = new Map();
    for (const place of places) {
        const outline = lattice.outline(place);
        outline.forEach((from, k) => {
            const to = outline[(k + 1) % outline.length];
            const middle = `${short((from[0] + to[0]) / 2)},${short((from[1] + to[1]) / 2)}`;
            if (!sides.delete(middle)) sides.set(middle, [from, to]);
        });
    }
    return [...sides.values()].map((side) => pathOf(side)).join("");
}

/** All cells as one path. @param {Lattice} lattice @param {Place[]} places */
export function areaOf(lattice, places) {
    return places.map((place) => pathOf(lattice.outline(place)) + (lattice.edges ? "" : "Z")).join("");
}

/**
 * The smallest box that holds the outlines, with a margin.
 * @param {Lattice} lattice
 * @param {Place[]} places
 * @param {number} margin
 */
export function boxOf(lattice, places, margin) {
    let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
    for (const place of places) {
        for (const [x, y] of lattice.outline(place)) {
            left = Math.min(left, x);
            top = Math.min(top, y);
            right = Math.max(right, x);
            bottom = Math.max(bottom, y);
        }
    }
    if (left > right) [left, top, right, bottom] = [0, 0, 1, 1];
    return { x: left - margin, y: top - margin, width: right - left + 2 * margin, height: bottom - top + 2 * margin };
}

/**
 * Places of a solid drawn side by side: layer after layer, moved to the right.
 * @param {Place[]} places all places, which decide the width of a layer
 * @returns {(place: Place) => Place} moves a place to the plane
 */
export function spread(places) {
    const width = Math.max(...places.map((place) => place.column)) + 1;
    return ({ layer, row, column }) => ({ layer: 1, row, column: column + (layer - 1) * width });
}

/**
 * How a domino or lozenge lies: its direction, and which of its ends has the even color. Dominoes of one of the four
 * sorts form the frozen corners of an Aztec diamond.
 * @param {Lattice} lattice
 * @param {Place[]} part
 */
export function sortOf(lattice, part) {
    const [a, b] = part;
    if (lattice.name === "triangular") {
        const type = a.row !== b.row ? 0 : (a.row + Math.min(a.column, b.column)) % 2 === 0 ? 1 : 2;
        return type;
    }
    const first = (a.row + a.column) % 2;
    return a.row === b.row ? first : 2 + first;
}

/** Hues of the sorts of dominoes and lozenges. */
export const HUES_OF_SORTS = [205, 35, 342, 140];

/**
 * A picture of a finished tiling.
 * @param {string} text
 * @param {string} title what a screen reader says
 */
export function tilingPicture(text, title) {
    const { lattice, solid, pieces, empty } = readTiling(text);
    let parts = pieces.flatMap(({ name, places }) => connectedParts(lattice, places).map((part) => ({ name, part })));
    const every = [...pieces.flatMap(({ places }) => places), ...empty];
    if (solid) {
        const move = spread(every);
        parts = parts.map(({ name, part }) => ({ name, part: part.map(move) }));
    }
    const flat = solid ? every.map(spread(every)) : every;
    const pairs = !lattice.edges && parts.every(({ part }) => part.length === 2);
    const names = [...new Set(pieces.map(({ name }) => name))].sort();
    const box = boxOf(lattice, flat, lattice.edges ? 0.25 : 0.08);
    const picture = shape("svg", {
        viewBox: `${short(box.x)} ${short(box.y)} ${short(box.width)} ${short(box.height)}`,
        role: "img",
        "aria-label": title,
        class: "tiling",
    });
    for (const { name, part } of parts) {
        const hue = pairs ? HUES_OF_SORTS[sortOf(lattice, part)] : hueOf(names.indexOf(name));
        if (lattice.edges) {
            picture.append(shape("path", { d: areaOf(lattice, part), class: "stick", hue }));
        } else {
            picture.append(shape("path", { d: areaOf(lattice, part), class: "tile", hue }));
            picture.append(shape("path", { d: borderOf(lattice, part), class: "seam" }));
        }
    }
    return picture;
}

/** @param {Place[]} places */
export const keysOf = (places) => new Set(places.map(keyOf));
