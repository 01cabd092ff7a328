// Counts the same problems with the program in WebAssembly and with the native one on one thread:
// `node web/compare.mjs path/to/farandole`. Prints a table for docs/BENCHMARKS.md.

import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

import { load } from "./package/index.js";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
/** Runs of each problem end after this many, or after 4 s. The table has the fastest: other programs may use the machine,
 * and an engine of JavaScript optimizes a function only after it has run for a while. */
const RUNS = 15;
const ENOUGH = 4000;

/**
 * Questions: options, arguments, and the file of a puzzle.
 * @type {[options: Record<string, any>, words?: string[], file?: string][]}
 */
const PROBLEMS = [
    [{ puzzle: "queens", engine: "links" }, ["8"]],
    [{ puzzle: "queens", engine: "links" }, ["10"]],
    [{ puzzle: "queens", engine: "links" }, ["12"]],
    [{ puzzle: "queens", engine: "cells" }, ["10"]],
    [{ puzzle: "queens", engine: "masks" }, ["11"]],
    [{ puzzle: "queens", engine: "frontier" }, ["12"]],
    [{ puzzle: "queens" }, ["14"]],
    [{ puzzle: "langford", engine: "links" }, ["8"]],
    [{ puzzle: "langford" }, ["11"]],
    [{ puzzle: "latin", engine: "links" }, ["4"]],
    [{ puzzle: "latin" }, ["6"]],
    [{ puzzle: "polyomino", engine: "links" }, ["3x20"]],
    [{ puzzle: "polyomino", engine: "masks" }, ["4x15"]],
    [{ puzzle: "polyomino", engine: "cells" }, ["3x20"]],
    [{ puzzle: "polyomino" }, ["6x10"]],
    [{ puzzle: "polyomino" }, ["dominoes:8x8"]],
    [{ puzzle: "polyomino", engine: "frontier" }, ["dominoes:16x16"]],
    [{ engine: "links" }, [], "puzzles/sudoku/difficulty-10.7.txt"],
    [{ engine: "lanes", isa: "plain" }, [], "puzzles/sudoku/difficulty-10.7.txt"],
    [{ engine: "cells" }, [], "puzzles/sudoku/difficulty-10.7.txt"],
];

const native = process.argv[2] ?? join(ROOT, "target/release/farandole");
const folder = mkdtempSync(join(tmpdir(), "farandole-"));
const farandole = await load();

console.log("| problem | solutions | native | WebAssembly | ratio |\n|---|--:|--:|--:|--:|");
const ratios = [];
for (const [options, words = [], file] of PROBLEMS) {
    const input = file ? readFileSync(join(ROOT, file), "utf8") : "";
    const asked = Object.entries(options).map(([name, value]) => `--${name}=${value}`);
    const times = { native: Infinity, wasm: Infinity };
    const counts = new Set();
    const begun = performance.now();
    for (let run = 0; run < RUNS && performance.now() < begun + ENOUGH; run++) {
        const args = ["count", "--json", "--threads=1", ...asked, ...(words.length > 0 ? ["--", ...words] : [])];
        const own = JSON.parse(execFileSync(native, args, { cwd: folder, input, encoding: "utf8" }));
        const wasm = await farandole.count(input, { ...options, threads: 1, arguments: words });
        counts.add(own.count).add(String(wasm.count));
        times.native = Math.min(times.native, own.seconds);
        times.wasm = Math.min(times.wasm, wasm.seconds);
    }
    if (counts.size !== 1) {
        throw new Error(`${asked} ${words}: the counts differ: ${[...counts]}`);
    }
    const ratio = times.wasm / times.native;
    ratios.push(ratio);
    const name = `${file ?? [options.puzzle, ...words].join(" ")}, ${options.engine ?? "auto"}`;
    const shown = (/** @type {number} */ time) => `${(time * 1000).toPrecision(3)} ms`;
    console.log(`| ${name} | ${[...counts]} | ${shown(times.native)} | ${shown(times.wasm)} | ${ratio.toFixed(2)} |`);
}
const mean = Math.exp(ratios.reduce((sum, ratio) => sum + Math.log(ratio), 0) / ratios.length);
console.log(`\nGeometric mean of the ratios: ${mean.toFixed(2)}`);
farandole.close();
