// Turns a question into the arguments of the program. `crates/protocol` has the same table.

/**
 * What the program prints for each question: objects, one a line, by itself (`lines`) or with the
 * option `--json` (`json`), or text.
 *
 * @type {Record<string, "json" | "lines" | "text">}
 */
export const QUESTIONS = {
    solve: "json",
    list: "json",
    count: "json",
    check: "json",
    hint: "json",
    explain: "json",
    rate: "json",
    generate: "json",
    draw: "text",
    convert: "text",
    trace: "lines",
    compare: "json",
    sample: "json",
    rank: "json",
    unrank: "json",
    estimate: "json",
    puzzles: "text",
    split: "lines",
    work: "lines",
    merge: "json",
};

/** Options that print a picture, instead of objects, if their value is true. */
const PICTURES = new Set(["svg", "html"]);

/** The name of an option. */
const OPTION = /^[a-z][a-z0-9-]*$/;

/**
 * Returns the arguments after the name of the program, and whether it prints objects, one a line.
 *
 * @param {import("./index.js").Request} request
 * @returns {{ args: string[], isJson: boolean }}
 * @throws {TypeError} if the question or an option has no such name or value
 */
export function toArguments({ question, input = "", options = {}, arguments: words = [] }) {
    if (!Object.hasOwn(QUESTIONS, question)) {
        throw new TypeError(`expected one of the questions ${Object.keys(QUESTIONS).join(", ")}, found ${question}`);
    }
    let form = QUESTIONS[question];
    const args = [question];
    for (const [name, given] of Object.entries(options)) {
        if (!OPTION.test(name)) {
            throw new TypeError(`expected the name of an option such as per-option, found ${name}`);
        }
        for (const value of Array.isArray(given) ? given : [given]) {
            if (value === true && PICTURES.has(name)) {
                args.push(`--${name}=-`);
                form = "text";
            } else if (value === true) {
                args.push(`--${name}`);
            } else if (typeof value === "string" || typeof value === "number" || typeof value === "bigint") {
                args.push(`--${name}=${value}`);
            } else if (value !== false && value !== undefined && value !== null) {
                throw new TypeError(`${name}: expected true, a number, a string or a list of these`);
            }
        }
    }
    if (form === "json" && options.json === undefined) {
        args.push("--json");
    }
    if (words.length > 0) {
        args.push("--", ...words.map(String));
    } else if (question === "generate" && input !== "") {
        args.push("--", "-");
    }
    return { args, isJson: form !== "text" };
}
