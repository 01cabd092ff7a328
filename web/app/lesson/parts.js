// The interactive parts of the lesson. Each shows an example that can be changed, asks the program, and
// tells the step when its question is answered.

import { button, debounce, element, field, grouped, message, select, time } from "../ui.js";
import { makeBoard } from "../watch/board.js";
import { readProblem } from "../watch/problem.js";
import { readSteps } from "../watch/steps.js";
import { makeTheater } from "../watch/theater.js";

/**
 * @import { Problem } from "../watch/problem.js"
 *
 * @typedef {{
 *     app: import("../main.js").App,
 *     text: string,
 *     setText(text: string): void,
 *     solved(): void,
 *     signal: AbortSignal,
 * }} Context `setText` keeps the example in the address
 * @typedef {(context: Context) => HTMLElement} Part
 */

/** Solutions that are listed below an example. */
const LISTED = 12;

/**
 * Asks the program for the problem, its count and its first solutions.
 * @param {Context} context
 * @param {Partial<import("../carrier.js").Request>} source
 */
async function solve({ app, signal }, source) {
    const [matrix, count, list] = await Promise.all([
        app.ask({ question: "convert", ...source, options: { ...source.options, to: "dlx" } }, { signal }),
        app.ask({ question: "count", ...source, options: { ...source.options, time: 3 } }, { signal }),
        app.ask({ question: "list", ...source, options: { ...source.options, limit: LISTED, time: 3 } }, { signal }),
    ]);
    const line = count.lines.find((line) => line.count !== undefined);
    const wrong = !line || matrix.text === "";
    const notes = [matrix, count].find((answer) => answer.notes.length > 0)?.notes ?? ["expected a problem, found none"];
    return {
        fault: wrong ? notes : null,
        problem: wrong ? null : readProblem(matrix.text),
        count: String(line?.count ?? ""),
        covers: /** @type {number[][]} */ (list.lines.flatMap((line) => line.options ?? [])),
        solutions: /** @type {string[]} */ (list.lines.flatMap((line) => line.solutions ?? [])),
    };
}

/**
 * A text that is asked about while it is typed.
 * @param {Context} context
 * @param {string} label
 * @param {number} rows
 * @param {(text: string, answer: HTMLElement) => Promise<void>} ask
 */
function bench(context, label, rows, ask) {
    const text = element("textarea", { rows, spellcheck: "false", autocapitalize: "off" });
    text.value = context.text;
    const answer = element("div", { class: "answer", "aria-live": "polite" });
    let asked = 0;
    const run = async () => {
        const mine = (asked += 1);
        const fresh = element("div", {});
        try {
            await ask(text.value, fresh);
        } catch (error) {
            if (context.signal.aborted) return;
            fresh.replaceChildren(message(String(error)));
        }
        if (mine === asked && !context.signal.aborted) answer.replaceChildren(...fresh.childNodes);
    };
    const typed = debounce(() => {
        context.setText(text.value);
        void run();
    }, 300);
    text.addEventListener("input", typed);
    context.signal.addEventListener("abort", () => typed.cancel());
    void run();
    return { node: element("div", { class: "bench" }, field(label, text), answer), text, run };
}

/** @param {string} count */
const solutionWords = (count) =>
    count === "0" ? "No exact cover." : count === "1" ? "Exactly one exact cover." : `${grouped(count)} exact covers.`;

/**
 * @param {Problem} problem
 * @param {number[][]} covers
 */
function coverList(problem, covers) {
    return element("ul", { class: "covers" }, ...covers.map((cover) => element("li", {},
        ...cover.map((number) => element("code", { class: "chip" }, problem.options[number - 1]?.text ?? "?")))));
}

/**
 * Any exact cover as text, with its solutions.
 * @param {string} label
 * @param {(count: string) => boolean} isGoal
 * @returns {Part}
 */
export function textPart(label, isGoal) {
    return (context) => bench(context, label, 8, async (text, answer) => {
        const { fault, problem, count, covers } = await solve(context, { input: text });
        if (fault || !problem) {
            answer.append(message(fault ?? ""));
            return;
        }
        answer.append(element("p", { class: "result" }, solutionWords(count)), coverList(problem, covers));
        if (isGoal(count)) context.solved();
    }).node;
}

/**
 * Options to switch on and off until they cover each item once.
 * @type {Part}
 */
export function byHand(context) {
    const place = element("div", { class: "hand" });
    const { node } = bench(context, "Items, then one option per line", 8, async (text, answer) => {
        const { fault, problem, count } = await solve(context, { input: text });
        if (fault || !problem) {
            place.replaceChildren();
            answer.append(message(fault ?? ""));
            return;
        }
        place.replaceChildren(hand(problem));
        answer.append(element("p", { class: "result" }, `The program finds: ${solutionWords(count)}`));
    });
    /** @param {Problem} problem */
    function hand(problem) {
        /** @type {Set<number>} */
        const chosen = new Set();
        const items = problem.items.map((item) => element("span", { class: "item" }, item.name));
        const status = element("p", { class: "result", role: "status" });
        const draw = () => {
            const times = problem.items.map((_, item) =>
                [...chosen].filter((option) => problem.options[option].entries.some((entry) => entry.item === item)).length);
            items.forEach((item, number) => {
                item.dataset.times = String(Math.min(times[number], 2));
                item.setAttribute("aria-label", `${problem.items[number].name}: covered ${times[number]} times`);
            });
            const missing = problem.items.filter((_, item) => times[item] === 0).map((item) => item.name);
            const twice = problem.items.filter((_, item) => times[item] > 1).map((item) => item.name);
            const isCover = missing.length === 0 && twice.length === 0;
            status.textContent = isCover ? "An exact cover: every item is covered once."
                : [twice.length > 0 ? `Covered twice: ${twice.join(", ")}.` : "",
                    missing.length > 0 ? `Not covered: ${missing.join(", ")}.` : ""].filter(Boolean).join(" ");
            status.classList.toggle("reached", isCover);
            if (isCover) context.solved();
        };
        const buttons = problem.options.map((option, number) => {
            const made = button(option.text, () => {
                chosen.has(number) ? chosen.delete(number) : chosen.add(number);
                made.setAttribute("aria-pressed", String(chosen.has(number)));
                draw();
            }, { "aria-pressed": "false", class: "option" });
            return made;
        });
        draw();
        return element("div", { class: "stack" },
            element("div", { class: "row", role: "group", "aria-label": "Items" }, ...items.map((item) => {
                item.setAttribute("role", "img");
                return item;
            })),
            element("div", { class: "row", role: "group", "aria-label": "Options to choose" }, ...buttons), status);
    }
    return element("div", { class: "stack" }, place, node);
}

/**
 * A 0/1 matrix whose entries can be switched.
 * @type {Part}
 */
export function matrixPart(context) {
    const table = element("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": "Matrix" });
    const answer = element("div", { class: "answer", "aria-live": "polite" });
    /** @type {number[][]} */
    let rows = context.text.trim().split("\n").map((line) => [...line.trim()].map((digit) => (digit === "1" ? 1 : 0)));
    let asked = 0;
    /** @param {number[][]} covers */
    const mark = (covers) => {
        const first = new Set(covers[0] ?? []);
        table.querySelectorAll("tbody tr").forEach((row, number) => row.classList.toggle("chosen", first.has(number + 1)));
    };
    const draw = () => {
        const width = rows[0]?.length ?? 0;
        table.replaceChildren(element("table", { class: "zero-one" },
            element("thead", {}, element("tr", {}, element("td", {}), ...Array.from({ length: width }, (_, column) =>
                element("th", { scope: "col" }, column + 1)))),
            element("tbody", {}, ...rows.map((row, r) => element("tr", {},
                element("th", { scope: "row" }, String.fromCharCode(65 + r)),
                ...row.map((value, c) => {
                    const name = `Option ${String.fromCharCode(65 + r)}, item ${c + 1}`;
                    const cell = button(String(value), () => {
                        rows[r][c] = 1 - rows[r][c];
                        cell.textContent = String(rows[r][c]);
                        cell.setAttribute("aria-label", `${name}: ${rows[r][c]}`);
                        cell.classList.toggle("one", rows[r][c] === 1);
                        changed();
                    }, { class: value === 1 ? "digit one" : "digit", "aria-label": `${name}: ${value}` });
                    return element("td", {}, cell);
                }))))));
    };
    const text = () => `${rows.map((row) => row.join("")).join("\n")}\n`;
    const run = async () => {
        const mine = (asked += 1);
        const { fault, problem, count, covers } = await solve(context, { input: text(), options: { from: "matrix" } });
        if (mine !== asked || context.signal.aborted) return;
        if (fault || !problem) {
            answer.replaceChildren(message(fault ?? ""));
            return;
        }
        // A row without a 1 is no option, so the numbers of the others move.
        const numbers = rows.flatMap((row, number) => (row.includes(1) ? [number + 1] : []));
        const named = covers.map((cover) => cover.map((number) => numbers[number - 1]));
        mark(named);
        answer.replaceChildren(element("p", { class: "result" }, solutionWords(count)),
            element("p", { class: "muted" }, named.length === 0 ? "" : `Options ${named.map((cover) =>
                cover.map((number) => String.fromCharCode(64 + number)).sort().join(" ")).join("; ")}.`));
        if (count === "2") context.solved();
    };
    const changed = () => {
        context.setText(text());
        void run();
    };
    const size = element("div", { class: "row" },
        button("Add a row", () => {
            if (rows.length < 12) rows.push(rows[0].map(() => 0));
            draw();
            changed();
        }, { class: "small" }),
        button("Add a column", () => {
            if (rows[0].length < 12) rows = rows.map((row) => [...row, 0]);
            draw();
            changed();
        }, { class: "small" }));
    draw();
    void run();
    return element("div", { class: "stack" }, table, size, answer);
}

/**
 * Algorithm X by hand: choose a column, then one of its rows.
 * @type {Part}
 */
export function algorithmX(context) {
    const place = element("div", { class: "stack" });
    const { node } = bench(context, "Items, then one option per line", 8, async (text, answer) => {
        const { fault, problem } = await solve(context, { input: text });
        if (fault || !problem) {
            place.replaceChildren();
            answer.append(message(fault ?? ""));
            return;
        }
        play(problem);
    });
    /** @param {Problem} problem */
    function play(problem) {
        /** @type {{ item: number, option: number, tried: Set<number> }[]} */
        const path = [];
        let nodes = 1;
        let item = -1;
        /** @type {Set<number>} */
        let tried = new Set();
        let said = "Choose a column: an item that is still to be covered.";
        const draw = (/** @type {string | null} */ focus = null) => {
            const covered = new Set(path.flatMap(({ option }) =>
                problem.options[option].entries.map((entry) => entry.item)));
            const isLeft = (/** @type {number} */ option) =>
                problem.options[option].entries.every((entry) => !covered.has(entry.item));
            const left = problem.options.map((_, option) => option).filter(isLeft);
            const sizes = problem.items.map((_, item) =>
                left.filter((option) => problem.options[option].entries.some((entry) => entry.item === item)).length);
            const open = problem.items.map((_, item) => item).filter((item) => !covered.has(item) && problem.items[item].primary);
            const isSolved = open.length === 0;
            if (isSolved) {
                said = `Solved: ${path.map(({ option }) => problem.options[option].text).join("; ")}. Your tree has ${
                    nodes} nodes.`;
                context.solved();
            }
            const stuck = open.find((item) => sizes[item] === 0);
            if (!isSolved && item < 0 && stuck !== undefined && !said.startsWith("Back")) {
                said = `Dead end: no row is left for ${problem.items[stuck].name}. Go back, and try another row.`;
            }
            place.replaceChildren(
                element("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": "Matrix" }, element("table", { class: "zero-one" },
                    element("caption", { class: "visually-hidden" }, "The matrix that is left"),
                    element("thead", {}, element("tr", {}, element("td", {}), ...problem.items.map((column, number) =>
                        element("th", { scope: "col" }, covered.has(number)
                            ? element("span", { class: "gone" }, column.name)
                            : button([column.name, element("small", {}, ` ${sizes[number]}`)], () => {
                                item = number;
                                tried = new Set();
                                said = sizes[number] === 0
                                    ? `No row is left for ${column.name}: a dead end. Go back, and try another row.`
                                    : `Column ${column.name} has ${sizes[number]} ${
                                        sizes[number] === 1 ? "row" : "rows"}. Choose one of them.`;
                                draw(`column-${number}`);
                            }, {
                                class: "column", "data-focus": `column-${number}`, "aria-pressed": String(item === number),
                                "aria-label": `Item ${column.name}, ${sizes[number]} left`, disabled: !column.primary,
                            }))))),
                    element("tbody", {}, ...problem.options.map((option, number) => {
                        const isChosen = path.some((choice) => choice.option === number);
                        const has = new Set(option.entries.map((entry) => entry.item));
                        const canChoose = isLeft(number) && item >= 0 && has.has(item) && !tried.has(number);
                        return element("tr", { class: isChosen ? "chosen" : isLeft(number) ? "" : "hidden-row" },
                            element("th", { scope: "row" }, button(String(number + 1), () => {
                                path.push({ item, option: number, tried: new Set(tried) });
                                nodes += 1;
                                item = -1;
                                tried = new Set();
                                said = "Its columns and all rows that meet it are gone. Choose the next column.";
                                draw("back");
                            }, { class: "small", disabled: !canChoose, "aria-label": `Choose option ${number + 1}` })),
                            ...problem.items.map((_, item) => element("td", {
                                class: covered.has(item) ? "gone" : "",
                            }, has.has(item) ? "1" : "·")));
                    })))),
                element("div", { class: "row" },
                    button("Back", () => {
                        const choice = path.pop();
                        if (choice) {
                            ({ item, tried } = choice);
                            tried.add(choice.option);
                            const name = problem.items[item].name;
                            said = `Back at column ${name}. Choose another row of it, or go back once more.`;
                        }
                        draw("back");
                    }, { disabled: path.length === 0, "data-focus": "back" }),
                    button("Start again", () => play(problem), {}),
                    element("span", { class: "muted number" }, `${nodes} ${nodes === 1 ? "node" : "nodes"}`)),
                element("p", { class: `result${isSolved ? " reached" : ""}`, role: "status" }, said),
            );
            if (focus) /** @type {HTMLElement | null} */ (place.querySelector(`[data-focus="${focus}"]`))?.focus();
        };
        draw();
    }
    return element("div", { class: "stack" }, place, node);
}

/**
 * A small theater.
 * @type {Part}
 */
export function dancePart(context) {
    /** @type {import("../watch/steps.js").Step[]} */
    let steps = [];
    const theater = makeTheater({
        small: true, speed: 2,
        onRest(position) {
            if (steps[position - 1]?.name === "dead_end") context.solved();
        },
    });
    context.signal.addEventListener("abort", () => theater.close());
    addEventListener("keydown", (event) => {
        if (theater.key(event)) event.preventDefault();
    }, { signal: context.signal });
    const { node } = bench(context, "Items, then one option per line", 7, async (text, answer) => {
        const { app, signal } = context;
        const [matrix, trace] = await Promise.all([
            app.ask({ question: "convert", input: text, options: { to: "dlx" } }, { signal }),
            app.ask({ question: "trace", input: text, options: { events: 2000, time: 2 } }, { signal }),
        ]);
        if (signal.aborted) return;
        if (matrix.text === "") {
            answer.append(message(matrix.notes));
            return;
        }
        const problem = readProblem(matrix.text);
        const recording = { problem, ...readSteps(problem, trace.lines.filter((line) => line.puzzle === 1)) };
        steps = recording.steps;
        theater.show(recording, recording.first);
    });
    return element("div", { class: "stack" }, theater.node, node);
}

/**
 * The queens as Knuth's text, with diagonals that are primary or secondary items.
 * @param {number} n
 * @param {boolean} isPrimary
 */
export function queens(n, isPrimary) {
    const numbers = Array.from({ length: n }, (_, i) => i + 1);
    const diagonals = [
        ...Array.from({ length: 2 * n - 1 }, (_, i) => `a${i + 2}`),
        ...Array.from({ length: 2 * n - 1 }, (_, i) => `d${i - n + 1}`),
    ];
    const head = [...numbers.map((i) => `r${i}`), ...numbers.map((i) => `c${i}`)].join(" ");
    const options = numbers.flatMap((r) => numbers.map((c) => `r${r} c${c} a${r + c} d${r - c}`));
    return `${head}${isPrimary ? " " : " | "}${diagonals.join(" ")}\n${options.join("\n")}\n`;
}

/** @type {Part} */
export function queensPart(context) {
    const made = bench(context, "The problem; the bar | stands before the secondary items", 8, async (text, answer) => {
        const { fault, problem, count, covers } = await solve(context, { input: text });
        if (fault || !problem) {
            answer.append(message(fault ?? ""));
            return;
        }
        const primary = problem.items.filter((item) => item.primary).length;
        answer.append(element("p", { class: "result" }, solutionWords(count)),
            element("p", { class: "muted" }, `${primary} primary items, ${problem.items.length - primary} secondary items.`),
            element("div", { class: "row boards" }, ...covers.slice(0, 6).map((cover, number) => {
                const board = makeBoard(problem, `Solution ${number + 1}`);
                board.update(cover.map((option) => option - 1));
                return board.node;
            })));
        if (count === "0" && primary > problem.items.length / 2) context.solved();
    });
    const set = (/** @type {number} */ n, /** @type {boolean} */ isPrimary) => {
        made.text.value = queens(n, isPrimary);
        context.setText(made.text.value);
        void made.run();
    };
    let n = 4;
    let isPrimary = false;
    const size = select(["4", "5", "6", "7", "8"].map((size) => [size, `${size} queens`]), "4", (value) => {
        n = Number(value);
        set(n, isPrimary);
    });
    const kind = select([["secondary", "secondary items"], ["primary", "primary items"]], "secondary", (value) => {
        isPrimary = value === "primary";
        set(n, isPrimary);
    });
    return element("div", { class: "stack" },
        element("div", { class: "row" }, field("Board", size), field("Diagonals are", kind)), made.node);
}

/** @type {Part} */
export function sudokuPart(context) {
    const cells = [...context.text.replace(/\s/g, "").padEnd(16, ".").slice(0, 16)];
    const answer = element("div", { class: "answer", "aria-live": "polite" });
    const about = element("p", { class: "muted" });
    let asked = 0;
    const text = () => `${[0, 4, 8, 12].map((at) => cells.slice(at, at + 4).join("")).join("\n")}\n`;
    const run = async () => {
        const mine = (asked += 1);
        const { fault, problem, count, solutions } = await solve(context, { input: text(), options: { puzzle: "sudoku" } });
        if (mine !== asked || context.signal.aborted) return;
        if (fault || !problem) {
            answer.replaceChildren(message(fault ?? ""));
            return;
        }
        answer.replaceChildren(
            element("p", { class: "result" }, count === "0" ? "No solution." : count === "1" ? "Exactly one solution."
                : `${grouped(count)} solutions.`),
            element("p", { class: "muted" }, `The matrix has 64 items; with these digits ${
                problem.options.length} of its 64 options are left.`),
            element("div", { class: "row" }, ...solutions.slice(0, 4).map((solution) => element("pre", { class: "grid-text" },
                solution.replace(/\s/g, "").replace(/(.{4})/g, "$1\n").trim()))));
        if (count === "1") context.solved();
    };
    const inputs = cells.map((value, cell) => {
        const row = Math.floor(cell / 4) + 1;
        const column = (cell % 4) + 1;
        const box = 2 * Math.floor((row - 1) / 2) + Math.floor((column - 1) / 2) + 1;
        const input = element("input", {
            inputmode: "numeric", maxlength: 1, "aria-label": `Row ${row}, column ${column}`, value: value === "." ? "" : value,
            class: `digit${column === 2 ? " right" : ""}${row === 2 ? " below" : ""}`,
        });
        const tell = () => {
            const digit = cells[cell] === "." ? "s" : cells[cell];
            about.textContent = `${cells[cell] === "." ? "A digit s" : `The digit ${digit}`} in row ${row}, column ${
                column} is the option  r${row}c${column}  r${row}s${digit}  c${column}s${digit}  b${box}s${digit}.`;
        };
        input.addEventListener("focus", () => {
            input.select();
            tell();
        });
        input.addEventListener("input", () => {
            if (!/^[1-4]?$/.test(input.value)) input.value = "";
            cells[cell] = input.value || ".";
            tell();
            context.setText(text());
            void run();
        });
        input.addEventListener("keydown", (event) => {
            const move = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -4, ArrowDown: 4 }[event.key];
            if (move === undefined) return;
            event.preventDefault();
            inputs[(cell + move + 16) % 16].focus();
        });
        return input;
    });
    about.textContent = "Go to a cell to see the four items of its option.";
    void run();
    return element("div", { class: "stack" },
        element("div", { class: "grid4", role: "group", "aria-label": "4x4 Sudoku" }, ...inputs), about, answer);
}

/**
 * Figures of engines as bars.
 * @param {Context} context
 * @param {{
 *     label: string, choices: [string, string][], engines: string[], figure: "nodes" | "seconds",
 *     source(value: string): Partial<import("../carrier.js").Request>,
 *     judge(rows: any[], value: string): boolean | string,
 * }} options `judge` tells whether the question is answered, or something about the figures
 */
function bars(context, { label, choices, engines, figure, source, judge }) {
    const answer = element("div", { class: "answer", "aria-live": "polite" });
    let asked = 0;
    const run = async (/** @type {string} */ value) => {
        const mine = (asked += 1);
        answer.replaceChildren(element("p", { class: "muted" }, "Measuring …"));
        const from = source(value);
        const result = await context.app.ask({
            question: "compare", ...from,
            options: { ...from.options, engine: engines.join(","), time: 0.4, each: 0.4, quiet: true },
        }, { signal: context.signal });
        if (mine !== asked || context.signal.aborted) return;
        const rows = result.lines.filter((line) => line.engine);
        if (rows.length === 0) {
            answer.replaceChildren(message(result.notes));
            return;
        }
        const most = Math.max(...rows.map((row) => row[figure] ?? 0));
        const least = Math.min(...rows.map((row) => row[figure] || Infinity));
        const scale = figure === "seconds" ? (/** @type {number} */ at) => 0.06 + (0.94 * Math.log(at / least)) / (Math.log(most / least) || 1)
            : (/** @type {number} */ at) => at / most;
        const count = rows.find((row) => row.complete)?.count;
        const words = judge(rows, value);
        answer.replaceChildren(
            element("table", { class: "bars" },
                element("thead", {}, element("tr", {}, element("th", { scope: "col" }, "Engine"),
                    element("th", { scope: "col", class: "number" }, figure === "nodes" ? "Nodes" : "Time"),
                    element("th", { scope: "col" }, element("span", { class: "visually-hidden" }, "Bar")))),
                element("tbody", {}, ...engines.flatMap((name) => {
                    const row = rows.find((row) => row.engine === name);
                    if (!row) return [];
                    const bar = element("span", { class: "time-bar" });
                    const known = row[figure] !== null && (figure === "seconds" || row.complete);
                    bar.style.width = known ? `${Math.max(1, 100 * scale(row[figure]))}%` : "0";
                    return [element("tr", {}, element("th", { scope: "row" }, name),
                        element("td", { class: "number" }, !known ? (row.state.includes("support") ? "unsupported" : "over time")
                            : figure === "nodes" ? grouped(row.nodes) : time(row.seconds)),
                        element("td", { class: "bar-cell" }, bar))];
                }))),
            element("p", { class: "result" }, count === undefined ? "" : `${grouped(count)} ${count === "1" ? "solution" : "solutions"}.`),
            typeof words === "string" ? element("p", { class: "muted" }, words) : "");
        if (words === true) context.solved();
    };
    const value = choices.some(([choice]) => choice === context.text.trim()) ? context.text.trim() : choices[0][0];
    const control = select(choices, value, (next) => {
        context.setText(next);
        void run(next);
    });
    void run(value);
    return element("div", { class: "stack" }, element("div", { class: "row" }, field(label, control)), answer);
}

/** @type {Part} */
export const mrvPart = (context) => bars(context, {
    label: "Board",
    choices: ["5", "6", "7", "8", "9", "10"].map((n) => [n, `${n} queens`]),
    engines: ["links", "links-no-mrv"],
    figure: "nodes",
    source: (value) => ({ arguments: [value], options: { puzzle: "queens" } }),
    judge(rows) {
        const [links, first] = ["links", "links-no-mrv"].map((name) => rows.find((row) => row.engine === name));
        return Boolean(links?.complete && first?.complete && first.nodes > 2 * links.nodes);
    },
});

/** @type {Part} */
export const countingPart = (context) => bars(context, {
    label: "Board",
    choices: ["2", "4", "6", "8", "10", "12"].map((n) => [n, `${n} x ${n}`]),
    engines: ["links", "frontier", "matching"],
    figure: "seconds",
    source: (value) => ({ input: `pieces dominoes unlimited\n\nboard ${value}x${value}\n` }),
    judge: (rows) => rows.some((row) => row.complete && BigInt(row.count) > 1_000_000n),
});

/** Engines that won in the last step, for its question. @type {Set<string>} */
const won = new Set();

/**
 * @param {string} hard a hard 9x9 Sudoku
 * @returns {Part}
 */
export const enginePart = (hard) => (context) => bars(context, {
    label: "Problem",
    choices: [
        ["small", "Knuth's first example"], ["queens", "8 queens"], ["sudoku", "a hard 9x9 Sudoku"],
        ["dominoes", "dominoes on 8 x 8"], ["langford", "Langford pairs up to 8"],
    ],
    engines: ["links", "cells", "masks", "frontier", "lanes"],
    figure: "seconds",
    source: (value) => ({
        small: { input: "a b c d e f g\nc e f\na d g\nb c f\na d\nb g\nd e g\n" },
        queens: { arguments: ["8"], options: { puzzle: "queens" } },
        sudoku: { input: hard },
        dominoes: { input: "pieces dominoes unlimited\n\nboard 8x8\n" },
        langford: { arguments: ["8"], options: { puzzle: "langford" } },
    })[value] ?? { input: hard },
    judge(rows) {
        const best = rows.filter((row) => row.seconds !== null).sort((a, b) => a.seconds - b.seconds)[0];
        if (!best) return false;
        won.add(best.engine);
        return won.size > 2 ? true : `Fastest here: ${best.engine}. Winners so far: ${[...won].join(", ")}.`;
    },
});
