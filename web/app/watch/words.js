// Says in words what a step does.

/**
 * @import { Problem } from "./problem.js"
 * @import { Step } from "./steps.js"
 * @import { Dance } from "./dance.js"
 */

/** @param {number} count @param {string} noun */
export function counted(count, noun) {
    return `${count.toLocaleString("en")} ${noun}${count === 1 ? "" : "s"}`;
}

/**
 * @param {Problem} problem
 * @param {Step | undefined} step the last step, or undefined before the first one
 * @param {Dance} state the state after the step
 * @returns {string}
 */
export function describe(problem, step, state) {
    if (!step) return "The beginning: all items are to be covered, and no option is chosen.";
    /** @param {number} item */
    const name = (item) => problem.items[item]?.name ?? "?";
    const choice = state.path[state.path.length - 1];
    const option = problem.options[step.option]?.text ?? "";
    switch (step.name) {
        case "given":
            return `Given: option ${option}.`;
        case "choose": {
            const rivals = problem.items.filter((item, number) =>
                item.primary && state.isCovered[number] === 0 && state.degree(number) !== null).length;
            const left = step.count === 1 ? "only 1 option left" : `${step.count} options left`;
            return `Level ${step.level}: choose item ${name(step.item)}, which has ${left}, the fewest of ${
                counted(rivals, "item")}.`;
        }
        case "cover":
            if (step.color !== "") {
                return `Purify ${name(step.item)} to color ${step.color}: ${
                    counted(step.count, "option")} of other colors leave their lists.`;
            }
            return `Cover ${name(step.item)}: it leaves the list of items, and ${
                counted(step.count, "option")} ${step.count === 1 ? "leaves" : "leave"} all other lists (${
                counted(step.updates, "update")}).`;
        case "try":
            if (step.option < 0) {
                return `Try ${step.count} of ${step.of}: ${name(choice?.item ?? -1)} gets no more options.`;
            }
            return `Try ${step.count} of ${step.of} for ${name(choice?.item ?? -1)}: option ${option}.`;
        case "dead_end":
            return `Dead end: no option is left for item ${name(step.item)}.`;
        case "solution":
            return `Solution ${step.count}: every item is covered, by ${
                counted(state.cover().length, "option")}.`;
        case "uncover":
            if (step.color !== "") {
                return `Unpurify ${name(step.item)}: ${
                    counted(step.count, "option")} of other colors ${step.count === 1 ? "returns" : "return"}.`;
            }
            return `Uncover ${name(step.item)}: ${counted(step.count, "option")} ${
                step.count === 1 ? "returns to its lists" : "return to their lists"}, and the item returns.`;
        case "back":
            return `Back at level ${step.level}: the option of item ${
                name(choice?.item ?? -1)} is taken out again.`;
        case "leave":
            return `Leave level ${step.level}: all options of its item were tried.`;
        case "skip":
            return `The recording ends here. The search goes on for ${
                counted(step.count, "node")} in the part that follows.`;
        default:
            return `The search is over: ${counted(step.count, "solution")}, ${
                counted(state.counters.nodes, "node")} and ${counted(state.counters.updates, "update")}.`;
    }
}
