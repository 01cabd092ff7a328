// Carriers take questions to the program and bring its answers: over HTTP to the program that serves
// the page, or to WebAssembly in a worker.

/**
 * A question to the program: a command, its text, and its long options.
 * @typedef {{
 *     question: string,
 *     input?: string,
 *     options?: Record<string, string | number | boolean | (string | number)[] | undefined>,
 *     arguments?: string[],
 * }} Request
 */

/**
 * An object with one key; `end` comes last, once.
 * @typedef {{ line: any } | { text: string } | { note: string } | { progress: any }
 *     | { end: { code: number, seconds: number } }} Event
 */

/**
 * Everything that the program answered: objects, text, notes (lines of standard error), the last
 * progress and the exit code.
 * @typedef {{
 *     lines: any[], text: string, notes: string[], progress: any, code: number, seconds: number,
 * }} Answer
 */

/** @typedef {{ signal?: AbortSignal, onEvent?: (event: Event) => void }} AskOptions */

/**
 * @typedef {{
 *     name: "program" | "wasm",
 *     ask(request: Request, options?: AskOptions): Promise<Answer>,
 * }} Carrier
 */

/** Exit code of a question that its signal ended, as after Ctrl-C. */
export const INTERRUPTED = 130;

/** @returns {Answer} */
function emptyAnswer() {
    return { lines: [], text: "", notes: [], progress: null, code: INTERRUPTED, seconds: 0 };
}

/**
 * Adds an event to an answer.
 * @param {Answer} answer
 * @param {any} event
 */
function add(answer, event) {
    if (event.line !== undefined) {
        answer.lines.push(event.line);
    } else if (event.text !== undefined) {
        answer.text += event.text;
    } else if (event.note !== undefined) {
        answer.notes.push(event.note);
    } else if (event.progress !== undefined) {
        answer.progress = event.progress;
    } else if (event.end !== undefined) {
        answer.code = event.end.code;
        answer.seconds = event.end.seconds;
    }
}

/**
 * Asks the program that serves this page.
 * @param {string} token
 * @returns {Carrier}
 */
export function httpCarrier(token) {
    return {
        name: "program",
        async ask(request, { signal, onEvent } = {}) {
            const answer = emptyAnswer();
            try {
                const response = await fetch("ask", {
                    method: "POST",
                    headers: { "Content-Type": "application/json", "X-Farandole-Token": token },
                    body: JSON.stringify(request),
                    signal,
                });
                if (!response.ok || !response.body) {
                    throw new Error((await response.text()) || `${response.status} ${response.statusText}`);
                }
                const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
                let rest = "";
                let isEnded = false;
                for (;;) {
                    const { done, value } = await reader.read();
                    if (done) {
                        break;
                    }
                    const pieces = (rest + value).split("\n");
                    rest = pieces.pop() ?? "";
                    for (const piece of pieces) {
                        if (piece !== "") {
                            const event = JSON.parse(piece);
                            add(answer, event);
                            isEnded ||= event.end !== undefined;
                            onEvent?.(event);
                        }
                    }
                }
                if (!isEnded) {
                    throw new Error("the program ended without an answer");
                }
            } catch (error) {
                if (!signal?.aborted) {
                    throw error;
                }
                answer.code = INTERRUPTED;
            }
            return answer;
        },
    };
}

/**
 * Asks the program in WebAssembly, which is loaded with the first question.
 * @param {string} [address] address of the package's module
 * @returns {Carrier}
 */
export function wasmCarrier(address = new URL("../package/index.js", import.meta.url).href) {
    /** @type {Promise<{ ask: Carrier["ask"] }> | null} */
    let loading = null;
    return {
        name: "wasm",
        async ask(request, options) {
            loading ??= import(address).then((farandole) => farandole.load());
            try {
                const program = await loading;
                return await program.ask(request, options);
            } catch (error) {
                if (options?.signal?.aborted) {
                    return emptyAnswer();
                }
                loading = null;
                throw error;
            }
        },
    };
}

/**
 * Chooses the carrier of a document: HTTP if it was served with a token.
 * @param {Document} document
 */
export function carrierOf(document) {
    const token = document.documentElement.dataset.token;
    return token ? httpCarrier(token) : wasmCarrier();
}
