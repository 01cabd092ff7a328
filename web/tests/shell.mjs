// Tests of the shell: tabs, address, theme.

import assert from "node:assert/strict";
import { PLACES } from "../app/places.js";
import { decode, deflate, encode } from "../app/state.js";

/** @type {import("./run.mjs").Case[]} */
export const tests = [
    {
        name: "state survives the way through the address",
        async run() {
            /** @type {import("../app/places.js").Parameters[]} */
            const states = [
                {},
                { puzzle: "queens", n: "8" },
                { text: "# killer: r1c1 r1c2 = 3\n....\n....\n....\n....\n", empty: " a&b=c#d?e" },
                { text: "~tilde" },
                { text: "é😀\n".repeat(5000) },
            ];
            for (const parameters of states) {
                const read = await decode(await encode("count", parameters));
                assert.deepEqual(read, { place: "count", parameters, damaged: [] });
            }
        },
    },
    {
        name: "damaged and endless addresses are left out",
        async run() {
            const bomb = await deflate("0".repeat(9 << 20));
            const read = await decode(`#solve?text=~AAAA&more=~${bomb}&n=8`);
            assert.deepEqual(read, { place: "solve", parameters: { n: "8" }, damaged: ["text", "more"] });
        },
    },
    {
        name: "every tab opens its place, and Back returns",
        async run({ page, open, axe }) {
            await open();
            for (const { name, title } of PLACES) {
                await page.getByRole("link", { name: title, exact: true }).click();
                await page.waitForSelector(`.place-${name}`);
                assert.equal(await page.title(), `${title} · Farandole`);
            }
            await page.goBack();
            await page.waitForSelector(".place-compare");
            await axe();
        },
    },
    {
        name: "the theme can be changed and is kept",
        async run({ page, open }) {
            await open();
            const theme = () => page.evaluate(() => getComputedStyle(document.documentElement).colorScheme);
            const control = page.locator("#theme");
            await control.click();
            await control.click();
            assert.equal(await theme(), "dark");
            await page.reload();
            assert.equal(await theme(), "dark");
        },
    },
];
