// The search tree: its nodes from the steps, a layout that always fits, and the drawing.
//
// The path to the current node keeps most of the width. A subtree that the search has left shrinks,
// and becomes a triangle when it is too narrow for its nodes.

/**
 * @import { Problem } from "./problem.js"
 * @import { Step } from "./steps.js"
 * @import { Palette } from "./paint.js"
 *
 * @typedef {{
 *   id: number, parent: number, level: number, kind: "choose" | "dead_end" | "solution" | "skip",
 *   item: number, ordinal: number, of: number, start: number, end: number, children: number[],
 *   leaves: number, depth: number, solutions: number,
 * }} TreeNode
 *   `start` and `end` are numbers of steps: the node exists after `start` steps, and the search has
 *   left it after `end` steps. `leaves`, `depth` and `solutions` are those of its whole subtree.
 * @typedef {{ id: number, x: number, y: number, width: number, closed: boolean, stub: boolean,
 *   from: number }} Place
 */

/** Subtrees narrower than this are drawn as a triangle (px): two nodes would touch. */
const NARROW = 9;
/** Levels are at most this far apart (px). */
const LEVEL_HEIGHT = 40;
/** Share of the width of a node that its finished and future branches get together. */
const SIDE_SHARE = 0.55;

/**
 * @param {Step[]} steps
 * @returns {TreeNode[]} the root is the first
 */
export function readTree(steps) {
    /** @type {TreeNode[]} */
    const nodes = [];
    /** @type {TreeNode[]} */
    const path = [];
    let ordinal = 0;
    let of = 0;
    /** @param {TreeNode["kind"]} kind @param {number} item @param {number} start */
    const add = (kind, item, start) => {
        const parent = path[path.length - 1];
        /** @type {TreeNode} */
        const node = {
            id: nodes.length, parent: parent ? parent.id : -1, level: path.length, kind, item, ordinal, of,
            start, end: Infinity, children: [], leaves: 0, depth: 0, solutions: 0,
        };
        nodes.push(node);
        parent?.children.push(node.id);
        return node;
    };
    /** @param {TreeNode} node @param {number} end */
    const close = (node, end) => {
        node.end = end;
        node.leaves = Math.max(node.leaves, 1);
        const parent = nodes[node.parent];
        if (!parent) return;
        parent.leaves += node.leaves;
        parent.solutions += node.solutions;
        parent.depth = Math.max(parent.depth, node.depth + 1);
    };
    steps.forEach((step, number) => {
        const start = number + 1;
        switch (step.name) {
            case "choose":
                path.push(add("choose", step.item, start));
                break;
            case "try":
                ordinal = step.count;
                of = step.of;
                break;
            case "dead_end":
                close(add("dead_end", step.item, start), start);
                break;
            case "solution": {
                const node = add("solution", -1, start);
                node.solutions = 1;
                close(node, start);
                break;
            }
            case "skip":
                close(add("skip", -1, start), start);
                break;
            case "leave": {
                const node = path.pop();
                if (node) close(node, start);
                break;
            }
            default:
                break;
        }
    });
    for (const node of path.reverse()) close(node, Infinity);
    return nodes;
}

/**
 * Places the nodes that exist after `time` steps.
 * @param {TreeNode[]} nodes
 * @param {number} time
 * @param {number} width
 * @param {number} height
 * @returns {{ places: Place[], current: number }}
 */
export function layOut(nodes, time, width, height) {
    /** @type {Place[]} */
    const places = [];
    if (nodes.length === 0 || nodes[0].start > time) return { places, current: -1 };
    const deepest = nodes[0].depth;
    const gap = Math.min(LEVEL_HEIGHT, (height - 34) / Math.max(deepest, 1));
    let current = -1;
    /** @type {{ id: number, left: number, right: number, from: number }[]} */
    const work = [{ id: 0, left: 10, right: width - 10, from: -1 }];
    while (work.length > 0) {
        const { id, left, right, from } = /** @type {typeof work[0]} */ (work.pop());
        const node = nodes[id];
        const isDone = node.end <= time;
        if (node.start <= time) current = Math.max(current, id);
        const closed = isDone && right - left < NARROW && node.children.length > 0;
        places.push({
            id, x: (left + right) / 2, y: 16 + node.level * gap, width: right - left, closed, stub: false,
            from,
        });
        if (closed) continue;
        const children = node.children.filter((child) => nodes[child].start <= time);
        const last = nodes[children[children.length - 1]];
        const isOpen = last !== undefined && last.end > time;
        const tries = node.kind === "choose" ? nodes[node.children[0]]?.of ?? 0 : 0;
        const future = isDone ? 0 : Math.max(tries - (last?.ordinal ?? 0), 0);
        const stubs = Math.min(future, 12);
        const wish = children.map((child, place) => {
            if (isOpen && place === children.length - 1) return 0;
            const age = isDone ? 0 : children.length - 1 - place;
            return 9 * nodes[child].leaves ** (isDone ? 1 : 0.6) * 0.9 ** age + 4;
        });
        const room = right - left;
        const sides = wish.reduce((sum, part) => sum + part, 0) + 8 * stubs;
        let scale = sides > 0 ? room / sides : 1;
        let middle = 0;
        if (isOpen) {
            scale = Math.min(1, (SIDE_SHARE * room) / Math.max(sides, 1));
            middle = Math.min(room - scale * sides, 0.85 * room);
        } else if (!isDone) {
            scale = Math.min(scale, 3);
        }
        let x = left + (room - scale * sides - middle) / 2;
        children.forEach((child, place) => {
            const part = isOpen && place === children.length - 1 ? middle : scale * wish[place];
            work.push({ id: child, left: x, right: x + part, from: id });
            x += part;
        });
        for (let stub = 0; stub < stubs; stub += 1) {
            places.push({
                id: -1, x: x + 4 * scale, y: 16 + (node.level + 1) * gap, width: 8 * scale, closed: false,
                stub: true, from: id,
            });
            x += 8 * scale;
        }
    }
    return { places, current };
}

/** The tree on a canvas, with positions that glide to their new places. */
export class TreeView {
    /** @param {Problem} problem @param {TreeNode[]} nodes */
    constructor(problem, nodes) {
        this.problem = problem;
        this.nodes = nodes;
        /** @type {Map<number, { x: number, y: number }>} */
        this.seen = new Map();
        /** @type {Place[]} */
        this.places = [];
        this.current = -1;
        this.time = -1;
        this.width = 0;
        this.height = 0;
    }

    /**
    * @param {CanvasRenderingContext2D} context
    * @param {{ width: number, height: number, time: number, blend: number, palette: Palette }} view
    *   `blend` is the share of the way to the goal that this frame covers, 1 without animation
    * @returns {boolean} whether something still moves
    */
    draw(context, { width, height, time, blend, palette }) {
        if (time !== this.time || width !== this.width || height !== this.height) {
            Object.assign(this, { time, width, height }, layOut(this.nodes, time, width, height));
        }
        context.clearRect(0, 0, width, height);
        /** @type {Set<number>} */
        const path = new Set();
        for (let id = this.current; id >= 0; id = this.nodes[id].parent) {
            if (this.nodes[id].end >= time) path.add(id);
        }
        let moves = false;
        /** @type {Map<number, { x: number, y: number }>} */
        const next = new Map();
        for (const place of this.places) {
            if (place.stub) continue;
            const old = this.seen.get(place.id) ?? next.get(place.from) ?? place;
            let x = old.x + (place.x - old.x) * blend;
            let y = old.y + (place.y - old.y) * blend;
            if (Math.abs(place.x - x) + Math.abs(place.y - y) < 0.4) {
                x = place.x;
                y = place.y;
            } else {
                moves = true;
            }
            next.set(place.id, { x, y });
        }
        this.seen = next;
        context.lineCap = "round";
        context.textBaseline = "middle";
        context.font = `11px ${palette.font}`;
        // Edges first, the current path last.
        for (const onPath of [false, true]) {
            context.beginPath();
            for (const place of this.places) {
                const from = next.get(place.from);
                if (!from || path.has(place.id) !== onPath) continue;
                const to = next.get(place.id) ?? place;
                context.moveTo(from.x, from.y);
                context.bezierCurveTo(from.x, (from.y + to.y) / 2, to.x, (from.y + to.y) / 2, to.x, to.y);
            }
            context.strokeStyle = onPath ? palette.accent : palette.line;
            context.lineWidth = onPath ? 2.5 : 1.2;
            context.stroke();
        }
        /** Right ends of the labels of each level, so that they do not overlap.
        * @type {Map<number, number>} */
        const taken = new Map();
        for (const place of this.places) {
            if (place.stub) {
                context.beginPath();
                context.arc(place.x, place.y, Math.min(2.5, place.width / 3), 0, 7);
                context.strokeStyle = palette.faint;
                context.lineWidth = 1;
                context.stroke();
                continue;
            }
            const at = next.get(place.id) ?? place;
            const node = this.nodes[place.id];
            const size = Math.max(1.6, Math.min(5, place.width / 2.6));
            if (place.closed) {
                const tall = Math.min(26, 6 + 4 * node.depth);
                context.beginPath();
                context.moveTo(at.x, at.y - 2);
                context.lineTo(at.x - Math.max(place.width / 2 - 0.5, 1), at.y + tall);
                context.lineTo(at.x + Math.max(place.width / 2 - 0.5, 1), at.y + tall);
                context.closePath();
                context.fillStyle = node.solutions > 0 ? palette.good : palette.faint;
                context.fill();
                continue;
            }
            context.beginPath();
            if (node.kind === "solution") {
                star(context, at.x, at.y, size + 3);
                context.fillStyle = palette.good;
                context.fill();
            } else if (node.kind === "dead_end") {
                context.moveTo(at.x - size * 0.8, at.y - size * 0.8);
                context.lineTo(at.x + size * 0.8, at.y + size * 0.8);
                context.moveTo(at.x + size * 0.8, at.y - size * 0.8);
                context.lineTo(at.x - size * 0.8, at.y + size * 0.8);
                context.strokeStyle = palette.bad;
                context.lineWidth = Math.min(2, size / 2);
                context.stroke();
            } else {
                context.arc(at.x, at.y, size, 0, 7);
                context.fillStyle = path.has(place.id) ? palette.accent : palette.back;
                context.fill();
                context.strokeStyle = path.has(place.id) ? palette.accent : palette.muted;
                context.lineWidth = 1.2;
                context.stroke();
            }
            const name = this.problem.items[node.item]?.name;
            if (name && place.width > 24) {
                const isOut = at.x + 12 + context.measureText(name).width > width;
                const start = at.x + 9;
                if (!isOut && (taken.get(node.level) ?? -1) < start && place.width / 2 > 14) {
                    context.fillStyle = path.has(place.id) ? palette.text : palette.muted;
                    context.textAlign = "left";
                    context.fillText(name, start, at.y);
                    taken.set(node.level, start + context.measureText(name).width + 4);
                }
            }
        }
        return moves;
    }
}

/**
 * @param {CanvasRenderingContext2D} context
 * @param {number} x @param {number} y @param {number} radius
 */
function star(context, x, y, radius) {
    for (let corner = 0; corner < 10; corner += 1) {
        const angle = -Math.PI / 2 + (corner * Math.PI) / 5;
        const far = corner % 2 === 0 ? radius : radius * 0.45;
        context.lineTo(x + far * Math.cos(angle), y + far * Math.sin(angle));
    }
    context.closePath();
}
