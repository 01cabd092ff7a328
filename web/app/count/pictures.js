// Pictures of solutions that are no tilings: queens, squares of symbols, Langford pairs. And heat maps.

import { areaOf, boxOf, hueOf, HUES_OF_SORTS, shape, sortOf, spread, tilingPicture } from "../pack/drawing.js";

/** @typedef {import("../pack/model.js").Model} Model */

/**
 * The picture of a solution, or null where there is none to draw.
 * @param {string} kind
 * @param {string} solution
 * @param {string} title
 * @param {{ width: number, height: number } | null} boxes
 */
export function solutionPicture(kind, solution, title, boxes) {
    if (kind === "polyomino") return tilingPicture(solution, title);
    if (kind === "queens") return queensPicture(solution, title);
    if (kind === "latin" || kind === "sudoku") return gridPicture(solution, title, boxes);
    if (kind === "langford") return langfordPicture(solution, title);
    return null;
}

/** @param {string} title @param {number} width @param {number} height */
const canvas = (title, width, height) =>
    shape("svg", { viewBox: `-0.06 -0.06 ${width + 0.12} ${height + 0.12}`, role: "img", "aria-label": title, class: "tiling" });

/** @param {string} solution @param {string} title */
function queensPicture(solution, title) {
    const rows = solution.trim().split("\n").map((line) => line.trim().split(/\s+/));
    const picture = canvas(title, rows.length, rows.length);
    rows.forEach((row, r) =>
        row.forEach((cell, c) => {
            picture.append(shape("rect", { x: c, y: r, width: 1, height: 1, class: (r + c) % 2 ? "square dark" : "square" }));
            if (cell === "Q") picture.append(queen(c, r));
        }),
    );
    return picture;
}

/** A crown. @param {number} x @param {number} y */
export const queen = (x, y) =>
    shape("path", {
        d: "M.2 .78H.8L.88 .32 .67 .55 .5 .2 .33 .55 .12 .32Z",
        transform: `translate(${x} ${y})`,
        class: "queen",
    });

/** The symbols of a square: characters of a line, or words. @param {string} solution @returns {string[]} */
function symbolsOf(solution) {
    const words = solution.trim().split(/[\s|]+/).filter((word) => word !== "" && !/^[-+]+$/.test(word));
    return words.length > 1 && words.every((word) => word.length <= 2) ? words : [...words.join("")];
}

/** @param {string} solution @param {string} title @param {{ width: number, height: number } | null} boxes */
function gridPicture(solution, title, boxes) {
    const symbols = symbolsOf(solution);
    const order = Math.round(Math.sqrt(symbols.length));
    const known = [...new Set(symbols)].sort((a, b) => a.localeCompare(b, "en", { numeric: true }));
    const picture = canvas(title, order, order);
    symbols.forEach((symbol, k) => {
        const [row, column] = [Math.floor(k / order), k % order];
        picture.append(
            shape("rect", { x: column, y: row, width: 1, height: 1, class: "tile thin", hue: hueOf(known.indexOf(symbol)) }),
            shape("text", { x: column + 0.5, y: row + 0.53, class: "symbol" }, symbol),
        );
    });
    const lines = boxes ?? { width: order, height: order };
    for (let x = 0; x <= order; x += lines.width) picture.append(shape("path", { d: `M${x} 0V${order}`, class: "seam" }));
    for (let y = 0; y <= order; y += lines.height) picture.append(shape("path", { d: `M0 ${y}H${order}`, class: "seam" }));
    return picture;
}

/** Arcs over the line join the two places of each number. @param {string} solution @param {string} title */
function langfordPicture(solution, title) {
    const numbers = solution.trim().split(/\s+/);
    const widest = Math.max(...numbers.map(Number)) + 1;
    const height = widest / 2 + 1.3;
    const picture = canvas(title, numbers.length, height);
    numbers.forEach((number, k) => {
        const hue = hueOf(Number(number));
        const other = numbers.indexOf(number, k + 1);
        if (other > 0) {
            const radius = (other - k) / 2;
            picture.append(
                shape("path", { d: `M${k + 0.5} ${height - 1}A${radius} ${radius} 0 0 1 ${other + 0.5} ${height - 1}`, class: "stick thin", hue }),
            );
        }
        picture.append(
            shape("rect", { x: k + 0.04, y: height - 1, width: 0.92, height: 0.92, rx: 0.15, class: "tile thin", hue }),
            shape("text", { x: k + 0.5, y: height - 0.52, class: "symbol" }, number),
        );
    });
    return picture;
}

/** How dark a share is, 0 to 1, with some room between nothing and little. @param {number} share */
const strength = (share) => (share <= 0 ? 0 : 0.12 + 0.88 * Math.sqrt(share));

/** @param {number} share */
export function percent(share) {
    if (share === 0) return "0 %";
    if (share === 1) return "100 %";
    const value = 100 * share;
    return value < 0.1 ? "< 0.1 %" : `${value.toPrecision(value >= 10 ? 3 : 2)} %`;
}

/**
 * A heat map on a rectangle.
 * @param {string} title
 * @param {(number | null)[][]} shares rows of shares, null for no cell
 * @param {(row: number, column: number) => string} name what a cell is
 */
export function heatGrid(title, shares, name) {
    const columns = Math.max(...shares.map((row) => row.length));
    const picture = canvas(title, columns, shares.length);
    const most = Math.max(...shares.flat().map((share) => share ?? 0));
    shares.forEach((row, r) =>
        row.forEach((share, c) => {
            if (share === null) return;
            const cell = shape("rect", { x: c, y: r, width: 1, height: 1, class: "heat" });
            cell.style.fillOpacity = String(strength(most > 0 ? share / most : 0));
            cell.append(shape("title", {}, `${name(r, c)}: ${percent(share)}`));
            picture.append(shape("rect", { x: c, y: r, width: 1, height: 1, class: "square" }), cell);
        }),
    );
    return picture;
}

/**
 * How dominoes or lozenges mostly lie: each cell has the color of its most frequent sort, pale where all are as frequent.
 * Null where the pieces of the model are no pairs of cells.
 * @param {string} title
 * @param {Model} model
 * @param {number[]} shares share of each placement
 */
export function sortsBoard(title, model, shares) {
    if (model.lattice.edges || model.solid || model.placements.some((placement) => placement.cells.length !== 2)) return null;
    const sorts = model.cells.map(() => [0, 0, 0, 0]);
    model.placements.forEach((placement, k) => {
        const sort = sortOf(model.lattice, placement.cells.map((cell) => model.cells[cell].place));
        for (const cell of placement.cells) sorts[cell][sort] += shares[k];
    });
    const number = model.lattice.name === "triangular" ? 3 : 4;
    const picture = heatBoard(title, model, model.cells.map(() => 0));
    picture.querySelectorAll(".heat").forEach((node, index) => {
        const most = Math.max(...sorts[index]);
        const cell = /** @type {SVGElement} */ (node);
        cell.classList.add("sorted");
        cell.style.setProperty("--hue", String(HUES_OF_SORTS[sorts[index].indexOf(most)]));
        cell.style.fillOpacity = String(0.06 + 0.94 * Math.max(0, (most - 1 / number) / (1 - 1 / number)));
        const { row, column } = model.cells[index].place;
        cell.replaceChildren(shape("title", {}, `row ${row}, column ${column}: ${percent(most)} lie this way`));
    });
    return picture;
}

/**
 * A heat map on the cells of a board of any lattice.
 * @param {string} title
 * @param {Model} model
 * @param {number[]} shares share of each cell
 */
export function heatBoard(title, model, shares) {
    const places = model.cells.map((cell) => cell.place);
    const flat = model.solid ? places.map(spread(places)) : places;
    const box = boxOf(model.lattice, flat, model.lattice.edges ? 0.3 : 0.08);
    const picture = shape("svg", {
        viewBox: [box.x, box.y, box.width, box.height].map((n) => n.toFixed(3)).join(" "),
        role: "img",
        "aria-label": title,
        class: "tiling",
    });
    const most = Math.max(...shares, 0);
    flat.forEach((place, index) => {
        const d = areaOf(model.lattice, [place]);
        const cell = shape("path", { d, class: model.lattice.edges ? "heat line" : "heat" });
        const value = String(strength(most > 0 ? shares[index] / most : 0));
        if (model.lattice.edges) cell.style.strokeOpacity = value;
        else cell.style.fillOpacity = value;
        const { row, column } = places[index];
        cell.append(shape("title", {}, `row ${row}, column ${column}: ${percent(shares[index])}`));
        picture.append(shape("path", { d, class: model.lattice.edges ? "pack-cell line" : "square" }), cell);
    });
    return picture;
}
