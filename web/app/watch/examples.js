// Problems to watch and to compare, and the question that each of them is.

/**
 * @typedef {{
 *     name: string, title: string,
 *     size?: { label: string, least: number, most: number, value: number },
 *     text(size: number): string,
 *     kind?: string,
 *     isLarge?: boolean,
 *     about: string,
 * }} Example
 *     With `kind`, the text is a parameter of that kind (`--puzzle`); otherwise its form is detected.
 *     A large example is only compared, not watched.
 */

/** Knuth's first example of exact covers. */
export const KNUTH = `a b c d e f g
c e f
a d g
b c f
a d
b g
d e g
`;

/** Knuth's example of colors, without the option that no cover contains. */
export const COLORS = `A B C | X Y
A B X:0 Y:0
A C X:1 Y:1
B X:1
C Y:1
`;

/** @type {readonly Example[]} */
export const EXAMPLES = [
    {
        name: "knuth",
        title: "Knuth's first example",
        text: () => KNUTH,
        about: "Six options on seven items, from TAOCP 7.2.2.1. One exact cover.",
    },
    {
        name: "queens",
        title: "Queens",
        size: { label: "Size of the board", least: 4, most: 12, value: 6 },
        text: (size) => String(size),
        kind: "queens",
        about: "Rows and columns are primary items; diagonals are secondary, since they may stay empty.",
    },
    {
        name: "pentominoes",
        title: "Pentominoes",
        size: { label: "Columns of three", least: 5, most: 10, value: 5 },
        text: (size) => `pieces pentominoes x0-1\n\nboard 3x${size}\n`,
        about: "Pentominoes on a board with three rows, each at most once. Cells are primary, pieces secondary.",
    },
    {
        name: "sudoku",
        title: "4x4 Sudoku",
        text: () => "1...\n....\n....\n..2.\n",
        about: "Each option puts a digit into a cell, and covers the cell, and the digit in a row, a column and a box.",
    },
    {
        name: "langford",
        title: "Langford pairs",
        size: { label: "Largest number", least: 3, most: 8, value: 4 },
        text: (size) => String(size),
        kind: "langford",
        about: "Two of each number in a line, with i other numbers between the two i's.",
    },
    {
        name: "colors",
        title: "Colors",
        text: () => COLORS,
        about: "Secondary items X and Y have colors: options that give them the same color go together.",
    },
    {
        name: "hard",
        title: "A hard 9x9 Sudoku",
        isLarge: true,
        text: () => "800000000003600000070090200050007000000045700000100030001000068008500010090000400\n",
        about: "One solution, and a long way to it: plain backtracking enters hundreds of thousands of nodes.",
    },
    {
        name: "dominoes",
        title: "Dominoes",
        isLarge: true,
        size: { label: "Size of the board", least: 2, most: 12, value: 6 },
        text: (size) => `pieces dominoes unlimited\n\nboard ${size}x${size}\n`,
        about: "Dominoes on a square board. The methods that count need not meet each of the tilings.",
    },
    {
        name: "latin",
        title: "Latin squares",
        isLarge: true,
        size: { label: "Order", least: 2, most: 6, value: 4 },
        text: (size) => String(size),
        kind: "latin",
        about: "Each symbol once in every row and column of a square.",
    },
    {
        name: "own",
        title: "My own problem",
        text: () => KNUTH,
        about: "A first line with the items, then one option per line. Any other form that the program reads also works: "
            + "a 0/1 matrix, a grid, polyominoes.",
    },
];

/** @param {string | undefined} name */
export function exampleOf(name) {
    return EXAMPLES.find((example) => example.name === name) ?? EXAMPLES[0];
}

/**
 * The size of an example in the address, within its bounds.
 * @param {Example} example
 * @param {string | undefined} text
 */
export function sizeOf(example, text) {
    if (!example.size) return 0;
    const size = Math.round(Number(text ?? example.size.value));
    if (!Number.isFinite(size)) return example.size.value;
    return Math.min(example.size.most, Math.max(example.size.least, size));
}

/**
 * The part of a request that names the puzzle.
 * @param {Example} example
 * @param {string} text
 * @returns {{ input?: string, arguments?: string[], options: Record<string, string | number | boolean> }}
 */
export function sourceOf(example, text) {
    return example.kind
        ? { arguments: [text.trim()], options: { puzzle: example.kind } }
        : { input: text, options: {} };
}
