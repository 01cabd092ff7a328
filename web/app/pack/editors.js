// Two small editors of the place Pack: a board that one draws cell by cell, and a piece of one's own.

import { element } from "../ui.js";
import { areaOf, boxOf, shape, spread } from "./drawing.js";
import { keyOf } from "./lattice.js";
import { addPieces, drawPlaces, replaceBoard } from "./model.js";

/** @typedef {import("./model.js").Model} Model */
/** @typedef {import("./lattice.js").Place} Place */
/** @typedef {import("./lattice.js").Lattice} Lattice */
/** @typedef {"full" | "optional" | "none"} State what a place of a board is: to be covered, may stay empty, no cell */

/** Sides of a drawn board (cells); larger boards are written as text. */
const SIDE_MAX = 24;

/** Sides of the grid in which a piece is drawn (places). */
const PIECE_SIDES = /** @type {Record<string, [number, number]>} */ ({ square: [5, 5], hexagonal: [5, 9], triangular: [4, 9] });

/**
 * The places of a lattice in a rectangle of the drawing.
 * @param {Lattice} lattice
 * @param {number} layers
 * @param {number} rows
 * @param {number} columns
 * @param {number} parity of row and column together, for hexagons
 */
function rectangle(lattice, layers, rows, columns, parity) {
    /** @type {Place[]} */
    const places = [];
    for (let layer = 1; layer <= layers; layer += 1) {
        for (let row = 1; row <= rows; row += 1) {
            for (let column = 1; column <= columns; column += 1) {
                const place = { layer, row, column };
                if (lattice.name === "hexagonal" && (row + column) % 2 !== parity) continue;
                if (lattice.has(place)) places.push(place);
            }
        }
    }
    return places;
}

/**
 * A grid of places that are switched by click, by dragging, or by the keyboard.
 * @param {string} label
 * @param {(place: Place, state: State) => State} switched the state after a click
 * @param {(states: Map<string, State>) => void} changed
 */
function makeGrid(label, switched, changed) {
    /** @type {Place[]} */
    let places = [];
    /** @type {Map<string, State>} */
    let states = new Map();
    /** @type {Lattice | null} */
    let lattice = null;
    let cursor = -1;
    const picture = shape("svg", { class: "pack-draw", tabindex: 0, role: "application", "aria-label": label });
    const live = element("p", { class: "pack-note", "aria-live": "polite" });

    const flat = () => (places.some((place) => place.layer > 1) ? places.map(spread(places)) : places);

    const draw = () => {
        if (!lattice) return;
        const all = flat();
        const box = boxOf(lattice, all, lattice.edges ? 0.35 : 0.12);
        picture.setAttribute("viewBox", [box.x, box.y, box.width, box.height].map((n) => n.toFixed(3)).join(" "));
        picture.style.setProperty("--cells", String(box.width));
        picture.replaceChildren(
            ...all.map((place, index) => {
                const state = states.get(keyOf(places[index])) ?? "none";
                const here = index === cursor ? " here" : "";
                const edge = /** @type {Lattice} */ (lattice).edges ? " line" : "";
                return shape("path", {
                    d: areaOf(/** @type {Lattice} */ (lattice), [place]),
                    class: `spot ${state}${here}${edge}`,
                    "data-index": index,
                });
            }),
        );
    };

    /** @param {number} index @param {State} [forced] */
    const toggle = (index, forced) => {
        const place = places[index];
        const old = states.get(keyOf(place)) ?? "none";
        const now = forced ?? switched(place, old);
        states.set(keyOf(place), now);
        draw();
        const word = { full: "to be covered", optional: "may stay empty", none: "no cell" }[now];
        live.textContent = `Row ${place.row}, column ${place.column}: ${word}.`;
        return now;
    };

    picture.addEventListener("pointerdown", (event) => {
        const target = /** @type {Element} */ (event.target);
        const index = Number(target.getAttribute("data-index") ?? -1);
        if (index < 0) return;
        event.preventDefault();
        cursor = -1;
        const state = toggle(index);
        /** @param {PointerEvent} moved */
        const move = (moved) => {
            const other = document.elementFromPoint(moved.clientX, moved.clientY);
            if (!other || !picture.contains(other)) return;
            const next = Number(other.getAttribute("data-index") ?? -1);
            if (next >= 0 && states.get(keyOf(places[next])) !== state) toggle(next, state);
        };
        const end = () => {
            window.removeEventListener("pointermove", move);
            window.removeEventListener("pointerup", end);
            window.removeEventListener("pointercancel", end);
            changed(states);
        };
        window.addEventListener("pointermove", move);
        window.addEventListener("pointerup", end);
        window.addEventListener("pointercancel", end);
    });
    picture.addEventListener("keydown", (event) => {
        const step = /** @type {Record<string, [number, number]>} */ ({
            ArrowLeft: [-1, 0],
            ArrowRight: [1, 0],
            ArrowUp: [0, -1],
            ArrowDown: [0, 1],
        })[event.key];
        if (step && lattice) {
            const centers = flat().map((place) => /** @type {Lattice} */ (lattice).center(place));
            if (cursor < 0) {
                cursor = 0;
            } else {
                const from = centers[cursor];
                let [best, least] = [cursor, Infinity];
                centers.forEach(([x, y], index) => {
                    const along = (x - from[0]) * step[0] + (y - from[1]) * step[1];
                    const aside = Math.abs((x - from[0]) * step[1] - (y - from[1]) * step[0]);
                    if (along > 0.1 && along + 3 * aside < least) [best, least] = [index, along + 3 * aside];
                });
                cursor = best;
            }
            draw();
            const place = places[cursor];
            live.textContent = `Row ${place.row}, column ${place.column}.`;
        } else if ((event.key === "Enter" || event.key === " ") && cursor >= 0) {
            toggle(cursor);
            changed(states);
        } else {
            return;
        }
        event.preventDefault();
    });

    return {
        picture,
        live,
        /** @param {Lattice} newLattice @param {Place[]} newPlaces @param {Map<string, State>} newStates */
        show(newLattice, newPlaces, newStates) {
            lattice = newLattice;
            places = newPlaces;
            states = newStates;
            cursor = Math.min(cursor, places.length - 1);
            draw();
        },
        states: () => states,
        places: () => places,
    };
}

/** @typedef {{ model: () => Model | null, change: (base: string) => void }} Owner */

/** @param {Owner} owner */
export function makeBoardEditor(owner) {
    /** @type {Record<State, State>} */
    const NEXT = { full: "optional", optional: "none", none: "full" };
    const grid = makeGrid("Cells of the board", (_, state) => NEXT[state], () => write());

    /** @param {string} id @param {string} label */
    const size = (id, label) => {
        const input = element("input", { type: "number", id, min: 1, max: SIDE_MAX, value: 1, inputmode: "numeric" });
        input.addEventListener("change", () => resize());
        return { input, node: element("span", { class: "pack-size" }, element("label", { for: id }, label), input) };
    };
    const layers = size("pack-layers", "Layers");
    const rows = size("pack-rows", "Rows");
    const columns = size("pack-columns", "Columns");

    function parity() {
        const model = owner.model();
        const first = model?.cells[0]?.place ?? { row: 1, column: 1 };
        return (first.row + first.column) % 2;
    }

    function write() {
        const model = owner.model();
        if (!model) return;
        const states = grid.states();
        const places = grid.places().filter((place) => (states.get(keyOf(place)) ?? "none") !== "none");
        if (places.length === 0) return;
        const drawing = drawPlaces(model.lattice, places, (place) => (states.get(keyOf(place)) === "optional" ? "?" : "."));
        owner.change(replaceBoard(model.base, drawing));
    }

    function resize() {
        const model = owner.model();
        if (!model) return;
        const [l, r, c] = [layers, rows, columns].map(({ input }) => Math.max(1, Math.min(SIDE_MAX, Math.round(Number(input.value)) || 1)));
        const places = rectangle(model.lattice, l, r, c, parity());
        const old = grid.states();
        const known = new Set(grid.places().map(keyOf));
        const states = new Map(places.map((place) => {
            const key = keyOf(place);
            return [key, known.has(key) ? (old.get(key) ?? "none") : "full"];
        }));
        grid.show(model.lattice, places, /** @type {Map<string, State>} */ (states));
        write();
    }

    const node = element(
        "div",
        {},
        element("p", { class: "pack-keys" }, "Click a cell: to be covered, may stay empty (hatched), no cell. Drag to paint."),
        element("div", { class: "pack-sizes" }, layers.node, rows.node, columns.node),
        grid.picture,
        grid.live,
    );

    return {
        node,
        refresh() {
            const model = owner.model();
            if (!model || model.cells.length === 0) return;
            const most = (/** @type {keyof Place} */ key) => Math.max(...model.cells.map((cell) => cell.place[key]));
            layers.node.hidden = !model.solid;
            const [l, r, c] = [most("layer"), most("row"), most("column")];
            layers.input.value = String(l);
            rows.input.value = String(r);
            columns.input.value = String(c);
            const places = rectangle(model.lattice, l, r, c, parity());
            /** @type {Map<string, State>} */
            const states = new Map();
            for (const cell of model.cells) states.set(cell.key, cell.optional ? "optional" : "full");
            grid.show(model.lattice, places, states);
        },
    };
}

/** @param {Owner} owner */
export function makePieceEditor(owner) {
    const grid = makeGrid("Cells of a new piece", (_, state) => (state === "none" ? "full" : "none"), () => {});
    const copies = element(
        "select",
        { id: "pack-copies" },
        ...[
            ["", "one"],
            ["x2", "two"],
            ["x3", "three"],
            ["x0-1", "at most one"],
            ["unlimited", "any number"],
        ].map(([value, label]) => element("option", { value }, label)),
    );
    const motions = element(
        "select",
        { id: "pack-motions" },
        ...[
            ["", "rotate and flip"],
            ["rotate", "rotate only"],
            ["fixed", "as drawn"],
        ].map(([value, label]) => element("option", { value }, label)),
    );
    const add = element("button", { type: "button" }, "Add this piece");
    const only = element("button", { type: "button" }, "Use only this piece");
    const live = element("p", { class: "pack-note", role: "status", "aria-live": "polite" });

    /** @param {boolean} alone */
    function write(alone) {
        const model = owner.model();
        if (!model) return;
        const states = grid.states();
        const places = grid.places().filter((place) => states.get(keyOf(place)) === "full");
        if (places.length === 0) {
            live.textContent = "Draw at least one cell.";
            return;
        }
        live.textContent = "";
        const used = alone ? [] : model.pieces.map((piece) => piece.name || piece.label);
        const name = [..."ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"].find((letter) => !used.includes(letter)) ?? "A";
        const words = ["piece", name, copies.value, motions.value].filter((word) => word !== "").join(" ");
        const text = [words, ...drawPlaces(model.lattice, places, () => "#").map((line) => line.replace(/^#$/, "#"))].join("\n");
        let { base } = model;
        if (alone) base = baseWithoutPieces(base, model.lattice);
        owner.change(addPieces(base, `${text}\n`));
    }
    add.addEventListener("click", () => write(false));
    only.addEventListener("click", () => write(true));

    const unavailable = element("p", { class: "pack-keys" }, "Pieces of edges and of solids are written in the text below.");
    const tools = element(
        "div",
        {},
        grid.picture,
        grid.live,
        element(
            "div",
            { class: "pack-sizes" },
            element("span", { class: "pack-size" }, element("label", { for: "pack-copies" }, "Copies"), copies),
            element("span", { class: "pack-size" }, element("label", { for: "pack-motions" }, "It may"), motions),
        ),
        element("div", { class: "pack-buttons" }, add, only),
        live,
    );
    const node = element("div", {}, unavailable, tools);

    return {
        node,
        refresh() {
            const model = owner.model();
            const sides = model && PIECE_SIDES[model.lattice.name];
            unavailable.hidden = Boolean(sides);
            tools.hidden = !sides;
            if (!model || !sides) return;
            const [rows, columns] = sides;
            const places = rectangle(model.lattice, 1, rows, columns, 0);
            const old = grid.states();
            grid.show(model.lattice, places, old.size ? old : new Map());
        },
    };
}

/**
 * The text without its pieces: the lattice stays, and so do the comments and the board.
 * @param {string} base
 * @param {Lattice} lattice
 */
function baseWithoutPieces(base, lattice) {
    const lines = base.split("\n");
    const board = lines.findIndex((line) => /^\s*board\b/.test(line));
    const head = lines.slice(0, Math.max(0, board)).filter((line) => /^\s*#\s*\w+:/.test(line));
    const named = lattice.name === "square" ? [] : [`lattice ${lattice.name}`];
    return [...head, ...named, ...lines.slice(Math.max(0, board))].join("\n");
}
