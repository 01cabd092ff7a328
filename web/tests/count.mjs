// Tests of the place Count.

import assert from "node:assert/strict";

/** @typedef {import("playwright-core").Page} Page */

/** Waits for a number, written without the spaces between its groups. @param {Page} page @param {string} number */
const shows = (page, number) =>
    page.waitForFunction(
        (wanted) => document.querySelector(".count-number")?.textContent?.replaceAll(/\s/g, "") === wanted,
        number,
    );

/** @param {Page} page @param {number} number */
const pictures = (page, number) =>
    page.waitForFunction((n) => document.querySelectorAll(".count-gallery svg").length === n, number);

/** @type {import("./run.mjs").Case[]} */
export const tests = [
    {
        name: "Count begins with Aztec diamonds: number, samples and heat map",
        async run({ page, open, axe, shot }) {
            await open("#count");
            await shows(page, String(2 ** 36));
            await page.locator(".count-facts", { hasText: "11 digits" }).waitFor();
            await pictures(page, 8);
            const fills = await page.evaluate(() =>
                [...document.querySelectorAll(".count-gallery svg [class]")].map((piece) => getComputedStyle(piece).fill));
            assert.ok(new Set(fills).size >= 4 && !fills.includes("rgb(0, 0, 0)"), "the pieces have the colors of their ways");
            await page.waitForSelector(".count-map .heat");
            await axe();
            await shot("count");
        },
    },
    {
        name: "a size changes the number, and Back and reload keep it",
        async run({ page, open }) {
            await open("#count?puzzle=queens");
            await shows(page, "92");
            await page.getByLabel("Queens", { exact: true }).fill("10");
            await page.getByLabel("Queens", { exact: true }).press("Enter");
            await shows(page, "724");
            await page.reload();
            await shows(page, "724");
            await page.goBack();
            await shows(page, "92");
        },
    },
    {
        name: "every family has its known number",
        async run({ page, open }) {
            for (const [address, number] of [
                ["puzzle=dominoes&rows=30&columns=30", "131841545472244027406496188757912375363891696443221279694626947912188459956437700105571773334900360294912000000"],
                ["puzzle=lozenges&n=3", "980"],
                ["puzzle=latin&n=7", "61479419904000"],
                ["puzzle=sudoku&width=3&height=3", "6670903752021072936960"],
                ["puzzle=sudoku&width=2&height=2", "288"],
                ["puzzle=langford&n=7", "52"],
                ["puzzle=polyominoes&rows=5&columns=12", "4040"],
                ["puzzle=text", "4"],
            ]) {
                await open(`#count?${address}`);
                await page.waitForFunction(() => /^\d/.test(document.querySelector(".count-number")?.textContent ?? ""));
                if (number.length < 50) await shows(page, number);
                else assert.equal((await page.locator(".count-number").textContent())?.replaceAll(/\s/g, "").length, number.length);
            }
        },
    },
    {
        name: "large boards are counted and drawn",
        async run({ page, open }) {
            await open("#count?puzzle=aztec&n=30");
            await shows(page, String(2n ** 465n));
            await page.locator(".count-facts", { hasText: "140 digits" }).waitFor();
            await page.waitForSelector(".count-gallery svg", { timeout: 40_000 });
        },
    },
    {
        name: "a long count is stopped, and its parts leave a lower bound",
        async run({ page, open, shot }) {
            await open("#count?puzzle=queens&n=20");
            await page.locator(".count-stop").click();
            await page.locator(".count-facts", { hasText: /topped after/ }).waitFor();
            await page.getByRole("button", { name: "Count in parts" }).click();
            await page.waitForFunction(() => /\d\+$/.test(document.querySelector(".count-number")?.textContent ?? ""), null, { timeout: 60_000 });
            await shot("count-parts");
            await page.locator(".count-stop").click();
            await page.locator(".count-facts", { hasText: "At least this many: stopped after" }).waitFor();
            assert.match((await page.locator(".count-number").textContent()) ?? "", /\+$/);
        },
    },
    {
        name: "a running count shows its progress and a lower bound that grows",
        async run({ page, open, shot }) {
            await open("#count?puzzle=queens&n=19");
            await page.locator(".count-facts", { hasText: /so far: .*node/ }).waitFor();
            const bound = () => page.evaluate(() => /^[\d\s]+\+$/.test(document.querySelector(".count-number")?.textContent ?? "")
                ? Number(document.querySelector(".count-number")?.textContent?.replaceAll(/\D/g, "")) : 0);
            await page.waitForFunction(() => /\d\+$/.test(document.querySelector(".count-number")?.textContent ?? ""));
            const first = await bound();
            await page.waitForFunction(
                (first) => Number(document.querySelector(".count-number")?.textContent?.replaceAll(/\D/g, "")) > first, first);
            assert.ok(await bound() < 4_968_057_848);
            await shot("count-progress");
            await page.locator(".count-stop").click();
            await page.locator(".count-facts", { hasText: "At least this many: stopped after" }).waitFor();
        },
    },
    {
        name: "a count in parts gives the same number",
        async run({ page, open }) {
            await open("#count?puzzle=queens&n=19");
            await page.locator(".count-stop").click();
            await page.evaluate(() => {
                location.hash = "#count?puzzle=queens&n=12";
            });
            await shows(page, "14200");
            // The buttons are gone once the number is known, so the same code is asked directly.
            const number = await page.evaluate(async () => {
                const { countInParts } = await import(new URL("app/count/shards.js", document.baseURI).href);
                const { carrierOf } = await import(new URL("app/carrier.js", document.baseURI).href);
                const source = { input: "12\n", options: { puzzle: "queens" } };
                const bounds = /** @type {bigint[]} */ ([]);
                const outcome = await countInParts(carrierOf(document), source, 2, new AbortController().signal, (/** @type {any} */ { known }) => bounds.push(known));
                return { outcome, grows: bounds.every((known, k) => k === 0 || known >= bounds[k - 1]), last: String(bounds.at(-1)) };
            });
            assert.deepEqual(number, { outcome: { count: "14200" }, grows: true, last: "14200" });
        },
    },
    {
        name: "samples change with the seed, and a seed draws the same again",
        async run({ page, open }) {
            await open("#count?puzzle=lozenges&n=4");
            await pictures(page, 8);
            const gallery = () => page.locator(".count-gallery").innerHTML();
            const first = await gallery();
            await page.getByRole("button", { name: "Draw again" }).click();
            await page.waitForFunction((old) => document.querySelector(".count-gallery")?.innerHTML !== old, first);
            await page.getByLabel("Seed").fill("1");
            await page.getByLabel("Seed").press("Enter");
            await page.waitForFunction((old) => document.querySelector(".count-gallery")?.innerHTML === old, first);
        },
    },
    {
        name: "Latin squares are counted up to their three groups",
        async run({ page, open }) {
            await open("#count?puzzle=latin&n=5");
            await shows(page, "161280");
            for (const [group, number] of [["main classes", "2"], ["isotopy", "2"], ["isomorphism", "1 411"]]) {
                await page.getByRole("button", { name: `Count up to ${group}` }).click();
                await page.locator(".count-table tr", { hasText: group }).locator(".number", { hasText: new RegExp(`^${number.replace(" ", "\\s")}$`) }).waitFor();
            }
        },
    },
    {
        name: "a term of a record is counted and agrees with the published one",
        async run({ page, open }) {
            await open("#count?puzzle=queens&n=6");
            await shows(page, "4");
            for (const id of ["A252897", "A342136", "A342139", "A342155", "A289202"]) {
                await page.getByRole("button", { name: `Count term n of ${id}` }).click();
                await page.locator("tr", { hasText: id }).locator("td", { hasText: "✓ as published" }).waitFor();
            }
            await page.getByRole("button", { name: "Open A252897 as text" }).click();
            await shows(page, "755");
        },
    },
    {
        name: "an own cover is counted while typing, and a fault has its line",
        async run({ page, open, axe }) {
            await open("#count?puzzle=text");
            await shows(page, "4");
            await page.fill("#count-text", "A B C\nA B\nC\nA\nB C\n");
            await shows(page, "2");
            await page.fill("#count-text", "A B C\nA B\nC\nA\nB D\n");
            await page.locator(".message.error", { hasText: "line 5" }).waitFor();
            await axe();
        },
    },
    {
        name: "a phone shows Count without scrolling sideways, in the dark",
        width: 390,
        height: 844,
        touch: true,
        dark: true,
        async run({ page, open, axe, shot }) {
            await open("#count?puzzle=lozenges");
            await shows(page, "267227532");
            await pictures(page, 8);
            assert(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
            await axe();
            await shot("count-phone");
        },
    },
];
