// What the place Count can count: one row a family of puzzles, with its sizes and its text.

/** @typedef {{ input: string, options: Record<string, string> }} Source */
/** @typedef {{ key: string, label: string, min: number, max: number, value: number }} SizeField */
/** @typedef {{ key: string, label: string, value: string, choices: [string, string][] }} ChoiceField */
/** @typedef {{ group: string, label: string }} Group `group` is the value of `--up-to-symmetry`, or empty */

/**
 * @typedef {object} Family
 * @property {string} name
 * @property {string} title
 * @property {SizeField[]} sizes
 * @property {ChoiceField[]} choices
 * @property {(values: Record<string, string>) => Source} source
 * @property {(values: Record<string, string>) => string} question the question in words
 * @property {Group[]} groups
 * @property {number} samples how many pictures a gallery has
 */

/** @type {Group[]} */
const OF_BOARDS = [
    { group: "", label: "rotations and reflections" },
    { group: "rotations", label: "rotations" },
];

/** @param {string} input @param {string} [puzzle] @returns {Source} */
const source = (input, puzzle) => ({ input, options: puzzle ? { puzzle } : {} });

/** @param {string} key @param {string} label @param {number} min @param {number} max @param {number} value @returns {SizeField} */
const size = (key, label, min, max, value) => ({ key, label, min, max, value });

/** @param {Record<string, string>} values @param {string} key */
const number = (values, key) => Number(values[key]);

/** @type {Family[]} */
export const FAMILIES = [
    {
        name: "aztec",
        title: "Dominoes on an Aztec diamond",
        sizes: [size("n", "Order", 1, 60, 8)],
        choices: [],
        source: ({ n }) => source(`pieces dominoes unlimited\nboard aztec-${n}\n`),
        question: ({ n }) => `In how many ways do dominoes cover the Aztec diamond of order ${n}?`,
        groups: OF_BOARDS,
        samples: 8,
    },
    {
        name: "dominoes",
        title: "Dominoes on a rectangle",
        sizes: [size("rows", "Rows", 1, 60, 8), size("columns", "Columns", 1, 60, 8)],
        choices: [],
        source: ({ rows, columns }) => source(`pieces dominoes unlimited\nboard ${rows}x${columns}\n`),
        question: ({ rows, columns }) => `In how many ways do dominoes cover a board of ${rows} rows and ${columns} columns?`,
        groups: OF_BOARDS,
        samples: 8,
    },
    {
        name: "lozenges",
        title: "Lozenges in a hexagon",
        sizes: [size("n", "Side", 1, 20, 5)],
        choices: [],
        source: ({ n }) => source(`pieces diamonds unlimited\nboard hexagon-${n}\n`),
        question: ({ n }) => `In how many ways do lozenges cover a hexagon of side ${n}? As many as piles of cubes fit into a corner of side ${n}.`,
        groups: OF_BOARDS,
        samples: 8,
    },
    {
        name: "queens",
        title: "Queens",
        sizes: [size("n", "Queens", 1, 30, 8)],
        choices: [],
        source: ({ n }) => source(`${n}\n`, "queens"),
        question: ({ n }) => `In how many ways do ${n} queens stand on a board of ${n} by ${n}, none attacking another?`,
        groups: [{ group: "", label: "rotations and reflections" }],
        samples: 8,
    },
    {
        name: "latin",
        title: "Latin squares",
        sizes: [size("n", "Order", 1, 12, 5)],
        choices: [],
        source: ({ n }) => source(`${".".repeat(Number(n))}\n`.repeat(Number(n)), "latin"),
        question: ({ n }) => `How many Latin squares of order ${n} are there?`,
        groups: [
            { group: "main-classes", label: "main classes" },
            { group: "isotopy", label: "isotopy" },
            { group: "isomorphism", label: "isomorphism" },
        ],
        samples: 8,
    },
    {
        name: "sudoku",
        title: "Sudoku grids",
        sizes: [size("width", "Box width", 2, 4, 3), size("height", "Box height", 1, 4, 3)],
        choices: [],
        source: (values) => {
            const [width, height] = [number(values, "width"), number(values, "height")];
            const order = width * height;
            const row = order > 9 ? Array.from({ length: order }, () => ".").join(" ") : ".".repeat(order);
            return { input: `${row}\n`.repeat(order), options: { puzzle: "sudoku", boxes: `${width}x${height}` } };
        },
        question: ({ width, height }) => `How many full Sudoku grids have boxes of ${width} by ${height}?`,
        groups: [{ group: "", label: "rotations and reflections" }],
        samples: 8,
    },
    {
        name: "langford",
        title: "Langford pairs",
        sizes: [size("n", "Greatest number", 1, 32, 7)],
        choices: [],
        source: ({ n }) => source(`${Array.from({ length: 2 * Number(n) }, () => ".").join(" ")}\n`, "langford"),
        question: ({ n }) => `In how many ways do the numbers 1 to ${n} stand in a line, each twice, with k numbers between the two k's?`,
        groups: [{ group: "", label: "reversal" }],
        samples: 8,
    },
    {
        name: "polyominoes",
        title: "Polyominoes in a box",
        sizes: [size("rows", "Rows", 1, 30, 6), size("columns", "Columns", 1, 30, 10)],
        choices: [
            {
                key: "set",
                label: "Pieces",
                value: "pentominoes",
                choices: ["dominoes", "trominoes", "tetrominoes", "pentominoes", "one-sided-tetrominoes", "hexominoes"].map((set) => [set, set]),
            },
            {
                key: "copies",
                label: "Copies",
                value: "one",
                choices: [
                    ["one", "one of each"],
                    ["x2", "two of each"],
                    ["x0-1", "at most one of each"],
                    ["unlimited", "any number"],
                ],
            },
        ],
        source: ({ set, copies, rows, columns }) =>
            source(`pieces ${set}${copies === "one" ? "" : ` ${copies}`}\nboard ${rows}x${columns}\n`),
        question: ({ set, rows, columns, copies }) =>
            `In how many ways do ${set} fill a box of ${rows} by ${columns}, ${copies === "one" ? "each used once" : copies === "x2" ? "each used twice" : copies === "x0-1" ? "each used at most once" : "each used any number of times"}?`,
        groups: OF_BOARDS,
        samples: 8,
    },
    {
        name: "text",
        title: "Your own puzzle, as text",
        sizes: [],
        choices: [],
        source: ({ text }) => source(text),
        question: () => "How many solutions does this puzzle have?",
        groups: [{ group: "", label: "its symmetries" }],
        samples: 8,
    },
];

/** Knuth's first example, shown where the reader has not written anything yet. */
export const EXAMPLE = "| Knuth's first example, and three more options\nA B C D E F G\nC E\nA D G\nB C F\nA D F\nB G\nD E G\nA\nB F\nC D\nE G\n";

/** @param {Family} family @param {Record<string, string | undefined>} parameters */
export function valuesOf(family, parameters) {
    /** @type {Record<string, string>} */
    const values = {};
    for (const field of family.sizes) {
        const wanted = Math.round(Number(parameters[field.key] ?? field.value));
        values[field.key] = String(Math.max(field.min, Math.min(field.max, Number.isFinite(wanted) ? wanted : field.value)));
    }
    for (const field of family.choices) {
        const wanted = parameters[field.key] ?? field.value;
        values[field.key] = field.choices.some(([choice]) => choice === wanted) ? wanted : field.value;
    }
    if (family.name === "text") values.text = parameters.text ?? EXAMPLE;
    return values;
}
