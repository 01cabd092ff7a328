// The board of the place Pack: cells, placed pieces, the piece in hand, and the pointer and keyboard that move it.

import { areaOf, borderOf, boxOf, hueOf, shape, spread } from "./drawing.js";
import { freePlacements, takenCells } from "./model.js";

/** @typedef {import("./model.js").Model} Model */
/** @typedef {import("./lattice.js").Place} Place */
/** @typedef {{ name: string, places: Place[] }} SolutionPiece */

/**
 * @typedef {object} Scene what the board shows
 * @property {number[]} placed
 * @property {number | null} orientation the piece in hand
 * @property {number | null} ghost where the piece in hand would lie
 * @property {SolutionPiece[]} solution pieces of a solution that are not placed
 * @property {{ good: number[], bad: number[], cells: Set<number> }} marks of a hint
 * @property {number | null} cursor the cell of the keyboard
 */

/** How far from the pointer a piece may snap, in widths of a cell. */
const SNAP_MAX = 0.9;

export class Board {
    /** @type {Model | null} */
    model = null;
    /** @type {(place: Place) => Place} */
    move = (place) => place;
    /** @type {Map<string, [number, number]>} */
    #centers = new Map();
    /** @type {SVGElement} */
    picture;

    constructor() {
        this.picture = shape("svg", { class: "pack-board", tabindex: 0, role: "application", "aria-label": "Board", "aria-describedby": "pack-keys" });
    }

    /** @param {Model} model */
    setModel(model) {
        this.model = model;
        const places = model.cells.map((cell) => cell.place);
        this.move = model.solid ? spread(places) : (place) => place;
        this.#centers.clear();
    }

    /** @param {Place} place */
    #flatCenter(place) {
        const model = /** @type {Model} */ (this.model);
        const [x, y] = model.lattice.center(this.move(place));
        return /** @type {[number, number]} */ ([x, y]);
    }

    /** The middle of a placement in one layer, or null where it has no cell there. @param {number} number @param {number} layer */
    middleOf(number, layer) {
        const key = `${number},${layer}`;
        const known = this.#centers.get(key);
        if (known) return known;
        const model = /** @type {Model} */ (this.model);
        const here = model.placements[number].cells
            .map((cell) => model.cells[cell].place)
            .filter((place) => layer === 0 || place.layer === layer);
        if (here.length === 0) return null;
        const sum = here.map((place) => this.#flatCenter(place)).reduce((a, b) => [a[0] + b[0], a[1] + b[1]], [0, 0]);
        /** @type {[number, number]} */
        const middle = [sum[0] / here.length, sum[1] / here.length];
        this.#centers.set(key, middle);
        return middle;
    }

    /** Where a point of the window lies on the board. @param {number} clientX @param {number} clientY @returns {[number, number]} */
    pointAt(clientX, clientY) {
        const svg = /** @type {SVGSVGElement} */ (this.picture);
        const matrix = svg.getScreenCTM();
        if (!matrix) return [NaN, NaN];
        const point = new DOMPoint(clientX, clientY).matrixTransform(matrix.inverse());
        return [point.x, point.y];
    }

    /** The cell nearest to a point, if it is near. @param {[number, number]} point */
    cellAt([x, y]) {
        const model = /** @type {Model} */ (this.model);
        let [best, least] = [-1, 0.75];
        model.cells.forEach((cell, index) => {
            const [cx, cy] = this.#flatCenter(cell.place);
            const away = Math.hypot(cx - x, cy - y);
            if (away < least) [best, least] = [index, away];
        });
        return best;
    }

    /**
     * The free placement of an orientation that is nearest to a point.
     * @param {number} orientation
     * @param {number[]} placed
     * @param {[number, number]} point
     * @param {number} [reach]
     */
    nearest(orientation, placed, point, reach = SNAP_MAX) {
        const model = /** @type {Model} */ (this.model);
        const cell = model.solid ? this.cellAt(point) : -1;
        const layer = cell < 0 ? 0 : model.cells[cell].place.layer;
        let [best, least] = [/** @type {number | null} */ (null), reach];
        for (const number of freePlacements(model, orientation, takenCells(model, placed))) {
            const middle = this.middleOf(number, layer);
            if (!middle) continue;
            const away = Math.hypot(middle[0] - point[0], middle[1] - point[1]);
            if (away < least) [best, least] = [number, away];
        }
        return best;
    }

    /**
     * The free placement next to another one in a direction.
     * @param {number} orientation
     * @param {number[]} placed
     * @param {number} from
     * @param {[number, number]} direction
     */
    next(orientation, placed, from, [dx, dy]) {
        const model = /** @type {Model} */ (this.model);
        const start = this.middleOf(from, 0) ?? [0, 0];
        let [best, least] = [from, Infinity];
        for (const number of freePlacements(model, orientation, takenCells(model, placed))) {
            const middle = this.middleOf(number, 0) ?? [0, 0];
            const [x, y] = [middle[0] - start[0], middle[1] - start[1]];
            const along = x * dx + y * dy;
            const aside = Math.abs(x * dy - y * dx);
            if (along < 0.1) continue;
            const score = along + 3 * aside;
            if (score < least) [best, least] = [number, score];
        }
        return best;
    }

    /** @param {Scene} scene */
    draw(scene) {
        const model = /** @type {Model} */ (this.model);
        const { lattice } = model;
        const flat = model.cells.map((cell) => this.move(cell.place));
        const box = boxOf(lattice, flat, lattice.edges ? 0.35 : 0.12);
        if (model.solid) box.height += 0.45;
        this.picture.setAttribute("viewBox", [box.x, box.y, box.width, box.height].map((n) => n.toFixed(3)).join(" "));
        this.picture.style.setProperty("--ratio", String(box.width / box.height));
        this.picture.style.setProperty("--cells", String(box.width));
        this.picture.classList.toggle("edges", lattice.edges);
        this.picture.replaceChildren();
        const stick = lattice.edges;

        const ground = shape("g", { class: stick ? "ground sticks" : "ground" });
        model.cells.forEach((cell, index) => {
            const marked = scene.marks.cells.has(index) ? " marked" : "";
            ground.append(shape("path", { d: areaOf(lattice, [flat[index]]), class: `pack-cell${cell.optional ? " optional" : ""}${marked}` }));
        });
        this.picture.append(ground);

        if (model.solid) {
            for (const layer of new Set(model.cells.map((cell) => cell.place.layer))) {
                const here = model.cells.filter((cell) => cell.place.layer === layer).map((cell) => this.#flatCenter(cell.place));
                const middle = here.reduce((sum, [x]) => sum + x, 0) / here.length;
                this.picture.append(shape("text", { x: middle.toFixed(3), y: (box.y + box.height - 0.12).toFixed(3), class: "layer" }, `Layer ${layer}`));
            }
        }
        for (const piece of scene.solution) this.#drawPiece(piece.places, this.#hueOfName(piece.name), "faint", "");
        for (const number of scene.placed) {
            const placement = model.placements[number];
            const piece = model.pieces[placement.piece];
            const places = placement.cells.map((cell) => model.cells[cell].place);
            this.#drawPiece(places, hueOf(placement.piece), "", piece.label);
        }
        for (const number of scene.marks.bad) this.#drawOutline(number, "bad");
        for (const number of scene.marks.good) this.#drawOutline(number, "good");
        if (scene.ghost !== null) {
            const placement = model.placements[scene.ghost];
            const places = placement.cells.map((cell) => model.cells[cell].place);
            this.#drawPiece(places, hueOf(placement.piece), "ghost", "");
        }
        if (scene.cursor !== null && scene.orientation === null && model.cells[scene.cursor]) {
            const place = this.move(model.cells[scene.cursor].place);
            this.picture.append(shape("path", { d: areaOf(lattice, [place]), class: stick ? "pack-cursor line" : "pack-cursor" }));
        }
    }

    /** The hue of the piece that a drawing names. @param {string} name */
    #hueOfName(name) {
        const model = /** @type {Model} */ (this.model);
        const index = model.pieces.findIndex((piece) => piece.name === name);
        return hueOf(index >= 0 ? index : name.codePointAt(0) ?? 0);
    }

    /**
     * @param {Place[]} places
     * @param {number} hue
     * @param {string} kind
     * @param {string} label
     */
    #drawPiece(places, hue, kind, label) {
        const { lattice } = /** @type {Model} */ (this.model);
        const flat = places.map((place) => this.move(place));
        const group = shape("g", { class: `piece ${kind}`, hue });
        if (lattice.edges) {
            group.append(shape("path", { d: areaOf(lattice, flat), class: "stick" }));
        } else {
            group.append(shape("path", { d: areaOf(lattice, flat), class: "tile" }));
            group.append(shape("path", { d: borderOf(lattice, flat), class: "seam" }));
        }
        if (label && !lattice.edges) {
            for (const layer of new Set(places.map((place) => place.layer))) {
                const here = places.filter((place) => place.layer === layer).map((place) => this.#flatCenter(place));
                const middle = [0, 1].map((k) => here.reduce((sum, point) => sum + point[k], 0) / here.length);
                here.sort((a, b) => Math.hypot(a[0] - middle[0], a[1] - middle[1]) - Math.hypot(b[0] - middle[0], b[1] - middle[1]));
                group.append(shape("text", { x: here[0][0].toFixed(3), y: here[0][1].toFixed(3), class: "pack-label" }, label));
            }
        }
        this.picture.append(group);
    }

    /** @param {number} number @param {string} kind */
    #drawOutline(number, kind) {
        const model = /** @type {Model} */ (this.model);
        const { lattice } = model;
        const flat = model.placements[number].cells.map((cell) => this.move(model.cells[cell].place));
        const d = lattice.edges ? areaOf(lattice, flat) : borderOf(lattice, flat);
        this.picture.append(shape("path", { d, class: `pack-mark ${kind}` }));
    }
}

/**
 * A small picture of an orientation, for the tray.
 * @param {Model} model
 * @param {number} orientation
 * @param {number} scale pixels for the width of a cell
 */
export function orientationPicture(model, orientation, scale) {
    const { lattice } = model;
    const { places, piece } = model.orientations[orientation];
    // A solid piece shows its layers side by side, moved to the corner first.
    const least = (/** @type {keyof Place} */ key) => Math.min(...places.map((place) => place[key]));
    const [layer, row, column] = [least("layer"), least("row"), least("column")];
    const moved = model.solid
        ? places.map((place) => ({ layer: place.layer - layer + 1, row: place.row - row + 1, column: place.column - column + 1 }))
        : places;
    const move = model.solid ? spread(moved) : (/** @type {Place} */ place) => place;
    const flat = moved.map(move);
    const box = boxOf(lattice, flat, lattice.edges ? 0.2 : 0.06);
    const picture = shape("svg", {
        viewBox: [box.x, box.y, box.width, box.height].map((n) => n.toFixed(3)).join(" "),
        width: Math.round(box.width * scale),
        height: Math.round(box.height * scale),
        hue: hueOf(piece),
        "aria-hidden": "true",
        class: "shape",
    });
    if (lattice.edges) {
        picture.append(shape("path", { d: areaOf(lattice, flat), class: "stick" }));
    } else {
        picture.append(shape("path", { d: areaOf(lattice, flat), class: "tile" }));
        picture.append(shape("path", { d: borderOf(lattice, flat), class: "seam" }));
        picture.append(shape("path", { d: areaOf(lattice, flat), class: "pack-grid" }));
    }
    return picture;
}
