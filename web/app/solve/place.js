// The place Solve: a puzzle as text and as board, always in step, with answers while it changes.

import { button, debounce, duration, element, field, fileText, grouped, message, readNotes, select, svg } from "../ui.js";
import { allCells, Board } from "./board.js";
import { EXAMPLES } from "./examples.js";
import { hintPanel, stepsPanel } from "./hints.js";
import { newPanel, sharePanel } from "./share.js";
import { cellOf, GRID_KINDS, nameOf, Sheet } from "./sheet.js";
import { SWITCHES, TOOLS } from "./tools.js";
import { whyPanel } from "./why.js";

/** @typedef {import("./sheet.js").Cell} Cell */
/** @typedef {import("./tools.js").Tool} Tool */
/** @typedef {import("../carrier.js").Answer} Answer */

/** Milliseconds of a pause in typing after which the questions are asked. */
const PAUSE = 100;

/** Seconds that a question about the puzzle may take while it is edited. */
export const PATIENCE = 5;

/** Solutions of a candidate are counted up to this number. Larger counts differ by color no more. */
const CANDIDATE_LIMIT = 8;

/** Largest number of steps that can be undone. Each holds a text. */
const UNDO_MAX = 500;

/** Milliseconds within which typed changes are undone together. */
const UNDO_PAUSE = 1000;

/**
 * A panel next to the board. `refresh` is called when the puzzle has changed or the panel is opened.
 * @typedef {{ root: HTMLElement, refresh(): void, close?(): void }} Panel
 */

/** What a panel uses of the place. */
export class Desk {
    /** @param {import("../main.js").App} app */
    constructor(app) {
        this.app = app;
        this.text = "";
        /** The kind of the puzzle, once the program has told it. */
        this.kind = "";
        /** @type {Sheet | null} */
        this.sheet = null;
        /** Whether there is exactly one solution; `null` if that is unknown. @type {boolean | null} */
        this.isUnique = null;
        /** Number of solutions found, at most 2; `null` before the answer. @type {number | null} */
        this.found = null;
        /** The first solution of a grid by cell. @type {Map<string, string>} */
        this.solution = new Map();
        /** Marks of a panel. @type {import("./board.js").Marks} */
        this.highlight = {};
        /** @type {(text: string, options?: { isStep?: boolean, isTyped?: boolean }) => void} */
        this.setText = () => {};
        /** Redraws the marks on the board. */
        this.paint = () => {};
        /** Shows a picture in place of the puzzle's, or the puzzle's again. @type {(picture: SVGSVGElement | null, label?: string) => void} */
        this.showPicture = () => {};
    }

    /** Whether the board can edit the puzzle. */
    get isGrid() {
        return this.sheet !== null && GRID_KINDS.has(this.kind);
    }

    /**
     * Asks a question about the text.
     * @param {string} question
     * @param {import("../carrier.js").Request["options"]} [options]
     * @param {{ signal?: AbortSignal, input?: string, arguments?: string[] }} [more]
     */
    ask(question, options = {}, { signal, input = this.text, arguments: words } = {}) {
        return this.app.ask({ question, input, options, arguments: words }, { signal });
    }

    /** @param {import("./board.js").Marks} marks */
    setHighlight(marks) {
        this.highlight = marks;
        this.paint();
    }

    /** Shades cells. @param {Cell[]} cells @param {string} [look] */
    shade(cells, look = "shade") {
        this.setHighlight({ fills: new Map(cells.map((cell) => [nameOf(cell), look])) });
    }
}

/**
 * @param {HTMLElement} root
 * @param {import("../main.js").App} app
 * @returns {import("../places.js").Mounted}
 */
export function mount(root, app) {
    const desk = new Desk(app);
    /** @type {{ texts: string[], at: number, typedAt: number }} */
    const undo = { texts: [], at: -1, typedAt: 0 };
    /** @type {AbortController | null} */
    let asking = null;
    /** @type {SVGSVGElement | null} */
    let puzzlePicture = null;
    /** @type {import("./board.js").Marks["candidates"]} */
    let candidates = new Map();
    let view = "solution";
    /** @type {Tool} */
    let tool = TOOLS[0];
    /** Line of the clue whose value is edited. @type {number | null} */
    let valueLine = null;
    /** The text in our own format, if the board cannot edit the given one. @type {string | null} */
    let converted = null;

    // The board and its tools.
    const board = new Board({
        onType(cells, symbol) {
            if (!desk.isGrid || !desk.sheet || cells.length === 0) {
                return;
            }
            const { sheet } = desk;
            const isSame = cells.every((cell) => sheet.symbol(cell) === symbol);
            desk.setText(sheet.withSymbols(cells.map((cell) => [cell, isSame ? "" : symbol])));
        },
        onDraw: drawClue,
        onUndo: step,
        onSelect(cells) {
            const names = new Set(cells.map(nameOf));
            for (const item of cluesList.querySelectorAll("li")) {
                const isOn = (item.dataset.cells ?? "").split(" ").some((name) => names.has(name));
                item.classList.toggle("touched", isOn);
            }
        },
        onTool: (name) => setTool(name),
        describe(cell) {
            const symbol = desk.sheet?.symbol(cell) || "empty";
            const small = view === "candidates" ? candidates?.get(nameOf(cell)) : undefined;
            const answer = view === "solution" ? desk.solution.get(nameOf(cell)) : undefined;
            const more = small ? `, candidates ${small.map((one) => one.symbol).join(" ")}` : "";
            const solved = symbol === "empty" && answer ? `, solution ${answer}` : "";
            return `row ${cell[0] + 1}, column ${cell[1] + 1}: ${symbol}${more}${solved}`;
        },
    });

    const toolSelect = element(
        "select",
        { "aria-label": "Tool" },
        [...new Set(TOOLS.map(({ group }) => group))].map((group) => {
            const options = TOOLS.filter((each) => each.group === group).map(({ name, title }) =>
                element("option", { value: name }, title),
            );
            return group ? element("optgroup", { label: group }, options) : options;
        }).flat(),
    );
    toolSelect.addEventListener("change", () => setTool(toolSelect.value));
    /** Tools with buttons of their own; all others are in the list. */
    const quick = ["digits", "killer", "thermo", "arrow", "white", "black"].map((name) => {
        const each = /** @type {Tool} */ (TOOLS.find((other) => other.name === name));
        return button(each.title, () => setTool(name), { "data-tool": name, "aria-pressed": "false" });
    });
    const undoButton = button("↶", () => step(false), { "aria-label": "Undo", title: "Undo (Ctrl+Z)" });
    const redoButton = button("↷", () => step(true), { "aria-label": "Redo", title: "Redo (Ctrl+Y)" });
    const valueInput = element("input", { autocomplete: "off", spellcheck: "false", size: "6" });
    valueInput.addEventListener("input", () => writeValue(valueInput.value));
    valueInput.addEventListener("keydown", (event) => {
        if (event.key === "Enter" || event.key === "Escape") {
            board.root.focus();
            event.preventDefault();
        }
    });
    const valueField = field("Value", valueInput);
    const toolHelp = element("p", { class: "muted small", id: "tool-help" });
    const pad = element("div", { class: "pad", role: "group", "aria-label": "Digits" });
    const toolbar = element(
        "div",
        { class: "toolbar no-print", role: "group", "aria-label": "Tools" },
        quick,
        toolSelect,
        undoButton,
        redoButton,
    );
    const toolLine = element("div", { class: "tool-line no-print" }, valueField, toolHelp);

    // Facts about the puzzle.
    const facts = element("div", { class: "facts", role: "status", "aria-live": "polite" });
    const problems = element("div", { class: "stack", "aria-live": "polite" });
    const views = [
        ["clues", "Clues"],
        ["candidates", "Candidates"],
        ["solution", "Solution"],
    ].map(([name, title]) =>
        button(title, () => app.set({ show: name === "solution" ? null : name }, { replace: true }), {
            "data-view": name,
            "aria-pressed": "false",
        }),
    );
    const viewBar = element("div", { class: "segments no-print", role: "group", "aria-label": "Show" }, views);

    // The text.
    const area = element("textarea", {
        id: "puzzle-text",
        rows: 14,
        spellcheck: "false",
        autocomplete: "off",
        autocapitalize: "off",
        "aria-describedby": "text-help",
    });
    area.addEventListener("input", () => setText(area.value, { isTyped: true }));
    area.addEventListener("keydown", (event) => {
        const key = event.key.toLowerCase();
        if ((event.ctrlKey || event.metaKey) && (key === "z" || key === "y")) {
            event.preventDefault();
            step(key === "y" || event.shiftKey);
        }
    });
    const fileInput = element("input", { type: "file", hidden: true, tabindex: -1, "aria-label": "File" });
    fileInput.addEventListener("change", () => void openFile(fileInput.files?.[0]));
    const exampleSelect = select(
        [["", "Examples …"], ...EXAMPLES.map(({ name, title }) => /** @type {[string, string]} */ ([name, title]))],
        "",
        (name) => {
            const example = EXAMPLES.find((each) => each.name === name);
            exampleSelect.value = "";
            if (example) {
                setText(example.text, { isStep: true });
            }
        },
        { "aria-label": "Examples" },
    );
    const textPanel = {
        root: element(
            "div",
            { class: "stack" },
            element("div", { class: "row" }, exampleSelect, button("Open a file", () => fileInput.click()), fileInput),
            element("label", { for: "puzzle-text" }, "Puzzle"),
            area,
            element(
                "p",
                { class: "muted small", id: "text-help" },
                "Paste a grid, a link (f-puzzles, SudokuPad, penpa, puzz.link), a board of pieces or an exact cover, or drop a file. Clues are lines such as ",
                element("code", {}, "# killer: r1c1 r1c2 = 10"),
                ".",
            ),
        ),
        refresh() {},
    };

    // The clues.
    const cluesList = element("ul", { class: "clues" });
    const switchBoxes = SWITCHES.map(([rule, title]) => {
        const box = element("input", { type: "checkbox", "data-rule": rule });
        box.addEventListener("change", () => {
            if (desk.sheet) {
                edit((sheet) => sheet.withRule(rule, box.checked));
            }
        });
        return element("label", { class: "check" }, box, title);
    });
    const cluesPanel = {
        root: element(
            "div",
            { class: "stack" },
            element("fieldset", { class: "switches" }, element("legend", {}, "Rules of the whole grid"), switchBoxes),
            element("h3", {}, "Clues"),
            cluesList,
        ),
        refresh: showClues,
    };

    /** @type {[name: string, title: string, panel: Panel][]} */
    const panels = [
        ["text", "Text", textPanel],
        ["clues", "Clues", cluesPanel],
        ["hint", "Hint", hintPanel(desk)],
        ["steps", "Steps", stepsPanel(desk)],
        ["why", "Why", whyPanel(desk)],
        ["share", "Export", sharePanel(desk, () => puzzlePicture)],
        ["new", "New", newPanel(desk)],
    ];
    let panel = panels[0];
    const panelTabs = panels.map(([name, title, { root: content }]) => {
        content.id = `panel-${name}`;
        content.setAttribute("role", "tabpanel");
        content.setAttribute("aria-labelledby", `tab-${name}`);
        return button(title, () => openPanel(name), {
            role: "tab",
            id: `tab-${name}`,
            "aria-controls": `panel-${name}`,
            "aria-selected": "false",
        });
    });
    const tabList = element("div", { class: "segments", role: "tablist", "aria-label": "Panels" }, panelTabs);
    tabList.addEventListener("keydown", (event) => {
        const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
        if (by) {
            const next = (panels.indexOf(panel) + by + panels.length) % panels.length;
            openPanel(panels[next][0]);
            panelTabs[next].focus();
            event.preventDefault();
        }
    });

    root.append(
        element("h1", { class: "visually-hidden" }, "Solve"),
        element(
            "div",
            { class: "columns solve" },
            element(
                "section",
                { class: "stack", "aria-label": "Board" },
                element("div", { class: "row spread" }, facts, viewBar),
                board.root,
                board.live,
                toolbar,
                toolLine,
                pad,
            ),
            element(
                "section",
                { class: "stack no-print", "aria-label": "Text and answers" },
                tabList,
                problems,
                element("div", { class: "panel" }, ...panels.map(([, , { root: content }]) => content)),
            ),
        ),
    );

    /** Opens a panel. @param {string} name */
    function openPanel(name) {
        if (panel[0] !== name) {
            panel[2].close?.();
            desk.showPicture(null);
            desk.setHighlight({});
        }
        panel = panels.find(([other]) => other === name) ?? panels[0];
        for (const [at, [other, , { root: content }]] of panels.entries()) {
            content.hidden = other !== panel[0];
            panelTabs[at].setAttribute("aria-selected", String(other === panel[0]));
            panelTabs[at].tabIndex = other === panel[0] ? 0 : -1;
        }
        panel[2].refresh();
    }

    /** Changes the text. @param {string} text @param {{ isStep?: boolean, isTyped?: boolean }} [options] */
    function setText(text, { isStep = false, isTyped = false } = {}) {
        if (text === desk.text && undo.at >= 0) {
            return;
        }
        const now = performance.now();
        const isMerged = isTyped && now - undo.typedAt < UNDO_PAUSE && undo.at > 0;
        undo.texts.length = undo.at + (isMerged ? 0 : 1);
        undo.texts.push(text);
        undo.texts.splice(0, undo.texts.length - UNDO_MAX);
        undo.at = undo.texts.length - 1;
        undo.typedAt = isTyped ? now : 0;
        apply(text);
        app.set({ text }, { replace: !isStep });
    }
    desk.setText = setText;

    /** Shows a text without a step of undo. @param {string} text */
    function apply(text) {
        desk.text = text;
        desk.sheet = Sheet.parse(text);
        desk.isUnique = null;
        desk.found = null;
        desk.solution = new Map();
        candidates = new Map();
        converted = null;
        if (area.value !== text) {
            area.value = text;
        }
        area.removeAttribute("aria-invalid");
        undoButton.disabled = undo.at <= 0;
        redoButton.disabled = undo.at >= undo.texts.length - 1;
        desk.highlight = {};
        setBoardSheet();
        paint();
        asking?.abort();
        refreshSoon();
    }

    function setBoardSheet() {
        const isEditable = desk.isGrid || converted !== null;
        if (desk.isGrid) {
            board.setSheet(desk.sheet);
        } else {
            board.setSheet(converted === null ? null : Sheet.parse(converted));
        }
        toolbar.classList.toggle("off", !isEditable);
        toolLine.classList.toggle("off", !isEditable);
        pad.classList.toggle("off", !isEditable);
        const symbols = (isEditable && board.sheet?.symbols) || [];
        if (pad.dataset.symbols !== symbols.join("")) {
            pad.dataset.symbols = symbols.join("");
            pad.replaceChildren(
                ...symbols.map((symbol) => button(symbol, () => typeSymbol(symbol), { "aria-label": `Digit ${symbol}` })),
                button("⌫", () => typeSymbol(""), { "aria-label": "Clear the cells" }),
            );
        }
        showClues();
    }

    /** @param {string} symbol */
    function typeSymbol(symbol) {
        if (board.selected.length === 0) {
            board.live.textContent = "Select cells first";
        }
        edit((sheet) => sheet.withSymbols(board.selected.map((cell) => [cell, symbol])));
    }

    /**
     * Edits the text as a sheet. A text in another format is written in our own format first.
     * @param {(sheet: Sheet) => string} change
     */
    function edit(change) {
        const sheet = desk.isGrid ? desk.sheet : converted === null ? null : Sheet.parse(converted);
        if (sheet) {
            setText(change(sheet));
        }
    }

    /** @param {boolean} isRedo */
    function step(isRedo) {
        const at = undo.at + (isRedo ? 1 : -1);
        if (at >= 0 && at < undo.texts.length) {
            undo.at = at;
            undo.typedAt = 0;
            apply(undo.texts[at]);
            app.set({ text: desk.text }, { replace: true });
        }
    }

    /** @param {string} name */
    function setTool(name) {
        tool = TOOLS.find((each) => each.name === name) ?? TOOLS[0];
        toolSelect.value = tool.name;
        for (const each of quick) {
            each.setAttribute("aria-pressed", String(each.dataset.tool === tool.name));
        }
        valueLine = null;
        valueField.hidden = tool.value === undefined;
        const label = valueField.querySelector("label");
        if (label) {
            label.textContent = tool.value ?? "";
        }
        valueInput.value = tool.initial ?? "";
        const keys = tool.gesture === "select" ? "" : " Or select cells with the arrow keys and Shift, then press Enter.";
        toolHelp.textContent = tool.help + (["outside", "diagonal", "corner"].includes(tool.gesture) ? "" : keys);
        board.setTool(tool);
        paint();
    }

    /** Adds the clue that was drawn. @param {Tool} drawn @param {Cell[]} cells @param {Cell | null} outside */
    function drawClue(drawn, cells, outside) {
        const sheet = desk.isGrid ? desk.sheet : converted === null ? null : Sheet.parse(converted);
        if (!sheet) {
            return;
        }
        if (drawn.gesture === "paint") {
            paintRegion(sheet, cells);
            return;
        }
        let where = drawn.write?.(cells) ?? "";
        if (drawn.gesture === "outside" && outside) {
            where = endOf(sheet, outside, drawn.name === "sandwich");
        } else if (drawn.gesture === "diagonal" && outside) {
            where = diagonalOf(sheet, outside, cells[0]);
        }
        if (where === "") {
            return;
        }
        const isPair = drawn.gesture === "pair";
        const isSwitch = isPair || ["even", "odd", "minimum", "maximum"].includes(drawn.name);
        const number = drawn.fixed ?? (drawn.value === undefined ? "" : valueInput.value.trim());
        const clue = `${drawn.rule}: ${where}${number ? ` = ${number}` : ""}`;
        // The same mark again removes it.
        const reversed = isPair ? `${drawn.rule}: ${[...cells].reverse().map(nameOf).join(" ")}${number ? ` = ${number}` : ""}` : clue;
        const known = isSwitch ? [clue, reversed].map((name) => sheet.lineOf(name)).find((line) => line >= 0) : undefined;
        if (known !== undefined) {
            setText(sheet.withoutLine(known));
            return;
        }
        setText(sheet.withClue(clue));
        if (drawn.value !== undefined) {
            valueLine = desk.sheet?.lineOf(clue) ?? null;
            valueInput.value = drawn.initial ?? "";
            valueInput.focus();
            valueInput.select();
        }
    }

    /** Writes the value of the last clue. @param {string} value */
    function writeValue(value) {
        const { sheet } = desk;
        if (valueLine === null || !sheet || sheet.lines[valueLine] === undefined) {
            return;
        }
        const before = sheet.lines[valueLine].replace(/\s*=.*$/, "");
        setText(sheet.withLine(valueLine, value.trim() === "" ? before : `${before} = ${value.trim()}`), { isTyped: true });
    }

    /** @param {Sheet} sheet @param {Cell[]} cells */
    function paintRegion(sheet, cells) {
        const labels = sheet.regions();
        if (labels && cells.length > 0) {
            const [first] = cells;
            const label = labels[first[0]][first[1]];
            cells.forEach(([row, column]) => (labels[row][column] = label));
            setText(sheet.withRegions(labels));
        }
    }

    /** Shows the clues in a list; a click drops one. */
    function showClues() {
        const { sheet } = desk;
        const clues = sheet && desk.isGrid ? sheet.clues : [];
        for (const box of /** @type {NodeListOf<HTMLInputElement>} */ (cluesPanel.root.querySelectorAll("[data-rule]"))) {
            box.checked = sheet?.rules.has(box.dataset.rule) ?? false;
            box.disabled = !desk.isGrid || desk.kind === "overlapping";
        }
        if (panel !== panels[1]) {
            return;
        }
        cluesList.replaceChildren(
            ...clues.map(({ line, rule, body }) => {
                const cells = sheet?.cellsOf(body) ?? [];
                const drop = button("×", () => edit((now) => now.withoutLine(line)), { "aria-label": `Drop ${rule}: ${body}`, class: "plain" });
                const item = element("li", { "data-cells": cells.map(nameOf).join(" ") }, element("span", {}, element("b", {}, rule), ` ${body}`), drop);
                item.addEventListener("pointerenter", () => desk.shade(cells, "focus"));
                item.addEventListener("pointerleave", () => desk.setHighlight({}));
                drop.addEventListener("focus", () => desk.shade(cells, "focus"));
                return item;
            }),
        );
        if (clues.length === 0) {
            cluesList.append(element("li", { class: "muted" }, "No clues besides the digits. Choose a tool and draw one on the board."));
        }
    }

    /** Draws all marks of the board. */
    function paint() {
        const { sheet, highlight } = desk;
        const answers = new Map(highlight.answers ?? []);
        const isPlain = !highlight.answers;
        if (view === "solution" && isPlain && desk.isGrid && sheet) {
            for (const [name, symbol] of desk.solution) {
                const cell = cellOf(name);
                if (cell && sheet.symbol(cell) === "") {
                    answers.set(name, { symbol });
                }
            }
        }
        /** @type {Map<string, string>} */
        const letters = new Map();
        const fills = new Map(highlight.fills ?? []);
        if (tool.gesture === "paint" && sheet && desk.isGrid) {
            const labels = sheet.regions() ?? [];
            for (const cell of allCells(sheet)) {
                const label = labels[cell[0]]?.[cell[1]] ?? ".";
                letters.set(nameOf(cell), label);
                fills.set(nameOf(cell), `region-${"123456789ABCDEFGHIJ".indexOf(label.toUpperCase()) % 9}`);
            }
        }
        const isEmpty = (/** @type {string} */ name) => {
            const cell = cellOf(name);
            return cell && sheet?.symbol(cell) === "";
        };
        const small = new Map([...(candidates ?? [])].filter(([name]) => view === "candidates" && isEmpty(name)));
        const marks = { fills, answers, letters, candidates: highlight.candidates ?? small };
        board.setMarks(marks);
    }
    desk.paint = paint;
    desk.showPicture = (picture, label = "Step") => {
        if (picture) {
            board.show(picture, label);
        } else if (puzzlePicture) {
            board.show(puzzlePicture, pictureLabel());
        }
    };

    function pictureLabel() {
        const size = desk.sheet && desk.isGrid ? `${desk.sheet.rows} by ${desk.sheet.columns} ` : "";
        return `${size}${desk.kind || "puzzle"} board. Arrow keys move, Shift extends, digits fill.`;
    }

    /** Asks all questions about the text. */
    async function refresh() {
        asking?.abort();
        const controller = new AbortController();
        asking = controller;
        const { signal } = controller;
        const { text } = desk;
        if (text.trim() === "") {
            facts.replaceChildren(badge("empty", ""));
            problems.replaceChildren();
            return;
        }
        try {
            const drawing = desk.ask("draw", { time: PATIENCE }, { signal }).then((answer) => {
                if (!signal.aborted) {
                    showDrawing(answer);
                }
                return answer;
            });
            const listing = desk.ask("list", { limit: 2, time: PATIENCE }, { signal }).then(async (answer) => {
                await drawing;
                if (!signal.aborted) {
                    showAnswer(answer);
                }
                return answer;
            });
            const list = await listing;
            const line = list.lines[0];
            if (signal.aborted || !line || line.error) {
                return;
            }
            await Promise.all([
                view === "candidates" ? askCandidates(signal) : null,
                view === "solution" && !desk.isGrid && line.solutions.length > 0 ? drawSolution(signal) : null,
                askFacts(signal, line),
                desk.isGrid ? null : convert(signal),
            ]);
            if (!signal.aborted) {
                panel[2].refresh();
            }
        } catch (error) {
            if (!signal.aborted) {
                problems.replaceChildren(message(`The program did not answer: ${error instanceof Error ? error.message : error}`));
            }
        }
    }
    const refreshSoon = debounce(() => void refresh(), PAUSE);

    /** @param {Answer} answer */
    function showDrawing(answer) {
        const picture = answer.text.includes("<svg") ? svg(answer.text) : null;
        problems.replaceChildren();
        if (answer.notes.length > 0) {
            const isError = picture === null;
            problems.append(message(answer.notes.slice(0, 12), { kind: isError ? "error" : "note", onPlace: showPlace }));
            area.toggleAttribute("aria-invalid", isError);
        }
        board.root.classList.toggle("stale", picture === null);
        if (picture) {
            puzzlePicture = picture;
            board.show(picture, pictureLabel());
        } else {
            facts.replaceChildren(badge("cannot be read", "bad"));
        }
    }

    /** @param {Answer} answer */
    function showAnswer({ lines: [line], notes, code, seconds }) {
        if (!line || line.error) {
            if (problems.childElementCount === 0 || code !== 2) {
                problems.replaceChildren(message(line?.error ?? notes, { onPlace: showPlace }));
            }
            facts.replaceChildren(badge("cannot be solved as it is", "bad"));
            if (line?.kind) {
                desk.kind = line.kind;
            }
            return;
        }
        desk.kind = line.kind;
        desk.found = Number(line.count);
        desk.isUnique = desk.found > 1 ? false : line.complete ? desk.found === 1 : null;
        desk.solution = solutionOf(line.solutions[0] ?? "", desk.sheet);
        setBoardSheet();
        if (puzzlePicture) {
            board.root.setAttribute("aria-label", pictureLabel());
        }
        paint();
        const verdict =
            desk.isUnique === true
                ? badge("one solution", "good")
                : desk.found > 1
                  ? badge("several solutions", "warn")
                  : line.complete
                    ? badge("no solution", "bad")
                    : badge(desk.found === 1 ? "a solution; more not excluded" : `no answer within ${PATIENCE} s`, "warn");
        facts.replaceChildren(verdict, badge(line.kind, ""), badge(duration(Math.max(line.seconds, 0.0005)), "", `the program ran for ${duration(seconds)}`));
    }

    /** Shows the number of solutions, spare clues and difficulty. @param {AbortSignal} signal @param {any} line */
    async function askFacts(signal, line) {
        if (line.kind === "cover" || line.kind === "polyomino") {
            const { lines } = await desk.ask("count", { time: PATIENCE }, { signal });
            if (!signal.aborted && lines[0]?.count && desk.found !== 0 && lines[0].count !== "1") {
                const least = lines[0].complete ? "" : "at least ";
                facts.firstElementChild?.replaceWith(badge(`${least}${grouped(lines[0].count)} solutions`, "warn"));
            }
            return;
        }
        const { lines } = await desk.ask("check", { time: PATIENCE }, { signal });
        const check = lines[0];
        if (signal.aborted || !check || check.error) {
            return;
        }
        if (check.count && Number(check.count) > 1) {
            const least = check.exact ? "" : "at least ";
            facts.firstElementChild?.replaceWith(badge(`${least}${grouped(check.count)} solutions`, "warn"));
        }
        if (!check.valid) {
            const cells = /** @type {[number, number][]} */ (check.cells).map(([row, column]) => /** @type {Cell} */ ([row - 1, column - 1]));
            problems.append(message(check.message));
            desk.shade(cells, "clash");
        }
        if (check.minimal === true) {
            facts.append(badge("minimal", "good", "every clue is needed"));
        } else if (check.spare?.length > 0) {
            facts.append(badge(`${check.spare.length} spare ${check.spare.length === 1 ? "clue" : "clues"}`, "", "each can be left out alone"));
        }
        if (check.unique) {
            const { lines: [rate] } = await desk.ask("rate", { time: PATIENCE }, { signal });
            if (!signal.aborted && rate?.score) {
                facts.append(badge(`${rate.score.toFixed(1)} ${rate.hardest ?? ""}`, "", "score and name of the hardest step"));
            }
        }
    }

    /** @param {AbortSignal} signal */
    async function askCandidates(signal) {
        const { lines, code } = await desk.ask("check", { candidates: true, limit: CANDIDATE_LIMIT, time: PATIENCE }, { signal });
        const line = lines[0];
        if (signal.aborted || !line || line.error) {
            return;
        }
        candidates = new Map();
        for (const { cell, symbol, count, exact } of line.candidates) {
            if (cell) {
                const look = count === 0 ? "unknown" : count === 1 && exact ? "one" : count < line.limit && exact ? "few" : "many";
                candidates.set(cell, [...(candidates.get(cell) ?? []), { symbol, look }]);
            }
        }
        facts.querySelector(".candidates-fact")?.remove();
        const fact = badge(`${line.true} true candidates${code === 3 ? `, ${line.unknown} open after ${PATIENCE} s` : ""}`, "");
        fact.classList.add("candidates-fact");
        facts.append(fact);
        paint();
    }

    /** Draws the solution of a puzzle that is no grid. @param {AbortSignal} signal */
    async function drawSolution(signal) {
        const { text } = await desk.ask("solve", { svg: true, time: PATIENCE }, { signal });
        const picture = text.includes("<svg") ? svg(text) : null;
        if (picture && !signal.aborted) {
            board.show(picture, "The solution");
        }
    }

    /** Prepares a text of another program for the board. @param {AbortSignal} signal */
    async function convert(signal) {
        if (!GRID_KINDS.has(desk.kind)) {
            return;
        }
        const { text, code } = await desk.ask("convert", { to: "rows", time: PATIENCE }, { signal });
        if (!signal.aborted && code === 0 && Sheet.parse(text)) {
            converted = text;
            setBoardSheet();
        }
    }

    /** @param {string} words @param {string} look @param {string} [title] */
    function badge(words, look, title) {
        return element("span", { class: `badge ${look}`, title }, words);
    }

    /** Selects a place in the text. @param {import("../ui.js").Position} position */
    function showPlace({ line, column }) {
        openPanel("text");
        const before = desk.text.split("\n").slice(0, line - 1).join("\n").length;
        const at = Math.min(desk.text.length, before + (line > 1 ? 1 : 0) + column - 1);
        area.focus();
        area.setSelectionRange(at, at + 1);
    }

    /** @param {File | undefined} file */
    async function openFile(file) {
        if (!file) {
            return;
        }
        try {
            setText(await fileText(file), { isStep: true });
        } catch (error) {
            problems.replaceChildren(message(error instanceof Error ? error.message : String(error)));
        }
    }

    /** @param {DragEvent} event */
    async function drop(event) {
        const { dataTransfer } = event;
        if (dataTransfer) {
            event.preventDefault();
            root.classList.remove("dropping");
            const file = dataTransfer.files[0];
            const text = dataTransfer.getData("text/uri-list") || dataTransfer.getData("text/plain");
            await (file ? openFile(file) : text && setText(text, { isStep: true }));
        }
    }
    /** @param {DragEvent} event */
    function dragOver(event) {
        event.preventDefault();
        root.classList.add("dropping");
    }
    root.addEventListener("dragover", dragOver);
    root.addEventListener("dragleave", () => root.classList.remove("dropping"));
    root.addEventListener("drop", (event) => void drop(event));

    /** Pastes a whole puzzle wherever the focus is. @param {ClipboardEvent} event */
    function paste(event) {
        const target = /** @type {Element} */ (event.target);
        const text = event.clipboardData?.getData("text/plain") ?? "";
        if (text.trim() !== "" && !target.closest?.("textarea, input")) {
            event.preventDefault();
            setText(text, { isStep: true });
        }
    }
    document.addEventListener("paste", paste);

    setTool("digits");
    openPanel("text");

    return {
        update(parameters) {
            const nextView = ["clues", "candidates"].includes(parameters.show) ? parameters.show : "solution";
            const isViewNew = nextView !== view;
            view = nextView;
            for (const each of views) {
                each.setAttribute("aria-pressed", String(each.dataset.view === view));
            }
            const text = parameters.text ?? (undo.at >= 0 && desk.text === "" ? "" : EXAMPLES[0].text);
            if (text !== desk.text || undo.at < 0) {
                if (undo.texts[undo.at] !== text) {
                    undo.texts.length = undo.at + 1;
                    undo.texts.push(text);
                    undo.at = undo.texts.length - 1;
                }
                apply(text);
            } else if (isViewNew) {
                desk.showPicture(null);
                paint();
                void refresh();
            }
        },
        unmount() {
            asking?.abort();
            refreshSoon.cancel();
            panel[2].close?.();
            document.removeEventListener("paste", paste);
        },
    };
}

/**
 * Reads a solution as the program prints it.
 * @param {string} text
 * @param {Sheet | null} sheet
 * @returns {Map<string, string>} symbol of each cell
 */
export function solutionOf(text, sheet) {
    const solution = new Map();
    const lines = text.split("\n").filter((line) => !line.startsWith("#") && line !== "");
    if (!sheet) {
        return solution;
    }
    const isOne = lines.length === 1 && sheet.rows > 1;
    const words = (/** @type {string} */ line) => (!sheet.isOverlapping && /\s/.test(line.trim()) ? line.trim().split(/\s+/) : [...line]);
    const all = isOne ? words(lines[0]) : [];
    for (let row = 0; row < sheet.rows; row += 1) {
        const symbols = isOne ? all.slice(row * sheet.columns, (row + 1) * sheet.columns) : words(lines[row] ?? "");
        symbols.forEach((symbol, column) => {
            if (symbol.trim() !== "" && sheet.has([row, column])) {
                solution.set(nameOf([row, column]), symbol);
            }
        });
    }
    return solution;
}

/** Names the row or column that ends at a place outside the grid. @param {Sheet} sheet @param {Cell} outside @param {boolean} isWhole */
function endOf(sheet, [row, column], isWhole) {
    const isRow = row >= 0 && row < sheet.rows;
    const isColumn = column >= 0 && column < sheet.columns;
    if (isRow === isColumn) {
        return "";
    }
    if (isRow) {
        return `row ${row + 1}${isWhole ? "" : column < 0 ? " left" : " right"}`;
    }
    return `column ${column + 1}${isWhole ? "" : row < 0 ? " top" : " bottom"}`;
}

/** Names the diagonal that begins next to a place outside the grid. @param {Sheet} sheet @param {Cell} outside @param {Cell | undefined} into */
function diagonalOf(sheet, outside, into) {
    const ways = [
        [1, 1],
        [1, -1],
        [-1, 1],
        [-1, -1],
    ];
    for (const [down, right] of ways) {
        const first = /** @type {Cell} */ ([outside[0] + down, outside[1] + right]);
        const isAsked = !into || (into[0] === first[0] && into[1] === first[1]);
        if (sheet.has(first) && isAsked) {
            return `diagonal ${nameOf(first)} ${down > 0 ? "down" : "up"}-${right > 0 ? "right" : "left"}`;
        }
    }
    return "";
}

/** Notes without the name of the input, for panels. @param {Answer} answer */
export function problemOf({ lines, notes, code }) {
    if (lines[0]?.error) {
        return readNotes([String(lines[0].error)]).text;
    }
    return notes.length > 0 ? readNotes(notes).text : `The program ended with code ${code}.`;
}
