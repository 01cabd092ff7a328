// Questions to the program, and what its answers mean for a reader.

import { readNotes } from "../ui.js";

/** @typedef {import("../main.js").App} App */
/** @typedef {import("../carrier.js").Answer} Answer */
/** @typedef {import("../carrier.js").Request} Request */

/**
 * Asks one question; null if it was ended by the signal.
 * @param {App} app
 * @param {Request} request
 * @param {AbortSignal} signal
 * @param {(event: any) => void} [onEvent]
 * @returns {Promise<Answer | null>}
 */
export async function answerOf(app, request, signal, onEvent) {
    try {
        const answer = await app.ask(request, { signal, onEvent });
        return signal.aborted ? null : answer;
    } catch (error) {
        if (signal.aborted) return null;
        const words = error instanceof Error ? error.message : String(error);
        return { lines: [], text: "", notes: [words], progress: null, code: 2, seconds: 0 };
    }
}

/** What the program says against a text: the error of an object, or its notes. @param {Answer} answer @returns {string[]} */
export function faultLines(answer) {
    const line = answer.lines.find((one) => one.error);
    return line ? String(line.error).split("\n") : answer.notes;
}

/** The same as one text, without the name of the input. @param {Answer} answer */
export function faultOf(answer) {
    return readNotes(faultLines(answer)).text.replace(/^puzzle 1: /gm, "");
}
