// Tests of the place Solve, used as a person would.

import assert from "node:assert/strict";
import { EXAMPLES } from "../app/solve/examples.js";
import { TOOLS } from "../app/solve/tools.js";

const CLASSIC = "8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4..";
const SOLVED = "812753649943682175675491283154237896369845721287169534521974368438526917796318452";

/** @param {import("./run.mjs").Test} test @param {string} words */
function fact({ page }, words) {
    return page.locator(".facts .badge", { hasText: words }).first().waitFor();
}

/** Center of a cell on the screen. @param {import("playwright-core").Page} page @param {number} row @param {number} column */
async function cellAt(page, row, column) {
    return page.evaluate(
        ([row, column]) => {
            const layer = /** @type {SVGSVGElement} */ (document.querySelector(".layer"));
            const matrix = /** @type {DOMMatrix} */ (layer.getScreenCTM());
            const { x, y } = new DOMPoint(5.04 + (column - 0.5) * 32, 5.04 + (row - 0.5) * 32).matrixTransform(matrix);
            return { x, y };
        },
        [row, column],
    );
}

/** @type {import("./run.mjs").Case[]} */
export const tests = [
    {
        name: "an example is drawn and solved at once",
        async run(test) {
            await test.open();
            await fact(test, "one solution");
            await test.page.locator(".layer .answer").first().waitFor();
            await test.shot("solve");
            await test.axe();
        },
    },
    {
        name: "the dark theme has enough contrast",
        dark: true,
        async run(test) {
            await test.open("#solve?show=candidates");
            await fact(test, "true candidates");
            await test.shot("solve-dark");
            await test.axe();
        },
    },
    {
        name: "a phone shows the whole page without scrolling sideways",
        width: 390,
        height: 844,
        touch: true,
        async run(test) {
            await test.open();
            await fact(test, "one solution");
            const wide = await test.page.evaluate(() => document.documentElement.scrollWidth);
            assert.ok(wide <= 390, `${wide} px`);
            await test.shot("solve-phone");
            await test.axe();
        },
    },
    {
        name: "a typed puzzle is solved, and survives Back and reload",
        async run(test) {
            const { page, open } = test;
            await open();
            await fact(test, "one solution");
            await page.getByLabel("Examples").selectOption("several");
            await fact(test, "4 solutions");
            await page.getByLabel("Puzzle", { exact: true }).fill(CLASSIC);
            await fact(test, "sudoku");
            await fact(test, "one solution");
            const answers = await page.locator(".layer .answer").allTextContents();
            assert.equal(answers.join(""), [...SOLVED].filter((_, at) => CLASSIC[at] === ".").join(""));
            await page.waitForTimeout(400);
            await page.reload();
            await fact(test, "one solution");
            assert.equal(await page.getByLabel("Puzzle", { exact: true }).inputValue(), CLASSIC);
            await page.goBack();
            const isBack = () => /** @type {HTMLTextAreaElement} */ (document.querySelector("#puzzle-text")).value.startsWith("# title: Cages");
            await page.waitForFunction(isBack);
        },
    },
    {
        name: "a cage is drawn by dragging, gets its sum, and is undone",
        async run(test) {
            const { page, open } = test;
            await open(`#solve?text=${"....%0A".repeat(4)}`);
            await fact(test, "288 solutions");
            await page.getByRole("button", { name: "Cage" }).click();
            const [from, to] = [await cellAt(page, 1, 1), await cellAt(page, 1, 2)];
            await page.mouse.move(from.x, from.y);
            await page.mouse.down();
            await page.mouse.move(to.x, to.y, { steps: 8 });
            await page.mouse.up();
            await page.keyboard.type("3");
            const area = page.getByLabel("Puzzle", { exact: true });
            assert.equal(await area.inputValue(), `# killer: r1c1 r1c2 = 3\n${"....\n".repeat(4)}`);
            await fact(test, "variant");
            await page.getByRole("button", { name: "Digits", exact: true }).click();
            const cell = await cellAt(page, 3, 3);
            await page.mouse.click(cell.x, cell.y);
            await page.keyboard.type("4");
            assert.match(await area.inputValue(), /\n\.\.4\.\n/);
            await page.keyboard.press("Control+z");
            assert.doesNotMatch(await area.inputValue(), /4/);
        },
    },
    {
        name: "clashing clues are named, and a click drops one",
        async run(test) {
            const { page, open } = test;
            await open();
            await page.getByLabel("Examples").selectOption("clash");
            await fact(test, "no solution");
            await page.getByRole("tab", { name: "Why" }).click();
            await page.getByRole("button", { name: "Drop thermo: r2c1 r1c1" }).first().click();
            await fact(test, "solutions");
            assert.doesNotMatch(await page.locator("#puzzle-text").inputValue(), /thermo/);
        },
    },
    {
        name: "a hint comes in three stages and can be applied",
        async run(test) {
            const { page, open } = test;
            await open("#solve?text=4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......&show=clues");
            await fact(test, "one solution");
            await page.getByRole("tab", { name: "Hint" }).click();
            await page.getByRole("button", { name: "Give me a hint" }).click();
            await page.getByText("Look at box 4.").waitFor();
            await page.getByRole("button", { name: "Which technique?" }).click();
            await page.getByText("hidden single").waitFor();
            await page.getByRole("button", { name: "Show the step" }).click();
            await page.getByText("4 has one cell left in box 4").first().waitFor();
            await test.shot("solve-hint");
            await page.getByRole("button", { name: "Apply" }).click();
            assert.equal((await page.locator("#puzzle-text").inputValue())[46], "4");
        },
    },
    {
        name: "a puzzle is written as a link",
        async run(test) {
            const { page, open } = test;
            await open();
            await fact(test, "one solution");
            await page.getByLabel("Examples").selectOption("killer");
            await fact(test, "one solution");
            await page.getByRole("tab", { name: "Export" }).click();
            await page.getByRole("link", { name: "Open the link" }).waitFor();
            assert.match(await page.getByLabel("Written puzzle").inputValue(), /^https:\/\/.*f-?puzzles/);
        },
    },
    {
        name: "an error names its line and column",
        async run(test) {
            const { page, open } = test;
            await open();
            await fact(test, "one solution");
            await page.getByLabel("Puzzle", { exact: true }).fill(`# kiler: r1c1 r1c2 = 4\n${"....\n".repeat(4)}`);
            await page.getByText("line 1, column 3").waitFor();
            await page.getByRole("button", { name: "Show in the text" }).click();
            assert.equal(await page.evaluate(() => getSelection()?.toString()), "k");
        },
    },
    {
        name: "every tool writes a clue that the program reads",
        async run(test) {
            const { page, open } = test;
            const empty = "......\n".repeat(6);
            await open(`#solve?text=${encodeURIComponent(empty)}`);
            await fact(test, "solutions");
            const area = page.getByLabel("Puzzle", { exact: true });
            const picture = await page.locator(".board .picture").innerHTML();
            for (const tool of TOOLS.filter(({ gesture }) => !["select", "paint"].includes(gesture))) {
                await page.getByLabel("Tool", { exact: true }).selectOption(tool.name);
                if (["outside", "diagonal"].includes(tool.gesture)) {
                    const slots = page.locator(".layer .slot");
                    const at = await Promise.all([0, 1].map((number) => slots.nth(number).boundingBox()));
                    const [from, next] = at.map((box) => ({ x: (box?.x ?? 0) + (box?.width ?? 0) / 2, y: (box?.y ?? 0) + (box?.height ?? 0) / 2 }));
                    const side = next.x - from.x;
                    await page.mouse.move(from.x, from.y);
                    await page.mouse.down();
                    if (tool.gesture === "diagonal") {
                        await page.mouse.move(from.x + side, from.y + side, { steps: 6 });
                    }
                    await page.mouse.up();
                } else {
                    const [from, to] = [await cellAt(page, 3, 2), await cellAt(page, 3, tool.gesture === "pair" ? 3 : 5)];
                    const corner = tool.gesture === "corner" ? (to.x - from.x) / 6 : 0;
                    await page.mouse.move(from.x + corner, from.y + corner);
                    await page.mouse.down();
                    if (!corner) {
                        await page.mouse.move(to.x, to.y, { steps: 12 });
                    }
                    await page.mouse.up();
                }
                const text = await area.inputValue();
                assert.match(text, new RegExp(`^# ${tool.rule}: .*r?\\d`), `${tool.name}: ${text}`);
                await page.locator(".facts .badge", { hasText: /solution/ }).first().waitFor();
                assert.equal(await page.locator(".message.error, .place-solve > .message").count(), 0, `${tool.name}: ${text}`);
                await page.getByRole("button", { name: "Undo" }).click();
                assert.equal(await area.inputValue(), empty, tool.name);
                // Clues outside of the grid move the cells; the next tool needs them at rest.
                await page.waitForFunction((html) => document.querySelector(".board .picture")?.innerHTML === html, picture);
            }
        },
    },
    {
        name: "every example is drawn and answered",
        async run(test) {
            const { page, open } = test;
            await open();
            await fact(test, "one solution");
            for (const { name } of EXAMPLES) {
                await page.getByLabel("Examples").selectOption(name);
                await page.waitForTimeout(300);
                await page.locator(".facts .badge", { hasText: /solution/ }).first().waitFor();
                assert.ok((await page.locator(".board svg *").count()) > 4, name);
                await test.shot(`solve-example-${name}`);
            }
        },
    },
    {
        name: "a puzzle is made, walked through step by step, and saved as a picture",
        async run(test) {
            const { page, open } = test;
            await open();
            await fact(test, "one solution");
            await page.getByRole("tab", { name: "New" }).click();
            await page.getByRole("button", { name: "Make a puzzle" }).click();
            await page.getByText(/clues.*seed/).waitFor();
            await fact(test, "one solution");
            await page.getByRole("tab", { name: "Steps" }).click();
            await page.getByRole("button", { name: "Next" }).click();
            // The step, and not the solution of the view.
            await page.waitForFunction(() => document.querySelectorAll(".layer .answer").length === 0);
            const step = String(await page.locator(".steps [aria-current=true] b").textContent());
            await page.locator(`.board[aria-label^="${step}: "]`).waitFor();
            assert.equal(await page.locator(".layer .answer").count(), 0);
            await test.shot("solve-steps");
            await page.getByRole("tab", { name: "Text" }).click();
            await page.locator(".layer .answer").first().waitFor();
            await page.getByRole("tab", { name: "Export" }).click();
            const saved = page.waitForEvent("download");
            await page.getByRole("button", { name: "SVG" }).click();
            assert.match((await saved).suggestedFilename(), /\.svg$/);
        },
    },
];
