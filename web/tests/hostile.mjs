// Hostile addresses and texts: no part of them runs, each is refused with a message or read as a puzzle, and the page stays
// usable. The runner fails a test whose page asks another host or violates its policy.

import assert from "node:assert/strict";
import { deflate } from "../app/state.js";

const GOOD = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";

/** Code that a test would notice, in every form that a browser might run. */
const ATTACKS = [
    "<img src=x onerror='window.hacked=1'>",
    "<script>window.hacked=1</script>",
    "<svg xmlns='http://www.w3.org/2000/svg' onload='window.hacked=1'><script>window.hacked=1</script><foreignObject><iframe srcdoc='<script>parent.hacked=1</script>'></iframe></foreignObject></svg>",
    "javascript:window.hacked=1",
    "data:text/html,<script>window.hacked=1</script>",
    "\"><a href='javascript:window.hacked=1' autofocus onfocus='window.hacked=1'>",
    "]]><!--<style>*{display:none}</style>",
];

const [IMAGE, SCRIPT] = ATTACKS;
/** A grid without digits, as f-puzzles writes it. */
const GRID = Array.from({ length: 4 }, () => Array.from({ length: 4 }, () => ({ value: "" })));

/** Texts with damaged or hostile content in the forms that the program reads; each must be refused. */
const REFUSED = [
    ...ATTACKS,
    "{",
    '{"cells": 5}',
    '{"__proto__": {"size": 9}, "constructor": {"prototype": {"hacked": 1}}}',
    `${"[".repeat(100_000)}`,
    `{"size": 1e9, "grid": []}`,
    `https://www.f-puzzles.com/?load=${"A".repeat(5000)}`,
    "https://www.f-puzzles.com/?load=%00%ff",
    "https://sudokupad.app/scl!!!!",
    "https://swaroopg92.github.io/penpa-edit/#m=edit&p=7VZNb9s4",
    "https://puzz.link/p?sudoku/9/9/<script>window.hacked=1</script>",
    "https://puzz.link/p?sudoku/99999999/99999999/zzzz",
    "https://puzz.link/p?__proto__/9/9/zzzz",
    "__proto__",
    "constructor",
    "\0\u0001\uFEFF\u202E",
    `# killer: r1c1 r1c2 = ${IMAGE}\n....\n....\n....\n....\n`,
    `# ${SCRIPT}: r1c1\n....\n....\n....\n....\n`,
    "x".repeat(1 << 20),
    "9".repeat(1 << 20),
    "{".repeat(1 << 20),
    `${"a ".repeat(1000)}\n`.repeat(500),
];

/** Puzzles that are readable, with hostile names and rules. */
const READ = [
    JSON.stringify({ size: 4, title: SCRIPT, author: IMAGE, ruleset: ATTACKS.join("\n"), grid: GRID }),
    `| ${SCRIPT}\nA <b>B</b>\nA\n<b>B</b>\n`,
];

/** Addresses with names and numbers that no place knows. */
const ADDRESSES = [
    "#__proto__",
    "#constructor?prototype=1",
    "#toString",
    `#${encodeURIComponent(IMAGE)}`,
    `#<img src=x onerror=window.hacked=1>`,
    "#javascript:window.hacked=1",
    "#solve?__proto__=1&constructor=2&show=__proto__&hasOwnProperty=x",
    "#solve?text=~!!!&show=javascript:1",
    "#count?puzzle=__proto__&n=constructor",
    "#count?puzzle=queens&n=99999999999999999999",
    "#count?puzzle=queens&n=-1e308",
    "#count?puzzle=latin&n=NaN&seed=__proto__",
    "#pack?box=__proto__",
    "#pack?text=<script>window.hacked=1</script>",
    "#watch?example=constructor&n=Infinity&events=1e99&step=-5",
    "#compare?example=__proto__&n=1e9&to=1e12&engines=__proto__,constructor&seconds=1e9",
    "#lesson?step=__proto__&done=1e99,<b>&text=<script>window.hacked=1</script>",
    `#solve?${"a=b&".repeat(20_000)}`,
];

/** @param {import("./run.mjs").Test} test */
async function isUnharmed({ page }) {
    assert.equal(await page.evaluate(() => /** @type {any} */ (window).hacked), undefined);
    assert.equal(await page.evaluate(() => /** @type {any} */ ({}).hacked ?? /** @type {any} */ ({}).size), undefined);
    const foreign = await page.evaluate(() => [...document.querySelectorAll("#main :is(script, iframe, object, embed, foreignObject, img, style), #main [href^='javascript' i]")].map((each) => each.outerHTML.slice(0, 200)));
    assert.deepEqual(foreign, []);
    const listeners = await page.evaluate(() => [...document.querySelectorAll("#main *")].filter((each) => [...each.attributes].some(({ name }) => name.startsWith("on"))).length);
    assert.equal(listeners, 0);
}

/** Solves a good puzzle. @param {import("./run.mjs").Test} test */
async function isUsable({ page }) {
    await page.getByRole("link", { name: "Solve", exact: true }).click();
    await page.getByRole("tab", { name: "Text" }).click();
    await page.getByLabel("Puzzle", { exact: true }).fill(GOOD);
    await page.locator(".facts .badge", { hasText: "one solution" }).waitFor();
    await page.waitForFunction(() => document.querySelectorAll(".layer .answer").length === 51);
}

/** @type {import("./run.mjs").Case[]} */
export const tests = [
    {
        name: "hostile and damaged texts are refused with a message and run nothing",
        async run(test) {
            const { page, open } = test;
            page.on("dialog", () => assert.fail("a dialog"));
            await open("#solve?text=....");
            for (const text of REFUSED) {
                await page.getByLabel("Puzzle", { exact: true }).fill(text);
                const begun = performance.now();
                await page.locator(".facts .badge.bad", { hasText: /^cannot be/ }).waitFor();
                await page.locator(".message.error").first().waitFor();
                const took = performance.now() - begun;
                assert.ok(took < 15_000, `${text.slice(0, 60)}: ${took} ms`);
                await isUnharmed(test);
                await page.getByLabel("Puzzle", { exact: true }).fill(GOOD);
                await page.locator(".facts .badge", { hasText: "one solution" }).waitFor();
            }
            await isUsable(test);
        },
    },
    {
        name: "names and rules of a puzzle are text",
        async run(test) {
            const { page, open } = test;
            await open();
            for (const text of READ) {
                await page.getByLabel("Puzzle", { exact: true }).fill(text);
                await page.locator(".facts .badge", { hasText: "solution" }).waitFor();
                await isUnharmed(test);
                for (const tab of ["Clues", "Export", "Why"]) {
                    await page.getByRole("tab", { name: tab }).click();
                    await isUnharmed(test);
                }
                await page.getByRole("tab", { name: "Text" }).click();
            }
            await isUsable(test);
        },
    },
    {
        name: "hostile addresses open a usable place and run nothing",
        async run(test) {
            const { page, open } = test;
            page.on("dialog", () => assert.fail("a dialog"));
            for (const address of ADDRESSES) {
                await open(address);
                await page.waitForSelector(".place");
                await page.waitForTimeout(150);
                await isUnharmed(test);
            }
            await isUsable(test);
        },
    },
    {
        name: "an address of a megabyte, and one that inflates to a megabyte, leave the page usable",
        async run(test) {
            const { page, open } = test;
            for (const address of [`#solve?text=${"9".repeat(1 << 20)}`, `#solve?text=~${await deflate("x y z\n".repeat(180_000))}`]) {
                await open(address);
                await page.locator(".facts .badge.bad", { hasText: /^cannot be/ }).waitFor();
                await page.locator(".message.error").first().waitFor();
            }
            await isUsable(test);
        },
    },
];
