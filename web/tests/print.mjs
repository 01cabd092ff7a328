// Printed pages: the puzzle or the answer, and nothing to click on.

import assert from "node:assert/strict";

/** What each place shows when it is ready, and prints. @type {[place: string, ready: string, printed: string][]} */
const PLACES = [
    ["solve", ".layer .answer", ".board svg"],
    ["count", ".count-gallery svg", ".count-number"],
    ["pack", ".place-pack svg", ".place-pack svg"],
    ["watch", ".place-watch[data-ready]", ".place-watch canvas"],
    ["compare?example=queens&n=4&to=6&engines=links,cells&seconds=0.05", ".plot", ".place-compare table"],
    ["lesson", ".place-lesson h2", ".place-lesson h2"],
];

/** @type {import("./run.mjs").Case[]} */
export const tests = PLACES.map(([place, ready, printed]) => ({
    name: `${place.split("?")[0]} prints its answer and no controls`,
    width: 800,
    async run({ page, open, shot }) {
        await open(`#${place}`);
        await page.locator(ready).first().waitFor({ timeout: 60_000 });
        await page.emulateMedia({ media: "print" });
        const shown = await page.evaluate(() =>
            [...document.querySelectorAll("button, input, select, textarea, nav, summary, [role=tablist], .top, .bottom")]
                .filter((each) => each.checkVisibility())
                .map((each) => each.outerHTML.slice(0, 160)),
        );
        assert.deepEqual(shown, []);
        assert.ok(await page.locator(printed).first().isVisible());
        const { background, wide } = await page.evaluate(() => ({
            background: getComputedStyle(document.body).backgroundColor,
            wide: document.documentElement.scrollWidth,
        }));
        assert.ok(/rgba\(0, 0, 0, 0\)|rgb\(255, 255, 255\)/.test(background), background);
        assert.ok(wide <= 800, `${wide} px`);
        await shot(`print-${place.split("?")[0]}`);
    },
}));
