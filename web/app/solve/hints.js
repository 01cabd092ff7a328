// Panels for hints: one step in three stages, and the whole way as a list.

import { button, element, message, svg } from "../ui.js";
import { problemOf } from "./place.js";
import { cellOf, nameOf } from "./sheet.js";

/** @typedef {import("./place.js").Desk} Desk */
/** @typedef {import("./place.js").Panel} Panel */
/** @typedef {import("./sheet.js").Cell} Cell */

/** Seconds that a hint may take. */
const HINT_SECONDS = 10;
/** Seconds that a whole explanation may take. */
const STEPS_SECONDS = 30;

/** An assignment or elimination as the program names it. @param {string} name */
function optionOf(name) {
    const found = /^(r\d+c\d+)(=|<>)(\w+)$/.exec(name);
    return found ? { cell: found[1], isOn: found[2] === "=", symbol: found[3] } : null;
}

/** The cells that a step rests on or that it names. @param {Desk} desk @param {any} step @returns {Cell[]} */
function whereCells(desk, step) {
    const { sheet } = desk;
    if (!sheet) {
        return [];
    }
    /** @type {Cell[]} */
    const cells = [...(step.houses ?? []), ...(step.truths ?? [])].flatMap((/** @type {string} */ house) =>
        sheet.houseCells(house.replace(/^\w+ in (the )?/, "")),
    );
    if (cells.length === 0 && step.clue) {
        cells.push(...sheet.cellsOf(step.clue.replace(/^[a-z-]+: /, "")));
    }
    if (cells.length === 0) {
        const names = [...step.on, ...step.off].flatMap((/** @type {string} */ name) => optionOf(name)?.cell ?? []);
        for (const name of names) {
            const cell = cellOf(name);
            // Rows and columns are vague enough for a first hint.
            if (cell) {
                cells.push(...sheet.houseCells(`row ${cell[0] + 1}`));
            }
        }
    }
    return cells;
}

/** Where to look, in words. @param {any} step */
function whereWords(step) {
    if (step.houses?.length > 0) {
        return `Look at ${list(step.houses)}.`;
    }
    if (step.clue) {
        return `Look at the clue “${step.clue}”.`;
    }
    if (step.item) {
        return `Look at ${step.item}.`;
    }
    const cells = [...step.on, ...step.off].flatMap((name) => optionOf(name)?.cell ?? []);
    const rows = [...new Set(cells.map((name) => `row ${/\d+/.exec(name)?.[0]}`))];
    return rows.length > 0 ? `Look at ${list(rows.slice(0, 4))}.` : "Look at the shaded part.";
}

/** @param {string[]} words */
function list(words) {
    return words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} and ${words.at(-1)}`;
}

const ENDS = /** @type {Record<string, string>} */ ({
    solved: "The puzzle is solved.",
    impossible: "There is no solution, so no step leads to one. “Why” shows which clues clash.",
    several: "No step is left, because there are several solutions. “Why” shows what would make it unique.",
    cut: `No step was found within ${HINT_SECONDS} s.`,
    none: "No step of this technique is left.",
});

/** @param {Desk} desk @returns {Panel} */
export function hintPanel(desk) {
    /** @type {AbortController | null} */
    let asking = null;
    /** @type {any} */
    let step = null;
    let stage = 0;
    let askedText = "";
    /** Candidates that applied steps have excluded, for this text. @type {Map<string, Set<string>>} */
    let excluded = new Map();
    let isApplied = false;

    const content = element("div", { class: "stack", "aria-live": "polite" });
    const next = button("Give me a hint", () => void advance(), { class: "primary" });
    const applyButton = button("Apply", apply);
    const root = element(
        "div",
        { class: "stack" },
        element("p", { class: "muted" }, "A hint comes in three stages: where to look, which technique, and the whole step."),
        element("div", { class: "row" }, next, applyButton),
        content,
    );
    applyButton.hidden = true;

    /** The position with everything that applied steps have excluded. */
    function position() {
        const { sheet, text } = desk;
        if (excluded.size === 0 || !sheet) {
            return text;
        }
        const isPlain = desk.kind === "sudoku" && sheet.rows === 9 && sheet.rules.size === 0 && !sheet.regionLines.length;
        const hasHeaders = ["boxes", "regions", "digits"].some((key) => sheet.header(key));
        if (isPlain && !hasHeaders) {
            const cells = sheet.offsets.flatMap((row, r) => row.map((_, c) => sheet.symbol([r, c]) || ".")).join("");
            const gone = [...excluded].flatMap(([cell, symbols]) => {
                const [, row, column] = /^r(\d+)c(\d+)$/.exec(cell) ?? [];
                return [...symbols].map((symbol) => `${symbol}${row}${column}`);
            });
            return `:0000:x:${cells}:${gone.join(" ")}::\n`;
        }
        const lines = [...excluded].map(([cell, symbols]) => {
            const left = sheet.symbols.filter((symbol) => !symbols.has(symbol));
            return `# any-of: ${cell} = ${left.join(" ")}\n`;
        });
        return lines.join("") + text;
    }

    async function advance() {
        if (step && stage < 3) {
            stage += 1;
            await show();
            return;
        }
        asking?.abort();
        const controller = new AbortController();
        asking = controller;
        askedText = desk.text;
        next.disabled = true;
        content.replaceChildren(element("p", { class: "muted" }, "Looking for the easiest step …"));
        const answer = await desk.ask("hint", { time: HINT_SECONDS }, { signal: controller.signal, input: position() });
        if (controller.signal.aborted) {
            return;
        }
        next.disabled = false;
        const line = answer.lines[0];
        if (!line || line.error) {
            content.replaceChildren(message(problemOf(answer)));
            return;
        }
        step = line.step;
        if (!step) {
            content.replaceChildren(message(ENDS[line.end] ?? String(line.end), { kind: "note" }));
            return;
        }
        stage = 1;
        await show();
    }

    async function show() {
        const controller = asking;
        next.textContent = ["Give me a hint", "Which technique?", "Show the step", "Next hint"][stage];
        applyButton.hidden = stage < 3 || !desk.isGrid;
        const parts = [element("p", {}, whereWords(step))];
        if (stage > 1) {
            parts.push(element("p", {}, element("b", {}, step.name), ` (difficulty ${step.score.toFixed(1)})`));
        }
        if (stage > 2) {
            parts.push(element("p", {}, step.why ?? [...(step.truths ?? [])].join(", ")));
            const changes = [...step.on, ...step.off];
            parts.push(element("p", { class: "changes" }, changes.slice(0, 40).join("  ")));
        }
        content.replaceChildren(...parts);
        desk.shade(whereCells(desk, step), "shade");
        if (stage === 3) {
            const answer = await desk.ask("hint", { time: HINT_SECONDS, svg: true }, { signal: controller?.signal, input: position() });
            const picture = answer.text.includes("<svg") ? svg(answer.text) : null;
            if (picture && !controller?.signal.aborted && stage === 3) {
                desk.setHighlight({ answers: new Map(), candidates: new Map() });
                desk.showPicture(picture, `${step.name}: ${step.why ?? ""}`);
            }
        }
    }

    function apply() {
        if (!step || !desk.sheet) {
            return;
        }
        for (const name of step.off) {
            const option = optionOf(name);
            if (option) {
                excluded.set(option.cell, (excluded.get(option.cell) ?? new Set()).add(option.symbol));
            }
        }
        /** @type {[Cell, string][]} */
        const changes = [];
        for (const name of step.on) {
            const option = optionOf(name);
            const cell = option && cellOf(option.cell);
            if (option && cell) {
                changes.push([cell, option.symbol]);
                excluded.delete(option.cell);
            }
        }
        isApplied = true;
        const { sheet } = desk;
        reset();
        if (changes.length > 0) {
            desk.setText(sheet.withSymbols(changes));
            askedText = desk.text;
        }
        isApplied = false;
        void advance();
    }

    function reset() {
        asking?.abort();
        step = null;
        stage = 0;
        next.disabled = false;
        next.textContent = "Give me a hint";
        applyButton.hidden = true;
        content.replaceChildren();
        desk.showPicture(null);
        desk.setHighlight({});
    }

    return {
        root,
        refresh() {
            if (askedText !== desk.text && !isApplied) {
                excluded = new Map();
                if (step || stage > 0) {
                    reset();
                }
                askedText = desk.text;
            }
        },
        close: reset,
    };
}

/** @param {Desk} desk @returns {Panel} */
export function stepsPanel(desk) {
    /** @type {AbortController | null} */
    let asking = null;
    let askedText = "";
    /** @type {any[]} */
    let steps = [];
    /** @type {Promise<string[]> | null} */
    let pictures = null;
    let current = -1;
    const state = element("p", { class: "muted", "aria-live": "polite" });
    const items = element("ol", { class: "steps" });
    const back = button("‹ Back", () => void show(current - 1));
    const forward = button("Next ›", () => void show(current + 1));
    const root = element("div", { class: "stack" }, element("div", { class: "row" }, back, forward), state, items);

    async function ask() {
        asking?.abort();
        const controller = new AbortController();
        asking = controller;
        askedText = desk.text;
        steps = [];
        pictures = null;
        current = -1;
        items.replaceChildren();
        back.disabled = true;
        forward.disabled = true;
        if (desk.text.trim() === "") {
            return;
        }
        state.textContent = "Explaining …";
        const answer = await desk.ask("explain", { time: STEPS_SECONDS }, { signal: controller.signal });
        if (controller.signal.aborted) {
            return;
        }
        const line = answer.lines[0];
        if (!line || line.error) {
            state.textContent = problemOf(answer);
            return;
        }
        steps = line.steps;
        const end = ENDS[line.end] ?? "";
        state.textContent =
            line.end === "solved"
                ? `${steps.length} steps; the hardest is ${line.hardest} (${line.score.toFixed(1)}).`
                : `${steps.length} steps. ${end}`;
        items.replaceChildren(
            ...steps.map((step, at) =>
                element(
                    "li",
                    {},
                    button(
                        [
                            element("b", {}, step.name),
                            ` ${step.score.toFixed(1)}`,
                            element("span", { class: "muted" }, ` ${[...step.on, ...step.off].slice(0, 6).join(" ")}`),
                        ],
                        () => void show(at),
                        { class: "plain", "aria-current": "false" },
                    ),
                ),
            ),
        );
        forward.disabled = steps.length === 0;
        if (steps.length > 0) {
            pictures = askPictures();
        }
    }

    /** The pictures of all steps, from one question. @returns {Promise<string[]>} */
    async function askPictures() {
        const answer = await desk.ask("explain", { time: STEPS_SECONDS, html: true }, { signal: asking?.signal });
        return answer.text.match(/<svg[\s>][\s\S]*?<\/svg>/g) ?? [];
    }

    /** @param {number} at */
    async function show(at) {
        if (at < 0 || at >= steps.length) {
            return;
        }
        current = at;
        back.disabled = at === 0;
        forward.disabled = at === steps.length - 1;
        const buttons = items.querySelectorAll("button");
        buttons.forEach((each, place) => each.setAttribute("aria-current", String(place === at)));
        buttons[at]?.scrollIntoView({ block: "nearest" });
        const step = steps[at];
        state.textContent = `Step ${at + 1} of ${steps.length}: ${step.name}. ${step.why ?? ""}`;
        // Until its picture is there, words describe the step, and the board shows no answers of the view.
        const fills = new Map(whereCells(desk, step).map((cell) => [nameOf(cell), "shade"]));
        desk.showPicture(null);
        desk.setHighlight({ fills, answers: new Map(), candidates: new Map() });
        const text = (await pictures)?.[at];
        const picture = text ? svg(text) : null;
        if (picture && current === at) {
            desk.setHighlight({ answers: new Map(), candidates: new Map() });
            desk.showPicture(picture, `${step.name}: ${step.why ?? ""}`);
        }
    }

    return {
        root,
        refresh() {
            if (askedText !== desk.text || steps.length === 0) {
                void ask();
            }
        },
        close() {
            asking?.abort();
            askedText = "";
            steps = [];
            desk.showPicture(null);
        },
    };
}

