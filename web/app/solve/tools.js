// The tools that draw clues on the board: a row of the table for each.

import { nameOf } from "./sheet.js";

/** @typedef {import("./sheet.js").Cell} Cell */

/**
 * How a clue is drawn:
 * - `select`: selects cells, for digits;
 * - `cells`: drags over cells in any order;
 * - `path`: drags along a line;
 * - `pair`: drags over a side between two cells, or clicks near it;
 * - `corner`: clicks near the corner of four cells;
 * - `outside`: clicks at the end of a row or column, outside the grid;
 * - `diagonal`: drags from outside the grid along a diagonal;
 * - `paint`: paints cells with the region of the first one.
 * @typedef {"select" | "cells" | "path" | "pair" | "corner" | "outside" | "diagonal" | "paint"} Gesture
 */

/**
 * A tool. `write` makes the clue; `value` labels its number, `initial` is the number at first, and
 * `least` is the smallest number of cells.
 * @typedef {{
 *     name: string,
 *     title: string,
 *     group: string,
 *     gesture: Gesture,
 *     rule?: string,
 *     help: string,
 *     value?: string,
 *     initial?: string,
 *     fixed?: string,
 *     least?: number,
 *     write?: (cells: Cell[]) => string,
 * }} Tool
 */

const list = (/** @type {Cell[]} */ cells) => cells.map(nameOf).join(" ");

/**
 * @param {string} name
 * @param {string} title
 * @param {string} help
 * @returns {Tool}
 */
function line(name, title, help) {
    return { name, title, group: "Lines", gesture: "path", rule: name, help, least: 2, write: list };
}

/** @type {readonly Tool[]} */
export const TOOLS = [
    { name: "digits", title: "Digits", group: "", gesture: "select", help: "Select cells and type digits." },
    {
        name: "killer",
        title: "Cage",
        group: "Cells",
        gesture: "cells",
        rule: "killer",
        help: "Digits differ and have this sum (or any).",
        value: "Sum",
        initial: "",
        write: list,
    },
    {
        name: "sum",
        title: "Sum",
        group: "Cells",
        gesture: "cells",
        rule: "sum",
        help: "Digits have this sum and may repeat.",
        value: "Sum",
        initial: "10",
        write: list,
    },
    { name: "extra", title: "Extra region", group: "Cells", gesture: "cells", rule: "extra", help: "Digits differ.", least: 2, write: list },
    { name: "even", title: "Even", group: "Cells", gesture: "cells", rule: "even", help: "Even digits.", write: list },
    { name: "odd", title: "Odd", group: "Cells", gesture: "cells", rule: "odd", help: "Odd digits.", write: list },
    { name: "minimum", title: "Minimum", group: "Cells", gesture: "cells", rule: "minimum", help: "Less than the cells at its sides.", write: list },
    { name: "maximum", title: "Maximum", group: "Cells", gesture: "cells", rule: "maximum", help: "Greater than the cells at its sides.", write: list },
    line("thermo", "Thermometer", "Digits grow from the bulb on."),
    {
        name: "arrow",
        title: "Arrow",
        group: "Lines",
        gesture: "path",
        rule: "arrow",
        help: "The digits of the shaft add up to the circle. Start at the circle.",
        least: 2,
        write: ([circle, ...shaft]) => `${nameOf(circle)} / ${list(shaft)}`,
    },
    line("whisper", "German whisper", "Neighbors differ by 5 or more."),
    line("renban", "Renban", "Consecutive digits in any order."),
    line("palindrome", "Palindrome", "The same digits from both ends."),
    line("between", "Between", "Digits lie between those at the ends."),
    line("region-sum", "Region sum", "The parts in each region have the same sum."),
    line("nabner", "Nabner", "No two digits are equal or consecutive."),
    line("slow-thermo", "Slow thermometer", "Digits do not shrink from the bulb on."),
    line("modular", "Modular", "Three neighbors leave different remainders by 3."),
    line("entropic", "Entropic", "Three neighbors come from the low, middle and high third."),
    line("lockout", "Lockout", "Digits lie outside of those at the ends."),
    line("zipper", "Zipper", "Cells as far from the middle have the same sum."),
    line("double-arrow", "Double arrow", "The digits between the ends add up to the sum of the ends."),
    { name: "white", title: "White dot", group: "Between cells", gesture: "pair", rule: "difference", help: "Neighbors differ by 1.", write: list },
    { name: "black", title: "Black dot", group: "Between cells", gesture: "pair", rule: "ratio", help: "One is twice the other.", write: list },
    { name: "x", title: "X", group: "Between cells", gesture: "pair", rule: "pair-sum", fixed: "10", help: "Neighbors add up to 10.", write: list },
    { name: "v", title: "V", group: "Between cells", gesture: "pair", rule: "pair-sum", fixed: "5", help: "Neighbors add up to 5.", write: list },
    { name: "greater", title: "Greater", group: "Between cells", gesture: "pair", rule: "greater", help: "Drag from the greater cell to the smaller one.", write: list },
    {
        name: "quadruple",
        title: "Quadruple",
        group: "Between cells",
        gesture: "corner",
        rule: "quadruple",
        help: "These digits stand in the four cells around a corner.",
        value: "Digits",
        initial: "1 2",
        write: list,
    },
    { name: "sandwich", title: "Sandwich", group: "Outside", gesture: "outside", rule: "sandwich", help: "Sum between the least and the greatest digit.", value: "Sum", initial: "10" },
    { name: "skyscraper", title: "Skyscraper", group: "Outside", gesture: "outside", rule: "skyscraper", help: "Number of digits that are greater than all before them.", value: "Number", initial: "3" },
    { name: "x-sum", title: "X-sum", group: "Outside", gesture: "outside", rule: "x-sum", help: "Sum of the first X cells, where X is the first digit.", value: "Sum", initial: "10" },
    { name: "numbered-room", title: "Numbered room", group: "Outside", gesture: "outside", rule: "numbered-room", help: "Digit in the place that the first digit names.", value: "Digit", initial: "5" },
    { name: "little-killer", title: "Little killer", group: "Outside", gesture: "diagonal", rule: "sum", help: "Sum of a diagonal. Drag from outside the grid into its first cell.", value: "Sum", initial: "20" },
    { name: "regions", title: "Regions", group: "Grid", gesture: "paint", help: "Drag to extend the region of the first cell (jigsaw)." },
];

/** Rules of the whole grid, for switches. @type {readonly [rule: string, title: string][]} */
export const SWITCHES = [
    ["diagonals", "Diagonals"],
    ["windoku", "Windoku"],
    ["anti-knight", "Anti-knight"],
    ["anti-king", "Anti-king"],
    ["nonconsecutive", "Nonconsecutive"],
    ["disjoint", "Disjoint groups"],
    ["entropy", "Entropy"],
];
