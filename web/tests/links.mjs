// Links of each form that setters share: each opens to a drawing and the right answer, or to a message that names the refused part.
//
// `links.json` has 30 links per form. The links of puzz.link are from the list of penpa-edit's own tests (TESTING.md), three of
// genres that the program does not have. The others are the shipped and generated puzzles of this project, as the program
// writes them, and two short links that only their own site can resolve.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";

/** @type {Record<string, [link: string, verdict: string][]>} */
const LINKS = JSON.parse(readFileSync(new URL("links.json", import.meta.url), "utf8"));

/** @type {import("./run.mjs").Case[]} */
export const tests = Object.entries(LINKS).map(([form, links]) => ({
    name: `each link of ${form} is drawn and answered, or refused with a message`,
    async run({ page, open, shot }) {
        assert.equal(links.length, 30);
        await open();
        const area = page.getByLabel("Puzzle", { exact: true });
        for (const [link, verdict] of links) {
            await area.fill(link);
            try {
                await page.waitForFunction(
                    (verdict) => {
                        const fact = document.querySelector(".facts .badge")?.textContent ?? "";
                        const isStale = document.querySelector(".board")?.classList.contains("stale");
                        if (verdict === "refused") {
                            return /^cannot/.test(fact) && (document.querySelector(".message.error")?.textContent ?? "").length > 20;
                        }
                        const several = /several solutions|[\d\s]+ solutions$/;
                        const isRight = verdict === "several solutions" ? several.test(fact) : fact === verdict;
                        return isRight && !isStale && !document.querySelector(".message.error") && document.querySelector(".board svg");
                    },
                    verdict,
                );
            } catch (error) {
                throw new Error(`${link} should be: ${verdict}, is ${await page.locator(".facts").textContent()}`, { cause: error });
            }
            // The next link must not find the answer to this one.
            await area.fill("");
            await page.locator(".facts .badge", { hasText: "empty" }).waitFor();
        }
        await shot(`link-${form}`);
    },
}));
