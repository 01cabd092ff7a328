// Tests of the built page: the folder without a network, and the single HTML file from disk.

import assert from "node:assert/strict";

const CLASSIC = "8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4..";
const EASY = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";

/** Writes a puzzle and waits for its answer. @param {import("playwright-core").Page} page @param {string} text */
async function solve(page, text) {
    await page.getByLabel("Puzzle", { exact: true }).fill(text);
    await page.waitForFunction(
        (text) => decodeURIComponent(location.hash).includes(text) && document.querySelector(".facts .badge")?.textContent === "one solution",
        text,
    );
    await page.waitForFunction(
        (wanted) => document.querySelectorAll(".layer .answer").length === wanted,
        [...text].filter((symbol) => symbol === ".").length,
    );
}

/** @type {import("./run.mjs").Case[]} */
export const tests = [
    {
        name: "the built page answers without a network, and opens again without its server",
        built: "folder",
        async run({ page, open, stop }) {
            await open();
            await page.locator(".facts .badge", { hasText: "one solution" }).waitFor();
            await page.evaluate(async () => {
                await navigator.serviceWorker.ready;
                while (!navigator.serviceWorker.controller) {
                    await new Promise((resolve) => setTimeout(resolve, 20));
                }
            });
            stop();
            await page.context().setOffline(true);
            await solve(page, CLASSIC);
            // A place whose code was not loaded before.
            await page.getByRole("link", { name: "Count", exact: true }).click();
            await page.locator(".count-facts", { hasText: "11 digits" }).waitFor();
            await page.goto("about:blank");
            await page.goBack();
            await page.locator(".count-facts", { hasText: "11 digits" }).waitFor();
            await page.getByRole("link", { name: "Solve", exact: true }).click();
            await solve(page, EASY);
        },
    },
    {
        name: "the single HTML file solves from disk",
        built: "file",
        async run({ page, open, shot }) {
            await open();
            await page.locator(".facts .badge", { hasText: "one solution" }).waitFor();
            await solve(page, CLASSIC);
            await solve(page, EASY);
            await page.getByRole("link", { name: "Watch", exact: true }).click();
            await page.waitForSelector(".place-watch svg");
            await shot("file");
            await page.getByRole("link", { name: "Count", exact: true }).click();
            await page.locator(".count-facts", { hasText: "11 digits" }).waitFor();
            assert.ok(page.url().startsWith("file:"));
        },
    },
];
