// Tests of the place Pack.

import assert from "node:assert/strict";

/** @typedef {import("playwright-core").Page} Page */

/** @param {Page} page @param {RegExp} words */
const status = (page, words) => page.locator(".pack-status", { hasText: words }).waitFor();

/** Waits for the number of ways to fill the rest. @param {Page} page */
const counted = (page) => status(page, /ways? to fill|Solved/);

/**
 * The middle of a cell on the screen; rows and columns from 1.
 * @param {Page} page
 * @param {number} rows
 * @param {number} columns
 * @param {number} row
 * @param {number} column
 */
async function cellAt(page, rows, columns, row, column) {
    const box = await page.locator(".pack-board .pack-cell").first().boundingBox();
    const last = await page.locator(".pack-board .pack-cell").last().boundingBox();
    assert(box && last);
    const width = (last.x - box.x) / (columns - 1);
    const height = (last.y - box.y) / (rows - 1);
    return { x: box.x + box.width / 2 + (column - 1) * width, y: box.y + box.height / 2 + (row - 1) * height };
}

/** @param {Page} page @param {string} name */
const pieceButton = (page, name) => page.getByRole("button", { name: new RegExp(`^Piece ${name}\\b`) });

/** @type {import("./run.mjs").Case[]} */
export const tests = [
    {
        name: "Pack begins with a box that is counted at once",
        async run({ page, open, axe, shot }) {
            await open("#pack");
            await status(page, /18 ways to fill the rest/);
            assert.equal(await page.locator(".pack-board .piece:not(.faint)").count(), 2);
            assert.equal(await page.locator(".pack-board .piece.faint").count(), 10);
            await axe();
            await shot("pack");
        },
    },
    {
        name: "a piece is dragged onto the board, and Back takes it away",
        async run({ page, open }) {
            await open("#pack?box=5x12");
            await status(page, /4.040 ways/);
            const from = await pieceButton(page, "I").boundingBox();
            assert(from);
            const to = await cellAt(page, 5, 12, 1, 3);
            await page.mouse.move(from.x + from.width / 2, from.y + 15);
            await page.mouse.down();
            await page.mouse.move(to.x + 40, to.y + 30, { steps: 4 });
            await page.mouse.move(to.x, to.y, { steps: 4 });
            await page.waitForSelector(".pack-board .ghost");
            await page.mouse.up();
            await page.waitForSelector(".pack-board .piece:not(.faint):not(.ghost)");
            assert.match(await page.inputValue("#pack-text"), /clues\nIIIII\.{7}\n/);
            await counted(page);
            await page.reload();
            await counted(page);
            assert.match(await page.inputValue("#pack-text"), /clues\nIIIII/);
            await page.goBack();
            await status(page, /4.040 ways/);
            assert.doesNotMatch(await page.inputValue("#pack-text"), /clues/);
            await page.goForward();
            await page.waitForSelector(".pack-board .piece:not(.faint)");
        },
    },
    {
        name: "a placed piece is lifted by the mouse and dropped outside",
        async run({ page, open }) {
            await open("#pack");
            await status(page, /18 ways/);
            const on = await cellAt(page, 6, 10, 3, 4);
            await page.mouse.move(on.x, on.y);
            await page.mouse.down();
            await page.mouse.move(on.x + 30, on.y - 100, { steps: 3 });
            await page.mouse.move(on.x + 30, 5, { steps: 3 });
            await page.mouse.up();
            await page.waitForFunction(() => !(/** @type {HTMLTextAreaElement} */ (document.querySelector("#pack-text")).value.includes("X")));
            await counted(page);
        },
    },
    {
        name: "pieces are picked, turned, placed and removed by the keyboard",
        async run({ page, open }) {
            await open("#pack?box=6x10");
            await status(page, /9.356 ways/);
            await pieceButton(page, "L").focus();
            await page.keyboard.press("Enter");
            await page.waitForSelector(".pack-board .ghost");
            const where = () => page.locator(".pack-board .ghost .tile").getAttribute("d");
            const first = await where();
            await page.keyboard.press("r");
            const turned = await where();
            assert.notEqual(turned, first);
            await page.keyboard.press("f");
            assert.notEqual(await where(), turned);
            for (let k = 0; k < 9; k += 1) await page.keyboard.press("ArrowLeft");
            for (let k = 0; k < 9; k += 1) await page.keyboard.press("ArrowUp");
            await page.keyboard.press("Enter");
            await page.waitForFunction(() => (/** @type {HTMLTextAreaElement} */ (document.querySelector("#pack-text")).value.includes("L")));
            await counted(page);
            await page.locator(".pack-board").focus();
            await page.keyboard.press("ArrowRight");
            await page.keyboard.press("ArrowRight");
            await page.getByRole("button", { name: "Take back" }).click();
            await status(page, /9.356 ways/);
        },
    },
    {
        name: "a piece that leaves a hole is called so at once",
        async run({ page, open }) {
            await open(`#pack?text=${encodeURIComponent("pieces pentominoes\nboard 6x10\n\nclues\n.FF\nFF\n.F\n")}`);
            await status(page, /No way to fill the rest/);
            await page.getByRole("button", { name: "Clear" }).click();
            await status(page, /9.356 ways/);
        },
    },
    {
        name: "solutions are shown one after the other, and counted up to symmetry",
        async run({ page, open }) {
            await open("#pack?box=3x20");
            await status(page, /8 ways/);
            const picture = () => page.locator(".pack-board").innerHTML();
            const first = await picture();
            await page.getByRole("button", { name: "Next solution" }).click();
            await page.locator(".pack-position", { hasText: "Solution 2 of 8" }).waitFor();
            assert.notEqual(await picture(), first);
            for (let k = 0; k < 6; k += 1) await page.getByRole("button", { name: "Next solution" }).click();
            await page.locator(".pack-position", { hasText: "Solution 8 of 8" }).waitFor();
            assert(await page.getByRole("button", { name: "Next solution" }).isDisabled());
            await page.getByRole("button", { name: "Count up to symmetry" }).click();
            await page.locator(".pack-note", { hasText: "2 solutions up to" }).first().waitFor();
        },
    },
    {
        name: "a hint marks the cell and a placement that is impossible",
        async run({ page, open }) {
            await open("#pack");
            await status(page, /18 ways/);
            await page.getByRole("button", { name: "Hint" }).click();
            await page.locator(".pack-note", { hasText: "leaves a hole: 12 placements" }).first().waitFor();
            assert.equal(await page.locator(".pack-cell.marked").count(), 1);
            const red = page.locator(".pack-mark.bad");
            assert.equal(await red.count(), 1);
            const first = await red.getAttribute("d");
            await page.getByRole("button", { name: "Hint" }).click();
            assert.notEqual(await red.getAttribute("d"), first);
        },
    },
    {
        name: "placing one piece after the other solves the box",
        async run({ page, open }) {
            await open("#pack?box=pond");
            await status(page, /66 ways/);
            for (let k = 0; k < 6; k += 1) {
                await page.getByRole("button", { name: "Place one piece" }).click();
                await page.waitForFunction((n) => document.querySelectorAll(".pack-board .piece:not(.faint)").length === n, k + 1);
                await counted(page);
            }
            await status(page, /Solved/);
        },
    },
    {
        name: "the piece that was placed last is taken back first",
        async run({ page, open }) {
            await open("#pack?box=pond");
            await status(page, /66 ways/);
            const text = () => page.inputValue("#pack-text");
            const texts = [await text()];
            for (let k = 0; k < 3; k += 1) {
                // Next solutions differ, so that the pieces are not placed in the order of the text.
                await page.getByRole("button", { name: "Next solution" }).click();
                await page.locator(".pack-position", { hasText: "Solution 2" }).waitFor();
                await page.getByRole("button", { name: "Place one piece" }).click();
                await page.waitForFunction((old) => (/** @type {HTMLTextAreaElement} */ (document.querySelector("#pack-text")).value !== old), texts[k]);
                await counted(page);
                texts.push(await text());
            }
            for (let k = 2; k >= 0; k -= 1) {
                await page.getByRole("button", { name: "Take back" }).click();
                await counted(page);
                await page.waitForFunction((old) => (/** @type {HTMLTextAreaElement} */ (document.querySelector("#pack-text")).value === old), texts[k]);
            }
        },
    },
    {
        name: "a wrong text is shown with its line, and the board stays",
        async run({ page, open }) {
            await open("#pack");
            await status(page, /18 ways/);
            await page.fill("#pack-text", "pieces pentominos\nboard 6x10\n");
            await page.locator(".message.error", { hasText: "line 1, column 8: expected `pentominoes`" }).waitFor();
            assert.equal(await page.locator(".pack-board .pack-cell").count(), 60);
            await page.fill("#pack-text", "pieces tetrominoes x2\nboard 5x8\n");
            await status(page, /3.106 ways/);
            assert.equal(await page.locator(".message.error").count(), 0);
        },
    },
    {
        name: "a huge board is refused in words, and the page stays quick",
        async run({ page, open }) {
            await open("#pack");
            await status(page, /18 ways/);
            await page.fill("#pack-text", "pieces dominoes unlimited\nboard 100x100\n");
            await page.locator(".message.error", { hasText: "10\u202f000 cells" }).waitFor();
            await page.selectOption("#pack-box", "aztec");
            await status(page, /1.024 ways/);
        },
    },
    {
        name: "a board is drawn by clicking its cells",
        async run({ page, open }) {
            await open(`#pack?text=${encodeURIComponent("pieces dominoes unlimited\nboard 4x4\n")}`);
            await status(page, /36 ways/);
            await page.getByText("Draw the board").click();
            const spots = page.locator(".pack-edit[open] .spot");
            await spots.nth(0).click();
            await page.waitForFunction(() => (/** @type {HTMLTextAreaElement} */ (document.querySelector("#pack-text")).value.includes("?")));
            await spots.nth(0).click();
            await status(page, /No way to fill this board/);
            await spots.nth(15).click();
            await spots.nth(15).click();
            await page.waitForFunction(() => (/** @type {HTMLTextAreaElement} */ (document.querySelector("#pack-text")).value.includes("board\n#...\n....\n....\n...\n")));
            await page.getByLabel("Columns").fill("6");
            await page.getByLabel("Columns").press("Enter");
            await page.waitForFunction(() => document.querySelectorAll(".pack-board .pack-cell").length > 16);
        },
    },
    {
        name: "an own piece is drawn and used alone",
        async run({ page, open }) {
            await open(`#pack?text=${encodeURIComponent("pieces dominoes unlimited\nboard 3x4\n")}`);
            await status(page, /11 ways/);
            await page.getByText("Draw a piece").click();
            const spots = page.locator(".pack-edit[open] .spot");
            for (const k of [0, 1, 5]) await spots.nth(k).click();
            await page.getByLabel("Copies").selectOption("unlimited");
            await page.getByRole("button", { name: "Use only this piece" }).click();
            await status(page, /4 ways/);
            assert.match(await page.inputValue("#pack-text"), /piece A unlimited\n##\n#\n/);
        },
    },
    {
        name: "the Soma cube turns in space and is pulled apart",
        dark: true,
        async run({ page, open, axe, shot }) {
            await open("#pack?box=soma");
            await status(page, /11.520 ways/);
            const space = page.locator(".space");
            const before = await space.innerHTML();
            const box = await space.boundingBox();
            assert(box);
            await page.mouse.move(box.x + 100, box.y + 100);
            await page.mouse.down();
            await page.mouse.move(box.x + 180, box.y + 130, { steps: 4 });
            await page.mouse.up();
            const turned = await space.innerHTML();
            assert.notEqual(turned, before);
            await space.focus();
            await page.keyboard.press("ArrowLeft");
            assert.notEqual(await space.innerHTML(), turned);
            await page.getByLabel("Pull apart").fill("0.6");
            await axe();
            await shot("pack-soma-dark");
        },
    },
    {
        name: "hexagons, triangles and edges are placed like squares",
        async run({ page, open }) {
            for (const [box, ways] of [["tetrahexes", /18 ways/], ["hexiamonds", /624 ways/], ["tristicks", /80 ways/]]) {
                await open(`#pack?box=${box}`);
                await status(page, /** @type {RegExp} */ (ways));
                await page.getByRole("button", { name: "Place one piece" }).click();
                await page.waitForSelector(".pack-board .piece:not(.faint)", { state: "attached" });
                await counted(page);
                await page.locator(".pack-piece:enabled").first().focus();
                await page.keyboard.press("Enter");
                await page.keyboard.press("r");
                await page.keyboard.press("r");
                await page.keyboard.press("Escape");
                assert.equal(await page.locator(".ghost").count(), 0);
            }
        },
    },
    {
        name: "a phone shows the whole board, and taps place a piece",
        width: 390,
        height: 844,
        touch: true,
        async run({ page, open, axe, shot }) {
            await open("#pack?box=5x12");
            await status(page, /4.040 ways/);
            assert(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
            await pieceButton(page, "V").tap();
            const to = await cellAt(page, 5, 12, 2, 2);
            await page.touchscreen.tap(to.x, to.y);
            await page.waitForSelector(".pack-board .piece:not(.faint):not(.ghost)");
            await counted(page);
            await axe();
            await shot("pack-phone");
            // A drag by touch, which only the protocol of the browser can send.
            const touch = await page.context().newCDPSession(page);
            await pieceButton(page, "X").scrollIntoViewIfNeeded();
            const from = await pieceButton(page, "X").boundingBox();
            assert(from);
            const drop = await cellAt(page, 5, 12, 3, 8);
            const start = { x: from.x + from.width / 2, y: from.y + from.height / 3 };
            const points = [0, 0.25, 0.5, 0.75, 1].map((k) => ({ x: start.x + k * (drop.x - start.x), y: start.y + k * (drop.y - start.y) }));
            await touch.send("Input.dispatchTouchEvent", { type: "touchStart", touchPoints: [start] });
            for (const point of points) await touch.send("Input.dispatchTouchEvent", { type: "touchMove", touchPoints: [point] });
            await touch.send("Input.dispatchTouchEvent", { type: "touchEnd", touchPoints: [] });
            await page.waitForFunction(() => (/** @type {HTMLTextAreaElement} */ (document.querySelector("#pack-text")).value.includes("X")));
            await counted(page);
        },
    },
    {
        name: "a packed file of BurrTools is dropped, drawn and counted, and others are refused",
        async run({ page, open, shot }) {
            await open("#pack?box=5x12");
            await status(page, /4.040 ways/);
            /** @param {string} name @param {boolean} isPacked @param {string | null} [text] */
            const drop = (name, isPacked, text = null) => page.evaluate(async ([name, isPacked, text]) => {
                const { carrierOf } = await import(new URL("app/carrier.js", document.baseURI).href);
                const soma = { question: "convert", input: "pieces soma\nboard 3x3x3\n", options: { to: "xmpuzzle" } };
                const content = text ?? (await carrierOf(document).ask(soma)).text;
                const stream = new Blob([content]).stream();
                const bytes = await new Response(isPacked ? stream.pipeThrough(new CompressionStream("gzip")) : stream).arrayBuffer();
                const dataTransfer = new DataTransfer();
                dataTransfer.items.add(new File([bytes], String(name)));
                document.querySelector("#pack-text")?.dispatchEvent(new DragEvent("drop", { dataTransfer, bubbles: true, cancelable: true }));
            }, [name, isPacked, text]);
            await drop("soma.xmpuzzle", true);
            await status(page, /11.520 ways/);
            assert.match(await page.locator("#pack-text").inputValue(), /^piece A\n[^]*board\n\.\.\.\n/);
            await shot("pack-burrtools");
            for (const [text, words] of [
                ["<?xml version='1.0'?><puzzle version='2'><gridType type='2'/><shapes/></puzzle>", /of cubes/],
                ["<puzzle><gridType type='0'/><shapes><voxel x='9' y='9' z='9'>#</voxel></shapes></puzzle>", /no problem/],
                ["<puzzle><gridType type='0'>", /damaged/],
            ]) {
                await drop("other.xmpuzzle", false, String(text));
                await page.locator(".message", { hasText: /** @type {RegExp} */ (words) }).waitFor();
            }
        },
    },
];
