// An exact cover as the program writes it with `convert --to dlx` (Knuth's text).

/**
 * @typedef {{ name: string, primary: boolean, low: number, high: number }} Item
 * @typedef {{ item: number, color: string }} Entry `color` is empty if the entry has none
 * @typedef {{ text: string, entries: Entry[] }} Option
 * @typedef {{ items: Item[], options: Option[], lists: number[][] }} Problem
 *   `lists` has the options of each item, in input order
 */

/**
 * Reads Knuth's text: a line of items, `|` before the secondary ones, then one option per line.
 *
 * The program has checked the text, so an unknown item or an empty line is skipped.
 * @param {string} text
 * @returns {Problem}
 */
export function readProblem(text) {
    const lines = text.split(/\r?\n/).map((line) => line.trim());
    const rows = lines.filter((line) => line !== "" && !/^\|(\s|$)/.test(line));
    /** @type {Item[]} */
    const items = [];
    /** @type {Map<string, number>} */
    const numbers = new Map();
    let primary = true;
    for (const word of (rows.shift() ?? "").split(/\s+/)) {
        if (word === "|") {
            primary = false;
            continue;
        }
        const bounds = /^(?:(\d+):)?(\d+)\|(.+)$/.exec(word);
        const name = bounds ? bounds[3] : word;
        const high = bounds ? Number(bounds[2]) : 1;
        const low = bounds?.[1] === undefined ? high : Number(bounds[1]);
        numbers.set(name, items.length);
        items.push({ name, primary, low, high });
    }
    /** @type {Option[]} */
    const options = [];
    for (const row of rows) {
        const words = row.split(/\s+/).filter((word) => !/^\|-?\d+$/.test(word));
        /** @type {Entry[]} */
        const entries = [];
        for (const word of words) {
            let item = numbers.get(word);
            let color = "";
            if (item === undefined) {
                const at = word.lastIndexOf(":");
                item = at > 0 ? numbers.get(word.slice(0, at)) : undefined;
                color = word.slice(at + 1);
            }
            if (item !== undefined) entries.push({ item, color });
        }
        options.push({ text: words.join(" "), entries });
    }
    /** @type {number[][]} */
    const lists = items.map(() => []);
    options.forEach((option, number) => {
        for (const { item } of option.entries) lists[item].push(number);
    });
    return { items, options, lists };
}

/**
 * The same set of entries has the same key, in whatever order they stand.
 * @param {string} text
 */
function key(text) {
    return text.split(/\s+/).sort().join(" ");
}

/**
 * A lookup from the text of an option in the trace to its number in the problem.
 * @param {Problem} problem
 * @returns {(text: string, number: number) => number} -1 if there is none
 */
export function optionFinder(problem) {
    /** @type {Map<string, number>} */
    const byText = new Map();
    problem.options.forEach((option, number) => {
        const text = key(option.text);
        if (!byText.has(text)) byText.set(text, number);
    });
    return (text, number) => {
        const guess = problem.options[number - 1];
        const wanted = key(text);
        if (guess && key(guess.text) === wanted) return number - 1;
        return byText.get(wanted) ?? -1;
    };
}
