// Runs questions in a worker of a browser or of Node, one after another.
//
// Messages to the worker: `{ module, args, input, credit }`, where `credit` is a shared `Int32Array`
// or absent. Messages from it: `{ stream, text }` with whole lines, and last `{ code, seconds }` or
// `{ trap, seconds }`.

import { run } from "./wasi.js";

/** Most bytes that wait for the receiver before the program pauses, where it can. */
const WAITING_MAX = 4 << 20;

/** Makes the program write its progress to standard error, as JSON. */
const ENVIRONMENT = { FARANDOLE_PROGRESS: "json" };

/** Where messages come from and go to: the worker itself in a browser.
 * @type {any} */
let port = globalThis;

/**
 * Cuts the bytes of a stream after line ends, so that each piece is whole lines.
 *
 * @param {(text: string) => void} send
 */
function lines(send) {
    const decoder = new TextDecoder();
    let rest = "";
    return {
        /** @param {Uint8Array} bytes */
        add(bytes) {
            const text = decoder.decode(bytes, { stream: true });
            const end = text.lastIndexOf("\n") + 1;
            if (end > 0) {
                send(rest + text.slice(0, end));
                rest = "";
            }
            rest += text.slice(end);
        },
        end() {
            rest += decoder.decode();
            if (rest !== "") {
                send(rest);
            }
        },
    };
}

/** @param {{ module: WebAssembly.Module, args: string[], input: Uint8Array, credit?: Int32Array }} question */
function answer({ module, args, input, credit }) {
    const begun = performance.now();
    /** @type {(stream: number) => (text: string) => void} */
    const sender = (stream) => (text) => {
        port.postMessage({ stream, text });
        if (credit) {
            const waiting = Atomics.add(credit, 0, text.length) + text.length;
            if (waiting > WAITING_MAX) {
                Atomics.wait(credit, 0, waiting);
            }
        }
    };
    const streams = [1, 2].map((stream) => lines(sender(stream)));
    const seconds = () => (performance.now() - begun) / 1000;
    try {
        const write = (/** @type {number} */ stream, /** @type {Uint8Array} */ bytes) => streams[stream - 1].add(bytes);
        const code = run(module, { args, input, environment: ENVIRONMENT, write });
        streams.forEach((stream) => stream.end());
        port.postMessage({ code, seconds: seconds() });
    } catch (error) {
        streams.forEach((stream) => stream.end());
        port.postMessage({ trap: String(error), seconds: seconds() });
    }
}

if (typeof process === "object" && process.versions?.node) {
    import("node:worker_threads").then(({ parentPort }) => {
        port = parentPort;
        port.on("message", answer);
    });
} else {
    port.onmessage = (/** @type {MessageEvent} */ event) => answer(event.data);
}
