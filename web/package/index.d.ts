/** An object of the program's output; docs/JSON.md of Farandole describes those of each question. */
export type Line = Record<string, any>;

/** The answer to one puzzle of `solve` and `list`. */
export interface Found extends Line {
    /** Number of the puzzle in the input, from 1. */
    puzzle: number;
    /** The kind of the puzzle, such as `sudoku`. */
    kind: string;
    /** The requested solutions; a grid is one line of symbols. */
    solutions: string[];
    /** Number of solutions found. */
    count: string;
    /** Whether these are all solutions. */
    complete: boolean;
    /** The engine that searched. */
    engine: string;
    seconds: number;
}

/** The answer to one puzzle of `count`. */
export interface Counted extends Line {
    puzzle: number;
    kind: string;
    /** Number of solutions; a lower bound if `complete` is false. */
    count: bigint;
    complete: boolean;
    /** The engine or method that counted. */
    engine: string;
    seconds: number;
}

export type Value = true | number | bigint | string;

/** A question to the program. */
export interface Request {
    /** A command such as `count`. */
    question: string;
    /** The puzzles, in any form that Farandole reads. */
    input?: string;
    /** Long options of the command and their values, such as `{ "per-option": true, limit: 100 }`. */
    options?: Record<string, Value | Value[] | false | null | undefined>;
    /** Words without an option: the parameter of a kind (`8` of queens), or the numbers of `unrank`. */
    arguments?: (string | number)[];
}

/** How far a question is, reported about four times a second. */
export interface Progress {
    /** What the program does now, in words. */
    message: string;
    /** Seconds since the question began. */
    seconds: number;
    /** The finished part of the work from 0 to 1, if known. */
    fraction: number | null;
    /** Numbers so far. */
    puzzles: number;
    nodes: number;
    solutions: number;
    /** The counting method that is expected to finish first, if known. */
    method: string | null;
    /** Seconds that this method still needs at least, if known. */
    left: number | null;
}

export interface End {
    /** 0 done, 1 no solution or a failed check, 2 bad input, 3 a limit was reached, 130 ended by the signal. */
    code: number;
    seconds: number;
}

/** What happens while a question runs, in order. `text` events are pieces of one text. */
export type Event = { line: Line } | { text: string } | { note: string } | { progress: Progress } | { end: End };

/** All that a question printed. */
export interface Answer extends End {
    lines: Line[];
    text: string;
    /** Lines on standard error: errors and remarks. */
    notes: string[];
    /** The last progress, if any was reported. */
    progress: Progress | null;
}

export interface AskOptions {
    /** Ends the question, which then has the exit code 130. */
    signal?: AbortSignal;
    onEvent?: (event: Event) => void;
}

/** Options of the program by their long names, and those of `ask`. */
export type Options = AskOptions & Pick<Request, "arguments"> & { [option: string]: any };

export interface LoadOptions {
    /** The program: its address, bytes, a response or a compiled module. Default: `farandole.wasm` next to this file. */
    wasm?: string | URL | ArrayBuffer | ArrayBufferView | Response | WebAssembly.Module;
    /** The address of `worker.js`, or of a blob with this file and its imports in one script. Default: next to this file. */
    worker?: string | URL;
}

export class Farandole {
    constructor(module: WebAssembly.Module, worker: string | URL);
    /** Runs one question. The promise is rejected only if no worker can be started. */
    ask(request: Request, options?: AskOptions): Promise<Answer>;
    /** The events of a question as they come; the last one is its end. Leaving the loop ends the question. */
    events(request: Request, options?: Pick<AskOptions, "signal">): AsyncGenerator<Event, void, void>;
    /** One solution of the first puzzle. Throws an error if the puzzle cannot be read. */
    solve(input: string, options?: Options): Promise<Found>;
    /** The number of solutions of the first puzzle. */
    count(input: string, options?: Options): Promise<Counted>;
    /** Whether the first puzzle is valid, and has one solution. */
    check(input: string, options?: Options): Promise<Line>;
    /** All solutions of each puzzle, one answer per puzzle as soon as it is known. Leaving the loop ends the search. */
    list(input: string, options?: Options): AsyncGenerator<Found, void, void>;
    /** A picture of the puzzle (SVG). */
    draw(input: string, options?: Options): Promise<string>;
    /** Ends all workers that wait for questions. */
    close(): void;
}

/** Compiles the program once, for any number of questions. */
export function load(options?: LoadOptions): Promise<Farandole>;
