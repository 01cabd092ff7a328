// A count in parts: `split` prints shards, several workers run `work` on some of them each, and `merge` adds the counts.
//
// The sum of the finished parts is a lower bound, so that a count can be stopped at any time and something is known.

import { answerOf, faultOf } from "../pack/answers.js";

/** @typedef {import("../main.js").App} App */
/** @typedef {import("./families.js").Source} Source */
/** @typedef {{ known: bigint, done: number, of: number, share: number }} Standing how far a count is; `share` is the part of the estimated work */

/** Shards for each worker: enough that the last ones are short. */
const SHARDS_PER_WORKER = 24;

/** Runs of `work` for each worker; each one starts the program again. */
const RUNS_PER_WORKER = 8;

/** The keys of the lines in the order in which the program writes them: the check of a line depends on it. */
const KEYS = [
    "farandole", "format", "version", "digest", "shard", "split", "result", "path", "asked", "plan", "weight", "estimate",
    "count", "seconds", "nodes", "covers_digest", "given", "without", "problem", "check",
];

/** A number with a point, as the program writes it. @param {number} value */
function decimal(value) {
    if (Number.isInteger(value)) return `${value}.0`;
    const text = String(value);
    if (!text.includes("e-")) return text;
    const [digits, exponent] = text.split("e-");
    return `0.${"0".repeat(Number(exponent) - 1)}${digits.replace(".", "")}`;
}

/** The text of a line of shards. @param {Record<string, any>} line */
export function lineText(line) {
    const keys = Object.keys(line).sort((a, b) => KEYS.indexOf(a) - KEYS.indexOf(b));
    const parts = keys.map((key) => {
        const decimals = key === "estimate" || key === "seconds";
        return `${JSON.stringify(key)}:${decimals ? decimal(line[key]) : JSON.stringify(line[key])}`;
    });
    return `{${parts.join(",")}}`;
}

/** The lines of an answer, whether the carrier reads them as objects or passes them on as text. @param {{ lines: any[], text: string }} answer @returns {{ line: any, text: string }[]} */
function linesOf(answer) {
    if (answer.lines.length > 0) return answer.lines.map((line) => ({ line, text: lineText(line) }));
    return answer.text.split("\n").filter((text) => text.startsWith("{")).map((text) => ({ line: JSON.parse(text), text }));
}

/**
 * Counts in parts. Resolves to the number, or to a fault; rejects never.
 * @param {App} app
 * @param {Source} source
 * @param {number} workers
 * @param {AbortSignal} signal
 * @param {(standing: Standing) => void} onStanding
 * @returns {Promise<{ count: string } | { fault: string } | null>}
 */
export async function countInParts(app, source, workers, signal, onStanding) {
    const split = await answerOf(
        app,
        { question: "split", input: source.input, options: { ...source.options, shards: workers * SHARDS_PER_WORKER } },
        signal,
    );
    if (!split) return null;
    const [header, ...shards] = linesOf(split);
    if (!header || split.code >= 2) return { fault: faultOf(split) || "This puzzle cannot be split." };
    /** @type {Map<string, { weight: bigint, estimate: number, isDone: boolean }>} */
    const known = new Map();
    for (const { line } of shards) known.set(line.shard, { weight: BigInt(line.weight), estimate: line.estimate + 1, isDone: false });
    const work = [...known.values()].reduce((sum, shard) => sum + shard.estimate, 0);
    const standing = { known: 0n, done: 0, of: shards.length, share: 0 };
    onStanding({ ...standing });

    // Long shards first, so that the last runs are short.
    const queue = [...shards].sort((a, b) => b.line.estimate - a.line.estimate);
    const batch = Math.max(1, Math.ceil(queue.length / (workers * RUNS_PER_WORKER)));
    /** @type {string[]} */
    const results = [];
    /** @type {string | null} */
    let fault = null;
    /** @param {any} line */
    const note = (line) => {
        const shard = known.get(line.result);
        if (!shard || shard.isDone) return;
        shard.isDone = true;
        standing.known += shard.weight * BigInt(line.count);
        standing.done += 1;
        standing.share += shard.estimate / work;
        onStanding({ ...standing });
    };
    const worker = async () => {
        while (queue.length > 0 && fault === null && !signal.aborted) {
            const mine = queue.splice(0, batch);
            const input = `${[header, ...mine].map(({ text }) => text).join("\n")}\n`;
            // Each part counts at once, so that a stopped count knows all that is finished.
            const answer = await answerOf(app, { question: "work", input, options: { threads: 1 } }, signal, (event) => {
                if ("line" in event) note(event.line);
            });
            if (!answer) return;
            if (answer.code >= 2) {
                fault = faultOf(answer);
                return;
            }
            for (const { line, text } of linesOf(answer)) {
                if (line.result === undefined) continue;
                note(line);
                results.push(text);
            }
        }
    };
    await Promise.all(Array.from({ length: workers }, worker));
    if (signal.aborted) return null;
    if (fault !== null) return { fault };
    const input = `${[header, ...shards].map(({ text }) => text).join("\n")}\n${results.join("\n")}\n`;
    const merged = await answerOf(app, { question: "merge", input, options: {} }, signal);
    if (!merged) return null;
    const count = merged.lines[0]?.count;
    if (count === undefined) return { fault: faultOf(merged) };
    return { count: String(count) };
}
