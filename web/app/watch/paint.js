// Colors and canvases that follow the theme of the page and the pixels of the screen.

import { element } from "../ui.js";

/**
 * @typedef {{
 *     text: string, muted: string, faint: string, line: string, back: string, accent: string,
 *     good: string, bad: string, node: string, mark: string, font: string, dark: boolean,
 * }} Palette
 */

/** The variables of the page behind the colors of a palette. */
const VARIABLES = {
    text: "--ink",
    muted: "--muted",
    faint: "--control",
    line: "--control",
    back: "--paper",
    accent: "--accent",
    good: "--good",
    bad: "--bad",
    node: "--ink",
    mark: "--accent-soft",
};

/**
 * Reads the colors as they are now, with variables resolved.
 * @param {HTMLElement} root
 * @returns {Palette}
 */
export function readPalette(root) {
    const probe = element("span", { hidden: true });
    root.append(probe);
    const style = getComputedStyle(probe);
    const colors = Object.fromEntries(
        Object.entries(VARIABLES).map(([name, variable]) => {
            probe.style.color = `var(${variable})`;
            return [name, style.color];
        }),
    );
    const font = style.fontFamily;
    probe.remove();
    return /** @type {Palette} */ ({ ...colors, font, dark: isDark() });
}

/** Whether the page is dark now. */
export function isDark() {
    const theme = document.documentElement.dataset.theme;
    return theme ? theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
}

/**
 * Calls a function when the theme changes.
 * @param {() => void} call
 * @param {AbortSignal} signal
 */
export function onTheme(call, signal) {
    const observer = new MutationObserver(call);
    observer.observe(document.documentElement, { attributes: true, attributeFilter: ["data-theme"] });
    signal.addEventListener("abort", () => observer.disconnect());
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", call, { signal });
}

/**
 * The color of an option where it is chosen. Neighboring numbers differ much.
 * @param {number} option
 * @param {{ dark: boolean }} palette
 */
export function optionColor(option, palette) {
    const hue = (option * 137.508 + 210) % 360;
    return `hsl(${hue.toFixed(0)} ${palette.dark ? "50% 66%" : "60% 38%"})`;
}

/**
 * Gives a canvas the pixels of its box; returns its size in px.
 * @param {HTMLCanvasElement} canvas
 */
export function fit(canvas) {
    const ratio = Math.min(devicePixelRatio || 1, 2);
    const { clientWidth: width, clientHeight: height } = canvas;
    const [w, h] = [Math.round(width * ratio), Math.round(height * ratio)];
    if (canvas.width !== w || canvas.height !== h) {
        canvas.width = w;
        canvas.height = h;
    }
    const context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    return { context, width, height };
}

/** Whether the reader asked the system for less motion. */
export function isStill() {
    return matchMedia("(prefers-reduced-motion: reduce)").matches;
}
