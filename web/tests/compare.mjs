// Tests of the place Compare.

import assert from "node:assert/strict";
import { judge, toCsv, winners } from "../app/compare/measure.js";

/** @param {import("playwright-core").Page} page @param {number} [count] */
async function measured(page, count = 1) {
    await page.waitForFunction(
        (count) => Number(/** @type {HTMLElement} */ (document.querySelector(".place-compare"))?.dataset.runs ?? 0) >= count,
        count, { timeout: 60_000 },
    );
}

/** @param {Partial<import("../app/compare/measure.js").Row>} part @returns {import("../app/compare/measure.js").Row} */
const row = (part) => ({
    size: 4, engine: "links", seconds: 1, interval: [1, 1], ratio: 1, rounds: 3, nodes: 5, updates: 7, count: "2",
    complete: true, state: "finished", isFirst: false, ...part,
});

/** @type {import("./run.mjs").Case[]} */
export const tests = [
    {
        name: "different answers are an alarm, and unfinished ones are not compared",
        async run() {
            const rows = [row({}), row({ engine: "cells", count: "3" })];
            assert.equal(judge(4, rows, 0, []).verdict, "differ");
            assert.equal(judge(4, [row({}), row({ engine: "cells" })], 1, ["puzzle 4: links and cells disagree"]).verdict, "differ");
            assert.equal(judge(4, [row({}), row({ engine: "naive", count: "0", complete: false })], 0, []).verdict, "single");
            assert.equal(judge(4, [row({}), row({ engine: "cells" })], 0, []).verdict, "agree");
        },
    },
    {
        name: "winners are runs of sizes, and a table keeps its commas",
        async run() {
            const rows = [row({}), row({ engine: "cells", seconds: 2 }), row({ size: 5 }), row({ size: 6, seconds: 3 }),
                row({ size: 6, engine: "cells", seconds: 2, state: "a, b" })];
            assert.deepEqual(winners(rows), [{ engine: "links", from: 4, to: 5 }, { engine: "cells", from: 6, to: 6 }]);
            assert.match(toCsv(rows), /^size,engine,.*\n4,links,1,.*[^]*,"a, b"\n$/);
        },
    },
    {
        name: "two engines are compared over sizes, with table, plots and winners",
        async run({ page, open, axe, shot }) {
            await open("#compare?example=queens&n=4&to=6&engines=links,cells&seconds=0.1");
            await measured(page);
            assert.match(String(await page.locator(".verdict").textContent()), /agree.*: 2, 10, 4/);
            assert.equal(await page.locator(".plot").count(), 2);
            await page.getByRole("button", { name: "Nodes", exact: true }).click();
            const links = await page.locator("tbody tr").first().textContent();
            assert.match(String(links), /^links14|^links13/);
            assert.match(String(await page.locator(".winners").textContent()), /size/);
            await axe();
            await shot("compare-range");
        },
    },
    {
        name: "rows of a single puzzle appear one by one, then take turns",
        async run({ page, open, shot }) {
            await open("#compare?example=hard&engines=links,masks,stack&seconds=0.3");
            await page.waitForSelector("tr.first");
            await measured(page);
            assert.equal(await page.locator("tr.first").count(), 0);
            assert.match(String(await page.locator(".verdict").textContent()), /found 1 solution/);
            assert.equal(await page.locator("tbody tr").count(), 3);
            const [download] = await Promise.all([
                page.waitForEvent("download"),
                page.getByRole("button", { name: "Save as CSV" }).click(),
            ]);
            assert.equal(download.suggestedFilename(), "compare.csv");
            await shot("compare-single");
        },
    },
    {
        name: "engines are chosen, kept in the address, and Back returns",
        async run({ page, open }) {
            await open("#compare?example=queens&n=5&engines=links&seconds=0.05");
            await measured(page);
            await page.getByText("Engines: links").click();
            await page.getByRole("checkbox", { name: /^masks/ }).check();
            await measured(page, 2);
            assert.match(await page.evaluate(() => location.hash), /engines=links,masks/);
            await page.reload();
            await measured(page);
            assert.equal(await page.locator("tbody tr").count(), 2);
            await page.goBack();
            await page.waitForFunction(() => location.hash.endsWith("engines=links&seconds=0.05"));
            await measured(page, 2);
            assert.equal(await page.locator("tbody tr").count(), 1);
        },
    },
    {
        name: "Stop keeps the rows that were measured",
        async run({ page, open }) {
            await open("#compare?example=queens&n=4&to=12&engines=links,naive&seconds=5");
            await page.waitForSelector("tbody tr");
            await page.getByRole("button", { name: "Stop" }).click();
            await measured(page);
            assert.match(String(await page.getByRole("status").textContent()), /Stopped/);
            await page.getByRole("button", { name: "Save as JSON" }).waitFor();
        },
    },
    {
        name: "an unreadable puzzle is an error",
        async run({ page, open }) {
            await open("#compare?example=own&text=a%20b%0Aa%20x&engines=links");
            await page.waitForSelector(".message.error");
        },
    },
    {
        name: "Compare fits a phone in the dark",
        width: 390,
        height: 844,
        dark: true,
        async run({ page, open, axe, shot }) {
            await open("#compare?example=queens&n=4&to=7&engines=links,masks&seconds=0.1");
            await measured(page);
            assert.ok((await page.evaluate(() => document.documentElement.scrollWidth)) <= 390);
            await axe();
            await shot("compare-phone");
        },
    },
];
