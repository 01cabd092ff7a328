// Compares the package with two packages of npm on the same exact covers: `node beside.mjs FOLDER`, where
// `npm install dancing-links dlxlib` has run in FOLDER. Prints the table of README.md.

import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { cpus } from "node:os";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";

import { load } from "./index.js";

/** Runs of each problem end after this many, or after `ENOUGH` milliseconds. The table has the median. */
const RUNS = 21;
const ENOUGH = 6000;

const SUDOKU = "8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4..";

/** @type {[name: string, input: string, options: Record<string, any>, words?: string[]][]} */
const PROBLEMS = [
    ...[8, 9, 10].map((size) => /** @type {any} */ ([`queens ${size}`, "", { puzzle: "queens" }, [String(size)]])),
    ["Sudoku (Inkala 2012)", SUDOKU, {}],
    ["pentominoes 3x20", "", { puzzle: "polyomino" }, ["3x20"]],
];

/**
 * The primary items, secondary items and options of an exact cover, with the items as numbers.
 * @param {string} text
 */
function parsed(text) {
    const [head, ...lines] = text.split("\n").filter((line) => line !== "" && !line.startsWith("|"));
    const [primary, secondary = []] = head.split("|").map((part) => part.trim().split(/\s+/).filter(Boolean));
    const numbers = new Map([...primary, ...secondary].map((name, number) => [name, number]));
    const options = lines.map((line) => line.trim().split(/\s+/).map((name) => {
        const number = numbers.get(name);
        if (number === undefined) throw new Error(`${name} is no item, or has a color`);
        return number;
    }));
    return { primary: primary.length, secondary: secondary.length, options };
}

const folder = resolve(process.argv[2] ?? ".");
const { DancingLinks } = await import(pathToFileURL(join(folder, "node_modules/dancing-links/built/lib/index.js")).href);
const dlxlib = createRequire(join(folder, "package.json"))("dlxlib");
const version = async (/** @type {string} */ name) =>
    JSON.parse(await readFile(join(folder, "node_modules", name, "package.json"), "utf8")).version;
const farandole = await load();

/** Lists all solutions and returns their number. @type {Record<string, (problem: ReturnType<typeof parsed>, text: string) => Promise<number> | number>} */
const SOLVERS = {
    farandole: async (_, text) => {
        const { lines } = await farandole.ask({ question: "list", input: text, options: { "option-numbers": true } });
        return lines[0].solutions.length;
    },
    "dancing-links": ({ primary, secondary, options }) => {
        const solver = new DancingLinks().createSolver({ primaryColumns: primary, secondaryColumns: secondary });
        options.forEach((option, number) => solver.addSparseConstraint(number, {
            primary: option.filter((item) => item < primary),
            secondary: option.filter((item) => item >= primary).map((item) => item - primary),
        }));
        return solver.findAll().length;
    },
    // It has no secondary items; an option of its own for each one makes them primary.
    dlxlib: ({ primary, secondary, options }) => {
        const spare = Array.from({ length: secondary }, (_, number) => [primary + number]);
        const matrix = [...options, ...spare].map((option) => {
            const row = new Array(primary + secondary).fill(0);
            option.forEach((item) => (row[item] = 1));
            return row;
        });
        return dlxlib.solve(matrix).length;
    },
};

console.log(`${cpus()[0].model.trim()}, Node ${process.versions.node}, dancing-links ${await version("dancing-links")}, dlxlib ${await version("dlxlib")}`);
console.log(`\n| all solutions of | number | count | ${Object.keys(SOLVERS).join(" | ")} |\n|---|--:|--:|${"--:|".repeat(Object.keys(SOLVERS).length)}`);
for (const [name, input, options, words] of PROBLEMS) {
    const { text } = await farandole.ask({ question: "convert", input, options: { ...options, to: "dlx" }, arguments: words });
    const problem = parsed(text);
    /** @type {Map<string, number[]>} */
    const times = new Map([["count", []], ...Object.keys(SOLVERS).map((solver) => /** @type {[string, number[]]} */ ([solver, []]))]);
    const counts = new Set();
    const begun = performance.now();
    for (let run = 0; run < RUNS && (run < 3 || performance.now() < begun + ENOUGH); run += 1) {
        const start = performance.now();
        counts.add(Number((await farandole.count(text)).count));
        times.get("count")?.push(performance.now() - start);
        for (const [solver, list] of Object.entries(SOLVERS)) {
            const start = performance.now();
            counts.add(await list(problem, text));
            times.get(solver)?.push(performance.now() - start);
        }
    }
    if (counts.size !== 1) throw new Error(`${name}: the numbers of solutions differ: ${[...counts]}`);
    const median = (/** @type {number[]} */ list) => list.sort((a, b) => a - b)[list.length >> 1];
    const base = median(times.get("farandole") ?? []);
    const cells = [...times].map(([solver, list]) => {
        const time = median(list);
        const ratio = solver === "farandole" ? "" : ` (${(time / base).toPrecision(2)}×)`;
        return `${time.toPrecision(3)} ms${ratio}`;
    });
    console.log(`| ${name} | ${[...counts]} | ${cells.join(" | ")} |`);
}
farandole.close();
