// The lattices of the polyomino texts: where a cell of a drawing lies in the plane or in space, and its outline.
//
// A cell is named by its place in the drawing: `r2c3` is the third character of the second row, and `l2r1c1` lies in
// the second layer. Every lattice maps such a place to a center; turns and flips work on centers alone, so that they
// are the same code for squares, hexagons, triangles, edges and solids.

/** @typedef {{ layer: number, row: number, column: number }} Place */
/** @typedef {[number, number, number]} Point */
/** @typedef {[number, number][]} Outline */

/**
 * @typedef {object} Lattice
 * @property {string} name name in the texts; `square` also holds cubes
 * @property {string} cells what a cell is called, in the plural
 * @property {boolean} edges whether cells are edges, drawn as lines
 * @property {boolean} gaps whether a blank, not `#`, stands between cells of a row
 * @property {boolean} balls whether cells in space are drawn as balls instead of cubes
 * @property {number} turn angle of the smallest rotation of the plane, in degrees
 * @property {(place: Place) => boolean} has whether the place can be a cell
 * @property {(place: Place) => string} type cells of one type differ by a translation
 * @property {(place: Place) => Point} center
 * @property {(place: Place) => Outline} outline polygon of a cell in the plane; two ends for an edge
 */

const ROOT3 = Math.sqrt(3);

/** @param {number} n @param {number} m */
const modulo = (n, m) => ((n % m) + m) % m;

/** @type {Lattice} */
const square = {
    name: "square",
    cells: "squares",
    edges: false,
    gaps: false,
    balls: false,
    turn: 90,
    has: () => true,
    type: () => "",
    center: ({ layer, row, column }) => [column, row, layer],
    outline: ({ row, column }) => [
        [column - 0.5, row - 0.5],
        [column + 0.5, row - 0.5],
        [column + 0.5, row + 0.5],
        [column - 0.5, row + 0.5],
    ],
};

/** Width of a hexagon is 1; neighbors in a row are two places apart. @type {Lattice} */
const hexagonal = {
    name: "hexagonal",
    cells: "hexagons",
    edges: false,
    gaps: true,
    balls: false,
    turn: 60,
    has: () => true,
    type: () => "",
    center: ({ row, column }) => [column / 2, (row * ROOT3) / 2, 0],
    outline: (place) => {
        const [x, y] = hexagonal.center(place);
        const radius = 1 / ROOT3;
        return [0, 1, 2, 3, 4, 5].map((k) => {
            const angle = ((60 * k - 90) * Math.PI) / 180;
            return [x + radius * Math.cos(angle), y + radius * Math.sin(angle)];
        });
    },
};

/** A triangle points up where row and column together are even. @param {Place} place */
const pointsUp = ({ row, column }) => modulo(row + column, 2) === 0;

/** Side 1.4, so that the area of a triangle is near that of a square. @type {Lattice} */
const triangular = {
    name: "triangular",
    cells: "triangles",
    edges: false,
    gaps: false,
    balls: false,
    turn: 60,
    has: () => true,
    type: (place) => (pointsUp(place) ? "up" : "down"),
    center: (place) => {
        const height = 0.7 * ROOT3;
        const third = pointsUp(place) ? 2 / 3 : 1 / 3;
        return [place.column * 0.7, (place.row - 1 + third) * height, 0];
    },
    outline: (place) => {
        const height = 0.7 * ROOT3;
        const x = place.column * 0.7;
        const top = (place.row - 1) * height;
        return pointsUp(place)
            ? [[x, top], [x + 0.7, top + height], [x - 0.7, top + height]]
            : [[x - 0.7, top], [x + 0.7, top], [x, top + height]];
    },
};

/** Points stand at odd rows and columns, one unit apart. @type {Lattice} */
const squareEdges = {
    name: "square-edges",
    cells: "edges of squares",
    edges: true,
    gaps: true,
    balls: false,
    turn: 90,
    has: ({ row, column }) => modulo(row + column, 2) === 1,
    type: ({ row }) => (modulo(row, 2) === 1 ? "flat" : "upright"),
    center: ({ row, column }) => [column / 2, row / 2, 0],
    outline: (place) => {
        const [x, y] = squareEdges.center(place);
        return modulo(place.row, 2) === 1
            ? [[x - 0.5, y], [x + 0.5, y]]
            : [[x, y - 0.5], [x, y + 0.5]];
    },
};

/** Which way an edge between triangles runs: `-`, `/` or a backslash. @param {Place} place */
function slantBetweenTriangles({ row, column }) {
    if (modulo(row, 2) === 1) return "-";
    const above = modulo(row - 1, 4) === 1 ? 1 : 3;
    return modulo(column + 1, 4) === above ? "/" : "\\";
}

/** Whether an edge stands here, where points stand at odd rows, at every fourth place. @param {Place} place */
function isBetweenPoints({ row, column }) {
    if (modulo(row, 2) === 0) return modulo(column, 2) === 0;
    return modulo(column, 4) === (modulo(row, 4) === 1 ? 3 : 1);
}

/** @type {Lattice} */
const triangularEdges = {
    name: "triangular-edges",
    cells: "edges of triangles",
    edges: true,
    gaps: true,
    balls: false,
    turn: 60,
    has: isBetweenPoints,
    type: slantBetweenTriangles,
    center: ({ row, column }) => [column / 4, (row * ROOT3) / 4, 0],
    outline: (place) => {
        const [x, y] = triangularEdges.center(place);
        const slant = slantBetweenTriangles(place);
        const half = ROOT3 / 4;
        if (slant === "-") return [[x - 0.5, y], [x + 0.5, y]];
        return slant === "/"
            ? [[x + 0.25, y - half], [x - 0.25, y + half]]
            : [[x - 0.25, y - half], [x + 0.25, y + half]];
    },
};

/** Which way an edge between hexagons runs: `|`, `/` or a backslash. @param {Place} place */
function slantBetweenHexagons({ row, column }) {
    if (modulo(row, 2) === 1) return "|";
    const below = modulo(row + 1, 4) === 1 ? 3 : 1;
    return modulo(column - 1, 4) === below ? "/" : "\\";
}

/** Upright edges stand at odd rows, at every fourth place. @type {Lattice} */
const hexagonalEdges = {
    name: "hexagonal-edges",
    cells: "edges of hexagons",
    edges: true,
    gaps: true,
    balls: false,
    turn: 60,
    has: isBetweenPoints,
    type: slantBetweenHexagons,
    center: ({ row, column }) => [(column * ROOT3) / 4, (row * 3) / 4, 0],
    outline: (place) => {
        const [x, y] = hexagonalEdges.center(place);
        const slant = slantBetweenHexagons(place);
        const half = ROOT3 / 4;
        if (slant === "|") return [[x, y - 0.5], [x, y + 0.5]];
        return slant === "/"
            ? [[x - half, y + 0.25], [x + half, y - 0.25]]
            : [[x - half, y - 0.25], [x + half, y + 0.25]];
    },
};

/** @param {string} name @returns {Lattice} */
const inSpace = (name) => ({
    ...square,
    name,
    cells: name === "spheres" ? "spheres" : "cells in space",
    balls: true,
    has: name === "spheres" ? ({ layer, row, column }) => modulo(layer + row + column, 2) === 1 : () => true,
    // Only spheres are known to repeat at every place of theirs; other solids name each type of place apart.
    type: name === "spheres" ? () => "" : ({ layer, row, column }) => [layer, row, column].map((n) => modulo(n, 4)).join(),
});

/** @type {Record<string, Lattice>} */
export const LATTICES = {
    square,
    hexagonal,
    triangular,
    "square-edges": squareEdges,
    "hexagonal-edges": hexagonalEdges,
    "triangular-edges": triangularEdges,
    spheres: inSpace("spheres"),
    rhombic: inSpace("rhombic"),
    tetrahedral: inSpace("tetrahedral"),
};

/** The endings of the names of sets, and the lattice of each. @type {[RegExp, string][]} */
const LATTICES_OF_SETS = [
    [/hexes$/, "hexagonal"],
    [/(iamonds|^diamonds|-diamonds)$/, "triangular"],
    [/sticks$/, "square-edges"],
    [/twigs$/, "hexagonal-edges"],
    [/trigs$/, "triangular-edges"],
];

/** The lattice that a text of pieces and board names, or that its sets of pieces have. @param {string} text */
export function latticeOf(text) {
    const named = /^\s*lattice\s+(\S+)/m.exec(text);
    if (named && LATTICES[named[1]]) return LATTICES[named[1]];
    for (const [, set] of text.matchAll(/^\s*pieces\s+([a-z-]+)/gm)) {
        const row = LATTICES_OF_SETS.find(([ending]) => ending.test(set));
        if (row) return LATTICES[row[1]];
    }
    return square;
}

const PLACE = /^(?:l(\d+))?r(\d+)c(\d+)$/;

/** The place that a name such as `l2r3c4` means, if it means one. @param {string} name @returns {Place | null} */
export function placeOf(name) {
    const match = PLACE.exec(name);
    return match && { layer: Number(match[1] ?? 1), row: Number(match[2]), column: Number(match[3]) };
}

/** @param {Place} place */
export const keyOf = ({ layer, row, column }) => `${layer},${row},${column}`;

/**
 * The characters of a drawing with their places; a line with a slash begins the next layer.
 * @param {string[]} lines
 * @returns {Generator<{ letter: string, place: Place }>}
 */
export function* charactersOf(lines) {
    let layer = 1;
    let row = 0;
    for (const line of lines) {
        if (line.trim() === "/") {
            layer += 1;
            row = 0;
            continue;
        }
        row += 1;
        for (const [index, letter] of [...line].entries()) yield { letter, place: { layer, row, column: index + 1 } };
    }
}

/**
 * Reads the first finished drawing of a text: `tiling`, then rows of letters, with `/` between layers.
 * @param {string} text
 * @returns {{ lattice: Lattice, solid: boolean, pieces: { letter: string, name: string, places: Place[] }[], empty: Place[] }}
 */
export function readTiling(text) {
    const lines = text.split("\n");
    const lattice = latticeOf(text);
    const start = lines.findIndex((line) => /^tiling\b/.test(line));
    /** @type {Map<string, string>} */
    const names = new Map();
    for (const [, letter, name] of (lines[start] ?? "").matchAll(/(\S)=(\S)/g)) names.set(letter, name);
    /** @type {Map<string, Place[]>} */
    const letters = new Map();
    /** @type {Place[]} */
    const empty = [];
    const rows = lines.slice(start + 1);
    const end = rows.findIndex((line) => line.trim() === "" || /^colors\b/.test(line));
    const drawing = end < 0 ? rows : rows.slice(0, end);
    for (const { letter, place } of charactersOf(drawing)) {
        if (" #+".includes(letter)) continue;
        if (letter === "." || letter === "?") empty.push(place);
        else letters.set(letter, [...(letters.get(letter) ?? []), place]);
    }
    const pieces = [...letters].map(([letter, places]) => ({ letter, name: names.get(letter) ?? letter, places }));
    const solid = lattice.balls || drawing.some((line) => line.trim() === "/");
    return { lattice, solid, pieces, empty };
}

/**
 * Parts the places of one letter into connected pieces: copies that do not touch may share a letter.
 * @param {Lattice} lattice
 * @param {Place[]} places
 * @returns {Place[][]}
 */
export function connectedParts(lattice, places) {
    const reach = 1.01 * nearest(lattice, places);
    // Neighbors lie in the same bucket or in one next to it, so that large boards take linear time.
    const bucket = (/** @type {Point} */ point) => point.map((value) => Math.floor(value / reach));
    /** @type {Map<string, Set<Place>>} */
    const buckets = new Map();
    for (const place of places) {
        const key = bucket(lattice.center(place)).join();
        buckets.set(key, (buckets.get(key) ?? new Set()).add(place));
    }
    /** @type {Place[][]} */
    const parts = [];
    for (const first of places) {
        if (!buckets.get(bucket(lattice.center(first)).join())?.delete(first)) continue;
        const part = [first];
        for (const place of part) {
            const center = lattice.center(place);
            const [x, y, z] = bucket(center);
            for (let k = 0; k < 27; k += 1) {
                const near = buckets.get([x + (k % 3) - 1, y + (Math.floor(k / 3) % 3) - 1, z + Math.floor(k / 9) - 1].join());
                for (const other of near ?? []) {
                    if (distance(center, lattice.center(other)) <= reach) {
                        near?.delete(other);
                        part.push(other);
                    }
                }
            }
        }
        parts.push(part);
    }
    return parts;
}

/** @param {Point} a @param {Point} b */
export const distance = (a, b) => Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);

/** Distance of neighboring cells. @param {Lattice} lattice @param {Place[]} places */
function nearest(lattice, places) {
    if (lattice.name === "triangular") return 1.4 / ROOT3;
    if (lattice.name === "square-edges") return 1;
    if (lattice.name === "triangular-edges") return 1;
    if (lattice.name === "hexagonal-edges") return ROOT3 / 2;
    if (lattice.name === "spheres") return Math.SQRT2;
    return lattice.balls ? smallest(lattice, places) : 1;
}

/** @param {Lattice} lattice @param {Place[]} places */
function smallest(lattice, places) {
    let least = Infinity;
    for (const a of places) {
        for (const b of places) {
            if (a !== b) least = Math.min(least, distance(lattice.center(a), lattice.center(b)));
        }
    }
    return Number.isFinite(least) ? least : 1;
}
