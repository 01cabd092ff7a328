// A plot of a figure over the sizes, with a logarithmic axis. The table next to it has the numbers.

import { shape } from "../ui.js";

const WIDTH = 560;
const HEIGHT = 320;
const LEFT = 62;
const RIGHT = 104;
const TOP = 16;
const BOTTOM = 40;

/** Class of the line of each engine, by its place; see place.css. */
export const LINES = 8;

/** Shapes that tell the lines apart without color. */
const MARKS = [
    "M-4 0a4 4 0 1 0 8 0a4 4 0 1 0-8 0z", "M-4-4h8v8h-8z", "M0-5l5 9h-10z", "M0-5l5 5l-5 5l-5-5z", "M0 5l5-9h-10z",
    "M-5-1.500h3.500v-3.500h3v3.500h3.500v3h-3.500v3.500h-3v-3.500h-3.500z", "M-4-2l2-3h4l2 3v4l-2 3h-4l-2-3z",
    "M0-5l1.500 3.500l3.700 .3l-2.800 2.400l.9 3.600l-3.300-2l-3.300 2l.9-3.600l-2.800-2.400l3.700-.3z",
];

/**
 * @param {{
 *     title: string, sizes: number[], label: string,
 *     lines: { name: string, line: number, points: [size: number, value: number][] }[],
 *     tick(value: number): string,
 * }} data
 * @returns {SVGSVGElement | null} `null` if there is nothing to draw
 */
export function plot({ title, sizes, label, lines, tick }) {
    const values = lines.flatMap(({ points }) => points.map(([, value]) => value)).filter((value) => value > 0);
    if (values.length === 0 || sizes.length < 2) return null;
    const low = Math.floor(Math.log10(Math.min(...values)));
    const high = Math.max(low + 1, Math.ceil(Math.log10(Math.max(...values))));
    const [first, last] = [Math.min(...sizes), Math.max(...sizes)];
    const x = (/** @type {number} */ size) => LEFT + ((size - first) / (last - first)) * (WIDTH - LEFT - RIGHT);
    const y = (/** @type {number} */ value) =>
        HEIGHT - BOTTOM - ((Math.log10(value) - low) / (high - low)) * (HEIGHT - TOP - BOTTOM);
    const parts = [];
    const every = Math.ceil((high - low) / 7);
    for (let power = low; power <= high; power += every) {
        const at = y(10 ** power);
        parts.push(
            shape("line", { x1: LEFT, x2: WIDTH - RIGHT, y1: at, y2: at, class: "grid" }),
            shape("text", { x: LEFT - 8, y: at, class: "tick end" }, tick(10 ** power)),
        );
    }
    for (const size of sizes) {
        parts.push(shape("text", { x: x(size), y: HEIGHT - BOTTOM + 20, class: "tick middle" }, size));
    }
    parts.push(shape("text", { x: (LEFT + WIDTH - RIGHT) / 2, y: HEIGHT - 6, class: "tick middle" }, label));
    // Labels at the ends of the lines, moved apart where they would overlap.
    const ends = lines.filter(({ points }) => points.length > 0).map(({ name, line, points }) => {
        const [size, value] = points[points.length - 1];
        return { name, line, x: x(size), y: y(value) };
    }).sort((a, b) => a.y - b.y);
    const texts = ends.map((end) => ({ ...end }));
    for (let number = 1; number < texts.length; number += 1) {
        for (let other = 0; other < number; other += 1) {
            if (Math.abs(texts[number].x - texts[other].x) < 80 && texts[number].y < texts[other].y + 15) {
                texts[number].y = texts[other].y + 15;
            }
        }
    }
    for (const { line, points } of lines) {
        const path = points.map(([size, value], number) => `${number === 0 ? "M" : "L"}${x(size)} ${y(value)}`).join("");
        parts.push(shape("path", { d: path, class: `curve line-${line % LINES}` }));
        for (const [size, value] of points) {
            parts.push(shape("path", {
                d: MARKS[line % MARKS.length], transform: `translate(${x(size)} ${y(value)})`,
                class: `mark line-${line % LINES}`,
            }));
        }
    }
    for (const { name, line, x, y } of texts) {
        parts.push(shape("text", { x: x + 10, y, class: `name line-${line % LINES}` }, name));
    }
    return shape("svg", {
        viewBox: `0 0 ${WIDTH} ${HEIGHT}`, class: "plot", role: "img",
        "aria-label": `${title}; the table has the numbers`,
    }, ...parts);
}
