// The model behind the place Pack: a text of pieces and board, read with the help of the program.
//
// The program writes the text as an exact cover (`convert --to dlx`): its items are the cells and pieces, and its options
// are all placements. Nothing here knows the shape of a set of pieces or of a board. A text has two parts: the puzzle,
// and the clues, which are the pieces that the reader has placed.

import { charactersOf, distance, keyOf, latticeOf, placeOf } from "./lattice.js";

/** @typedef {import("./lattice.js").Place} Place */
/** @typedef {import("./lattice.js").Lattice} Lattice */
/** @typedef {import("./lattice.js").Point} Point */

/** @typedef {{ letter: string, name: string, places: Place[] }} Clue a placed piece; `name` is empty if any piece of that shape will do */
/** @typedef {{ base: string, clues: Clue[] }} Parts */
/** @typedef {{ place: Place, key: string, optional: boolean }} Cell */
/** @typedef {{ piece: number, cells: number[], orientation: number }} Placement */
/** @typedef {{ piece: number, places: Place[], points: Point[], placements: number[] }} Orientation */

/**
 * @typedef {object} Piece
 * @property {string} name letter of the text, or empty where copies are unlimited and the cover does not name them
 * @property {string} label what the reader sees
 * @property {number} low
 * @property {number} high Infinity for unlimited copies
 * @property {number} size number of cells
 * @property {number[]} orientations
 */

/**
 * @typedef {object} Model
 * @property {string} base
 * @property {Lattice} lattice
 * @property {boolean} solid
 * @property {Cell[]} cells
 * @property {Map<string, number>} indices of cells by their key
 * @property {Piece[]} pieces
 * @property {Orientation[]} orientations
 * @property {Placement[]} placements
 * @property {boolean} isCut whether there are more placements than are held
 */

/** Placements that are shown at most; a cover with more is solved, but not dragged (heptominoes have 340,000). */
export const PLACEMENTS_MAX = 60_000;

const KEYWORD = /^\s*(lattice|pieces?|board|colors|clues|tiling)\b/;

/** The letters of copies, in the order in which they are used. */
const LETTERS = [..."abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"];

/**
 * The lines of the drawing below a line of the text.
 * @param {string[]} lines
 * @param {number} start
 */
function drawingBelow(lines, start) {
    let first = start + 1;
    while (first < lines.length && lines[first].trim() === "") first += 1;
    let end = first;
    while (end < lines.length && lines[end].trim() !== "" && !KEYWORD.test(lines[end])) end += 1;
    return { first, end };
}

/**
 * The letters of a drawing with their places.
 * @param {string[]} rows
 * @param {string} others characters that are no letters of clues
 */
function lettersOf(rows, others) {
    /** @type {Map<string, Place[]>} */
    const letters = new Map();
    for (const { letter, place } of charactersOf(rows)) {
        if (!others.includes(letter)) letters.set(letter, [...(letters.get(letter) ?? []), place]);
    }
    return letters;
}

/**
 * Parts a text into the puzzle and its clues. Letters on the board become clues, too.
 * @param {string} text
 * @returns {Parts}
 */
export function partText(text) {
    const lines = text.replace(/\r\n?/g, "\n").split("\n");
    /** @type {Clue[]} */
    const clues = [];
    const board = lines.findIndex((line) => /^\s*board\s*$/.test(line));
    if (board >= 0) {
        const { first, end } = drawingBelow(lines, board);
        for (const [letter, places] of lettersOf(lines.slice(first, end), " .?#+")) {
            clues.push({ letter, name: letter, places });
        }
        for (let k = first; k < end; k += 1) lines[k] = lines[k].replace(/[^ .?#+/]/gu, ".");
    }
    const start = lines.findIndex((line) => /^\s*clues\b/.test(line));
    if (start >= 0) {
        const { first, end } = drawingBelow(lines, start);
        const names = new Map([...lines[start].matchAll(/(\S)=(\S)/gu)].map(([, letter, name]) => [letter, name]));
        for (const [letter, places] of lettersOf(lines.slice(first, end), " .?#+")) {
            clues.push({ letter, name: names.get(letter) ?? "", places });
        }
        lines.splice(start, end - start);
    }
    const base = lines.join("\n").replace(/\n{3,}/g, "\n\n").trimEnd() + "\n";
    return { base, clues };
}

/**
 * Joins a puzzle and the placed pieces to a text.
 * @param {Model} model
 * @param {number[]} placed numbers of placements
 */
export function joinText(model, placed) {
    if (placed.length === 0) return model.base;
    const { names, letterOf } = lettersOfClues(model, placed);
    const head = names.length ? `clues ${names.join(" ")}` : "clues";
    return `${model.base.trimEnd()}\n\n${head}\n${drawCells(model, (key) => letterOf.get(key) ?? ".").join("\n")}\n`;
}

/**
 * The letter of each cell of a clue. A piece of which there is one keeps its name; copies get letters of their own.
 * @param {Model} model
 * @param {number[]} placed
 */
function lettersOfClues(model, placed) {
    const taken = new Set(model.pieces.filter((piece) => piece.high === 1).map((piece) => piece.name));
    const free = LETTERS.filter((letter) => !taken.has(letter));
    let next = 0;
    /** @type {string[]} */
    const names = [];
    /** @type {Map<string, string>} */
    const letterOf = new Map();
    for (const number of placed) {
        const placement = model.placements[number];
        const piece = model.pieces[placement.piece];
        let letter = piece.name;
        if (piece.high !== 1 || letter === "") {
            letter = free[next % free.length];
            next += 1;
            if (piece.name !== "") names.push(`${letter}=${piece.name}`);
        }
        for (const cell of placement.cells) letterOf.set(model.cells[cell].key, letter);
    }
    return { names, letterOf };
}

/**
 * Draws one character for each cell of the model.
 * @param {Model} model
 * @param {(key: string) => string} character
 */
export function drawCells(model, character) {
    const places = model.cells.map((cell) => cell.place);
    return drawPlaces(model.lattice, places, (place) => character(keyOf(place)));
}

/**
 * Draws one character for each place, in rows, with `/` between layers.
 * @param {Lattice} lattice
 * @param {Place[]} places
 * @param {(place: Place) => string} character
 * @returns {string[]}
 */
export function drawPlaces(lattice, places, character) {
    /** @type {string} */
    const blank = lattice.gaps || lattice.balls ? " " : "#";
    const layers = Math.max(1, ...places.map((place) => place.layer));
    const rows = Math.max(1, ...places.map((place) => place.row));
    /** @type {string[]} */
    const lines = [];
    for (let layer = 1; layer <= layers; layer += 1) {
        if (layer > 1) lines.push("/");
        for (let row = 1; row <= rows; row += 1) {
            const here = places.filter((place) => place.layer === layer && place.row === row);
            const width = Math.max(0, ...here.map((place) => place.column));
            /** @type {string[]} */
            const line = Array.from({ length: width }, () => blank);
            for (const place of here) line[place.column - 1] = character(place);
            const text = line.join("").trimEnd();
            lines.push(text === "" ? "#" : text);
        }
    }
    return lines;
}

/**
 * Reads the exact cover of a puzzle without clues.
 * @param {string} base
 * @param {string} cover text of `convert --to dlx`
 * @returns {Model}
 */
export function readModel(base, cover) {
    const lines = cover.split("\n").filter((line) => line.trim() !== "" && !/^\|\s/.test(line));
    const lattice = latticeOf(base);
    /** @type {Cell[]} */
    const cells = [];
    /** @type {Map<string, number>} */
    const indices = new Map();
    /** @type {Map<string, number>} */
    const cellNames = new Map();
    /** @type {Map<string, number>} */
    const pieceNames = new Map();
    /** @type {Piece[]} */
    const pieces = [];
    let secondary = false;
    for (const word of (lines[0] ?? "").split(/\s+/)) {
        if (word === "") continue;
        if (word === "|") {
            secondary = true;
            continue;
        }
        const bounded = /^(?:(\d+):)?(\d+)\|(.+)$/.exec(word);
        const name = bounded ? bounded[3] : word;
        const place = placeOf(name);
        if (place && !(lattice.edges && !lattice.has(place))) {
            cellNames.set(name, cells.length);
            indices.set(keyOf(place), cells.length);
            cells.push({ place, key: keyOf(place), optional: secondary });
        } else if (!/^(l\d+)?r\d+c\d+/.test(name)) {
            const high = bounded ? Number(bounded[2]) : 1;
            const low = secondary ? 0 : bounded ? Number(bounded[1] ?? bounded[2]) : 1;
            pieceNames.set(name, pieces.length);
            pieces.push({ name, label: name, low, high, size: 0, orientations: [] });
        }
    }
    /** @type {Orientation[]} */
    const orientations = [];
    /** @type {Map<string, number>} */
    const orientationOf = new Map();
    /** @type {Map<string, number>} */
    const unnamed = new Map();
    /** @type {Placement[]} */
    const placements = [];
    const options = lines.slice(1, PLACEMENTS_MAX + 1);
    for (const line of options) {
        /** @type {number[]} */
        const chosen = [];
        let piece = -1;
        for (const word of line.split(/\s+/)) {
            const cell = cellNames.get(word);
            if (cell !== undefined) chosen.push(cell);
            else piece = pieceNames.get(word) ?? piece;
        }
        if (chosen.length === 0) continue;
        chosen.sort((a, b) => comparePlaces(cells[a].place, cells[b].place));
        const places = chosen.map((cell) => cells[cell].place);
        const points = pointsOf(lattice, places);
        if (piece < 0) {
            const shape = distancesOf(points);
            piece = unnamed.get(shape) ?? pieces.length;
            if (piece === pieces.length) {
                unnamed.set(shape, piece);
                pieces.push({ name: "", label: "", low: 0, high: Infinity, size: 0, orientations: [] });
            }
        }
        const [first] = places;
        const key = `${piece};${lattice.type(first)};${places
            .map((place) => `${place.layer - first.layer},${place.row - first.row},${place.column - first.column}`)
            .join(" ")}`;
        let orientation = orientationOf.get(key);
        if (orientation === undefined) {
            orientation = orientations.length;
            orientationOf.set(key, orientation);
            orientations.push({ piece, places, points: centered(points), placements: [] });
            pieces[piece].orientations.push(orientation);
            pieces[piece].size = places.length;
        }
        orientations[orientation].placements.push(placements.length);
        placements.push({ piece, cells: chosen, orientation });
    }
    labelPieces(pieces);
    const solid = lattice.balls || cells.some((cell) => cell.place.layer > 1) || /^l/.test((lines[0] ?? "").trim());
    const isCut = lines.length - 1 > PLACEMENTS_MAX;
    return { base, lattice, solid, cells, indices, pieces, orientations, placements, isCut };
}

/** Gives pieces without a name one for the reader. @param {Piece[]} pieces */
function labelPieces(pieces) {
    const free = [..."ABCDEFGHIJKLMNOPQRSTUVWXYZ"].filter((letter) => !pieces.some((piece) => piece.name === letter));
    let next = 0;
    for (const piece of pieces) {
        if (piece.name === "") {
            piece.label = free[next % free.length];
            next += 1;
        }
    }
}

/** @param {Place} a @param {Place} b */
const comparePlaces = (a, b) => a.layer - b.layer || a.row - b.row || a.column - b.column;

/** The corners of the cells in the plane, or their centers in space. @param {Lattice} lattice @param {Place[]} places @returns {Point[]} */
function pointsOf(lattice, places) {
    const solid = lattice.balls || lattice.name === "square";
    if (solid) return places.map((place) => lattice.center(place));
    return places.flatMap((place) => lattice.outline(place).map(([x, y]) => /** @type {Point} */ ([x, y, 0])));
}

/** A key that congruent shapes share. @param {Point[]} points */
function distancesOf(points) {
    /** @type {number[]} */
    const list = [];
    points.forEach((a, k) => points.slice(k + 1).forEach((b) => list.push(distance(a, b))));
    return `${points.length}:${list.sort((a, b) => a - b).map((value) => value.toFixed(2)).join(" ")}`;
}

/** Moves points so that their center is the origin. @param {Point[]} points @returns {Point[]} */
function centered(points) {
    const sum = points.reduce((a, b) => [a[0] + b[0], a[1] + b[1], a[2] + b[2]], [0, 0, 0]);
    return points.map((point) => [
        point[0] - sum[0] / points.length,
        point[1] - sum[1] / points.length,
        point[2] - sum[2] / points.length,
    ]);
}

/** @param {Point[]} a @param {Point[]} b */
function samePoints(a, b) {
    if (a.length !== b.length) return false;
    return a.every((point) => b.some((other) => distance(point, other) < 0.02));
}

/** @typedef {"turn" | "turn-back" | "flip" | "tilt"} Motion */

/** @param {Point} point @param {Motion} motion @param {number} degrees @returns {Point} */
function moved([x, y, z], motion, degrees) {
    const angle = ((motion === "turn-back" ? -degrees : degrees) * Math.PI) / 180;
    const [c, s] = [Math.cos(angle), Math.sin(angle)];
    if (motion === "flip") return [-x, y, z];
    if (motion === "tilt") return [x, c * y - s * z, s * y + c * z];
    return [c * x - s * y, s * x + c * y, z];
}

/**
 * The orientation of a piece after a motion, or the same one where the piece may not be moved so or does not fit then.
 * @param {Model} model
 * @param {number} orientation
 * @param {Motion} motion
 */
export function moveOrientation(model, orientation, motion) {
    const { lattice, orientations, pieces } = model;
    const from = orientations[orientation];
    const others = pieces[from.piece].orientations;
    const step = model.solid ? 90 : lattice.turn;
    for (let k = 1; k * step < 360 || k === 1; k += 1) {
        let points = from.points.map((point) => moved(point, motion, step * k));
        if (motion === "flip" && k > 1) {
            points = from.points.map((point) => moved(moved(point, "flip", 0), "turn", step * (k - 1)));
        }
        const found = others.find((other) => samePoints(points, orientations[other].points));
        if (found !== undefined && (found !== orientation || motion === "flip")) return found;
        if (step * k >= 360) break;
    }
    return orientation;
}

/**
 * The placements that clues mean. A clue that is no placement is returned as a fault.
 * @param {Model} model
 * @param {Clue[]} clues
 */
export function placeClues(model, clues) {
    /** @type {Map<string, number[]>} */
    const byCells = new Map();
    model.placements.forEach((placement, number) => {
        const key = [...placement.cells].sort((a, b) => a - b).join();
        byCells.set(key, [...(byCells.get(key) ?? []), number]);
    });
    /** @type {number[]} */
    const placed = [];
    /** @type {string[]} */
    const faults = [];
    for (const clue of clues) {
        const cells = clue.places.map((place) => model.indices.get(keyOf(place)) ?? -1).sort((a, b) => a - b);
        const candidates = byCells.get(cells.join()) ?? [];
        const free = candidates.filter((number) => copiesLeft(model, placed, model.placements[number].piece) > 0);
        const named = free.find((number) => model.pieces[model.placements[number].piece].name === (clue.name || clue.letter));
        const number = named ?? free[0];
        if (number === undefined) faults.push(clue.letter);
        else placed.push(number);
    }
    return { placed, faults };
}

/** How many copies of a piece are not placed yet. @param {Model} model @param {number[]} placed @param {number} piece */
export function copiesLeft(model, placed, piece) {
    const used = placed.filter((number) => model.placements[number].piece === piece).length;
    return model.pieces[piece].high - used;
}

/**
 * The cells that placed pieces take, with the placement on each.
 * @param {Model} model
 * @param {number[]} placed
 */
export function takenCells(model, placed) {
    /** @type {Map<number, number>} */
    const taken = new Map();
    for (const number of placed) for (const cell of model.placements[number].cells) taken.set(cell, number);
    return taken;
}

/**
 * The placements of an orientation on free cells.
 * @param {Model} model
 * @param {number} orientation
 * @param {Map<number, number>} taken
 */
export function freePlacements(model, orientation, taken) {
    return model.orientations[orientation].placements.filter((number) =>
        model.placements[number].cells.every((cell) => !taken.has(cell)),
    );
}

/**
 * Puts a drawn board into a puzzle in place of its own.
 * @param {string} base
 * @param {string[]} drawing
 */
export function replaceBoard(base, drawing) {
    const lines = base.split("\n");
    const start = lines.findIndex((line) => /^\s*board\b/.test(line));
    if (start < 0) return `${base.trimEnd()}\n\nboard\n${drawing.join("\n")}\n`;
    let end = start + 1;
    if (/^\s*board\s*$/.test(lines[start])) end = drawingBelow(lines, start).end;
    if (/^\s*colors\b/.test(lines[end] ?? "")) end = drawingBelow(lines, end).end;
    lines.splice(start, end - start, "board", ...drawing);
    return lines.join("\n");
}

/**
 * Puts the text of more pieces before the board.
 * @param {string} base
 * @param {string} text
 */
export function addPieces(base, text) {
    const lines = base.split("\n");
    const board = lines.findIndex((line) => /^\s*board\b/.test(line));
    lines.splice(board < 0 ? lines.length : board, 0, ...text.trimEnd().split("\n"), "");
    return lines.join("\n");
}
