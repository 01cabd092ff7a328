// Farandole in JavaScript: solves, counts and draws Sudoku, its variants and any exact cover.
//
// Each question is one run of the program `farandole`, compiled to WebAssembly, in a worker of its
// own; ending the worker ends the question.

import { toArguments } from "./arguments.js";

/** @typedef {import("./index.js").Request} Request */
/** @typedef {import("./index.js").Event} Event */
/** @typedef {import("./index.js").Answer} Answer */

/** Most workers kept for the next question, each with a few megabytes. */
const IDLE_MAX = 2;
/** Exit code of a question that was ended by its signal, as after Ctrl-C. */
const INTERRUPTED = 130;
/** Exit code of a program that aborted (SIGABRT of a shell). */
const ABORTED = 134;

const isNode = typeof process === "object" && Boolean(process.versions?.node);

/**
 * A worker with the same three functions in browsers and in Node.
 *
 * @typedef {{ post(message: object): void, listen(hear: (message: any) => void, fail: (error: Error) => void): void, end(): void }} Carrier
 */

/** @param {string | URL} source @returns {Promise<Carrier>} */
async function start(source) {
    if (isNode) {
        const { Worker } = await import("node:worker_threads");
        const worker = new Worker(source);
        // An idle worker does not keep the process alive.
        worker.unref();
        return {
            post(message) {
                worker.ref();
                worker.postMessage(message);
            },
            listen(hear, fail) {
                worker.removeAllListeners();
                worker.on("message", hear).on("error", fail);
            },
            end: () => void worker.terminate(),
        };
    }
    // A page from disk may not start a module of a blob; the code of a blob is bundled anyway.
    const type = String(source).startsWith("blob:") ? "classic" : "module";
    const worker = new Worker(source, { type });
    return {
        post: (message) => worker.postMessage(message),
        listen(hear, fail) {
            worker.onmessage = (event) => hear(event.data);
            worker.onerror = (event) => fail(new Error(event.message || "the worker cannot be started"));
        },
        end: () => worker.terminate(),
    };
}

/** @param {import("./index.js").LoadOptions["wasm"]} wasm @returns {Promise<WebAssembly.Module>} */
async function compile(wasm = new URL("./farandole.wasm", import.meta.url)) {
    if (wasm instanceof WebAssembly.Module) {
        return wasm;
    }
    if (wasm instanceof ArrayBuffer || ArrayBuffer.isView(wasm)) {
        return WebAssembly.compile(/** @type {BufferSource} */ (wasm));
    }
    if (wasm instanceof Response) {
        return WebAssembly.compile(await wasm.arrayBuffer());
    }
    if (isNode && String(wasm).startsWith("file:")) {
        const { readFile } = await import("node:fs/promises");
        return WebAssembly.compile(/** @type {any} */ (await readFile(new URL(wasm))));
    }
    const response = await fetch(wasm);
    if (!response.ok) {
        throw new Error(`${wasm}: ${response.status} ${response.statusText}`);
    }
    // Some servers do not know the type of the file, which streaming needs.
    return response.headers.get("Content-Type") === "application/wasm"
        ? WebAssembly.compileStreaming(response)
        : WebAssembly.compile(await response.arrayBuffer());
}

/** The events of one question, in order, with a limit where the receiver is slow. */
class Queue {
    constructor() {
        /** @type {{ stream: number, text: string }[]} */
        this.waiting = [];
        /** @type {() => void} */
        this.wake = () => {};
    }

    /** @param {any} message */
    push(message) {
        this.waiting.push(message);
        this.wake();
    }

    async next() {
        while (this.waiting.length === 0) {
            await new Promise((resolve) => (this.wake = () => resolve(undefined)));
        }
        return this.waiting.shift();
    }
}

/** @param {number} stream @param {string} text @param {boolean} isJson @returns {Event[]} */
function events(stream, text, isJson) {
    const lines = () => text.split("\n").filter((line, place, all) => line !== "" || place < all.length - 1);
    if (stream === 2) {
        return lines().map((line) => {
            const progress = line.startsWith('{"progress":') ? parsed(line) : null;
            return progress ?? { note: line };
        });
    }
    if (!isJson) {
        return [{ text }];
    }
    return lines().map((line) => {
        const object = parsed(line);
        return object === null ? { text: `${line}\n` } : { line: object };
    });
}

/** @param {string} line */
function parsed(line) {
    try {
        return JSON.parse(line);
    } catch {
        return null;
    }
}

export class Farandole {
    /** @param {WebAssembly.Module} module @param {string | URL} worker */
    constructor(module, worker) {
        this.module = module;
        this.worker = worker;
        /** @type {Carrier[]} */
        this.idle = [];
    }

    /**
     * Yields the events of a question; the last one is its end.
     *
     * @param {Request} request @param {{ signal?: AbortSignal }} [options]
     * @returns {AsyncGenerator<Event>}
     */
    async *events(request, { signal } = {}) {
        const begun = performance.now();
        const end = (/** @type {number} */ code) => ({ end: { code, seconds: (performance.now() - begun) / 1000 } });
        const { args, isJson } = toArguments(request);
        if (signal?.aborted) {
            return yield end(INTERRUPTED);
        }
        const carrier = this.idle.pop() ?? (await start(this.worker));
        const queue = new Queue();
        carrier.listen((message) => queue.push(message), (error) => queue.push({ error }));
        const abort = () => queue.push({ code: INTERRUPTED });
        signal?.addEventListener("abort", abort);
        // Where memory can be shared, the program waits for a slow receiver.
        const credit = typeof SharedArrayBuffer === "function" ? new Int32Array(new SharedArrayBuffer(4)) : undefined;
        let isDone = false;
        try {
            const input = new TextEncoder().encode(request.input ?? "");
            carrier.post({ module: this.module, args: ["farandole", ...args], input, credit });
            for (;;) {
                /** @type {any} */
                const message = signal?.aborted ? { code: INTERRUPTED } : await queue.next();
                if (message.error) {
                    throw message.error;
                }
                if (message.text === undefined) {
                    isDone = message.seconds !== undefined;
                    if (message.trap) {
                        isDone = false;
                        yield { note: `the program aborted: ${message.trap}` };
                    }
                    return yield end(message.trap ? ABORTED : message.code);
                }
                yield* events(message.stream, message.text, isJson);
                if (credit) {
                    Atomics.sub(credit, 0, message.text.length);
                    Atomics.notify(credit, 0);
                }
            }
        } finally {
            signal?.removeEventListener("abort", abort);
            if (isDone && this.idle.length < IDLE_MAX) {
                this.rest(carrier);
            } else {
                carrier.end();
            }
        }
    }

    /** Keeps a worker whose question has ended. @param {Carrier} carrier */
    rest(carrier) {
        carrier.listen(() => {}, () => (this.idle = this.idle.filter((other) => other !== carrier)));
        this.idle.push(carrier);
    }

    /**
     * @param {Request} request
     * @param {{ signal?: AbortSignal, onEvent?: (event: Event) => void }} [options]
     * @returns {Promise<Answer>}
     */
    async ask(request, { signal, onEvent } = {}) {
        /** @type {Answer} */
        const answer = { lines: [], text: "", notes: [], progress: null, code: 0, seconds: 0 };
        const texts = [];
        for await (const event of this.events(request, { signal })) {
            if ("line" in event) {
                answer.lines.push(event.line);
            } else if ("text" in event) {
                texts.push(event.text);
            } else if ("note" in event) {
                answer.notes.push(event.note);
            } else if ("progress" in event) {
                answer.progress = event.progress;
            } else {
                Object.assign(answer, event.end);
            }
            onEvent?.(event);
        }
        answer.text = texts.join("");
        return answer;
    }

    /** Ends all workers that wait for questions. */
    close() {
        this.idle.splice(0).forEach((carrier) => carrier.end());
    }

    /** @param {string} input @param {import("./index.js").Options} [options] */
    async solve(input, options = {}) {
        return one(await this.ask(...request("solve", input, options)));
    }

    /** @param {string} input @param {import("./index.js").Options} [options] */
    async count(input, options = {}) {
        const line = one(await this.ask(...request("count", input, options)));
        return { ...line, count: BigInt(String(line.count)) };
    }

    /** @param {string} input @param {import("./index.js").Options} [options] */
    async check(input, options = {}) {
        return one(await this.ask(...request("check", input, options)));
    }

    /** @param {string} input @param {import("./index.js").Options} [options] */
    async *list(input, options = {}) {
        const [question, { signal }] = request("list", input, options);
        /** @type {string[]} */
        const notes = [];
        for await (const event of this.events(question, { signal })) {
            if ("line" in event && event.line.error === undefined) {
                yield event.line;
            } else if ("line" in event) {
                throw new Error(String(event.line.error));
            } else if ("note" in event) {
                notes.push(event.note);
            } else if ("end" in event && event.end.code === 2) {
                throw new Error(notes.join("\n"));
            }
        }
    }

    /** @param {string} input @param {import("./index.js").Options} [options] */
    async draw(input, options = {}) {
        const { text, notes, code } = await this.ask(...request("draw", input, options));
        if (code !== 0) {
            throw new Error(notes.join("\n"));
        }
        return text;
    }
}

/**
 * @param {string} question @param {string} input @param {import("./index.js").Options} options
 * @returns {[Request, { signal?: AbortSignal, onEvent?: (event: Event) => void }]}
 */
function request(question, input, { signal, onEvent, arguments: words, ...options }) {
    return [{ question, input, options, arguments: words }, { signal, onEvent }];
}

/** The answer to the first puzzle. @param {Answer} answer */
function one({ lines: [line], notes, code }) {
    if (!line || line.error !== undefined) {
        throw new Error(String(line?.error ?? (notes.join("\n") || `exit code ${code}`)));
    }
    return line;
}

/**
 * Compiles the program once, for any number of questions.
 *
 * @param {import("./index.js").LoadOptions} [options]
 */
export async function load({ wasm, worker = new URL("./worker.js", import.meta.url) } = {}) {
    return new Farandole(await compile(wasm), worker);
}
