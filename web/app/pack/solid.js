// A solid packing in space: a parallel projection of cubes or balls as SVG, turned by dragging or by arrow keys.

import { pathOf, shape } from "./drawing.js";

/** @typedef {import("./lattice.js").Place} Place */
/** @typedef {import("./lattice.js").Point} Point */
/** @typedef {{ hue: number, places: Place[], faint: boolean }} Block a piece in space */
/** @typedef {{ yaw: number, pitch: number, apart: number }} View angles in degrees; `apart` is how far pieces are pulled apart, 0 to 1 */

/** The six sides of a cube: its normal, two axes along it, and how light it is. @type {[Point, Point, Point, number][]} */
const SIDES = [
    [[0, 0, 1], [1, 0, 0], [0, 1, 0], 0],
    [[0, 0, -1], [1, 0, 0], [0, 1, 0], 3],
    [[0, 1, 0], [1, 0, 0], [0, 0, 1], 1],
    [[0, -1, 0], [1, 0, 0], [0, 0, 1], 1],
    [[1, 0, 0], [0, 1, 0], [0, 0, 1], 2],
    [[-1, 0, 0], [0, 1, 0], [0, 0, 1], 2],
];

/** Layers lie below each other: the first one is the top. @param {Place} place @returns {Point} */
const pointOf = ({ layer, row, column }) => [column, row, -layer];

/** @param {Point[]} points @returns {Point} */
function middleOf(points) {
    const sum = points.reduce((a, b) => [a[0] + b[0], a[1] + b[1], a[2] + b[2]], [0, 0, 0]);
    const n = Math.max(1, points.length);
    return [sum[0] / n, sum[1] / n, sum[2] / n];
}

/**
 * Draws the blocks into an element of SVG.
 * @param {SVGElement} picture
 * @param {Block[]} blocks
 * @param {Place[]} every all places of the board, which fix the size of the picture
 * @param {View} view
 * @param {boolean} balls
 */
export function drawSolid(picture, blocks, every, view, balls) {
    const [yaw, pitch] = [(view.yaw * Math.PI) / 180, (view.pitch * Math.PI) / 180];
    const [cy, sy, cp, sp] = [Math.cos(yaw), Math.sin(yaw), Math.cos(pitch), Math.sin(pitch)];
    /** @param {Point} point @returns {[number, number]} */
    const flat = ([x, y, z]) => [cy * x - sy * y, (sy * x + cy * y) * sp - z * cp];
    /** @param {Point} point */
    const nearness = ([x, y, z]) => (sy * x + cy * y) * cp + z * sp;

    const points = every.map(pointOf);
    const low = [0, 1, 2].map((k) => Math.min(...points.map((point) => point[k])) - 0.5);
    const high = [0, 1, 2].map((k) => Math.max(...points.map((point) => point[k])) + 0.5);
    /** @type {Point} */
    const middle = [(low[0] + high[0]) / 2, (low[1] + high[1]) / 2, (low[2] + high[2]) / 2];
    const radius = (Math.hypot(high[0] - low[0], high[1] - low[1], high[2] - low[2]) / 2) * (1 + 0.75 * view.apart) + 0.2;
    const center = flat(middle);
    picture.setAttribute("viewBox", [center[0] - radius, center[1] - radius, 2 * radius, 2 * radius].map((n) => n.toFixed(3)).join(" "));
    picture.replaceChildren();

    // The frame of the box that holds the board.
    /** @type {Point[]} */
    const corners = [0, 1, 2, 3, 4, 5, 6, 7].map((k) => [
        (k & 1 ? high : low)[0],
        (k & 2 ? high : low)[1],
        (k & 4 ? high : low)[2],
    ]);
    if (view.apart === 0) {
        for (const [a, b] of [[0, 1], [0, 2], [0, 4], [1, 3], [1, 5], [2, 3], [2, 6], [3, 7], [4, 5], [4, 6], [5, 7], [6, 7]]) {
            picture.append(shape("path", { d: pathOf([flat(corners[a]), flat(corners[b])]), class: "frame" }));
        }
    }

    /** @type {Map<string, number>} */
    const owners = new Map();
    blocks.forEach((block, k) => block.places.forEach((place) => owners.set(pointOf(place).join(), k)));
    /** @type {{ near: number, draw: () => SVGElement[] }[]} */
    const parts = [];
    blocks.forEach((block, k) => {
        const own = block.places.map(pointOf);
        const heart = middleOf(own);
        const shift = /** @type {Point} */ ([0, 1, 2].map((axis) => (heart[axis] - middle[axis]) * 0.9 * view.apart));
        const kind = block.faint ? " faint" : "";
        for (const point of own) {
            /** @type {Point} */
            const at = [point[0] + shift[0], point[1] + shift[1], point[2] + shift[2]];
            parts.push({
                near: nearness(at),
                draw: () =>
                    balls ? ball(flat(at), block.hue, kind) : cube(at, point, k, owners, view.apart, flat, nearness, block.hue, kind),
            });
        }
    });
    parts.sort((a, b) => a.near - b.near);
    for (const part of parts) picture.append(...part.draw());
}

/** @param {[number, number]} center @param {number} hue @param {string} kind */
function ball([x, y], hue, kind) {
    return [
        shape("circle", { cx: x.toFixed(3), cy: y.toFixed(3), r: 0.7, class: `side side-2${kind}`, hue }),
        shape("circle", { cx: (x - 0.18).toFixed(3), cy: (y - 0.2).toFixed(3), r: 0.34, class: `shine${kind}`, hue }),
    ];
}

/**
 * The sides of a cube that the viewer sees.
 * @param {Point} at where the cube is drawn
 * @param {Point} point where it lies in the packing
 * @param {number} owner
 * @param {Map<string, number>} owners
 * @param {number} apart
 * @param {(point: Point) => [number, number]} flat
 * @param {(point: Point) => number} nearness
 * @param {number} hue
 * @param {string} kind
 */
function cube(at, point, owner, owners, apart, flat, nearness, hue, kind) {
    /** @type {SVGElement[]} */
    const sides = [];
    for (const [normal, u, v, shade] of SIDES) {
        if (nearness(normal) <= 0.001) continue;
        const neighbor = owners.get([0, 1, 2].map((k) => point[k] + normal[k]).join());
        if (neighbor === owner || (neighbor !== undefined && apart === 0)) continue;
        const signs = [[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]];
        const ring = signs.map(([a, b]) =>
            flat(/** @type {Point} */ ([0, 1, 2].map((k) => at[k] + normal[k] / 2 + a * u[k] + b * v[k]))),
        );
        sides.push(shape("path", { d: `${pathOf(ring)}Z`, class: `side side-${shade}${kind}`, hue }));
        // An outline runs only where another piece, or none, is next to this side.
        signs.forEach(([a, b], corner) => {
            const [c, d] = signs[(corner + 1) % 4];
            const out = [0, 1, 2].map((k) => (a + c) * u[k] + (b + d) * v[k]);
            if (owners.get([0, 1, 2].map((k) => point[k] + out[k]).join()) === owner) {
                const above = owners.get([0, 1, 2].map((k) => point[k] + out[k] + normal[k]).join());
                if (above !== owner) return;
            }
            sides.push(shape("path", { d: pathOf([ring[corner], ring[(corner + 1) % 4]]), class: "edge" }));
        });
    }
    return sides;
}

/**
 * Lets a reader turn a picture by dragging and by the arrow keys.
 * @param {SVGElement} picture
 * @param {View} view changed in place
 * @param {() => void} redraw
 */
export function makeTurnable(picture, view, redraw) {
    /** @param {number} yaw @param {number} pitch */
    const turn = (yaw, pitch) => {
        view.yaw = (view.yaw + yaw) % 360;
        view.pitch = Math.max(-90, Math.min(90, view.pitch + pitch));
        redraw();
    };
    picture.addEventListener("pointerdown", (event) => {
        if (event.button !== 0) return;
        picture.setPointerCapture(event.pointerId);
        let [x, y] = [event.clientX, event.clientY];
        /** @param {PointerEvent} moved */
        const move = (moved) => {
            turn((x - moved.clientX) * 0.6, (moved.clientY - y) * 0.6);
            [x, y] = [moved.clientX, moved.clientY];
        };
        const stop = () => {
            picture.removeEventListener("pointermove", move);
            picture.removeEventListener("pointerup", stop);
            picture.removeEventListener("pointercancel", stop);
        };
        picture.addEventListener("pointermove", move);
        picture.addEventListener("pointerup", stop);
        picture.addEventListener("pointercancel", stop);
    });
    picture.addEventListener("keydown", (event) => {
        const [yaw, pitch] = { ArrowLeft: [10, 0], ArrowRight: [-10, 0], ArrowUp: [0, -10], ArrowDown: [0, 10] }[event.key] ?? [0, 0];
        if (yaw === 0 && pitch === 0) return;
        event.preventDefault();
        turn(yaw, pitch);
    });
}
