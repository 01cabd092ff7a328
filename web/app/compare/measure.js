// Measures engines on puzzles of several sizes, one question per size, so that rows appear as they
// are measured.

/**
 * @typedef {{
 *     size: number, engine: string, seconds: number | null, interval: [number, number] | null,
 *     ratio: number | null, rounds: number, nodes: number | null, updates: number | null, count: string,
 *     complete: boolean, state: string, isFirst: boolean,
 * }} Row a line of `compare`; `isFirst` marks a first measurement, before the engines took turns
 * @typedef {{ size: number, verdict: "agree" | "differ" | "single" | "none", count: string, notes: string[] }} Check
 * @typedef {{
 *     question: import("../carrier.js").Request["question"],
 *     source(size: number): { input?: string, arguments?: string[], options: Record<string, any> },
 *     sizes: number[], engines: string[], seconds: number,
 * }} Plan
 */

/** Share of the time of an engine that its first measurement takes, if there is only one size. */
const FIRST_SHARE = 0.25;

/**
 * @param {import("../main.js").App} app
 * @param {Plan} plan
 * @param {AbortSignal} signal
 * @param {{ row(row: Row): void, check(check: Check): void, tell(text: string): void }} report
 * @returns {Promise<string[]>} messages about what could not be measured
 */
export async function measure(app, plan, signal, report) {
    /** @type {string[]} */
    const messages = [];
    let { engines } = plan;
    for (const size of plan.sizes) {
        if (engines.length === 0 || signal.aborted) break;
        const source = plan.source(size);
        /** @param {string[]} names @param {number} seconds */
        const ask = (names, seconds) => app.ask({
            question: "compare", ...source,
            options: { ...source.options, engine: names.join(","), time: seconds, each: seconds },
        }, { signal });
        const where = plan.sizes.length > 1 ? `size ${size}: ` : "";
        if (plan.sizes.length === 1 && engines.length > 1) {
            for (const name of engines) {
                report.tell(`First measurement of ${name} …`);
                const answer = await ask([name], plan.seconds * FIRST_SHARE);
                if (signal.aborted) return messages;
                for (const line of answer.lines) {
                    if (line.engine) report.row({ ...line, size, ratio: null, isFirst: true });
                }
            }
        }
        report.tell(`${where}${engines.length === 1 ? "the engine works" : `${engines.length} engines take turns`} …`);
        const answer = await ask(engines, plan.seconds);
        if (signal.aborted) return messages;
        /** @type {Row[]} */
        const rows = answer.lines.filter((line) => line.engine).map((line) => ({ ...line, size, isFirst: false }));
        if (rows.length === 0) {
            messages.push(...answer.notes);
            break;
        }
        rows.forEach(report.row);
        report.check(judge(size, rows, answer.code, answer.notes));
        // An engine that did not finish would not finish a larger size either.
        engines = engines.filter((name) => rows.some((row) => row.engine === name && row.complete));
    }
    return messages;
}

/**
 * @param {number} size
 * @param {Row[]} rows
 * @param {number} code
 * @param {string[]} notes
 * @returns {Check}
 */
export function judge(size, rows, code, notes) {
    const finished = rows.filter((row) => row.complete);
    const counts = new Set(finished.map((row) => row.count));
    const disagree = notes.filter((note) => note.includes("disagree"));
    if (counts.size > 1 || disagree.length > 0 || code === 1) {
        return { size, verdict: "differ", count: [...counts].join(" or "), notes };
    }
    const verdict = finished.length === 0 ? "none" : finished.length === 1 ? "single" : "agree";
    return { size, verdict, count: finished[0]?.count ?? "", notes: [] };
}

/** @param {Row[]} rows */
export function toCsv(rows) {
    const keys = /** @type {const} */ (["size", "engine", "seconds", "ratio", "rounds", "nodes", "updates", "count",
        "complete", "state"]);
    const cell = (/** @type {unknown} */ value) => {
        const text = value === null || value === undefined ? "" : String(value);
        return /[",\n]/.test(text) ? `"${text.replace(/"/g, '""')}"` : text;
    };
    const lines = rows.map((row) => keys.map((key) => cell(row[key])).join(","));
    return `${[keys.join(","), ...lines].join("\n")}\n`;
}

/**
 * Who is fastest at which sizes: runs of equal winners.
 * @param {Row[]} rows
 * @returns {{ engine: string, from: number, to: number }[]}
 */
export function winners(rows) {
    /** @type {Map<number, Row>} */
    const best = new Map();
    for (const row of rows) {
        if (row.seconds === null || row.isFirst) continue;
        const other = best.get(row.size);
        if (!other || row.seconds < (other.seconds ?? Infinity)) best.set(row.size, row);
    }
    /** @type {{ engine: string, from: number, to: number }[]} */
    const runs = [];
    for (const [size, row] of [...best].sort((a, b) => a[0] - b[0])) {
        const last = runs[runs.length - 1];
        if (last?.engine === row.engine) last.to = size;
        else runs.push({ engine: row.engine, from: size, to: size });
    }
    return runs;
}
