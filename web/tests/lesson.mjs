// Tests of the place Lesson.

import assert from "node:assert/strict";
import { LESSONS } from "../app/lesson/steps.js";

/** @typedef {import("playwright-core").Page} Page */

/** Waits for the answer of the step's question. @param {Page} page */
const answered = (page) => page.waitForSelector(".lesson-answer .message.good", { timeout: 30_000 });

/** How a learner answers the question of each step. @type {((page: Page) => Promise<unknown>)[]} */
const ANSWERS = [
    async (page) => {
        for (const option of ["a d", "b g", "c e f"]) await page.getByRole("button", { name: option, exact: true }).click();
    },
    (page) => page.getByRole("button", { name: "Option B, item 2:" }).click(),
    async (page) => {
        for (const [item, option] of [["a", 4], ["b", 5], ["c", 1]]) {
            await page.getByRole("button", { name: new RegExp(`^Item ${item},`) }).click();
            await page.getByRole("button", { name: `Choose option ${option}` }).click();
        }
    },
    async (page) => {
        await page.waitForSelector(".theater .board");
        await page.locator("h2[tabindex]").focus();
        for (let step = 0; step < 40; step += 1) {
            await page.keyboard.press("ArrowRight");
            await page.waitForTimeout(40);
            if ((await page.locator(".words").textContent())?.startsWith("Dead end")) break;
        }
    },
    (page) => page.getByLabel("Diagonals are").selectOption("primary"),
    async (page) => {
        for (const [row, column, digit] of [[1, 2, 2], [2, 1, 3], [2, 2, 4], [3, 1, 2], [4, 1, 4], [3, 2, 1], [1, 3, 3]]) {
            await page.getByLabel(`Row ${row}, column ${column}`).fill(String(digit));
            await page.waitForTimeout(500);
            if (await page.locator(".lesson-answer .message").count()) break;
        }
    },
    (page) => page.getByLabel("Board").selectOption("9"),
    (page) => page.getByLabel(/^Primary items/).fill("A B C | X Y\nA B X:0 Y:0\nA C X:1 Y:1\nB X:1\nC Y:0\n"),
    (page) => page.getByLabel("Board").selectOption("8"),
    async (page) => {
        for (const problem of ["small", "queens", "sudoku", "dominoes", "langford"]) {
            await page.getByLabel("Problem").selectOption(problem);
            await page.waitForFunction(() => document.querySelector(".answer table") !== null, null, { timeout: 30_000 });
            await page.waitForTimeout(100);
            if (await page.locator(".lesson-answer .message").count()) break;
        }
    },
];

/** @type {import("./run.mjs").Case[]} */
export const tests = [
    ...LESSONS.map(({ title }, number) => ({
        name: `lesson step ${number + 1} is answered by changing its example: ${title}`,
        /** @param {import("./run.mjs").Test} test */
        async run({ page, open, axe, shot }) {
            await open(number === 0 ? "#lesson" : `#lesson?step=${number + 1}`);
            await page.waitForSelector(`.place-lesson[data-step="${number + 1}"]`);
            await page.waitForLoadState("networkidle");
            assert.equal(await page.locator(".lesson-answer .message").count(), 0, "answered too early");
            await ANSWERS[number](page);
            await answered(page);
            await page.waitForFunction(() => location.hash.includes("done="));
            await axe();
            await shot(`lesson-${number + 1}`);
        },
    })),
    {
        name: "an edited lesson survives Back and reload",
        async run({ page, open }) {
            await open("#lesson?step=8");
            const label = /^Primary items/;
            await page.waitForSelector("text=Exactly one exact cover.");
            await page.getByLabel(label).fill("A B | X\nA X:1\nB X:1\nB X:2\n");
            await page.waitForSelector(".covers li");
            await page.waitForFunction(() => location.hash.includes("text="));
            await page.getByRole("button", { name: /^9\. / }).click();
            await page.waitForSelector('.place-lesson[data-step="9"]');
            await page.goBack();
            await page.waitForSelector('.place-lesson[data-step="8"]');
            assert.match(await page.getByLabel(label).inputValue(), /^A B \| X\n/);
            await page.reload();
            await page.waitForSelector('.place-lesson[data-step="8"]');
            assert.match(await page.getByLabel(label).inputValue(), /^A B \| X\n/);
            await page.getByRole("button", { name: "Back to the first example" }).click();
            await page.waitForFunction(() => document.querySelector("textarea")?.value.startsWith("A B C | X Y"));
        },
    },
    {
        name: "the lesson fits a phone in the dark",
        width: 390,
        height: 844,
        dark: true,
        async run({ page, open, axe, shot }) {
            for (const step of [1, 2, 3, 4, 6]) {
                await open(`#lesson?step=${step}`);
                await page.waitForSelector(`.place-lesson[data-step="${step}"]`);
                await page.waitForLoadState("networkidle");
                assert.ok((await page.evaluate(() => document.documentElement.scrollWidth)) <= 390, `step ${step}`);
            }
            await axe();
            await shot("lesson-phone");
        },
    },
];
