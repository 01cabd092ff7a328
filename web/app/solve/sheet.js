// A puzzle text that the board can edit: a grid with one character a cell, and header lines above it.
//
// Edits change the characters of the edited cells and the lines of the edited clues. Everything else
// in the text stays as it is.

/** A cell: row and column from 0. @typedef {[row: number, column: number]} Cell */

/**
 * A clue of the header: its rule, what follows the colon, and the number of its line from 0.
 * @typedef {{ line: number, rule: string, body: string }} Clue
 */

/** Largest number of rows and columns that the board edits. */
const SIDE_MAX = 40;

/** Kinds of puzzles that the board edits. */
export const GRID_KINDS = new Set(["sudoku", "latin", "variant", "overlapping"]);

const HEADER = /^#\s*([a-zA-Z][a-zA-Z-]*)\s*:\s*(.*?)\s*$/;
const CELL = /^r(\d+)c(\d+)$/;
/** Characters of cells. Everything else in a row means that the text is in another format. */
const ROW = /^[0-9A-Za-z.*_?-]+$/;
const CLUE_BODY = /r\d+c\d+|\b(row|column|diagonal) /;

/** Headers with cells in them that are no clues. */
const NO_CLUES = new Set(["grids", "regions", "title", "author", "note", "source", "comment"]);

/** @param {Cell} cell */
export function nameOf([row, column]) {
    return `r${row + 1}c${column + 1}`;
}

/** @param {string} name @returns {Cell | null} */
export function cellOf(name) {
    const found = CELL.exec(name);
    return found ? [Number(found[1]) - 1, Number(found[2]) - 1] : null;
}

/** Width and height of the usual boxes of a square of this order. @param {number} order @returns {[number, number] | null} */
export function boxesOf(order) {
    for (let height = Math.floor(Math.sqrt(order)); height > 1; height -= 1) {
        if (order % height === 0) {
            return [order / height, height];
        }
    }
    return null;
}

export class Sheet {
    /**
     * @param {string} text
     * @param {string[]} lines
     * @param {number[][]} offsets for each row, the place of each cell in the text; -1 for none
     * @param {{ rows: number, columns: number, isDrawn: boolean, isOverlapping: boolean,
     *     regionLines: number[] }} shape
     */
    constructor(text, lines, offsets, { rows, columns, isDrawn, isOverlapping, regionLines }) {
        this.text = text;
        this.lines = lines;
        this.offsets = offsets;
        this.rows = rows;
        this.columns = columns;
        this.isDrawn = isDrawn;
        this.isOverlapping = isOverlapping;
        this.regionLines = regionLines;
    }

    /**
     * Reads a text, or returns `null` if the board cannot edit it.
     * @param {string} text
     * @returns {Sheet | null}
     */
    static parse(text) {
        if (text.length > 100_000) {
            return null;
        }
        const lines = text.split("\n");
        /** @type {{ start: number, content: string, number: number }[]} */
        const body = [];
        /** @type {Map<string, string>} */
        const headers = new Map();
        let hasClue = false;
        let start = 0;
        for (const [number, raw] of lines.entries()) {
            const content = raw.replace(/\r$/, "");
            if (content.startsWith("#")) {
                const found = HEADER.exec(content);
                if (found && body.length > 0) {
                    return null;
                }
                if (found) {
                    headers.set(found[1], found[2]);
                    hasClue ||= CLUE_BODY.test(found[2]) && !NO_CLUES.has(found[1]);
                }
            } else if (content.trim() !== "") {
                body.push({ start, content, number });
            }
            start += raw.length + 1;
        }
        const kind = headers.get("puzzle");
        if (kind && !GRID_KINDS.has(kind)) {
            return null;
        }
        const isOverlapping = kind === "overlapping";
        if (body.length === 0) {
            const order = Number(headers.get("order") ?? 9);
            const rows = Number(headers.get("rows") ?? order);
            const columns = Number(headers.get("columns") ?? order);
            const isKnown = hasClue || ["order", "rows", "columns", "rules"].some((key) => headers.has(key));
            const isSize = [rows, columns].every((side) => side >= 1 && side <= SIDE_MAX);
            if (!isKnown || !isSize) {
                return null;
            }
            const offsets = Array.from({ length: rows }, () => Array(columns).fill(-1));
            return new Sheet(text, lines, offsets, { rows, columns, isDrawn: false, isOverlapping, regionLines: [] });
        }
        /** @type {number[][]} */
        const offsets = [];
        /** @type {number[]} */
        const regionLines = [];
        for (const { start: at, content, number } of body) {
            if (regionLines.length > 0 || content.trim().toLowerCase() === "regions") {
                regionLines.push(number);
                continue;
            }
            const isRule = /^[\s|+:=-]+$/.test(content) && (content.includes("+") || content.includes("="));
            if (isRule) {
                continue;
            }
            if (isOverlapping) {
                offsets.push([...content].map((symbol, place) => (symbol === " " ? -1 : at + place)));
                continue;
            }
            const words = content.split(/[\s|]+/).filter(Boolean);
            const isEven = words.every((word) => ROW.test(word) && word.length === words[0].length);
            if (!isEven && /\S\s+[^\s|]/.test(content)) {
                return null;
            }
            if (!words.every((word) => ROW.test(word))) {
                return null;
            }
            const row = [];
            for (let place = 0; place < content.length; place += 1) {
                if (!/[\s|]/.test(content[place])) {
                    row.push(at + place);
                }
            }
            offsets.push(row);
        }
        if (offsets.length === 1 && !isOverlapping) {
            const side = Math.sqrt(offsets[0].length);
            if (!Number.isInteger(side) || side < 2) {
                return null;
            }
            const cells = offsets[0];
            offsets.length = 0;
            for (let row = 0; row < side; row += 1) {
                offsets.push(cells.slice(row * side, (row + 1) * side));
            }
        }
        const columns = Math.max(...offsets.map((row) => row.length));
        if (offsets.length > SIDE_MAX || columns > SIDE_MAX) {
            return null;
        }
        for (const row of offsets) {
            if (row.length < columns && !isOverlapping) {
                return null;
            }
            while (row.length < columns) {
                row.push(-1);
            }
        }
        const shape = { rows: offsets.length, columns, isDrawn: true, isOverlapping, regionLines };
        return new Sheet(text, lines, offsets, shape);
    }

    /** @param {Cell} cell */
    has([row, column]) {
        const isInside = row >= 0 && column >= 0 && row < this.rows && column < this.columns;
        return isInside && (!this.isOverlapping || this.offsets[row][column] >= 0);
    }

    /** The symbol of a cell, or "" if it is empty. @param {Cell} cell */
    symbol([row, column]) {
        const at = this.offsets[row]?.[column] ?? -1;
        const symbol = at < 0 ? "" : this.text[at];
        const isBlank = ".*_-?".includes(symbol) || (symbol === "0" && !this.hasZero());
        return isBlank ? "" : symbol;
    }

    /** Whether 0 is a symbol, as with `# digits: 0-8` or in hexadecimal. */
    hasZero() {
        const digits = this.header("digits");
        if (digits) {
            return /\b0/.test(digits);
        }
        return this.rows === 16 && /[fF]/.test(this.grid()) && this.grid().includes(".");
    }

    /** The cells as one text, row by row. */
    grid() {
        return this.offsets.flatMap((row) => row.map((at) => (at < 0 ? "." : this.text[at]))).join("");
    }

    /** The value of a header line, or `undefined`. @param {string} key */
    header(key) {
        for (const line of this.lines) {
            const found = HEADER.exec(line);
            if (found && found[1] === key) {
                return found[2];
            }
        }
        return undefined;
    }

    /** The symbols that can be typed, in order. */
    get symbols() {
        const digits = this.header("digits");
        const range = digits && /^(\d+)\s*-\s*(\d+)$/.exec(digits);
        const most = Math.max(this.rows, this.columns);
        const count = this.isOverlapping ? 9 : most;
        const all = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";
        if (range && Number(range[2]) < all.length) {
            return [...all.slice(Number(range[1]), Number(range[2]) + 1)];
        }
        const first = this.hasZero() ? 0 : 1;
        return [...all.slice(first, first + count)];
    }

    /** @returns {Clue[]} */
    get clues() {
        const clues = [];
        for (const [line, content] of this.lines.entries()) {
            const found = HEADER.exec(content);
            if (found && !NO_CLUES.has(found[1]) && CLUE_BODY.test(found[2])) {
                clues.push({ line, rule: found[1], body: found[2] });
            }
        }
        return clues;
    }

    /** Rules of the whole grid. */
    get rules() {
        const rules = new Set();
        for (const line of this.lines) {
            const found = HEADER.exec(line);
            if (found && found[1] === "rules") {
                found[2].split(/[\s,]+/).filter(Boolean).forEach((rule) => rules.add(rule));
            }
        }
        return rules;
    }

    /**
     * Returns the text with other symbols; "" empties a cell.
     * @param {[Cell, string][]} changes
     * @returns {string}
     */
    withSymbols(changes) {
        if (!this.isDrawn) {
            const rows = Array.from({ length: this.rows }, () => ".".repeat(this.columns));
            const head = this.text.replace(/\n*$/, "\n").replace(/^# (order|rows|columns):.*\n/gm, "");
            const drawn = Sheet.parse(`${head}${rows.join("\n")}\n`);
            return drawn?.isDrawn ? drawn.withSymbols(changes) : this.text;
        }
        // By UTF-16 units, as the offsets count them.
        const symbols = this.text.split("");
        for (const [[row, column], symbol] of changes) {
            const at = this.offsets[row]?.[column] ?? -1;
            if (at >= 0) {
                symbols[at] = symbol || (this.grid().includes(".") || this.hasZero() ? "." : this.blank());
            }
        }
        return symbols.join("");
    }

    /** The character for an empty cell in this text. */
    blank() {
        return [...".0*_-?"].find((symbol) => this.grid().includes(symbol)) ?? ".";
    }

    /** Returns the text with a clue added below the other header lines. @param {string} clue such as `killer: r1c1 r1c2 = 3` */
    withClue(clue) {
        let at = 0;
        for (const [number, line] of this.lines.entries()) {
            if (line.startsWith("#")) {
                at = number + 1;
            } else if (line.trim() !== "") {
                break;
            }
        }
        return this.lines.toSpliced(at, 0, `# ${clue}`).join("\n");
    }

    /** Returns the text without a line. @param {number} line */
    withoutLine(line) {
        return this.lines.toSpliced(line, 1).join("\n");
    }

    /** Returns the text with another line. @param {number} line @param {string} content */
    withLine(line, content) {
        return this.lines.toSpliced(line, 1, content).join("\n");
    }

    /** Returns the text with a rule of the whole grid switched. @param {string} rule @param {boolean} isOn */
    withRule(rule, isOn) {
        for (const [number, line] of this.lines.entries()) {
            const found = HEADER.exec(line);
            if (found && found[1] === "rules") {
                const rules = found[2].split(/[\s,]+/).filter((other) => other && other !== rule);
                if (isOn) {
                    rules.push(rule);
                }
                if (isOn || rules.length < found[2].split(/[\s,]+/).filter(Boolean).length) {
                    return rules.length > 0 ? this.withLine(number, `# rules: ${rules.join(" ")}`) : this.withoutLine(number);
                }
            }
        }
        return isOn ? this.withClue(`rules: ${rule}`) : this.text;
    }

    /** The label of each cell's region, or `null` if the regions are unknown. @returns {string[][] | null} */
    regions() {
        const stated = this.header("regions");
        const drawn = this.regionLines.slice(1).map((number) => this.lines[number].replace(/\s/g, ""));
        const rows = stated ? stated.split(/[\s/]+/) : drawn;
        if (rows.length === this.rows && rows.every((row) => row.length === this.columns)) {
            return rows.map((row) => [...row]);
        }
        const given = /^(\d+)x(\d+)$/.exec(this.header("boxes") ?? "");
        const boxes = given ? [Number(given[1]), Number(given[2])] : boxesOf(this.rows);
        if (!boxes || this.rows !== this.columns || this.isOverlapping || this.header("boxes") === "none") {
            return null;
        }
        const [width, height] = boxes;
        const across = Math.ceil(this.columns / width);
        return Array.from({ length: this.rows }, (_, row) =>
            Array.from({ length: this.columns }, (_, column) =>
                "123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"[Math.floor(row / height) * across + Math.floor(column / width)] ?? ".",
            ),
        );
    }

    /** Returns the text with these regions. @param {string[][]} labels */
    withRegions(labels) {
        const line = `# regions: ${labels.map((row) => row.join("")).join(" ")}`;
        const isBlock = new Set(this.regionLines);
        const lines = this.lines.filter((content, number) => {
            const key = HEADER.exec(content)?.[1];
            return !isBlock.has(number) && key !== "boxes";
        });
        const at = lines.findIndex((content) => HEADER.exec(content)?.[1] === "regions");
        if (at >= 0) {
            lines[at] = line;
            return lines.join("\n");
        }
        return [line, ...lines].join("\n");
    }

    /** The cells that a clue or its body names, in order. @param {string} body */
    cellsOf(body) {
        return expand(body, this.rows, this.columns);
    }

    /** The cells of a house as the program names it. @param {string} house @returns {Cell[]} */
    houseCells(house) {
        const line = /^(row|column) (\d+)/.exec(house);
        if (line) {
            return expand(house, this.rows, this.columns);
        }
        const labels = this.regions();
        const corner = /region of r(\d+)c(\d+)/.exec(house);
        const box = /^box (\d+)/.exec(house);
        const label = corner
            ? labels?.[Number(corner[1]) - 1]?.[Number(corner[2]) - 1]
            : box && "123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"[Number(box[1]) - 1];
        /** @type {Cell[]} */
        const cells = [];
        if (labels && label) {
            labels.forEach((row, at) =>
                row.forEach((other, column) => other === label && cells.push([at, column])),
            );
        }
        return cells;
    }

    /**
     * Finds the line of a clue as the program names it, such as `killer: r1c1 r1c2 = 3`; -1 for none.
     * @param {string} name
     */
    lineOf(name) {
        const found = /^([a-z-]+): (.*)$/.exec(name);
        if (!found) {
            return -1;
        }
        const form = (/** @type {string} */ body) => {
            const [cells, value = ""] = body.split("=");
            const groups = cells.split("/").map((group) => expand(group, this.rows, this.columns).map(nameOf).sort().join(" "));
            return `${groups.join("/")}=${value.trim()}`;
        };
        const isSame = (/** @type {Clue} */ clue) =>
            clue.rule === found[1] && (clue.body === found[2] || form(clue.body) === form(found[2]));
        return this.clues.find(isSame)?.line ?? -1;
    }
}

/**
 * Lists the cells of a clue.
 * @param {string} body
 * @param {number} rows
 * @param {number} columns
 * @returns {Cell[]}
 */
function expand(body, rows, columns) {
    /** @type {Cell[]} */
    const cells = [];
    const words = body.split("=")[0].split(/[\s/]+/).filter(Boolean);
    const isInside = (/** @type {Cell} */ [row, column]) => row >= 0 && column >= 0 && row < rows && column < columns;
    const push = (/** @type {Cell} */ cell) => isInside(cell) && cells.push(cell);
    for (let at = 0; at < words.length; at += 1) {
        const word = words[at];
        const range = /^r(\d+)c(\d+)-r(\d+)c(\d+)$/.exec(word);
        const cell = cellOf(word);
        if (cell) {
            push(cell);
        } else if (range) {
            const [row, column, lastRow, lastColumn] = range.slice(1).map((number) => Number(number) - 1);
            const length = Math.min(SIDE_MAX, Math.max(Math.abs(lastRow - row), Math.abs(lastColumn - column)));
            for (let step = 0; step <= length; step += 1) {
                push([row + step * Math.sign(lastRow - row), column + step * Math.sign(lastColumn - column)]);
            }
        } else if (word === "row") {
            const row = Number(words[++at]) - 1;
            for (let column = 0; column < columns; column += 1) {
                push([row, column]);
            }
        } else if (word === "column") {
            const column = Number(words[++at]) - 1;
            for (let row = 0; row < rows; row += 1) {
                push([row, column]);
            }
        } else if (word === "diagonal") {
            const first = cellOf(words[++at] ?? "");
            const way = words[++at] ?? "";
            const step = [way.includes("up") ? -1 : 1, way.includes("left") ? -1 : 1];
            for (let cell = first; cell && isInside(cell); cell = [cell[0] + step[0], cell[1] + step[1]]) {
                push(cell);
            }
        }
    }
    return cells;
}
