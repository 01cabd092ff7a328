// The places of the page, in the order of their tabs.

/**
 * Parameters of a place in the address.
 * @typedef {Record<string, string>} Parameters
 */

/**
 * An opened place.
 * @typedef {{ update(parameters: Parameters): void, unmount(): void }} Mounted
 */

/**
 * A row of the table of places.
 * @typedef {{
 *     name: string,
 *     title: string,
 *     load: () => Promise<{ mount(root: HTMLElement, app: import("./main.js").App): Mounted }>,
 * }} Place
 */

/** @type {readonly Place[]} */
export const PLACES = [
    { name: "solve", title: "Solve", load: () => import("./solve/place.js") },
    { name: "count", title: "Count", load: () => import("./count/place.js") },
    { name: "pack", title: "Pack", load: () => import("./pack/place.js") },
    { name: "watch", title: "Watch", load: () => import("./watch/place.js") },
    { name: "compare", title: "Compare", load: () => import("./compare/place.js") },
    { name: "lesson", title: "Lesson", load: () => import("./lesson/place.js") },
];
