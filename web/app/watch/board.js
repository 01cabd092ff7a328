// The board: the partial cover as a picture of the puzzle.
//
// The names of the items tell the geometry: `r1c2` is a cell, and `r1` with `c2` too. A problem
// without cells is drawn as its items, each colored by the option that covers it.

import { shape } from "../ui.js";
import { SHOWN } from "./dance.js";
import { isDark, optionColor } from "./paint.js";

/**
 * @import { Problem } from "./problem.js"
 * @import { Dance } from "./dance.js"
 *
 * @typedef {{ node: SVGSVGElement, update(state: Dance | number[]): void }} Board
 *     `update` takes a state of the search, or only the chosen options
 * @typedef {{ cells: number[], label: string }} Figure cells and text of an option
 * @typedef {{ rows: number, columns: number, layers: number, figures: Figure[],
 *     kind: "symbols" | "queens" | "pieces", boxes: number }} Geometry
 */

/** Size of a cell in the picture's own units. */
const CELL = 40;
/** Largest number of cells that are drawn as a board. */
const CELLS_MOST = 900;

/**
 * @param {Problem} problem
 * @returns {Geometry | null}
 */
export function readGeometry(problem) {
    let rows = 0;
    let columns = 0;
    let layers = 1;
    let kind = /** @type {Geometry["kind"]} */ ("pieces");
    let boxes = 0;
    /** @type {([number, number, number] | null)[]} */
    const at = problem.items.map(({ name }) => {
        const found = /^(?:l(\d+))?r(\d+)c(\d+)$/.exec(name);
        return found ? [Number(found[1] ?? 1), Number(found[2]), Number(found[3])] : null;
    });
    /** @type {{ cells: [number, number, number][], label: string }[]} */
    const drawn = problem.options.map(({ entries }) => {
        /** @type {[number, number, number][]} */
        const cells = [];
        let label = "";
        let row = 0;
        let column = 0;
        for (const { item, color } of entries) {
            const { name } = problem.items[item];
            const place = at[item];
            const symbol = /^[rcb]\d+s(.+)$/.exec(name);
            if (place) cells.push(place);
            if (symbol) {
                label = symbol[1];
                kind = "symbols";
            } else if (/^r\d+$/.test(name)) {
                row = Number(name.slice(1));
            } else if (/^c\d+$/.test(name)) {
                column = Number(name.slice(1));
            } else if (!place) {
                label ||= name.slice(0, 2);
            } else if (color !== "") {
                label ||= color;
            }
            if (/^b\d+s/.test(name)) boxes = Math.max(boxes, Number(/^b(\d+)/.exec(name)?.[1]));
        }
        if (cells.length === 0 && row > 0 && column > 0) {
            cells.push([1, row, column]);
            kind = "queens";
        }
        return { cells, label };
    });
    for (const cell of [...at, ...drawn.flatMap(({ cells }) => cells)]) {
        if (!cell) continue;
        layers = Math.max(layers, cell[0]);
        rows = Math.max(rows, cell[1]);
        columns = Math.max(columns, cell[2]);
    }
    const count = rows * columns * layers;
    if (count === 0 || count > CELLS_MOST) return null;
    const figures = drawn.map(({ cells, label }) => ({
        cells: cells.map(([layer, row, column]) => ((layer - 1) * rows + row - 1) * columns + column - 1),
        label,
    }));
    return { rows, columns, layers, figures, kind, boxes };
}

/**
 * @param {Problem} problem
 * @param {string} label
 * @returns {Board}
 */
export function makeBoard(problem, label) {
    const geometry = readGeometry(problem);
    return geometry ? cellBoard(problem, geometry, label) : itemBoard(problem, label);
}

/** @param {Dance | number[]} state */
const coverOf = (state) => (Array.isArray(state) ? state : state.cover());

/**
 * The option of the cover at each cell or item that it covers.
 * @param {readonly number[]} cover
 * @param {(option: number) => readonly number[]} covered
 */
function ownersOf(cover, covered) {
    /** @type {Map<number, number>} */
    const owners = new Map();
    for (const option of cover) {
        for (const place of covered(option)) owners.set(place, option);
    }
    return owners;
}

/**
 * @param {Problem} problem
 * @param {Geometry} geometry
 * @param {string} title
 * @returns {Board}
 */
function cellBoard(problem, { rows, columns, layers, figures, kind, boxes }, title) {
    const gap = layers > 1 ? CELL / 2 : 0;
    const width = columns * CELL * layers + gap * (layers - 1);
    const height = rows * CELL;
    const isCell = new Set(figures.flatMap(({ cells }) => cells));
    /** @param {number} cell @returns {[number, number]} */
    const corner = (cell) => {
        const layer = Math.floor(cell / (rows * columns));
        const row = Math.floor(cell / columns) % rows;
        return [(cell % columns) * CELL + layer * (columns * CELL + gap), row * CELL];
    };
    // Boxes of a Sudoku: as near to squares as their number allows.
    let boxWidth = 0;
    let boxHeight = 0;
    if (kind === "symbols" && boxes === rows && rows === columns) {
        boxHeight = Math.floor(Math.sqrt(rows));
        while (rows % boxHeight !== 0) boxHeight -= 1;
        boxWidth = rows / boxHeight;
    }
    const symbols = [...new Set(figures.map((figure) => figure.label))].sort((a, b) =>
        a.localeCompare(b, "en", { numeric: true }),
    );
    const across = Math.ceil(Math.sqrt(symbols.length));
    /** @type {Map<number, { back: SVGRectElement, text: SVGTextElement, dot: SVGCircleElement | null }>} */
    const cells = new Map();
    /** @type {(SVGTextElement | null)[]} */
    const candidates = figures.map(() => null);
    const parts = [];
    for (const cell of [...isCell].sort((a, b) => a - b)) {
        const [x, y] = corner(cell);
        const row = Math.floor(cell / columns) % rows;
        const isDarkSquare = kind === "queens" && (row + (cell % columns)) % 2 === 1;
        const back = shape("rect", {
            x, y, width: CELL, height: CELL, class: isDarkSquare ? "cell odd" : "cell",
        });
        const text = shape("text", { x: x + CELL / 2, y: y + CELL / 2, class: "mark" });
        const dot = kind === "symbols" ? null
            : shape("circle", { cx: x + CELL / 2, cy: y + CELL / 2, r: 3.5, class: "free" });
        cells.set(cell, { back, text, dot });
        parts.push(back, ...(dot ? [dot] : []), text);
    }
    if (kind === "symbols") {
        figures.forEach(({ cells, label }, option) => {
            if (cells.length !== 1) return;
            const [x, y] = corner(cells[0]);
            const place = symbols.indexOf(label);
            const step = CELL / (across + 0.4);
            const text = shape("text", {
                x: x + step * (0.7 + (place % across)),
                y: y + step * (0.7 + Math.floor(place / across)),
                class: "candidate",
                "font-size": Math.min(11, step * 0.8),
            }, label);
            candidates[option] = text;
            parts.push(text);
        });
    }
    const frame = [];
    for (let x = boxWidth; boxWidth > 0 && x < columns; x += boxWidth) {
        frame.push(shape("line", { x1: x * CELL, x2: x * CELL, y1: 0, y2: height, class: "wall" }));
    }
    for (let y = boxHeight; boxHeight > 0 && y < rows; y += boxHeight) {
        frame.push(shape("line", { y1: y * CELL, y2: y * CELL, x1: 0, x2: width, class: "wall" }));
    }
    // One path for all walls: a step changes an attribute instead of a hundred elements.
    const outlines = shape("path", { class: "wall" });
    /** What each cell shows, so that a step writes only what it changes. @type {Map<number, string>} */
    const shown = new Map();
    const node = shape("svg", {
        viewBox: `-3 -3 ${width + 6} ${height + 6}`, class: `board ${kind}`, role: "img", "aria-label": title,
    }, ...parts, outlines, ...frame);
    const given = new Set();
    return {
        node,
        update(state) {
            const cover = coverOf(state);
            const palette = { dark: isDark() };
            const owner = ownersOf(cover, (option) => figures[option]?.cells ?? []);
            given.clear();
            if (!Array.isArray(state)) state.given.forEach((option) => given.add(option));
            const last = Array.isArray(state) ? -1 : state.path[state.path.length - 1]?.option ?? -1;
            /** @type {Set<number>} */
            const free = new Set();
            if (!Array.isArray(state)) {
                figures.forEach((figure, option) => {
                    const isFree = state.hiddenBy[option] === SHOWN;
                    const text = candidates[option];
                    const opacity = isFree && !owner.has(figure.cells[0]) ? "1" : "0";
                    if (text && text.style.opacity !== opacity) text.style.opacity = opacity;
                    if (isFree) for (const cell of figure.cells) free.add(cell);
                });
            }
            for (const [cell, { back, text, dot }] of cells) {
                const option = owner.get(cell);
                const isFree = option === undefined && free.has(cell);
                const look = `${option} ${option === last} ${isFree} ${palette.dark} ${option !== undefined && given.has(option)}`;
                if (shown.get(cell) === look) continue;
                shown.set(cell, look);
                const color = option === undefined ? "" : optionColor(option, palette);
                back.style.fill = option === undefined || kind !== "pieces" ? ""
                    : `color-mix(in oklab, ${color} 45%, var(--paper))`;
                back.classList.toggle("taken", option !== undefined && option !== last);
                back.classList.toggle("last", option !== undefined && option === last);
                back.classList.toggle("out", !Array.isArray(state) && option === undefined && !isFree);
                const mark = option === undefined ? "" : kind === "queens" ? "♛" : figures[option].label;
                if (text.textContent !== mark) text.textContent = mark;
                text.classList.toggle("clue", option !== undefined && given.has(option));
                if (dot) dot.style.opacity = isFree ? "1" : "0";
            }
            if (kind === "pieces") {
                let walls = "";
                for (const cell of cells.keys()) {
                    const [x, y] = corner(cell);
                    const mine = owner.get(cell);
                    const isLastColumn = cell % columns === columns - 1;
                    const isLastRow = Math.floor(cell / columns) % rows === rows - 1;
                    if (!isLastColumn && owner.get(cell + 1) !== mine) walls += `M${x + CELL} ${y}v${CELL}`;
                    if (!isLastRow && owner.get(cell + columns) !== mine) walls += `M${x} ${y + CELL}h${CELL}`;
                }
                outlines.setAttribute("d", walls);
            }
            const count = cover.length;
            node.setAttribute("aria-label", `${title}: ${count === 0 ? "no option is chosen" : cover
                .map((option) => problem.options[option].text).join("; ")}`);
        },
    };
}

/**
 * @param {Problem} problem
 * @param {string} title
 * @returns {Board}
 */
function itemBoard(problem, title) {
    const count = Math.min(problem.items.length, 200);
    const across = count <= 8 ? count : Math.ceil(Math.sqrt(count * 1.6));
    const down = Math.ceil(count / Math.max(across, 1));
    const cells = problem.items.slice(0, count).map((item, number) => {
        const x = (number % across) * (CELL + 6);
        const y = Math.floor(number / across) * (CELL + 6);
        const back = shape("rect", { x, y, width: CELL, height: CELL, rx: item.primary ? 5 : 20, class: "cell" });
        const text = shape("text", { x: x + CELL / 2, y: y + CELL / 2, class: "mark item" }, item.name.slice(0, 5));
        if (item.name.length > 2) text.setAttribute("font-size", "12");
        return { back, text };
    });
    const node = shape("svg", {
        viewBox: `-3 -3 ${across * (CELL + 6)} ${down * (CELL + 6)}`, class: "board items", role: "img",
        "aria-label": title,
    }, ...cells.flatMap(({ back, text }) => [back, text]));
    return {
        node,
        update(state) {
            const cover = coverOf(state);
            const palette = { dark: isDark() };
            const owner = ownersOf(cover, (option) => problem.options[option].entries.map(({ item }) => item));
            const last = Array.isArray(state) ? -1 : state.path[state.path.length - 1]?.option ?? -1;
            cells.forEach(({ back }, item) => {
                const option = owner.get(item);
                back.style.fill = option === undefined ? ""
                    : `color-mix(in oklab, ${optionColor(option, palette)} 40%, var(--paper))`;
                back.style.stroke = option === undefined ? "" : optionColor(option, palette);
                back.classList.toggle("last", option !== undefined && option === last);
                const isStuck = !Array.isArray(state) && problem.items[item].primary
                    && state.isCovered[item] === 0 && state.degree(item) === 0;
                back.classList.toggle("stuck", isStuck && option === undefined);
            });
            node.setAttribute("aria-label", `${title}: ${cover.length === 0 ? "no option is chosen" : cover
                .map((option) => problem.options[option].text).join("; ")}`);
        },
    };
}
