// The panels that write a puzzle in other forms, and that make new ones.

import { button, download, element, field, message, select } from "../ui.js";
import { problemOf } from "./place.js";
import { boxesOf } from "./sheet.js";

/** @typedef {import("./place.js").Desk} Desk */
/** @typedef {import("./place.js").Panel} Panel */

/** Formats that a text is written in. @type {readonly [name: string, title: string, kinds: string][]} */
const FORMATS = [
    ["fpuzzles-link", "f-puzzles link", "grid"],
    ["sudokupad", "SudokuPad link", "grid"],
    ["penpa", "penpa-edit link", "grid"],
    ["iss", "Interactive Sudoku Solver", "grid"],
    ["puzzlink", "puzz.link link", "grid"],
    ["fpuzzles", "f-puzzles JSON", "grid"],
    ["ipuz", "ipuz", "grid"],
    ["ipuz-cages", "ipuz with cages", "grid"],
    ["rows", "Rows", "grid"],
    ["line", "One line", "grid"],
    ["csv", "CSV", "grid"],
    ["lists", "Lists (JSON)", "grid"],
    ["hodoku", "HoDoKu", "grid"],
    ["pencilmarks", "Pencil marks", "grid"],
    ["sdk", "SadMan Sudoku", "grid"],
    ["canonical", "Canonical form", "grid"],
    ["xmpuzzle", "BurrTools", "board"],
    ["dlx", "Exact cover (Knuth)", "all"],
    ["json", "Exact cover (JSON)", "all"],
    ["matrix", "0/1 matrix", "all"],
    ["cnf", "DIMACS CNF for SAT solvers", "all"],
    ["opb", "OPB", "all"],
    ["lp", "LP", "all"],
];

/** Pixels per unit of a picture, for PNG: 64 per cell, as the program draws. */
const SCALE = 2;

/** Draws a picture as PNG in the light theme. @param {string} text @returns {Promise<Blob>} */
async function toPng(text) {
    const image = new Image();
    image.src = `data:image/svg+xml;base64,${btoa(String.fromCharCode(...new TextEncoder().encode(text)))}`;
    await image.decode();
    const canvas = element("canvas", { width: Math.ceil(image.width * SCALE), height: Math.ceil(image.height * SCALE) });
    canvas.getContext("2d")?.drawImage(image, 0, 0, canvas.width, canvas.height);
    return new Promise((resolve, reject) => canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error("no picture"))), "image/png"));
}

/** @param {Desk} desk @param {() => SVGSVGElement | null} picture @returns {Panel} */
export function sharePanel(desk, picture) {
    const output = element("textarea", { rows: 8, readonly: true, "aria-label": "Written puzzle", id: "written" });
    const state = element("div", { "aria-live": "polite" });
    const said = element("p", { class: "muted small", "aria-live": "polite" });
    let asked = 0;
    const formatSelect = select(
        FORMATS.map(([name, title]) => /** @type {[string, string]} */ ([name, title])),
        "fpuzzles-link",
        () => void convert(),
    );

    async function convert() {
        const number = (asked += 1);
        const format = formatSelect.value;
        const answer = await desk.ask("convert", { to: format, time: 10 });
        if (number !== asked) {
            return;
        }
        output.value = answer.text;
        output.hidden = answer.text === "";
        state.replaceChildren();
        if (answer.code !== 0 || answer.text === "") {
            state.append(message(`This puzzle cannot be written so. ${problemOf(answer)}`, { kind: "note" }));
        } else if (/^https:\/\/\S+\s*$/.test(answer.text)) {
            const link = element("a", { href: answer.text.trim(), rel: "noreferrer noopener", target: "_blank" }, "Open the link");
            state.append(link);
        }
    }

    /** @param {string} text @param {string} what */
    async function copy(text, what) {
        try {
            await navigator.clipboard.writeText(text);
            said.textContent = `${what} copied.`;
        } catch {
            output.hidden = false;
            output.value = text;
            output.select();
            said.textContent = "Copy the selected text.";
        }
    }

    /** @param {"svg" | "png" | "html"} form */
    async function draw(form) {
        const isPage = form === "html";
        const answer = await desk.ask("draw", isPage ? { html: true } : { theme: "light" });
        if (answer.code !== 0) {
            said.textContent = problemOf(answer);
        } else if (form === "png") {
            download("puzzle.png", await toPng(answer.text));
        } else {
            download(`puzzle.${form}`, new Blob([answer.text], { type: isPage ? "text/html" : "image/svg+xml" }));
        }
    }

    const root = element(
        "div",
        { class: "stack" },
        element(
            "div",
            { class: "row" },
            button("Copy a link to this page", async () => void copy(await desk.app.link(), "Link"), { class: "primary" }),
            button("SVG", () => void draw("svg")),
            button("PNG", () => void draw("png")),
            button("HTML", () => void draw("html")),
            button("Print or PDF", () => picture() && print()),
        ),
        said,
        field("Write as", formatSelect),
        output,
        state,
        element(
            "div",
            { class: "row" },
            button("Copy", () => void copy(output.value, "Text")),
            button("Save", () => download(`puzzle.${{ csv: "csv", json: "json", ipuz: "ipuz", dlx: "dlx" }[formatSelect.value] ?? "txt"}`, new Blob([output.value], { type: "text/plain" }))),
            button("Count the solutions", () => desk.app.go("count", { text: desk.text })),
        ),
    );
    return {
        root,
        refresh: () => {
            const kind = desk.isGrid || ["sudoku", "latin", "variant"].includes(desk.kind) ? "grid" : desk.kind === "polyomino" ? "board" : "all";
            const formats = FORMATS.filter(([, , kinds]) => kinds === "all" || kinds === kind);
            const names = formats.map(([name]) => name);
            const current = names.includes(formatSelect.value) ? formatSelect.value : names[0];
            formatSelect.replaceChildren(
                ...formats.map(([name, title]) => element("option", { value: name, selected: name === current }, title)),
            );
            void convert();
        },
    };
}

/** Ranges of the difficulty. */
const RATINGS = /** @type {[string, string][]} */ ([
    ["", "any"],
    ["1.0..1.5", "easy (singles)"],
    ["1.6..2.9", "medium (pairs, pointing)"],
    ["3.0..4.5", "hard (subsets, wings)"],
    ["4.6..7.0", "very hard (chains)"],
    ["7.1..9.0", "fiendish (nets)"],
]);

const SYMMETRIES = ["none", "half-turn", "quarter-turn", "left-right", "top-bottom", "mirrors", "diagonal", "antidiagonal", "diagonals", "full"];

/** Sizes of grids, with the boxes of each. */
const SIZES = [4, 6, 8, 9, 10, 12, 16];

/** Seconds that making a puzzle may take. */
const MAKING_SECONDS = 20;

/** @param {Desk} desk @returns {Panel} */
export function newPanel(desk) {
    /** @type {AbortController | null} */
    let making = null;
    const sizeSelect = select(SIZES.map((size) => [String(size), `${size} × ${size}`]), "9", () => {});
    const emptyButton = button("Empty board", () => {
        const size = Number(sizeSelect.value);
        const rows = Array.from({ length: size }, () => ".".repeat(size)).join("\n");
        desk.setText(`${rows}\n`, { isStep: true });
    });
    const kindSelect = select(
        [
            ["classic", "Classic"],
            ["killer", "Killer"],
            ["jigsaw", "Jigsaw"],
            ["killer-jigsaw", "Killer jigsaw"],
            ["diagonals", "Diagonals"],
            ["windoku", "Windoku"],
            ["anti-knight", "Anti-knight"],
            ["clues", "Digits for the drawn clues"],
        ],
        "classic",
        () => {},
    );
    const ratingSelect = select(RATINGS, "", () => {});
    const symmetrySelect = select(SYMMETRIES.map((name) => [name, name.replace("-", " ")]), "none", () => {});
    const state = element("div", { "aria-live": "polite" });
    const make = button("Make a puzzle", () => void generate(), { class: "primary" });
    const stop = button("Stop", () => making?.abort());
    stop.hidden = true;

    async function generate() {
        making?.abort();
        const controller = new AbortController();
        making = controller;
        const kind = kindSelect.value;
        const size = Number(sizeSelect.value);
        const boxes = boxesOf(size);
        const isJigsaw = kind.includes("jigsaw");
        /** @type {NonNullable<import("../carrier.js").Request["options"]>} */
        const options = { time: MAKING_SECONDS };
        if (kind.includes("killer")) {
            options.killer = true;
        } else if (symmetrySelect.value !== "none") {
            options.symmetry = symmetrySelect.value;
        }
        if (isJigsaw) {
            options.jigsaw = true;
        }
        if (["diagonals", "windoku", "anti-knight"].includes(kind)) {
            options.rules = kind;
        }
        if (ratingSelect.value) {
            options.rating = ratingSelect.value;
        }
        const isFromText = kind === "clues";
        const words = isFromText ? [] : isJigsaw || !boxes ? ["latin", String(size)] : ["sudoku", boxes.join("x")];
        make.disabled = true;
        stop.hidden = false;
        state.replaceChildren(element("p", { class: "muted" }, `Making a puzzle, for at most ${MAKING_SECONDS} s …`));
        try {
            const answer = await desk.ask("generate", options, { signal: controller.signal, arguments: words, input: isFromText ? desk.text : "" });
            const line = answer.lines[0];
            if (line?.text) {
                state.replaceChildren(
                    element("p", {}, `${line.clues} clues${line.hardest ? `; hardest step: ${line.hardest} (${line.score.toFixed(1)})` : ""}; seed ${line.seed}.`),
                );
                desk.setText(line.text.endsWith("\n") ? line.text : `${line.text}\n`, { isStep: true });
            } else if (controller.signal.aborted) {
                state.replaceChildren(element("p", { class: "muted" }, "Stopped."));
            } else if (answer.code === 2) {
                state.replaceChildren(message(problemOf(answer)));
            } else {
                state.replaceChildren(message("No such puzzle was found in time. Try again, or ask for another difficulty.", { kind: "note" }));
            }
        } catch (error) {
            state.replaceChildren(message(String(error)));
        }
        make.disabled = false;
        stop.hidden = true;
    }

    const root = element(
        "div",
        { class: "stack" },
        element("div", { class: "row ends" }, field("Size", sizeSelect), emptyButton),
        element(
            "div",
            { class: "row ends" },
            field("Kind", kindSelect),
            field("Difficulty", ratingSelect),
            field("Symmetry of the digits", symmetrySelect),
        ),
        element("div", { class: "row" }, make, stop),
        state,
    );
    return { root, refresh() {}, close: () => making?.abort() };
}
