// The panel that says why a puzzle has no solution or several, and repairs it by a click.

import { button, element, message } from "../ui.js";
import { problemOf, solutionOf } from "./place.js";
import { cellOf } from "./sheet.js";

/** @typedef {import("./place.js").Desk} Desk */
/** @typedef {import("./place.js").Panel} Panel */
/** @typedef {import("./sheet.js").Cell} Cell */

/** Seconds that the explanation may take. */
const WHY_SECONDS = 10;
/** Most clues or repairs that are shown of each sort. */
const SHOWN = 40;

/** A digit as the program names it. @param {string} name */
function digitOf(name) {
    const found = /^(r\d+c\d+)=(\w+)$/.exec(name);
    const cell = found && cellOf(found[1]);
    return found && cell ? { cell, name: found[1], symbol: found[2] } : null;
}

/** @param {Desk} desk @returns {Panel} */
export function whyPanel(desk) {
    /** @type {AbortController | null} */
    let asking = null;
    let askedText = "";
    const content = element("div", { class: "stack", "aria-live": "polite" });
    const root = element("div", { class: "stack" }, content);

    /** The cells of a clue. @param {string} name @returns {Cell[]} */
    function cellsOf(name) {
        const digit = digitOf(name);
        return digit ? [digit.cell] : (desk.sheet?.cellsOf(name.replace(/^[a-z-]+: /, "")) ?? []);
    }

    /** The text without a clue, or `null` if the board cannot drop it. @param {string} name */
    function without(name) {
        const { sheet } = desk;
        const digit = digitOf(name);
        if (!sheet || !desk.isGrid) {
            return null;
        }
        if (digit) {
            return sheet.withSymbols([[digit.cell, ""]]);
        }
        const line = sheet.lineOf(name);
        return line < 0 ? null : sheet.withoutLine(line);
    }

    /** A clue that a click drops. @param {string} name */
    function dropChip(name) {
        const changed = without(name);
        const cells = cellsOf(name);
        const chip =
            changed === null
                ? element("span", { class: "chip" }, name)
                : button([name, element("span", { class: "cross", "aria-hidden": "true" }, " ×")], () => desk.setText(changed), {
                      class: "chip",
                      title: "Drop this clue",
                      "aria-label": `Drop ${name}`,
                  });
        hover(chip, cells);
        return chip;
    }

    /** @param {HTMLElement} part @param {Cell[]} cells */
    function hover(part, cells) {
        let before = desk.highlight;
        const on = () => {
            before = desk.highlight;
            desk.shade(cells, "focus");
        };
        const off = () => desk.setHighlight(before);
        part.addEventListener("pointerenter", on);
        part.addEventListener("pointerleave", off);
        part.addEventListener("focus", on);
        part.addEventListener("blur", off);
    }

    /** @param {string} title @param {HTMLElement[]} chips @param {number} [count] */
    function section(title, chips, count = chips.length) {
        if (chips.length === 0) {
            return [];
        }
        const more = count > chips.length ? element("span", { class: "muted" }, `and ${count - chips.length} more`) : null;
        return [element("h3", {}, title), element("div", { class: "chips" }, chips, more)];
    }

    /** Buttons that change a clue. @param {[string, string][]} changes */
    function changeChips(changes) {
        return changes.slice(0, SHOWN).map(([from, to]) => {
            const { sheet } = desk;
            const digit = digitOf(to);
            const line = sheet?.lineOf(from) ?? -1;
            const isClue = line >= 0 && /^[a-z-]+: /.test(to);
            const words = `${from} → ${digit ? digit.symbol : to.replace(/^.*= /, "")}`;
            const chip =
                sheet && desk.isGrid && (digit || isClue)
                    ? button(words, () => desk.setText(digit ? sheet.withSymbols([[digit.cell, digit.symbol]]) : sheet.withLine(line, `# ${to}`)), { class: "chip" })
                    : element("span", { class: "chip" }, words);
            hover(chip, cellsOf(from));
            return chip;
        });
    }

    async function ask() {
        asking?.abort();
        const controller = new AbortController();
        asking = controller;
        askedText = desk.text;
        content.replaceChildren(element("p", { class: "muted" }, "Looking for the reason …"));
        const answer = await desk.ask("check", { why: true, time: WHY_SECONDS }, { signal: controller.signal });
        if (controller.signal.aborted) {
            return;
        }
        const line = answer.lines[0];
        if (!line || line.error) {
            content.replaceChildren(message(problemOf(answer)));
            return;
        }
        const { why } = line;
        /** @type {(HTMLElement)[]} */
        const parts = [element("p", {}, sentence(line.message))];
        if (why?.clash) {
            parts.push(...clashParts(why));
        } else if (why?.solutions) {
            parts.push(...severalParts(why));
        } else if (why?.together) {
            const names = why.together.map(String);
            parts.push(...section("These clues can be dropped together", names.slice(0, SHOWN).map(dropChip), names.length));
        } else if (answer.code === 3) {
            parts.push(element("p", { class: "muted" }, `The question was stopped after ${WHY_SECONDS} s.`));
        }
        content.replaceChildren(...parts);
    }

    /** @param {any} why */
    function clashParts(why) {
        const parts = section(
            why.least ? "These clues clash; each of them is needed for that. Click one to drop it." : "These clues clash. Click one to drop it.",
            why.clash.slice(0, SHOWN).map(dropChip),
            why.clash.length,
        );
        if (why.uncovered) {
            parts.push(...section("These cannot all be covered", why.uncovered.slice(0, SHOWN).map((/** @type {string} */ name) => element("span", { class: "chip" }, name)), why.uncovered.length));
        }
        parts.push(...section("Dropping one of these leaves one solution", why.one_without.slice(0, SHOWN).map(dropChip), why.one_without.length));
        parts.push(...section("Changing a clue leaves one solution", changeChips(why.changing), why.changing.length));
        const cells = why.clash.flatMap(cellsOf);
        desk.shade(cells, "clash");
        return parts;
    }

    /** @param {any} why */
    function severalParts(why) {
        const { sheet } = desk;
        const parts = [];
        if (sheet && desk.isGrid) {
            const [one, other] = why.solutions.map((/** @type {string} */ text) => solutionOf(text, sheet));
            /** @type {Map<string, string>} */
            const fills = new Map();
            const answers = new Map();
            for (const [name, symbol] of one) {
                const cell = cellOf(name);
                const isGiven = cell && sheet.symbol(cell) !== "";
                const isDifferent = other.get(name) !== symbol;
                if (isDifferent) {
                    fills.set(name, "differ");
                }
                if (!isGiven) {
                    answers.set(name, { symbol: isDifferent ? `${symbol}/${other.get(name)}` : symbol, look: isDifferent ? "two" : "" });
                }
            }
            desk.setHighlight({ fills, answers, candidates: new Map() });
            parts.push(element("p", {}, `Two solutions differ in ${fills.size} cells, which are marked on the board.`));
        } else {
            parts.push(element("div", { class: "row two" }, ...why.solutions.map((/** @type {string} */ text) => element("pre", {}, text))));
        }
        const adding = why.adding.map(String);
        parts.push(
            ...section(
                "Adding one of these leaves one solution",
                adding.slice(0, SHOWN).map((/** @type {string} */ name) => {
                    const digit = digitOf(name);
                    return digit && sheet && desk.isGrid
                        ? button(name, () => desk.setText(sheet.withSymbols([[digit.cell, digit.symbol]])), { class: "chip" })
                        : element("span", { class: "chip" }, name);
                }),
                adding.length,
            ),
        );
        parts.push(...section("Changing a clue leaves one solution", changeChips(why.changing), why.changing.length));
        if (why.adding.length === 0 && why.all) {
            parts.push(element("p", { class: "muted" }, "No single further clue leaves one solution."));
        }
        if (why.apart?.length > 0) {
            const chips = why.apart.map((/** @type {string} */ name) => {
                const chip = element("span", { class: "chip", tabindex: 0 }, name);
                hover(chip, cellsOf(`cells: ${name}`));
                return chip;
            });
            parts.push(...section(why.fewest ? "The fewest cells that tell all solutions apart" : "These tell all solutions apart", chips.slice(0, SHOWN), chips.length));
        }
        return parts;
    }

    return {
        root,
        refresh() {
            if (askedText !== desk.text) {
                void ask();
            }
        },
        close() {
            asking?.abort();
            askedText = "";
        },
    };
}

/** @param {string} words */
function sentence(words) {
    return `${words.charAt(0).toUpperCase()}${words.slice(1)}.`;
}
