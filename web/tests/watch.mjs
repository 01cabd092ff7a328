// Tests of the place Watch.

import assert from "node:assert/strict";
import { Dance, History } from "../app/watch/dance.js";
import { readProblem } from "../app/watch/problem.js";
import { readSteps } from "../app/watch/steps.js";
import { layOut, readTree } from "../app/watch/tree.js";

/** @typedef {import("playwright-core").Page} Page */

/** Waits until the place shows `count` recordings. @param {Page} page @param {number} [count] */
async function ready(page, count = 1) {
    await page.waitForFunction(
        (count) => Number(/** @type {HTMLElement} */ (document.querySelector(".place-watch"))?.dataset.ready ?? 0) >= count,
        count,
    );
}

/** The picture of the matrix, the tree and the board, once nothing moves. @param {Page} page */
async function picture(page) {
    await page.waitForTimeout(900);
    return page.evaluate(() => [
        ...[...document.querySelectorAll("canvas")].map((canvas) => canvas.toDataURL()),
        document.querySelector(".board")?.outerHTML ?? "",
        document.querySelector(".words")?.textContent ?? "",
    ]);
}

/** Takes a question's lines from the server that the tests started. @param {Page} page @param {object} request */
async function ask(page, request) {
    return page.evaluate(async (request) => {
        const { carrierOf } = await import(new URL("app/carrier.js", location.href).href);
        return carrierOf(document).ask(request);
    }, request);
}

/** @param {Page} page */
const words = (page) => page.locator(".words").textContent();

/** @type {import("./run.mjs").Case[]} */
export const tests = [
    {
        name: "the state agrees with the trace at every node, forwards and back",
        async run({ page, open }) {
            await open("#watch");
            const cases = [
                { arguments: ["6"], options: { puzzle: "queens" } },
                { input: "..3.\n.1..\n..4.\n.2..\n" },
                { input: "pieces pentominoes x0-1\n\nboard 3x5\n" },
                { input: "A B C | X Y\nA B X:0 Y:0\nA C X:1 Y:1\nX:0 Y:1\nB X:1\nC Y:1\n" },
                { input: "A B 2:3|C | X Y\nA B X:0 Y:0\nA C X:1 Y:1\nC X:0\nB X:1\nC Y:1\n" },
            ];
            for (const source of cases) {
                const matrix = await ask(page, { question: "convert", ...source, options: { ...source.options, to: "dlx" } });
                const trace = await ask(page, { question: "trace", ...source, options: { ...source.options, events: 20000 } });
                const problem = readProblem(matrix.text);
                const { steps, end } = readSteps(problem, trace.lines);
                const history = new History(problem, steps);
                /** @type {string[]} */
                const seen = [];
                const look = (/** @type {Dance} */ state) => JSON.stringify([[...state.hiddenBy], [...state.isCovered],
                    [...state.sizes], state.colors, state.cover(), state.path, state.counters]);
                steps.forEach((step, number) => {
                    const { state } = history;
                    if (step.name === "choose") assert.equal(state.degree(step.item), step.count);
                    if (step.name === "dead_end") assert.equal(state.degree(step.item), 0);
                    if (step.name === "solution") {
                        const open = problem.items.filter((item, at) => item.primary && !state.isCovered[at] && state.degree(at) !== null);
                        assert.deepEqual(open, []);
                    }
                    seen.push(look(history.state));
                    history.seek(number + 1);
                });
                assert.equal(history.state.counters.nodes, end?.nodes);
                assert.equal(history.state.counters.updates, end?.updates);
                for (let number = steps.length - 1; number >= 0; number -= 7) {
                    assert.equal(look(history.seek(number)), seen[number], `step ${number}`);
                }
            }
        },
    },
    {
        name: "the tree always fits its picture",
        async run({ page, open }) {
            await open("#watch");
            const source = { arguments: ["8"], options: { puzzle: "queens" } };
            const matrix = await ask(page, { question: "convert", ...source, options: { ...source.options, to: "dlx" } });
            const trace = await ask(page, { question: "trace", ...source, options: { ...source.options, events: 20000 } });
            const { steps } = readSteps(readProblem(matrix.text), trace.lines);
            const nodes = readTree(steps);
            assert.equal(nodes.length, 1049);
            assert.equal(nodes[0].solutions, 92);
            for (let time = 0; time <= steps.length; time += 97) {
                const { places } = layOut(nodes, time, 360, 300);
                assert.ok(places.every(({ x, y }) => x >= 0 && x <= 360 && y >= 0 && y <= 300), `step ${time}`);
                assert.ok(places.length < 900, `${places.length} places`);
            }
        },
    },
    {
        name: "steps go forward and back to exactly the same picture",
        async run({ page, open, axe, shot }) {
            await open("#watch?example=queens&n=5");
            await ready(page);
            for (let step = 0; step < 9; step += 1) await page.getByRole("button", { name: "One step forward" }).click();
            const before = await picture(page);
            assert.match(String(before.at(-1)), /^(Cover|Choose|Try)/);
            await page.keyboard.press("s");
            assert.match(String(await words(page).then(async (text) => (await page.waitForTimeout(300), text && (await words(page))))),
                /^Solution 1:/);
            for (let step = 0; step < 30; step += 1) await page.keyboard.press("ArrowRight");
            await page.keyboard.press("Home");
            await page.waitForFunction(() => document.querySelector(".words")?.textContent?.startsWith("The beginning"));
            for (let step = 0; step < 12; step += 1) await page.keyboard.press("ArrowRight");
            for (let step = 0; step < 3; step += 1) await page.keyboard.press("ArrowLeft");
            assert.deepEqual(await picture(page), before);
            await axe();
            await shot("watch-queens");
        },
    },
    {
        name: "playing reaches the end and shows all solutions",
        async run({ page, open, shot }) {
            await open("#watch?example=queens&n=6");
            await ready(page);
            await page.getByRole("slider", { name: "Speed" }).fill("44");
            await page.getByRole("button", { name: "Play" }).click();
            await page.waitForFunction(() => document.querySelector(".words")?.textContent?.startsWith("The search is over"));
            assert.equal(await page.locator(".solutions li").count(), 4);
            await page.locator(".solutions button").nth(1).click();
            await page.waitForFunction(() => document.querySelector(".words")?.textContent?.startsWith("Solution 2"));
            await shot("watch-end");
        },
    },
    {
        name: "one's own matrix is watched, kept in the address, and Back returns",
        async run({ page, open }) {
            await open("#watch");
            await ready(page);
            const text = page.getByLabel("Items, then one option per line");
            await text.fill("a b c\na\nb c\na b\nc\n");
            await ready(page, 2);
            await page.keyboard.press("Escape");
            await page.getByRole("button", { name: "Next solution" }).click();
            await page.waitForFunction(() => document.querySelector(".words")?.textContent?.startsWith("Solution 1"));
            await page.waitForTimeout(400);
            assert.match(await page.evaluate(() => location.hash), /example=own.*text=.*step=/);
            await page.reload();
            await page.waitForFunction(() => document.querySelector(".words")?.textContent?.startsWith("Solution 1"));
            await page.goBack();
            await page.waitForFunction(() => location.hash === "#watch");
            await page.waitForFunction(() => document.querySelector("textarea")?.value.startsWith("a b c d e f g"));
        },
    },
    {
        name: "a wrong text is an error with its place",
        async run({ page, open }) {
            await open("#watch");
            await ready(page);
            await page.getByLabel("Items, then one option per line").fill("a b\na x\n");
            await page.waitForSelector(".message.error");
            assert.match(String(await page.locator(".message.error").textContent()), /line 2, column 3/);
        },
    },
    {
        name: "a long search says where the recording ends",
        async run({ page, open }) {
            await open("#watch?example=queens&n=9");
            await ready(page);
            assert.match(String(await page.locator(".message.warn").textContent()),
                /first 10.000 of .* events .* 3.440 nodes and 352 solutions/);
            await page.getByRole("button", { name: /^Record 100/ }).click();
            await ready(page, 2);
            assert.equal(await page.locator(".message.warn").count(), 0);
        },
    },
    {
        name: "other engines stand beside the links",
        async run({ page, open }) {
            await open("#watch?example=queens&n=6");
            await page.waitForSelector(".place-watch table");
            const rows = await page.locator(".place-watch tbody tr").allTextContents();
            assert.equal(rows.length, 3);
            assert.ok(rows.some((row) => row.startsWith("links93")), rows.join());
        },
    },
    {
        name: "Watch fits a phone in the dark",
        width: 390,
        height: 844,
        dark: true,
        touch: true,
        async run({ page, open, axe, shot }) {
            await open("#watch?example=pentominoes&step=300");
            await ready(page);
            assert.ok((await page.evaluate(() => document.documentElement.scrollWidth)) <= 390);
            await page.getByRole("button", { name: "One step back" }).tap();
            await axe();
            await shot("watch-phone");
        },
    },
    {
        name: "less motion is respected",
        async run({ page, open }) {
            await page.emulateMedia({ reducedMotion: "reduce" });
            await open("#watch?example=queens&n=5&step=10");
            await ready(page);
            await page.waitForTimeout(200);
            const before = await page.evaluate(() => document.querySelector("canvas")?.toDataURL());
            await page.waitForTimeout(300);
            assert.equal(await page.evaluate(() => document.querySelector("canvas")?.toDataURL()), before);
        },
    },
];
