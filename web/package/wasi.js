// A host for WASI preview 1 programs that read standard input and write standard output and error.
//
// The program sees its arguments, the environment that the host gives it, a clock and random bytes,
// but no files and no network, so it runs the same in a browser, in a worker and in Node.

/** Error numbers of WASI preview 1. */
const SUCCESS = 0;
const BADF = 8;
const NOENT = 44;
const NOSYS = 52;
const SPIPE = 70;

/** File type of a pipe or terminal. */
const CHARACTER_DEVICE = 2;
/** Numbers of the streams. */
const STDIN = 0;
const STDERR = 2;
/** Most bytes that one call of `crypto.getRandomValues` fills. */
const RANDOM_MAX = 65536;

/** Ends the program: WebAssembly cannot stop by itself. */
class Exit extends Error {
    /** @param {number} code */
    constructor(code) {
        super(`exit code ${code}`);
        this.code = code;
    }
}

/**
 * Runs the function `_start` of a program and returns its exit code.
 *
 * @param {WebAssembly.Module} module
 * @param {object} host
 * @param {string[]} host.args arguments, the first is the name of the program
 * @param {Uint8Array} host.input standard input
 * @param {Record<string, string>} [host.environment]
 * @param {(stream: number, bytes: Uint8Array) => void} host.write receives what the program writes
 *   to the streams 1 and 2; the bytes are only valid during the call
 * @returns {number}
 * @throws {WebAssembly.RuntimeError} if the program aborts
 */
export function run(module, { args, input, environment = {}, write }) {
    /** @type {WebAssembly.Memory} */
    let memory;
    let position = 0;
    const encoder = new TextEncoder();
    const encoded = (/** @type {string[]} */ words) => words.map((word) => encoder.encode(`${word}\0`));
    const words = encoded(args);
    const variables = encoded(Object.entries(environment).map(([name, value]) => `${name}=${value}`));
    // The memory may have grown since the last call, so each call makes new views.
    const view = () => new DataView(memory.buffer);
    const bytes = (/** @type {number} */ start, /** @type {number} */ length) =>
        new Uint8Array(memory.buffer, start >>> 0, length >>> 0);

    /** @param {number} list @param {number} count */
    function* buffers(list, count) {
        for (let place = 0; place < count; place++) {
            const start = (list >>> 0) + 8 * place;
            yield bytes(view().getUint32(start, true), view().getUint32(start + 4, true));
        }
    }

    /** Writes the number and the bytes of texts. @param {Uint8Array[]} texts @param {number} count @param {number} size */
    const measure = (texts, count, size) => {
        view().setUint32(count, texts.length, true);
        view().setUint32(size, texts.reduce((sum, text) => sum + text.length, 0), true);
        return SUCCESS;
    };

    /** Writes texts, and a list of their addresses. @param {Uint8Array[]} texts @param {number} list @param {number} start */
    const copy = (texts, list, start) => {
        for (const text of texts) {
            view().setUint32(list, start, true);
            bytes(start, text.length).set(text);
            list += 4;
            start += text.length;
        }
        return SUCCESS;
    };

    /** Nanoseconds of the clock with this number: 0 is the calendar, 1 is monotonic. */
    const now = (/** @type {number} */ clock) => {
        const milliseconds = clock === 0 ? Date.now() : performance.now();
        return BigInt(Math.round(milliseconds * 1e6));
    };

    /** @param {number} file */
    const describe = (file, /** @type {number} */ result, /** @type {number} */ size) => {
        if (file > STDERR) {
            return BADF;
        }
        bytes(result, size).fill(0);
        return SUCCESS;
    };

    /** @type {Record<string, (...numbers: any[]) => number>} */
    const functions = {
        args_sizes_get: (count, size) => measure(words, count, size),
        args_get: (list, text) => copy(words, list, text),
        environ_sizes_get: (count, size) => measure(variables, count, size),
        environ_get: (list, text) => copy(variables, list, text),
        clock_res_get(clock, result) {
            view().setBigUint64(result, clock === 0 ? 1_000_000n : 1000n, true);
            return SUCCESS;
        },
        clock_time_get(clock, _precision, result) {
            view().setBigUint64(result, now(clock), true);
            return SUCCESS;
        },
        random_get(start, length) {
            for (let done = 0; done < length; done += RANDOM_MAX) {
                crypto.getRandomValues(bytes(start + done, Math.min(RANDOM_MAX, length - done)));
            }
            return SUCCESS;
        },
        fd_read(file, list, count, result) {
            if (file !== STDIN) {
                return BADF;
            }
            let total = 0;
            for (const buffer of buffers(list, count)) {
                const part = input.subarray(position, position + buffer.length);
                buffer.set(part);
                position += part.length;
                total += part.length;
            }
            view().setUint32(result, total, true);
            return SUCCESS;
        },
        fd_write(file, list, count, result) {
            if (file === STDIN || file > STDERR) {
                return BADF;
            }
            let total = 0;
            for (const buffer of buffers(list, count)) {
                if (buffer.length > 0) {
                    write(file, buffer);
                }
                total += buffer.length;
            }
            view().setUint32(result, total, true);
            return SUCCESS;
        },
        fd_fdstat_get(file, result) {
            const error = describe(file, result, 24);
            if (error === SUCCESS) {
                view().setUint8(result, CHARACTER_DEVICE);
                // All rights.
                view().setBigUint64(result + 8, 0xffff_ffff_ffff_ffffn, true);
                view().setBigUint64(result + 16, 0xffff_ffff_ffff_ffffn, true);
            }
            return error;
        },
        fd_filestat_get(file, result) {
            const error = describe(file, result, 64);
            if (error === SUCCESS) {
                view().setUint8(result + 16, CHARACTER_DEVICE);
            }
            return error;
        },
        fd_seek: (file) => (file > STDERR ? BADF : SPIPE),
        fd_tell: (file) => (file > STDERR ? BADF : SPIPE),
        fd_close: (file) => (file > STDERR ? BADF : SUCCESS),
        fd_prestat_get: () => BADF,
        fd_prestat_dir_name: () => BADF,
        path_open: () => NOENT,
        path_filestat_get: () => NOENT,
        path_readlink: () => NOENT,
        sched_yield: () => SUCCESS,
        // The program sleeps nowhere that matters; each wait is over at once, without an event.
        poll_oneoff(subscriptions, events, count, result) {
            const table = view();
            for (let place = 0; place < count; place++) {
                const [from, to] = [subscriptions + 48 * place, events + 32 * place];
                bytes(to, 32).fill(0);
                table.setBigUint64(to, table.getBigUint64(from, true), true);
                table.setUint8(to + 10, table.getUint8(from + 8));
            }
            table.setUint32(result, count, true);
            return SUCCESS;
        },
        proc_exit(code) {
            throw new Exit(code);
        },
    };
    const host = new Proxy(functions, { get: (known, name) => known[String(name)] ?? (() => NOSYS) });
    const instance = new WebAssembly.Instance(module, { wasi_snapshot_preview1: /** @type {any} */ (host) });
    const { memory: own, _start: start } = instance.exports;
    memory = /** @type {WebAssembly.Memory} */ (own);
    try {
        /** @type {() => void} */ (start)();
        return 0;
    } catch (error) {
        if (error instanceof Exit) {
            return error.code;
        }
        throw error;
    }
}
