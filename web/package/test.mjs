// Tests the package with a built farandole.wasm: `node web/package/test.mjs`.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";

import { QUESTIONS, toArguments } from "./arguments.js";
import { load } from "./index.js";

const SUDOKU = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";
const SOLVED = "534678912672195348198342567859761423426853791713924856961537284287419635345286179";

const farandole = await load();

test("the questions are those of the protocol", async () => {
    const table = JSON.parse(await readFile(new URL("./questions.json", import.meta.url), "utf8"));
    assert.deepEqual(Object.keys(QUESTIONS).sort(), Object.keys(table.questions).sort());
});

test("options become arguments with their values", () => {
    const { args, isJson } = toArguments({
        question: "count",
        options: { limit: 3, "per-option": true, check: false, rules: ["diagonals", "windoku"] },
        arguments: [8],
    });
    const expected = ["count", "--limit=3", "--per-option", "--rules=diagonals", "--rules=windoku"];
    assert.deepEqual(args, [...expected, "--json", "--", "8"]);
    assert.equal(isJson, true);
    assert.throws(() => toArguments({ question: "rm" }), TypeError);
    assert.throws(() => toArguments({ question: "count", options: { "--x": true } }), TypeError);
});

test("a Sudoku is solved", async () => {
    assert.deepEqual((await farandole.solve(SUDOKU)).solutions, [SOLVED]);
    assert.equal((await farandole.count(SUDOKU)).count, 1n);
});

test("queens are counted and listed", async () => {
    assert.equal((await farandole.count("", { puzzle: "queens", arguments: [8] })).count, 92n);
    const found = [];
    for await (const line of farandole.list("", { puzzle: "queens", arguments: [6] })) {
        found.push(...line.solutions);
    }
    assert.equal(found.length, 4);
});

test("a picture is SVG", async () => {
    assert.match(await farandole.draw(SUDOKU), /^<svg [^]*<\/svg>\s*$/);
});

test("a batch is answered in order without threads", async () => {
    const { lines, code } = await farandole.ask({ question: "solve", input: `${SUDOKU}\n`.repeat(100) });
    assert.equal(code, 0);
    assert.deepEqual(lines.map((line) => line.puzzle), Array.from({ length: 100 }, (_, place) => place + 1));
});

test("a puzzle is made", async () => {
    const { lines, code } = await farandole.ask({ question: "generate", options: { seed: 5 }, arguments: ["sudoku"] });
    assert.deepEqual([lines.length, code], [1, 0]);
});

test("a bad puzzle has a message with its place", async () => {
    const { lines, code } = await farandole.ask({ question: "count", input: "12x" });
    assert.equal(code, 2);
    assert.match(lines[0].error, /^standard input:1:/);
    await assert.rejects(farandole.solve("12x"), /standard input:1:/);
});

test("a signal ends a question", async () => {
    const signal = AbortSignal.timeout(300);
    const { code } = await farandole.ask({ question: "count", options: { puzzle: "queens" }, arguments: [24] }, { signal });
    assert.equal(code, 130);
});

test("a long question reports its progress", async () => {
    /** @type {import("./index.js").Progress[]} */
    const reports = [];
    const { progress, code } = await farandole.ask(
        { question: "count", options: { puzzle: "queens", engine: "links", time: 2 }, arguments: [18] },
        { onEvent: (event) => "progress" in event && reports.push(event.progress) },
    );
    assert.equal(code, 3);
    assert.ok(reports.length >= 3 && reports.length <= 10, `${reports.length} reports in two seconds`);
    assert.deepEqual(progress, reports.at(-1));
    const [first, last] = [reports[0], /** @type {import("./index.js").Progress} */ (reports.at(-1))];
    assert.ok(last.solutions > first.solutions && last.nodes > first.nodes && last.seconds > first.seconds);
    assert.match(last.message, /node/);
});

test("leaving a list ends its question", async () => {
    for await (const line of farandole.list("", { puzzle: "queens", arguments: [12] })) {
        assert.ok(line);
        break;
    }
});

test.after(() => farandole.close());
