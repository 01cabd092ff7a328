// The matrix as Knuth draws it: a column per item with its size, a row per option, a node per entry,
// and the links between nodes.
//
// A covered item is lifted out of the list of items. A node that was removed from the list of its
// item moves aside and fades, and the vertical link passes it. With `close`, hidden rows and
// covered columns also become narrow, so that the rest has more room.

/**
 * @import { Problem } from "./problem.js"
 * @import { Dance } from "./dance.js"
 * @import { Palette } from "./paint.js"
 */

import { SHOWN } from "./dance.js";
import { optionColor } from "./paint.js";

/** Largest number of nodes that are drawn: about 4 ms per frame. */
const NODES_MOST = 15_000;
/** Largest distance of rows and columns (px). */
const ROW_MOST = 42;
const COLUMN_MOST = 76;
/** Width of a covered column whose gap is closed, relative to the others. */
const COVERED_SHARE = 0.3;
/** How far a covered item is lifted (px). */
const LIFT = 13;
/** Width of the numbers of the options (px). */
const LABELS = 34;

/** @param {Problem} problem */
export function canDraw(problem) {
    const nodes = problem.options.reduce((sum, option) => sum + option.entries.length, 0);
    return nodes <= NODES_MOST && problem.items.length <= 400;
}

export class MatrixView {
    /** @param {Problem} problem */
    constructor(problem) {
        this.problem = problem;
        const { items, options } = problem;
        // Each array holds what is drawn now; it glides to the goal of the state.
        this.lift = new Float32Array(items.length);
        this.columns = new Float32Array(items.length).fill(1);
        this.rows = new Float32Array(options.length).fill(1);
        this.hidden = new Float32Array(options.length);
        this.chosen = new Float32Array(options.length);
        this.flash = new Float32Array(options.length);
        this.x = new Float32Array(items.length);
        this.y = new Float32Array(options.length);
        this.isNew = true;
        this.lastStep = -1;
    }

    /**
    * @param {CanvasRenderingContext2D} context
    * @param {{ width: number, height: number, state: Dance, step: number, blend: number,
    *   close: boolean, palette: Palette, row: number }} view
    *   `row` is the option under the pointer, or -1
    * @returns {boolean} whether something still moves
    */
    draw(context, { width, height, state, step, blend, close, palette, row }) {
        const { problem } = this;
        const { items, options } = problem;
        const share = this.isNew ? 1 : blend;
        this.isNew = false;
        let moves = false;
        /** @param {Float32Array} values @param {number} index @param {number} goal */
        const glide = (values, index, goal) => {
            const value = values[index];
            if (value === goal) return;
            const next = value + (goal - value) * share;
            if (Math.abs(goal - next) < 0.004) {
                values[index] = goal;
            } else {
                values[index] = next;
                moves = true;
            }
        };
        const cover = new Set(state.cover());
        const current = state.path[state.path.length - 1];
        if (step !== this.lastStep) {
            this.lastStep = step;
            for (const option of state.changed) this.flash[option] = 1;
        }
        options.forEach((_, option) => {
            const isShown = state.hiddenBy[option] === SHOWN;
            const isChosen = cover.has(option);
            glide(this.hidden, option, isShown || isChosen ? 0 : 1);
            glide(this.chosen, option, isChosen ? 1 : 0);
            glide(this.rows, option, isShown || isChosen || !close ? 1 : 0.12);
            if (this.flash[option] > 0) glide(this.flash, option, 0);
        });
        items.forEach((_, item) => {
            const isCovered = state.isCovered[item] === 1;
            glide(this.lift, item, isCovered ? 1 : 0);
            glide(this.columns, item, isCovered && close ? COVERED_SHARE : 1);
        });

        // Places of columns and rows.
        const longest = items.reduce((most, item) => Math.max(most, item.name.length), 1);
        const split = items.findIndex((item) => !item.primary);
        let sum = split > 0 ? 0.6 : 0;
        for (const share of this.columns) sum += share;
        const columnWidth = Math.min(COLUMN_MOST, (width - LABELS - 14) / Math.max(sum, 1));
        const openWidth = Math.min(COLUMN_MOST, (width - LABELS - 14) / Math.max(items.length, 1));
        const isUpright = longest * 7 + 4 > openWidth * (close ? COVERED_SHARE : 1);
        const isNamed = columnWidth >= 9;
        const nameHeight = isNamed ? (isUpright ? Math.min(longest * 7 + 6, 64) : 18) : 4;
        const top = LIFT + nameHeight + 24;
        let total = 0;
        for (const share of this.rows) total += share;
        const rowHeight = Math.min(ROW_MOST, (height - top - 8) / Math.max(total, 1));
        let at = LABELS + Math.max(0, (width - LABELS - columnWidth * sum) / 2 - 12);
        items.forEach((_, item) => {
            if (item === split) at += columnWidth * 0.6;
            const part = columnWidth * this.columns[item];
            this.x[item] = at + part / 2;
            at += part;
        });
        let down = top + 6;
        options.forEach((_, option) => {
            const part = rowHeight * this.rows[option];
            this.y[option] = down + part / 2;
            down += part;
        });
        const { x, y } = this;

        context.clearRect(0, 0, width, height);
        context.lineCap = "round";
        context.textAlign = "center";
        context.textBaseline = "middle";

        // The column of the item that the search branches on.
        const base = top - 10;
        if (current) {
            const part = Math.max(columnWidth * this.columns[current.item], 8);
            context.fillStyle = palette.mark;
            context.beginPath();
            context.roundRect(x[current.item] - part / 2 + 1, 2, part - 2, down, 6);
            context.fill();
        }
        // The list of items: a line through those that are in it.
        context.strokeStyle = palette.line;
        context.lineWidth = 1.4;
        context.beginPath();
        let before = -1;
        items.forEach((item, number) => {
            if (!item.primary || state.isCovered[number] === 1) return;
            if (before >= 0) {
                context.moveTo(x[before], base);
                context.lineTo(x[number], base);
            }
            before = number;
        });
        context.stroke();

        // Vertical links: each joins nodes that are in the list.
        const showsLinks = rowHeight >= 4 || close;
        if (showsLinks) {
            for (const alpha of [1, 0.3]) {
                context.globalAlpha = alpha;
                context.beginPath();
                items.forEach((_, item) => {
                    if ((state.isCovered[item] === 1) !== (alpha < 1)) return;
                    let end = -1;
                    for (const option of problem.lists[item]) {
                        const isIn = state.hiddenBy[option] === SHOWN || state.hiddenBy[option] === item;
                        if (isIn) end = option;
                    }
                    if (end < 0) return;
                    context.moveTo(x[item], base + 6 - LIFT * this.lift[item]);
                    context.lineTo(x[item], y[end]);
                });
                context.strokeStyle = palette.line;
                context.lineWidth = 1;
                context.stroke();
            }
            context.globalAlpha = 1;
        }

        // Rows: horizontal links and nodes.
        const radius = Math.max(0.8, Math.min(7, rowHeight * 0.32, columnWidth * 0.3));
        const isTight = radius < 2;
        for (const fades of [true, false]) {
            options.forEach((option, number) => {
                const fade = this.hidden[number];
                if ((fade > 0.5) !== fades || option.entries.length === 0) return;
                const chosen = this.chosen[number];
                const flash = this.flash[number];
                const solid = 1 - 0.8 * fade;
                const part = rowHeight * this.rows[number];
                if (part < 0.35 && fades) return;
                const color = chosen > 0.5 ? optionColor(number, palette)
                    : number === row ? palette.text
                    : flash > 0.08 ? (fade > 0.5 ? palette.bad : palette.accent)
                    : palette.node;
                if (part >= 4) {
                    let left = Infinity;
                    let right = -Infinity;
                    for (const { item } of option.entries) {
                        left = Math.min(left, x[item]);
                        right = Math.max(right, x[item]);
                    }
                    if (chosen > 0.02) {
                        context.globalAlpha = 0.22 * chosen;
                        context.fillStyle = optionColor(number, palette);
                        context.beginPath();
                        const half = Math.min(part / 2, 11);
                        context.roundRect(left - half - 3, y[number] - half, right - left + 2 * half + 6,
                            2 * half, half);
                        context.fill();
                    }
                    context.globalAlpha = solid;
                    context.strokeStyle = color;
                    context.lineWidth = chosen > 0.5 ? 2.4 : 1.1;
                    context.setLineDash(fade > 0.5 ? [2, 3] : []);
                    context.beginPath();
                    context.moveTo(left, y[number]);
                    context.lineTo(right, y[number]);
                    context.stroke();
                    context.setLineDash([]);
                }
                context.fillStyle = color;
                context.strokeStyle = color;
                context.globalAlpha = solid;
                const size = Math.min(radius, Math.max(part * 0.4, 0.7)) * (1 + 0.25 * chosen);
                for (const { item, color: tint } of option.entries) {
                    // A node that its own item's covering hid stays in the list of that item.
                    const isOut = fade > 0 && state.hiddenBy[number] !== item;
                    const aside = isOut && !isTight ? fade * Math.min(9, columnWidth * 0.24) : 0;
                    if (isTight) {
                        context.fillRect(x[item] - size, y[number] - size, 2 * size, 2 * size);
                        continue;
                    }
                    context.beginPath();
                    context.arc(x[item] + aside, y[number], size, 0, 7);
                    if (fade > 0.5 && chosen < 0.5) {
                        context.fillStyle = palette.back;
                        context.fill();
                        context.lineWidth = 1.2;
                        context.stroke();
                        context.fillStyle = color;
                    } else {
                        context.fill();
                    }
                    if (tint !== "" && size >= 5) {
                        context.fillStyle = palette.back;
                        context.font = `600 ${Math.round(size * 1.5)}px ${palette.font}`;
                        context.fillText(tint.slice(0, 1), x[item] + aside, y[number] + 0.5);
                        context.fillStyle = color;
                    }
                }
                if (part >= 11) {
                    context.globalAlpha = 1 - 0.55 * fade;
                    context.fillStyle = chosen > 0.5 ? palette.text : palette.muted;
                    context.font = `${chosen > 0.5 ? "700 " : ""}11px ${palette.font}`;
                    context.textAlign = "right";
                    context.fillText(String(number + 1), LABELS - 12, y[number]);
                    context.textAlign = "center";
                }
            });
        }
        context.globalAlpha = 1;

        // Items: name, size, and a dot in the list of items.
        items.forEach((item, number) => {
            const lift = this.lift[number];
            const atTop = base - LIFT * lift;
            const isCurrent = current?.item === number;
            const isEmpty = item.primary && lift < 0.5 && state.degree(number) === 0;
            context.globalAlpha = isCurrent ? 1 : 1 - 0.6 * lift;
            const color = isCurrent ? palette.accent : isEmpty ? palette.bad
                : item.primary ? palette.text : palette.muted;
            context.fillStyle = color;
            const part = columnWidth * this.columns[number];
            if (part >= 9) {
                const size = Math.min(12, Math.max(9, part));
                context.font = `${isCurrent || isEmpty ? "700" : "500"} ${size}px ${palette.font}`;
                const color = state.colors[number];
                const label = (color === "" ? item.name : `${item.name}:${color}`);
                if (label.length * 7 + 2 > part) {
                    context.save();
                    context.translate(x[number], atTop - 20);
                    context.rotate(-Math.PI / 2);
                    context.textAlign = "left";
                    context.fillText(label.slice(0, 9), 0, 0);
                    context.restore();
                } else {
                    context.fillText(label, x[number], atTop - 26);
                }
            }
            if (part >= 8) {
                context.font = `${isEmpty ? "700 " : ""}${Math.min(11, part)}px ${palette.font}`;
                context.fillText(lift > 0.5 ? "" : String(state.sizes[number]), x[number], atTop - 11);
            }
            context.beginPath();
            const dot = Math.max(1, Math.min(4, columnWidth * 0.2));
            if (item.primary) {
                context.roundRect(x[number] - dot, atTop - dot, 2 * dot, 2 * dot, 1.5);
            } else {
                context.arc(x[number], atTop, dot * 0.8, 0, 7);
            }
            if (lift > 0.5 || !item.primary) {
                context.fillStyle = palette.back;
                context.fill();
                context.strokeStyle = color;
                context.lineWidth = 1;
                context.stroke();
            } else {
                context.fill();
            }
        });
        context.globalAlpha = 1;
        return moves;
    }

    /**
    * The option at a height of the picture, or -1.
    * @param {number} height
    */
    optionAt(height) {
        let best = -1;
        let distance = 12;
        this.y.forEach((y, option) => {
            if (Math.abs(y - height) < distance) {
                best = option;
                distance = Math.abs(y - height);
            }
        });
        return best;
    }
}
