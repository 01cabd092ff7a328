// Pictures of each place, in light, in the dark and on a phone, compared with kept ones in `golden/`.
//
// A kept picture has a quarter of the width and height, so that 18 of them are small, and the smoothing of letters does not
// matter. Times and what depends on them are masked. `GOLDEN=write` replaces the kept pictures; look at them afterwards.
// Other fonts wrap lines elsewhere, so the pictures are compared only where the fonts are the same.

import { mkdir, readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Part of the width and height that is kept. */
const SCALE = 4;
/** Side of the squares whose mean colors are compared (kept pixels): about a digit of a board. */
const TILE = 5;
/** Largest difference of a mean color (of 255) that counts as equal. Smoothed letters differ by less than 10. */
const DIFFERENCE_MAX = 24;
/** Largest part of all squares that may differ: a line of text that wraps elsewhere is less. */
const TILES_MAX = 0.02;

const FOLDER = new URL("golden/", import.meta.url);

/** Place, an element that shows that it is ready, and elements that depend on times. @type {[place: string, address: string, ready: string, masked: string[]][]} */
const PLACES = [
    ["solve", "#solve", ".layer .answer", []],
    ["count", "#count", ".count-map .heat", [".count-facts", ".count-estimate"]],
    ["pack", "#pack", ".place-pack svg", []],
    ["watch", "#watch", ".place-watch[data-ready]", [".others", "table"]],
    ["compare", "#compare?example=queens&n=4&to=6&engines=links,cells&seconds=0.05", ".plot", [".results", ".plots", ".wins"]],
    ["lesson", "#lesson", ".place-lesson h2", []],
];

/** @type {[look: string, settings: Partial<import("./run.mjs").Case>][]} */
const LOOKS = [
    ["light", {}],
    ["dark", { dark: true }],
    ["phone", { width: 390, height: 844, touch: true }],
];

/** The widths of a text in the fonts of the page (pixels). @param {import("playwright-core").Page} page */
function fontWidths(page) {
    return page.evaluate(() =>
        ["--serif", "--sans", "--mono"].map((name) => {
            const context = new OffscreenCanvas(1, 1).getContext("2d");
            if (!context) return 0;
            context.font = `100px ${getComputedStyle(document.documentElement).getPropertyValue(name)}`;
            return Math.round(context.measureText("Farandole 0123456789").width);
        }),
    );
}

/** Shrinks a picture in a page of its own. @param {import("playwright-core").Page} page @param {Buffer} picture */
async function shrunk(page, picture) {
    const data = await page.evaluate(
        async ([base64, scale]) => {
            const bytes = Uint8Array.from(atob(String(base64)), (letter) => letter.charCodeAt(0));
            const whole = await createImageBitmap(new Blob([bytes], { type: "image/png" }));
            const [width, height] = [Math.round(whole.width / Number(scale)), Math.round(whole.height / Number(scale))];
            const small = await createImageBitmap(whole, { resizeWidth: width, resizeHeight: height, resizeQuality: "high" });
            const canvas = Object.assign(document.createElement("canvas"), { width, height });
            canvas.getContext("2d")?.drawImage(small, 0, 0);
            return canvas.toDataURL("image/png").split(",")[1];
        },
        [picture.toString("base64"), SCALE],
    );
    return Buffer.from(data, "base64");
}

/**
 * The part of the squares whose mean colors differ; 1 if the pictures have other sizes.
 * @param {import("playwright-core").Page} page @param {Buffer} one @param {Buffer} other
 */
function difference(page, one, other) {
    return page.evaluate(
        async ([one, other, tile, most]) => {
            const [a, b] = await Promise.all(
                [one, other].map(async (base64) => {
                    const bytes = Uint8Array.from(atob(String(base64)), (letter) => letter.charCodeAt(0));
                    const picture = await createImageBitmap(new Blob([bytes], { type: "image/png" }));
                    const canvas = new OffscreenCanvas(picture.width, picture.height);
                    const context = /** @type {OffscreenCanvasRenderingContext2D} */ (canvas.getContext("2d"));
                    context.drawImage(picture, 0, 0);
                    return context.getImageData(0, 0, picture.width, picture.height);
                }),
            );
            if (a.width !== b.width || a.height !== b.height) return 1;
            const [side, limit] = [Number(tile), Number(most)];
            let [differing, count] = [0, 0];
            for (let top = 0; top + side <= a.height; top += side) {
                for (let left = 0; left + side <= a.width; left += side) {
                    const sums = [0, 0, 0];
                    for (let at = 0; at < side * side; at += 1) {
                        const place = 4 * ((top + Math.floor(at / side)) * a.width + left + (at % side));
                        for (let color = 0; color < 3; color += 1) sums[color] += a.data[place + color] - b.data[place + color];
                    }
                    count += 1;
                    if (sums.some((sum) => Math.abs(sum) > limit * side * side)) differing += 1;
                }
            }
            return differing / count;
        },
        [one.toString("base64"), other.toString("base64"), TILE, DIFFERENCE_MAX],
    );
}

/** @type {import("./run.mjs").Case[]} */
export const tests = LOOKS.flatMap(([look, settings]) =>
    PLACES.map(([place, address, ready, masked]) => ({
        ...settings,
        name: `${place} looks as it did (${look})`,
        async run({ page, open, carrier }) {
            // The pictures are the same in WebAssembly, but its first answers come at other times on a busy machine.
            if (carrier === "wasm") {
                return;
            }
            await open(address);
            await page.locator(ready).first().waitFor({ timeout: 60_000 });
            await page.evaluate(() => document.fonts.ready);
            // Pictures that fade in, and the line about the carrier.
            await page.waitForTimeout(900);
            // Facts come one after the other and take more lines on a phone, so they have no place in the picture.
            await page.evaluate(() => document.querySelectorAll(".facts").forEach((facts) => facts.remove()));
            const fonts = new URL("fonts.json", FOLDER);
            const widths = JSON.stringify(await fontWidths(page));
            if (process.env.GOLDEN !== "write" && (await readFile(fonts, "utf8")).trim() !== widths) {
                console.log("       not compared: this machine has other fonts");
                return;
            }
            const mask = [".bottom", ...masked].map((name) => page.locator(name));
            const picture = await page.screenshot({ mask, maskColor: "#888888", animations: "disabled", caret: "hide" });
            const easel = await page.context().newPage();
            const small = await shrunk(easel, picture);
            const file = new URL(`${place}-${look}.png`, FOLDER);
            if (process.env.GOLDEN === "write") {
                await mkdir(FOLDER, { recursive: true });
                await writeFile(file, small);
                await writeFile(fonts, `${widths}\n`);
                return;
            }
            const share = await difference(easel, small, await readFile(file));
            if (share > TILES_MAX) {
                const now = join(tmpdir(), `${place}-${look}-now.png`);
                await writeFile(now, small);
                throw new Error(`${(100 * share).toFixed(1)} % of the picture differ from golden/${place}-${look}.png: see ${now}`);
            }
        },
    })),
);
