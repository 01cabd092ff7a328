// The steps that the player shows: the events of `trace`, and the uncovering that `back` and
// `leave` stand for, item by item in the reverse order of the covering.

/**
 * @import { Problem } from "./problem.js"
 *
 * @typedef {"given" | "choose" | "cover" | "try" | "dead_end" | "solution" | "uncover" | "back"
 *   | "leave" | "skip" | "end"} StepName
 * @typedef {{
 *   name: StepName,
 *   level: number,
 *   item: number,
 *   option: number,
 *   color: string,
 *   count: number,
 *   of: number,
 *   updates: number,
 * }} Step
 *   `item` and `option` are -1 if there is none. `count` is the number of options left (choose),
 *   of hidden options (cover, uncover), the number of the try (try), or of the solution.
 */

import { optionFinder } from "./problem.js";

/**
 * Turns the lines of `trace` into steps. The list ends at the first omitted part, so that the
 * steps before it replay the search exactly.
 *
 * @param {Problem} problem
 * @param {Record<string, any>[]} lines
 * @returns {{ steps: Step[], first: number, end: Record<string, any> | null, cut: boolean }}
 *   `first` is the number of steps for the given options
 */
export function readSteps(problem, lines) {
    const find = optionFinder(problem);
    /** @type {Map<string, number>} */
    const items = new Map(problem.items.map((item, number) => [item.name, number]));
    /** @type {Step[]} */
    const steps = [];
    /** Covered items of each open `choose` and `try`, innermost last.
    * @type {Step[][]} */
    const open = [[]];
    let first = 0;
    let solutions = 0;
    let level = 0;
    let cut = false;
    /** @type {Record<string, any> | null} */
    let end = null;
    /** @param {Partial<Step> & { name: StepName }} step */
    const push = (step) => {
        const full = { level, item: -1, option: -1, color: "", count: 0, of: 0, updates: 0, ...step };
        steps.push(full);
        return full;
    };
    const uncover = () => {
        for (const step of (open.pop() ?? []).reverse()) {
            push({ ...step, name: "uncover", updates: 0 });
        }
    };
    for (const line of lines) {
        if (line.event === "end") {
            end = line;
            continue;
        }
        if (cut) continue;
        const item = items.get(line.item) ?? -1;
        const option = line.option === undefined || line.option === null || line.event === "choose"
            ? -1
            : find(line.option, line.number);
        const updates = line.updates ?? 0;
        if (line.level !== undefined) level = line.level;
        switch (line.event) {
            case "given":
                push({ name: "given", option, updates });
                break;
            case "choose":
                push({ name: "choose", item, count: line.options });
                open.push([]);
                break;
            case "cover": {
                const color = line.color ?? "";
                const step = push({ name: "cover", item, color, count: line.hidden, updates });
                // The items of the given options stay covered.
                if (open.length > 1) open[open.length - 1].push(step);
                break;
            }
            case "try":
                push({ name: "try", option, count: line.ordinal, of: line.of, updates });
                open.push([]);
                break;
            case "dead_end":
                push({ name: "dead_end", item });
                break;
            case "solution":
                solutions += 1;
                push({ name: "solution", count: solutions });
                break;
            case "back":
                uncover();
                push({ name: "back" });
                break;
            case "leave":
                uncover();
                push({ name: "leave" });
                break;
            case "skip":
                cut = true;
                push({ name: "skip", count: line.nodes, of: line.solutions });
                break;
            default:
                break;
        }
        if (open.length === 1 && (line.event === "given" || line.event === "cover")) {
            first = steps.length;
        }
    }
    if (!cut) push({ name: "end", level: 0, count: solutions });
    return { steps, first, end, cut };
}
