// The board: the program's picture, and on top of it a layer for the pointer, the selection, answers
// and drawing. The layer has the coordinates of the picture.

import { element, shape } from "../ui.js";

/** @typedef {import("./sheet.js").Cell} Cell */
/** @typedef {import("./sheet.js").Sheet} Sheet */
/** @typedef {import("./tools.js").Tool} Tool */

/**
 * Marks on cells: classes of fills by cell name, answers, and small digits with their classes.
 * @typedef {{
 *     fills?: Map<string, string>,
 *     answers?: Map<string, { symbol: string, look?: string }>,
 *     candidates?: Map<string, { symbol: string, look: string }[]>,
 *     letters?: Map<string, string>,
 * }} Marks
 */

/**
 * What the board reports.
 * @typedef {{
 *     onType(cells: Cell[], symbol: string): void,
 *     onDraw(tool: Tool, cells: Cell[], outside: Cell | null): void,
 *     onUndo(isRedo: boolean): void,
 *     onSelect(cells: Cell[]): void,
 *     onTool(name: string): void,
 *     describe(cell: Cell): string,
 * }} Listener
 */

/** Side of a cell in the program's pictures. */
const SIDE = 32;

/** Part of a cell around its center that a line must touch, so that diagonals are easy to draw. */
const CORE = 0.4;

export class Board {
    /** @param {Listener} listener */
    constructor(listener) {
        this.listener = listener;
        /** @type {Sheet | null} */
        this.sheet = null;
        /** @type {Tool | null} */
        this.tool = null;
        /** @type {Cell[]} */
        this.selected = [];
        /** @type {Marks} */
        this.marks = {};
        /** Upper left corner of the grid in the picture. @type {[number, number]} */
        this.origin = [0, 0];
        /** @type {{ cells: Cell[], outside: Cell | null, isAdding: boolean } | null} */
        this.drag = null;
        this.layer = shape("svg", { class: "layer", "aria-hidden": "true" });
        this.frame = element("div", { class: "frame" });
        this.root = element(
            "div",
            { class: "board", tabindex: 0, role: "application", "aria-label": "Puzzle board" },
            this.frame,
        );
        this.live = element("p", { class: "visually-hidden", "aria-live": "polite" });
        this.root.addEventListener("pointerdown", (event) => this.press(event));
        this.root.addEventListener("pointermove", (event) => this.move(event));
        this.root.addEventListener("pointerup", (event) => this.release(event));
        this.root.addEventListener("pointercancel", () => this.cancel());
        this.root.addEventListener("dblclick", (event) => this.selectSame(event));
        this.root.addEventListener("keydown", (event) => this.key(event));
    }

    /** Shows a picture; `null` keeps the layer only. @param {SVGSVGElement | null} picture @param {string} label */
    show(picture, label) {
        if (!picture) {
            return;
        }
        const box = picture.getAttribute("viewBox") ?? "0 0 100 100";
        const [, , width, height] = box.split(" ").map(Number);
        picture.removeAttribute("width");
        picture.removeAttribute("height");
        this.layer.setAttribute("viewBox", box);
        // The longer side of a picture fills the frame; small pictures are enlarged up to a limit.
        this.frame.style.maxWidth = `min(${Math.max(260, width * 2.2)}px, ${(width / height) * 78}vh)`;
        this.frame.replaceChildren(picture, this.layer);
        this.root.setAttribute("aria-label", label);
        const walls = picture.querySelector('path.stroke-wall[stroke-width="2.4"]')?.getAttribute("d");
        const points = [...(walls ?? "").matchAll(/(-?[\d.]+) (-?[\d.]+)/g)];
        if (points.length > 0) {
            this.origin = [
                Math.min(...points.map(([, x]) => Number(x))),
                Math.min(...points.map(([, , y]) => Number(y))),
            ];
        }
        this.paint();
    }

    /** @param {Sheet | null} sheet */
    setSheet(sheet) {
        this.sheet = sheet;
        this.root.classList.toggle("editable", sheet !== null);
        const isKept = (/** @type {Cell} */ cell) => sheet?.has(cell) ?? false;
        this.selected = this.selected.filter(isKept);
        this.paint();
    }

    /** @param {Tool} tool */
    setTool(tool) {
        this.tool = tool;
        const isOutside = ["outside", "diagonal"].includes(tool.gesture);
        this.root.classList.toggle("outside", isOutside && this.sheet !== null);
        if (tool.gesture !== "select") {
            this.selected = [];
        }
        this.paint();
    }

    /** @param {Marks} marks */
    setMarks(marks) {
        this.marks = marks;
        this.paint();
    }

    /** @param {Cell[]} cells */
    select(cells) {
        this.selected = cells;
        this.listener.onSelect(cells);
        this.paint();
        const last = cells.at(-1);
        if (last) {
            this.live.textContent = this.listener.describe(last);
        }
    }

    /** Center of a cell. @param {Cell} cell @returns {[number, number]} */
    center([row, column]) {
        return [this.origin[0] + (column + 0.5) * SIDE, this.origin[1] + (row + 0.5) * SIDE];
    }

    /** Draws the layer. */
    paint() {
        const { sheet } = this;
        const parts = [];
        const square = (/** @type {Cell} */ [row, column], /** @type {string} */ look, inset = 0) =>
            shape("rect", {
                x: this.origin[0] + column * SIDE + inset,
                y: this.origin[1] + row * SIDE + inset,
                width: SIDE - 2 * inset,
                height: SIDE - 2 * inset,
                class: look,
            });
        const cellAt = (/** @type {string} */ name) => {
            const [, row, column] = /^r(\d+)c(\d+)$/.exec(name) ?? [];
            return /** @type {Cell} */ ([Number(row) - 1, Number(column) - 1]);
        };
        for (const [name, look] of this.marks.fills ?? []) {
            parts.push(square(cellAt(name), `fill ${look}`, 1));
        }
        for (const [name, { symbol, look }] of this.marks.answers ?? []) {
            const [x, y] = this.center(cellAt(name));
            parts.push(shape("text", { x, y, dy: "0.35em", class: `answer ${look ?? ""}` }, symbol));
        }
        const symbols = sheet?.symbols ?? [];
        const across = symbols.length > 9 ? 4 : symbols.length > 4 ? 3 : 2;
        for (const [name, candidates] of this.marks.candidates ?? []) {
            const [x, y] = this.center(cellAt(name));
            for (const { symbol, look } of candidates) {
                const at = Math.max(0, symbols.indexOf(symbol));
                const step = 27 / across;
                const dx = ((at % across) - (across - 1) / 2) * step;
                const dy = (Math.floor(at / across) - (across - 1) / 2) * step;
                const size = across === 4 ? 6 : across === 3 ? 8.3 : 10;
                const attributes = { x: x + dx, y: y + dy, dy: "0.35em", "font-size": size, class: `candidate ${look}` };
                parts.push(shape("text", attributes, symbol));
            }
        }
        for (const [name, letter] of this.marks.letters ?? []) {
            const [x, y] = this.center(cellAt(name));
            parts.push(shape("text", { x, y, dy: "0.35em", class: "letter" }, letter));
        }
        if (sheet) {
            for (const cell of this.selected) {
                parts.push(square(cell, "selected", 1.5));
            }
            const last = this.selected.at(-1);
            if (last && this.selected.length > 1) {
                parts.push(square(last, "cursor", 1.5));
            }
            if (this.drag && this.tool && this.tool.gesture !== "select") {
                parts.push(...this.preview(square));
            }
            if (this.root.classList.contains("outside")) {
                parts.push(...this.slots(sheet));
            }
        }
        this.layer.replaceChildren(...parts);
    }

    /** What is being drawn. @param {(cell: Cell, look: string, inset?: number) => SVGElement} square */
    preview(square) {
        const drag = /** @type {NonNullable<Board["drag"]>} */ (this.drag);
        const gesture = this.tool?.gesture;
        if (gesture === "path" || gesture === "pair") {
            const points = drag.cells.map((cell) => this.center(cell).join(" ")).join("L");
            const [first] = drag.cells;
            const bulb = first ? this.center(first) : [0, 0];
            return [
                shape("path", { d: `M${points}`, class: "preview" }),
                shape("circle", { cx: bulb[0], cy: bulb[1], r: 5, class: "preview-start" }),
            ];
        }
        return drag.cells.map((cell) => square(cell, "preview-cell", 3));
    }

    /** Places outside the grid that can be clicked. @param {Sheet} sheet */
    slots(sheet) {
        const slots = [];
        const isDiagonal = this.tool?.gesture === "diagonal";
        for (let row = -1; row <= sheet.rows; row += 1) {
            for (let column = -1; column <= sheet.columns; column += 1) {
                const [isHigh, isWide] = [row < 0 || row === sheet.rows, column < 0 || column === sheet.columns];
                if (isDiagonal ? isHigh || isWide : isHigh !== isWide) {
                    const [cx, cy] = this.center([row, column]);
                    slots.push(shape("circle", { cx, cy, r: 4, class: "slot" }));
                }
            }
        }
        return slots;
    }

    /**
     * Position of a pointer in cells; `[0, 0]` is the upper left corner of the grid.
     * @param {MouseEvent} event
     * @returns {[number, number] | null} column and row with fractions
     */
    position(event) {
        const matrix = this.layer.getScreenCTM();
        if (!matrix) {
            return null;
        }
        const { x, y } = new DOMPoint(event.clientX, event.clientY).matrixTransform(matrix.inverse());
        return [(x - this.origin[0]) / SIDE, (y - this.origin[1]) / SIDE];
    }

    /** @param {[number, number]} at @returns {Cell} */
    static cellAt([x, y]) {
        return [Math.floor(y), Math.floor(x)];
    }

    /** @param {PointerEvent} event */
    press(event) {
        const at = this.position(event);
        if (!this.sheet || !this.tool || !at || event.button !== 0) {
            return;
        }
        this.root.focus({ preventScroll: true });
        const cell = Board.cellAt(at);
        const isInside = this.sheet.has(cell);
        const { gesture } = this.tool;
        if (gesture === "select") {
            if (!isInside) {
                this.select([]);
                return;
            }
            const isMore = event.ctrlKey || event.metaKey;
            const isSelected = this.selected.some((other) => isSame(other, cell));
            this.drag = { cells: [], outside: null, isAdding: !(isMore && isSelected) };
            if (isMore && isSelected) {
                this.select(this.selected.filter((other) => !isSame(other, cell)));
            } else if (event.shiftKey && this.selected.length > 0) {
                this.select([...this.selected, ...between(/** @type {Cell} */ (this.selected.at(-1)), cell)]);
            } else {
                this.select(isMore ? [...this.selected, cell] : [cell]);
            }
        } else if (gesture === "corner" || gesture === "outside") {
            this.drag = { cells: isInside ? [cell] : [], outside: isInside ? null : cell, isAdding: true };
        } else if (gesture === "diagonal") {
            this.drag = { cells: [], outside: isInside ? null : cell, isAdding: true };
        } else if (isInside) {
            this.drag = { cells: [cell], outside: null, isAdding: true };
        }
        if (this.drag) {
            // A pointer that the browser does not know, as in tests, cannot be captured.
            try {
                this.root.setPointerCapture(event.pointerId);
            } catch {}
            event.preventDefault();
        }
        this.paint();
    }

    /** @param {PointerEvent} event */
    move(event) {
        const { drag, sheet, tool } = this;
        if (!drag || !sheet || !tool) {
            return;
        }
        // A fast pointer skips cells; the browser kept the points between.
        const events = event.getCoalescedEvents?.() ?? [];
        for (const each of events.length > 0 ? events : [event]) {
            const at = this.position(each);
            if (at) {
                this.moveTo(drag, sheet, tool, at);
            }
        }
        this.paint();
    }

    /**
     * @param {NonNullable<Board["drag"]>} drag
     * @param {Sheet} sheet
     * @param {Tool} tool
     * @param {[number, number]} at
     */
    moveTo(drag, sheet, tool, at) {
        const cell = Board.cellAt(at);
        if (!sheet.has(cell)) {
            return;
        }
        const isNear = at.every((place) => Math.abs((place % 1) - 0.5) < CORE);
        const place = drag.cells.findIndex((other) => isSame(other, cell));
        switch (tool.gesture) {
            case "select":
                if (isNear) {
                    const isSelected = this.selected.some((other) => isSame(other, cell));
                    if (drag.isAdding && !isSelected) {
                        this.select([...this.selected, cell]);
                    } else if (!drag.isAdding && isSelected) {
                        this.select(this.selected.filter((other) => !isSame(other, cell)));
                    }
                }
                break;
            case "cells":
            case "paint":
                if (isNear && place < 0) {
                    drag.cells.push(cell);
                }
                break;
            case "path":
                if (isNear && place >= 0 && place === drag.cells.length - 2) {
                    drag.cells.pop();
                } else if (isNear && place < 0) {
                    const last = /** @type {Cell} */ (drag.cells.at(-1));
                    drag.cells.push(...steps(last, cell).filter((step) => sheet.has(step)));
                }
                break;
            case "pair": {
                const first = drag.cells[0];
                const distance = Math.abs(first[0] - cell[0]) + Math.abs(first[1] - cell[1]);
                if (distance <= 1) {
                    drag.cells = distance === 0 ? [first] : [first, cell];
                }
                break;
            }
            case "diagonal":
                if (isNear && drag.cells.length === 0 && drag.outside) {
                    const isStep =
                        Math.abs(drag.outside[0] - cell[0]) === 1 && Math.abs(drag.outside[1] - cell[1]) === 1;
                    drag.cells = isStep ? [cell] : [];
                }
                break;
            default:
        }
    }

    /** @param {PointerEvent} event */
    release(event) {
        const { drag, tool, sheet } = this;
        this.drag = null;
        const at = this.position(event);
        if (drag && tool && sheet && at && tool.gesture !== "select") {
            let { cells } = drag;
            if (tool.gesture === "pair" && cells.length === 1) {
                const [row, column] = cells[0];
                const [dx, dy] = [at[0] - column - 0.5, at[1] - row - 0.5];
                const isWide = Math.abs(dx) > Math.abs(dy);
                const other = /** @type {Cell} */ (isWide ? [row, column + Math.sign(dx)] : [row + Math.sign(dy), column]);
                cells = sheet.has(other) ? [cells[0], other] : cells;
            }
            if (tool.gesture === "corner") {
                const [column, row] = at.map(Math.round);
                cells = [
                    [row - 1, column - 1],
                    [row - 1, column],
                    [row, column - 1],
                    [row, column],
                ];
                cells = cells.every((cell) => sheet.has(/** @type {Cell} */ (cell))) ? cells : [];
            }
            const least = tool.gesture === "pair" ? 2 : (tool.least ?? 1);
            const isOutside = ["outside", "diagonal"].includes(tool.gesture);
            if (isOutside ? drag.outside : cells.length >= least) {
                this.listener.onDraw(tool, cells, drag.outside);
            }
        }
        this.paint();
    }

    cancel() {
        this.drag = null;
        this.paint();
    }

    /** Selects all cells with the same digit. @param {MouseEvent} event */
    selectSame(event) {
        const at = this.position(event);
        const { sheet } = this;
        if (!at || !sheet || this.tool?.gesture !== "select") {
            return;
        }
        const symbol = sheet.has(Board.cellAt(at)) ? sheet.symbol(Board.cellAt(at)) : "";
        if (symbol !== "") {
            const same = allCells(sheet).filter((cell) => sheet.symbol(cell) === symbol);
            this.select([...same.filter((cell) => !isSame(cell, Board.cellAt(at))), Board.cellAt(at)]);
        }
    }

    /** @param {KeyboardEvent} event */
    key(event) {
        const { sheet, tool } = this;
        if (!sheet || !tool) {
            return;
        }
        const isCommand = event.ctrlKey || event.metaKey;
        const key = event.key.toLowerCase();
        const arrows = /** @type {Record<string, [number, number]>} */ ({
            arrowup: [-1, 0],
            arrowdown: [1, 0],
            arrowleft: [0, -1],
            arrowright: [0, 1],
        });
        if (isCommand && (key === "z" || key === "y")) {
            this.listener.onUndo(key === "y" || event.shiftKey);
        } else if (isCommand && key === "a") {
            this.select(allCells(sheet));
        } else if (arrows[key]) {
            this.step(sheet, arrows[key], event.shiftKey || isCommand);
        } else if (isCommand || event.altKey) {
            return;
        } else if (key === "escape") {
            if (this.selected.length > 0 || this.drag) {
                this.drag = null;
                this.select([]);
            } else {
                this.listener.onTool("digits");
            }
        } else if (key === "enter" && tool.gesture !== "select" && this.selected.length > 0) {
            const cells = this.selected;
            this.selected = [];
            this.listener.onDraw(tool, cells, null);
        } else if (["backspace", "delete", " "].includes(key) || (key === "0" && !sheet.symbols.includes("0"))) {
            this.listener.onType(this.selected, "");
        } else if (sheet.symbols.includes(event.key.toUpperCase())) {
            this.listener.onType(this.selected, event.key.toUpperCase());
        } else {
            return;
        }
        event.preventDefault();
    }

    /** Moves the selection to a neighbor. @param {Sheet} sheet @param {[number, number]} by @param {boolean} isMore */
    step(sheet, by, isMore) {
        const last = this.selected.at(-1) ?? /** @type {Cell} */ ([by[0] < 0 ? sheet.rows : by[0] > 0 ? -1 : 0, by[1] < 0 ? sheet.columns : by[1] > 0 ? -1 : 0]);
        /** @type {Cell} */
        let next = last;
        // Overlapping grids have gaps.
        for (let tries = 0; tries < sheet.rows + sheet.columns; tries += 1) {
            next = [(next[0] + by[0] + sheet.rows) % sheet.rows, (next[1] + by[1] + sheet.columns) % sheet.columns];
            if (sheet.has(next)) {
                break;
            }
        }
        const others = this.selected.filter((cell) => !isSame(cell, next));
        this.select(isMore ? [...others, next] : [next]);
    }
}

/** @param {Cell} one @param {Cell} other */
function isSame(one, other) {
    return one[0] === other[0] && one[1] === other[1];
}

/** @param {Sheet} sheet @returns {Cell[]} */
export function allCells(sheet) {
    /** @type {Cell[]} */
    const cells = [];
    for (let row = 0; row < sheet.rows; row += 1) {
        for (let column = 0; column < sheet.columns; column += 1) {
            if (sheet.has([row, column])) {
                cells.push([row, column]);
            }
        }
    }
    return cells;
}

/** The cells from one to another, without the first. @param {Cell} from @param {Cell} to */
function steps(from, to) {
    /** @type {Cell[]} */
    const cells = [];
    let [row, column] = from;
    while (row !== to[0] || column !== to[1]) {
        row += Math.sign(to[0] - row);
        column += Math.sign(to[1] - column);
        cells.push([row, column]);
    }
    return cells;
}

/** The rectangle with two corners, except the first. @param {Cell} from @param {Cell} to */
function between(from, to) {
    /** @type {Cell[]} */
    const cells = [];
    for (let row = Math.min(from[0], to[0]); row <= Math.max(from[0], to[0]); row += 1) {
        for (let column = Math.min(from[1], to[1]); column <= Math.max(from[1], to[1]); column += 1) {
            if (!isSame(from, [row, column])) {
                cells.push([row, column]);
            }
        }
    }
    return cells;
}
