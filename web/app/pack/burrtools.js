// Reads files of BurrTools with cubes as texts of boards and pieces, so that Pack can draw and change them.
//
// The program itself reads all grids, colors and problems of such files; Pack takes the first problem, of cubes without
// colors. Source: the format that BurrTools 0.6 writes.

/** Largest number of pieces: each has a letter. */
const PIECES_MAX = 52;

/** @param {string} text */
export const isBurrTools = (text) => /^\uFEFF?\s*</.test(text) && text.includes("<puzzle") && text.includes("<gridType");

/**
 * A voxel space as layers of rows.
 * @param {Element} voxel
 * @param {Record<string, string>} symbols of the states of a cell
 */
function drawing(voxel, symbols) {
    const [width, height, depth] = ["x", "y", "z"].map((name) => Number(voxel.getAttribute(name)));
    const states = (voxel.textContent ?? "").trim();
    if (/\d/.test(states)) throw new Error("Pack draws BurrTools files without colors. Solve reads this one.");
    if (!(width > 0 && height > 0 && depth > 0) || states.length !== width * height * depth) {
        throw new Error(`A shape of this BurrTools file has ${states.length} cells instead of ${width} × ${height} × ${depth}.`);
    }
    const rows = Array.from({ length: height * depth }, (_, row) =>
        [...states.slice(row * width, (row + 1) * width)].map((state) => symbols[state] ?? symbols._).join(""),
    );
    return Array.from({ length: depth }, (_, layer) => rows.slice(layer * height, (layer + 1) * height).join("\n")).join("\n/\n");
}

/**
 * The pieces and the board of the first problem.
 * @param {string} text
 * @throws {Error} with a message for people, if Pack cannot draw the file
 */
export function fromBurrTools(text) {
    const damaged = "This BurrTools file is damaged: its XML cannot be read.";
    // Most damaged files are cut. The browser's report of an error has a style that the page's policy blocks.
    if (!/<\/puzzle>\s*$/.test(text)) throw new Error(damaged);
    const file = new DOMParser().parseFromString(text.replace(/^\uFEFF?\s*/, ""), "application/xml");
    if (file.querySelector("parsererror")) throw new Error(damaged);
    const grid = file.querySelector("gridType")?.getAttribute("type");
    if (grid !== "0") throw new Error("Pack draws BurrTools files of cubes. Solve reads those of the other grids.");
    const voxels = [...file.querySelectorAll("puzzle > shapes > voxel")];
    const problem = file.querySelector("puzzle > problems > problem");
    const shapeOf = (/** @type {Element | null | undefined} */ element) => voxels[Number(element?.getAttribute("id") ?? -1)];
    const board = shapeOf(problem?.querySelector(":scope > result"));
    const shapes = [...(problem?.querySelectorAll(":scope > shapes > shape") ?? [])];
    if (!board || shapes.length === 0) throw new Error("This BurrTools file has no problem with pieces and a result.");
    if (shapes.length > PIECES_MAX) throw new Error(`This problem has ${shapes.length} kinds of pieces, and Pack draws at most ${PIECES_MAX}.`);
    const parts = shapes.map((shape, number) => {
        const voxel = shapeOf(shape);
        if (!voxel) throw new Error("A problem of this BurrTools file names a shape that is missing.");
        const [least, most] = ["min", "max"].map((name) => Number(shape.getAttribute(name) ?? shape.getAttribute("count") ?? 1));
        const copies = least === most ? (least === 1 ? "" : ` x${least}`) : ` x${least}-${most}`;
        const letter = String.fromCharCode((number < 26 ? 65 : 97 - 26) + number);
        return `piece ${letter}${copies}\n${drawing(voxel, { "#": "#", "+": "#", _: "." })}\n`;
    });
    return `${parts.join("\n")}\nboard\n${drawing(board, { "#": ".", "+": "?", _: "#" })}\n`;
}
