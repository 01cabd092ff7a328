// The place Pack: choose pieces and a board, place pieces by hand, and see at once whether the rest still fits.

import { download, element, fileText, grouped, message } from "../ui.js";
import { answerOf, faultLines, faultOf } from "./answers.js";
import { Board, orientationPicture } from "./board.js";
import { hueOf, shape } from "./drawing.js";
import { makeBoardEditor, makePieceEditor } from "./editors.js";
import { connectedParts, keyOf, placeOf, readTiling } from "./lattice.js";
import { copiesLeft, joinText, moveOrientation, partText, placeClues, readModel, takenCells } from "./model.js";
import { fromBurrTools, isBurrTools } from "./burrtools.js";
import { PRESETS } from "./presets.js";
import { drawSolid, makeTurnable } from "./solid.js";

/** @typedef {import("./model.js").Model} Model */
/** @typedef {import("./model.js").Motion} Motion */
/** @typedef {import("./board.js").SolutionPiece} SolutionPiece */
/** @typedef {import("../main.js").App} App */

/** The box that is shown first: two pieces are placed, and 18 solutions remain. */
const FIRST = "two-placed";

/** Seconds for the live count, after which it says what is known. */
const COUNT_SECONDS = 10;

/** Cells of a board that is drawn; a board of 2,000 takes about 20 ms to draw. */
const CELLS_MAX = 2000;

/** Solutions that are listed at most; more are counted, not shown. */
const SOLUTIONS_MAX = 5000;

/**
 * @param {HTMLElement} root
 * @param {App} app
 * @returns {import("../places.js").Mounted}
 */
export function mount(root, app) {
    const board = new Board();
    let text = "";
    /** @type {Model | null} */
    let model = null;
    /** @type {number[]} */
    let placed = [];
    /** The placed pieces in the order in which they were placed. @type {number[]} */
    let order = [];
    /** The orientation of each piece in the tray. @type {number[]} */
    let turned = [];
    /** @type {number | null} */
    let inHand = null;
    /** The placed pieces before the piece in hand was lifted. @type {number[] | null} */
    let before = null;
    /** @type {number | null} */
    let ghost = null;
    /** @type {number | null} */
    let cursor = null;
    /** From the middle of the piece in hand to the pointer. @type {[number, number]} */
    let grip = [0, 0];
    /** @type {string[]} */
    let solutions = [];
    let shown = 0;
    let allListed = false;
    let solvable = /** @type {boolean | null} */ (null);
    let marks = { good: /** @type {number[]} */ ([]), bad: /** @type {number[]} */ ([]), cells: /** @type {Set<number>} */ (new Set()) };
    const view = { yaw: 30, pitch: 28, apart: 0 };
    let questions = new AbortController();

    // The page of this place.
    const boxes = element("select", { id: "pack-box" });
    for (const group of new Set(PRESETS.map((preset) => preset.group))) {
        const options = PRESETS.filter((preset) => preset.group === group);
        boxes.append(
            element("optgroup", { label: group }, ...options.map(({ name, title }) => element("option", { value: name }, title))),
        );
    }
    const own = element("option", { value: "" }, "Your own");
    boxes.append(own);
    boxes.addEventListener("change", () => {
        if (boxes.value) go({ box: boxes.value });
    });

    const status = element("p", { class: "pack-status", role: "status", "aria-live": "polite" });
    const fault = element("div", { role: "alert" });
    const tray = element("div", { class: "pack-tray panel", role: "group", "aria-label": "Pieces" });
    const stage = element("div", { class: "pack-stage" }, board.picture);
    const turnButtons = element("div", { class: "pack-buttons pack-turns" });
    const solutionButtons = element("div", { class: "pack-buttons" });
    const position = element("span", { class: "pack-position" });
    const note = element("p", { class: "pack-note", role: "status", "aria-live": "polite" });

    const area = element("textarea", { id: "pack-text", rows: 12, spellcheck: "false", autocapitalize: "off" });
    let typing = 0;
    area.addEventListener("input", () => {
        clearTimeout(typing);
        typing = window.setTimeout(() => go({ text: area.value }), 400);
    });

    area.addEventListener("drop", (event) => {
        const [file] = event.dataTransfer?.files ?? [];
        if (!file) return;
        event.preventDefault();
        void fileText(file).then((content) => go({ text: content }), (error) => showFault(String(error.message)));
    });

    const faintBox = element("input", { type: "checkbox", id: "pack-faint", checked: true });
    faintBox.addEventListener("change", () => draw());

    /** @param {string} label @param {() => void} act @param {Record<string, string>} [more] */
    const key = (label, act, more = {}) => {
        const node = element("button", { type: "button", ...more }, label);
        node.addEventListener("click", act);
        return node;
    };
    const tilt = key("Tilt (T)", () => turn("tilt"));
    const takeBack = key("Take back", () => commit(placed.slice(0, -1)));
    const clear = key("Clear", () => commit([]));
    turnButtons.append(key("Rotate (R)", () => turn("turn")), key("Flip (F)", () => turn("flip")), tilt, takeBack, clear);
    const previous = key("Previous", () => step(-1));
    const next = key("Next solution", () => step(1), { class: "primary" });
    const one = key("Place one piece", () => placeOne());
    solutionButtons.append(
        previous,
        next,
        position,
        one,
        key("Hint", () => hint()),
        key("Count up to symmetry", () => countClasses()),
        element("label", { class: "check" }, faintBox, " show the solution"),
    );

    // Solids: the view in space.
    const space = shape("svg", {
        class: "space",
        tabindex: 0,
        role: "application",
        "aria-label": "The pieces in space; drag, or use the arrow keys, to turn",
    });
    makeTurnable(space, view, () => drawSpace());
    const apart = element("input", { type: "range", id: "pack-apart", min: 0, max: 1, step: 0.02, value: 0 });
    apart.addEventListener("input", () => {
        view.apart = Number(apart.value);
        drawSpace();
    });
    const pieceCount = element("input", { type: "range", id: "pack-count", min: 1, max: 1, step: 1, value: 1 });
    pieceCount.addEventListener("input", () => drawSpace());
    const solid = element(
        "section",
        { class: "pack-solid", hidden: true, "aria-label": "In space" },
        space,
        element(
            "div",
            { class: "pack-sliders" },
            element("label", { for: "pack-apart" }, "Pull apart"),
            apart,
            element("label", { for: "pack-count" }, "Pieces shown"),
            pieceCount,
        ),
    );

    const boardEditor = makeBoardEditor({
        model: () => model,
        change: (base) => go({ text: base }),
    });
    const pieceEditor = makePieceEditor({
        model: () => model,
        change: (base) => go({ text: base }),
    });
    const editBox = element("details", { class: "pack-edit" }, element("summary", {}, "Draw the board"), boardEditor.node);
    editBox.addEventListener("toggle", () => {
        if (editBox.open) boardEditor.refresh();
    });
    const pieceBox = element("details", { class: "pack-edit" }, element("summary", {}, "Draw a piece"), pieceEditor.node);
    pieceBox.addEventListener("toggle", () => {
        if (pieceBox.open) pieceEditor.refresh();
    });

    const files = element(
        "div",
        { class: "pack-buttons" },
        key("Save text", () => download("packing.poly", new Blob([text], { type: "text/plain" }))),
        key("Save picture", () => savePicture()),
        key("Count", () => app.go("count", { text })),
    );

    root.replaceChildren(
        element(
            "div",
            { class: "pack" },
            element(
                "header",
                { class: "pack-head" },
                element("h1", {}, "Pack"),
                element(
                    "p",
                    { class: "lead" },
                    "Drag pieces onto the board. The page says at once whether the rest still fits, and in how many ways.",
                ),
            ),
            element("div", { class: "pack-choose" }, element("label", { for: "pack-box" }, "Box"), boxes),
            status,
            fault,
            element(
                "div",
                { class: "pack-table" },
                element("div", { class: "pack-left" }, stage, solid, solutionButtons, note),
                element(
                    "div",
                    { class: "pack-right" },
                    tray,
                    turnButtons,
                    element(
                        "p",
                        { id: "pack-keys", class: "pack-keys" },
                        "Pick a piece, then click the board or drag. On the keyboard: arrows move, R rotates, F flips, Enter places or lifts, Delete removes, Escape puts back.",
                    ),
                    editBox,
                    pieceBox,
                    element("label", { for: "pack-text", class: "pack-text-label" }, "As text"),
                    area,
                    files,
                ),
            ),
        ),
    );

    /** Opens a text or a box, with a step in the history. @param {{ text?: string, box?: string }} where */
    function go(where) {
        app.set({ box: where.box, text: where.box ? undefined : where.text });
    }

    /** @param {number[]} numbers */
    function commit(numbers) {
        if (!model) return;
        inHand = null;
        before = null;
        ghost = null;
        order = numbers;
        const preset = PRESETS.find((row) => row.text.trim() === joinText(/** @type {Model} */ (model), numbers).trim());
        go(preset ? { box: preset.name } : { text: joinText(model, numbers) });
    }

    /** Number of the newest text: answers to older ones are dropped. */
    let opened = 0;

    /** @param {string} wanted */
    async function open(wanted) {
        if (wanted === text && model) return;
        if (isBurrTools(wanted)) {
            try {
                go({ text: fromBurrTools(wanted) });
            } catch (error) {
                showFault(error instanceof Error ? error.message : String(error));
            }
            return;
        }
        opened += 1;
        const mine = opened;
        text = wanted;
        if (document.activeElement !== area || area.value.trim() !== text.trim()) area.value = text;
        const preset = PRESETS.find((row) => row.text === text);
        boxes.value = preset?.name ?? "";
        questions.abort();
        questions = new AbortController();
        const { signal } = questions;
        marks = { good: [], bad: [], cells: new Set() };
        note.textContent = "";
        const parts = partText(text);
        if (!model || model.base !== parts.base) {
            status.textContent = "Reading …";
            const answer = await answerOf(app, { question: "convert", input: parts.base, options: { to: "dlx", time: 20 } }, signal);
            if (mine !== opened || !answer) return;
            if (answer.code >= 2 || answer.text.trim() === "") {
                showFault(faultLines(answer));
                return;
            }
            const read = readModel(parts.base, answer.text);
            if (read.cells.length > CELLS_MAX) {
                showFault(`This board has ${grouped(String(read.cells.length))} cells, and Pack draws at most ${grouped(String(CELLS_MAX))}. Count takes larger ones.`);
                return;
            }
            model = read;
            turned = model.pieces.map((piece) => piece.orientations[0] ?? -1);
            board.setModel(model);
            inHand = null;
            before = null;
            cursor = null;
            boardEditor.refresh();
            pieceEditor.refresh();
            if (model.isCut) say("There are too many placements to hold; some pieces cannot be dragged.");
        }
        const { placed: found, faults } = placeClues(model, parts.clues);
        // The text does not say in which order pieces were placed, but "Take back" wants the last one.
        const ranks = new Map(order.map((number, rank) => [number, rank]));
        placed = found.sort((a, b) => (ranks.get(a) ?? Infinity) - (ranks.get(b) ?? Infinity) || 0);
        if (before !== null) inHand = null;
        before = null;
        inHand = inHand !== null && copiesLeft(model, placed, model.orientations[inHand].piece) > 0 ? inHand : null;
        ghost = null;
        solutions = [];
        shown = 0;
        allListed = false;
        solvable = null;
        fault.replaceChildren();
        if (faults.length > 0) {
            const names = faults.map((letter) => `‘${letter}’`).join(", ");
            showFault(`No piece lies like the clue ${names} on this board.`);
        }
        draw();
        await evaluate(signal, mine);
    }

    /** @param {string | string[]} words */
    function showFault(words) {
        fault.replaceChildren(message(words.length > 0 ? words : "The program could not read this text."));
        status.textContent = "";
        status.className = "pack-status";
    }

    /** Asks for one solution, then for the number of solutions. @param {AbortSignal} signal @param {number} mine */
    async function evaluate(signal, mine) {
        status.className = "pack-status";
        status.textContent = "Searching …";
        const first = await answerOf(app, { question: "list", input: text, options: { limit: 1, time: COUNT_SECONDS } }, signal);
        if (mine !== opened || !first) return;
        const line = first.lines[0];
        if (!line || line.error) {
            showFault(faultLines(first));
            return;
        }
        const notes = first.notes.filter((words) => /board has/.test(words)).map((words) => words.replace(/^puzzle \d+: /, ""));
        solutions = /** @type {string[]} */ (line.solutions ?? []);
        if (solutions.length === 0) {
            solvable = line.complete ? false : null;
            status.className = `pack-status ${line.complete ? "bad" : ""}`;
            status.textContent = line.complete
                ? placed.length > 0
                    ? "No way to fill the rest. Take a piece back."
                    : `No way to fill this board.${notes.length ? ` It cannot work: ${notes[0]}.` : ""}`
                : `Nothing found in ${COUNT_SECONDS} seconds; it may still be possible.`;
            allListed = Boolean(line.complete);
            draw();
            return;
        }
        solvable = true;
        status.className = "pack-status good";
        status.textContent = "Still solvable. Counting …";
        draw();
        const counted = await answerOf(app, { question: "count", input: text, options: { time: COUNT_SECONDS } }, signal);
        if (mine !== opened || !counted) return;
        const count = counted.lines[0];
        if (!count || count.error) {
            status.textContent = "Still solvable.";
            return;
        }
        const number = grouped(String(count.count));
        if (isComplete()) status.textContent = "Solved: every piece lies.";
        else if (!count.complete) status.textContent = `Still solvable, in at least ${number} ways.`;
        else status.textContent = count.count === "1" ? "Exactly one way to fill the rest." : `${number} ways to fill the rest.`;
        total = count.complete ? String(count.count) : `${count.count}+`;
        drawPosition();
    }

    /** The number of solutions, if it is known. */
    let total = "";

    function isComplete() {
        if (!model) return false;
        const taken = takenCells(model, placed);
        return model.cells.every((cell, index) => cell.optional || taken.has(index));
    }

    /** The pieces of the shown solution that are not placed. @returns {SolutionPiece[]} */
    function restOfSolution() {
        if (!model || !solutions[shown]) return [];
        const taken = new Set([...takenCells(model, placed).keys()].map((cell) => /** @type {Model} */ (model).cells[cell].key));
        const { lattice, pieces } = readTiling(solutions[shown]);
        return pieces
            .flatMap(({ name, places }) => connectedParts(lattice, places).map((part) => ({ name, places: part })))
            .filter(({ places }) => !places.some((place) => taken.has(keyOf(place))));
    }

    function draw() {
        if (!model) return;
        const faint = faintBox.checked && inHand === null ? restOfSolution() : [];
        board.draw({ placed, orientation: inHand, ghost, solution: faint, marks, cursor });
        stage.classList.toggle("in-hand", inHand !== null);
        drawTray();
        drawPosition();
        tilt.hidden = !model.solid;
        solid.hidden = !model.solid;
        if (model.solid) drawSpace();
        takeBack.disabled = placed.length === 0;
        clear.disabled = placed.length === 0;
        const taken = isComplete();
        one.disabled = taken || solutions.length === 0;
    }

    function drawPosition() {
        previous.disabled = shown === 0;
        const last = allListed && shown >= solutions.length - 1;
        next.disabled = last || solutions.length === 0;
        const of = total && solvable ? ` of ${grouped(total)}` : "";
        position.textContent = solutions.length ? `Solution ${grouped(String(shown + 1))}${of}` : "";
    }

    function drawSpace() {
        if (!model) return;
        const { cells } = model;
        const every = cells.map((cell) => cell.place);
        const blocks = placed.map((number) => {
            const placement = /** @type {Model} */ (model).placements[number];
            return { hue: hueOf(placement.piece), places: placement.cells.map((cell) => cells[cell].place), faint: false };
        });
        if (faintBox.checked) {
            for (const { name, places } of restOfSolution()) {
                const index = model.pieces.findIndex((piece) => piece.name === name);
                blocks.push({ hue: hueOf(index >= 0 ? index : name.codePointAt(0) ?? 0), places, faint: false });
            }
        }
        if (ghost !== null) {
            const placement = model.placements[ghost];
            blocks.push({ hue: hueOf(placement.piece), places: placement.cells.map((cell) => cells[cell].place), faint: true });
        }
        const full = Number(pieceCount.value) >= Number(pieceCount.max);
        pieceCount.max = String(Math.max(1, blocks.length));
        if (full) pieceCount.value = pieceCount.max;
        // Pieces that are hidden first are those nearest to the top.
        const order = blocks
            .map((block) => ({ block, height: block.places.reduce((sum, place) => sum - place.layer, 0) / block.places.length }))
            .sort((a, b) => a.height - b.height);
        const some = order.slice(0, Number(pieceCount.value)).map(({ block }) => block);
        drawSolid(space, some, every, view, model.lattice.balls);
    }

    function drawTray() {
        if (!model) return;
        const focused = tray.contains(document.activeElement) ? document.activeElement?.getAttribute("data-piece") : null;
        const widest = Math.max(1, ...model.pieces.map((piece) => piece.size));
        const scale = model.pieces.length > 20 || widest > 6 ? 11 : 15;
        const buttons = model.pieces.map((piece, index) => {
            const left = copiesLeft(/** @type {Model} */ (model), placed, index);
            const fits = piece.orientations.length > 0;
            const held = inHand !== null && /** @type {Model} */ (model).orientations[inHand].piece === index;
            const copies = piece.high === Infinity ? "any number" : piece.high === 1 ? "" : `${left} left`;
            const button = element("button", {
                type: "button",
                class: "pack-piece",
                "data-piece": String(index),
                "aria-pressed": held ? "true" : "false",
                "aria-label": `Piece ${piece.label}${copies ? `, ${copies}` : left === 0 ? ", placed" : ""}`,
                disabled: left <= 0 || !fits,
            });
            if (fits) button.append(orientationPicture(/** @type {Model} */ (model), held && inHand !== null ? inHand : turned[index], scale));
            button.append(element("span", { class: "pack-name" }, piece.high === 1 || piece.high === Infinity ? piece.label : `${piece.label} ×${left}`));
            button.addEventListener("pointerdown", (event) => dragFromTray(event, index));
            button.addEventListener("click", (event) => {
                // A click by the keyboard has no pointer.
                if (event.detail === 0) pick(index, true);
            });
            return button;
        });
        tray.replaceChildren(...buttons);
        if (focused !== null && focused !== undefined) {
            /** @type {HTMLElement | null} */ (tray.querySelector(`[data-piece="${focused}"]`))?.focus();
        }
    }

    /** @param {number} piece @param {boolean} keyboard */
    function pick(piece, keyboard) {
        if (!model) return;
        putBack();
        inHand = turned[piece];
        grip = [0, 0];
        if (keyboard) {
            const middle = /** @type {[number, number]} */ ([0, 1].map((k) => {
                const flat = /** @type {Model} */ (model).cells.map((cell) => /** @type {Model} */ (model).lattice.center(board.move(cell.place))[k]);
                return (Math.min(...flat) + Math.max(...flat)) / 2;
            }));
            ghost = board.nearest(inHand, placed, middle, Infinity);
            if (ghost === null) say(`There is no room for piece ${model.pieces[piece].label} this way round.`);
            board.picture.focus();
        }
        draw();
    }

    /** Puts the piece in hand back where it was. */
    function putBack() {
        if (before) placed = before;
        before = null;
        inHand = null;
        ghost = null;
    }

    /** @param {string} words */
    function say(words) {
        note.textContent = words;
    }

    /** @param {Motion} motion */
    function turn(motion) {
        if (!model) return;
        if (inHand === null) {
            say("Pick a piece first.");
            return;
        }
        const piece = model.orientations[inHand].piece;
        const other = moveOrientation(model, inHand, motion);
        if (other === inHand) {
            say(`Piece ${model.pieces[piece].label} looks the same so, or does not fit.`);
            return;
        }
        say("");
        const middle = ghost === null ? null : board.middleOf(ghost, 0);
        inHand = other;
        turned[piece] = other;
        grip = [0, 0];
        ghost = middle ? board.nearest(other, placed, middle, Infinity) : null;
        if (middle && ghost === null) say("There is no room for it this way round.");
        draw();
    }

    /** @param {PointerEvent} event */
    function hover(event) {
        if (inHand === null || !model) return;
        const [x, y] = board.pointAt(event.clientX, event.clientY);
        const found = board.nearest(inHand, placed, [x - grip[0], y - grip[1]], model.solid ? 2.5 : undefined);
        if (found !== ghost) {
            ghost = found;
            draw();
        }
    }

    function drop() {
        if (ghost === null || !model) return;
        const label = model.pieces[model.placements[ghost].piece].label;
        say(`Piece ${label} placed.`);
        commit([...placed, ghost]);
    }

    /** @param {PointerEvent} event @param {number} piece */
    function dragFromTray(event, piece) {
        if (event.button !== 0 || !model) return;
        if (copiesLeft(model, placed, piece) <= 0) return;
        const held = inHand !== null && model.orientations[inHand].piece === piece;
        const source = /** @type {HTMLElement} */ (event.currentTarget);
        const floating = /** @type {SVGElement | undefined} */ (source.querySelector("svg")?.cloneNode(true));
        drag(event, floating, () => {
            if (held) {
                putBack();
                draw();
            } else {
                pick(piece, false);
                say(`Piece ${/** @type {Model} */ (model).pieces[piece].label} in hand: click the board to place it.`);
            }
        });
        pick(piece, false);
    }

    /**
     * Follows the pointer until it is released; a drag places the piece in hand, a click does what is given.
     * @param {PointerEvent} start
     * @param {SVGElement | undefined} floating
     * @param {() => void} click
     */
    function drag(start, floating, click) {
        start.preventDefault();
        // The pieces are drawn anew while they move, so the events go to an element that stays.
        /** @type {Element} */ (start.currentTarget === board.picture ? board.picture : tray).setPointerCapture(start.pointerId);
        let far = false;
        const scale = board.picture.getBoundingClientRect().width / Number(board.picture.style.getPropertyValue("--cells") || 1);
        /** @param {PointerEvent} event */
        const move = (event) => {
            if (event.pointerId !== start.pointerId) return;
            if (Math.hypot(event.clientX - start.clientX, event.clientY - start.clientY) > 6) far = true;
            if (!far) return;
            hover(event);
            if (floating) {
                if (!floating.isConnected) {
                    floating.classList.add("floating");
                    const [, , width, height] = (floating.getAttribute("viewBox") ?? "").split(" ").map(Number);
                    floating.setAttribute("width", String(width * scale));
                    floating.setAttribute("height", String(height * scale));
                    document.body.append(floating);
                }
                floating.style.left = `${event.clientX}px`;
                floating.style.top = `${event.clientY}px`;
                floating.classList.toggle("snapped", ghost !== null);
            }
        };
        /** @param {PointerEvent} event */
        const end = (event) => {
            if (event.pointerId !== start.pointerId) return;
            window.removeEventListener("pointermove", move);
            window.removeEventListener("pointerup", end);
            window.removeEventListener("pointercancel", end);
            floating?.remove();
            if (!far) {
                click();
                return;
            }
            if (event.type === "pointerup" && ghost !== null) {
                drop();
                return;
            }
            // A piece that is dragged off the board is taken away; elsewhere it goes back.
            const lifted = before;
            const box = board.picture.getBoundingClientRect();
            const out = event.clientX < box.left || event.clientX > box.right || event.clientY < box.top || event.clientY > box.bottom;
            if (lifted && out) {
                commit(placed);
            } else {
                putBack();
                draw();
            }
        };
        window.addEventListener("pointermove", move);
        window.addEventListener("pointerup", end);
        window.addEventListener("pointercancel", end);
    }

    /** Takes a placed piece into the hand. @param {number} number */
    function lift(number) {
        if (!model) return;
        putBack();
        before = placed;
        placed = placed.filter((other) => other !== number);
        inHand = model.placements[number].orientation;
        turned[model.placements[number].piece] = inHand;
        ghost = number;
    }

    board.picture.addEventListener("pointermove", (event) => {
        if (event.pointerType !== "touch" || inHand !== null) hover(event);
    });
    board.picture.addEventListener("pointerleave", () => {
        if (ghost !== null && inHand !== null && document.activeElement !== board.picture) {
            ghost = null;
            draw();
        }
    });
    board.picture.addEventListener("pointerdown", (event) => {
        if (!model || event.button !== 0) return;
        cursor = null;
        const point = board.pointAt(event.clientX, event.clientY);
        if (inHand !== null) {
            hover(event);
            drag(event, undefined, () => drop());
            return;
        }
        const cell = board.cellAt(point);
        const number = takenCells(model, placed).get(cell);
        if (number === undefined) return;
        lift(number);
        const middle = board.middleOf(number, 0) ?? point;
        grip = model.solid ? [0, 0] : [point[0] - middle[0], point[1] - middle[1]];
        drag(event, undefined, () => {
            say("Piece in hand: click to place it, or press Delete to remove it.");
            draw();
        });
        draw();
    });

    board.picture.addEventListener("keydown", (event) => {
        if (!model || event.ctrlKey || event.metaKey || event.altKey) return;
        const arrow = /** @type {Record<string, [number, number]>} */ ({
            ArrowLeft: [-1, 0],
            ArrowRight: [1, 0],
            ArrowUp: [0, -1],
            ArrowDown: [0, 1],
        })[event.key];
        const letter = event.key.toLowerCase();
        if (arrow) {
            if (inHand !== null) {
                ghost = ghost === null ? board.nearest(inHand, placed, [0, 0], Infinity) : board.next(inHand, placed, ghost, arrow);
            } else {
                moveCursor(arrow);
            }
            draw();
        } else if (letter === "r" || letter === "f" || letter === "t") {
            if (letter === "t" && !model.solid) return;
            turn(letter === "r" ? (event.shiftKey ? "turn-back" : "turn") : letter === "f" ? "flip" : "tilt");
        } else if (event.key === "Enter" || event.key === " ") {
            if (inHand !== null) {
                drop();
            } else if (cursor !== null) {
                const number = takenCells(model, placed).get(cursor);
                if (number === undefined) return;
                lift(number);
                draw();
            }
        } else if (event.key === "Delete" || event.key === "Backspace") {
            if (inHand !== null && before) {
                commit(placed);
            } else if (cursor !== null) {
                const number = takenCells(model, placed).get(cursor);
                if (number !== undefined) commit(placed.filter((other) => other !== number));
            }
        } else if (event.key === "Escape") {
            putBack();
            draw();
        } else {
            return;
        }
        event.preventDefault();
    });

    /** @param {[number, number]} direction */
    function moveCursor([dx, dy]) {
        if (!model) return;
        const centers = model.cells.map((cell) => /** @type {Model} */ (model).lattice.center(board.move(cell.place)));
        if (cursor === null) {
            cursor = 0;
            return;
        }
        const from = centers[cursor];
        let [best, least] = [cursor, Infinity];
        centers.forEach((center, index) => {
            const [x, y] = [center[0] - from[0], center[1] - from[1]];
            const along = x * dx + y * dy;
            if (along < 0.1) return;
            const score = along + 3 * Math.abs(x * dy - y * dx);
            if (score < least) [best, least] = [index, score];
        });
        cursor = best;
        const { place } = model.cells[cursor];
        const number = takenCells(model, placed).get(cursor);
        const on = number === undefined ? "empty" : `piece ${model.pieces[model.placements[number].piece].label}`;
        say(`Row ${place.row}, column ${place.column}${model.solid ? `, layer ${place.layer}` : ""}: ${on}.`);
    }

    // R, F and Escape also work while the tray has the focus.
    tray.addEventListener("keydown", (event) => {
        const letter = event.key.toLowerCase();
        if (letter === "r") turn("turn");
        else if (letter === "f") turn("flip");
        else if (letter === "t" && model?.solid) turn("tilt");
        else if (event.key === "Escape") {
            putBack();
            draw();
        }
    });

    /** @param {number} by */
    async function step(by) {
        faintBox.checked = true;
        const wanted = Math.max(0, shown + by);
        const mine = opened;
        if (wanted >= solutions.length && !allListed) {
            const limit = Math.min(SOLUTIONS_MAX, Math.max(30, solutions.length * 4));
            say("Searching for more solutions …");
            const answer = await answerOf(app, { question: "list", input: text, options: { limit, time: 20 } }, questions.signal);
            if (mine !== opened || !answer) return;
            say("");
            const line = answer.lines[0];
            const listed = /** @type {string[]} */ (line?.solutions ?? []);
            if (listed.length >= solutions.length) solutions = listed;
            if (line?.complete || solutions.length >= SOLUTIONS_MAX || listed.length < limit) allListed = true;
        }
        shown = Math.min(wanted, Math.max(0, solutions.length - 1));
        draw();
    }

    /** Places the first piece of the shown solution. */
    function placeOne() {
        if (!model) return;
        const [piece] = restOfSolution();
        if (!piece) return;
        const { placed: found } = placeClues(model, [
            ...placed.map((number) => {
                const placement = /** @type {Model} */ (model).placements[number];
                const name = /** @type {Model} */ (model).pieces[placement.piece].name;
                return { letter: name, name, places: placement.cells.map((cell) => /** @type {Model} */ (model).cells[cell].place) };
            }),
            { letter: piece.name, name: piece.name, places: piece.places },
        ]);
        say(`Piece ${piece.name} placed as in the solution.`);
        commit(found);
    }

    /** The last hint: its words, its impossible placements, and which of them is drawn. @type {{ opened: number, bad: number[], at: number } | null} */
    let hinted = null;

    async function hint() {
        if (!model) return;
        if (hinted?.opened === opened && hinted.bad.length > 1) {
            hinted.at = (hinted.at + 1) % hinted.bad.length;
            marks.bad = [hinted.bad[hinted.at]];
            draw();
            return;
        }
        const mine = opened;
        say("Thinking …");
        const answer = await answerOf(app, { question: "hint", input: text, options: { time: 15 } }, questions.signal);
        if (mine !== opened || !answer) return;
        const line = answer.lines[0];
        const found = /** @type {any} */ (line?.step);
        if (!found) {
            const end = String(line?.end ?? "");
            const words = /** @type {Record<string, string>} */ ({
                several: "No single step is forced: there are several solutions. Place a piece of your choice.",
                impossible: "No solution is left: take a piece back.",
                solved: "All is placed.",
                cut: "No step found in time.",
            });
            say(words[end] ?? "No step found.");
            return;
        }
        const good = numbersOf(found.on ?? []);
        const bad = numbersOf(found.off ?? []);
        const truths = /** @type {string[]} */ (found.truths ?? (found.item ? [found.item] : []));
        const cells = new Set(truths.map(placeOf).filter((place) => place !== null).map((place) => /** @type {Model} */ (model).indices.get(keyOf(place)) ?? -1));
        // Many outlines on one board hide each other: one is drawn, and the next one by the next click.
        marks = { good, bad: bad.slice(0, 1), cells };
        hinted = { opened: mine, bad, at: 0 };
        say(wordsOf(found, truths, good.length, bad.length));
        draw();
    }

    /** @param {any} found @param {string[]} truths @param {number} good @param {number} bad */
    function wordsOf(found, truths, good, bad) {
        const such = bad === 1 ? "one placement, drawn in red" : `${bad} placements, such as the one drawn in red; Hint again draws the next`;
        const links = /** @type {string[]} */ (found.links ?? []);
        if (found.name === "hole" && truths.length === 1 && links.length > 0 && bad > 0) {
            return `Every piece on ${spoken(truths[0])} also takes ${links.map(spoken).join(" or ")}. A placement that rules out all of these leaves a hole: ${such}.`;
        }
        const name = `${String(found.name)[0].toUpperCase()}${String(found.name).slice(1)}`;
        const where = truths.length ? ` at ${truths.map(spoken).join(" and ")}` : "";
        const out = bad > 0 ? ` Impossible: ${such}.` : "";
        const must = good > 0 ? " The placement drawn in green is forced." : "";
        return `${name}${where}.${out}${must}`;
    }

    /** A cell or piece in words. @param {string} name */
    function spoken(name) {
        const place = placeOf(name);
        if (!place) return name.length === 1 ? `piece ${name}` : name;
        return `row ${place.row}, column ${place.column}${model?.solid ? `, layer ${place.layer}` : ""}`;
    }

    /** The placements that options of a step name. @param {string[]} names */
    function numbersOf(names) {
        /** @type {number[]} */
        const numbers = [];
        for (const name of names) {
            const words = name.replace(/^not /, "").replaceAll("`", "").split(/\s+/);
            const cells = words.map(placeOf).filter((place) => place !== null).map((place) => /** @type {Model} */ (model).indices.get(keyOf(place)) ?? -1);
            const piece = words.find((word) => placeOf(word) === null);
            const wanted = cells.sort((a, b) => a - b).join();
            const number = /** @type {Model} */ (model).placements.findIndex(
                (placement) =>
                    [...placement.cells].sort((a, b) => a - b).join() === wanted &&
                    (!piece || /** @type {Model} */ (model).pieces[placement.piece].name === piece || /** @type {Model} */ (model).pieces[placement.piece].name === ""),
            );
            if (number >= 0) numbers.push(number);
        }
        return numbers;
    }

    async function countClasses() {
        const mine = opened;
        say("Counting up to symmetry …");
        const answer = await answerOf(app, { question: "count", input: text, options: { "up-to-symmetry": true, time: 60 } }, questions.signal);
        if (mine !== opened || !answer) return;
        const line = answer.lines[0];
        if (!line || line.error) say(faultOf(answer));
        else say(`${line.complete ? "" : "At least "}${grouped(String(line.count))} ${line.count === "1" ? "solution" : "solutions"} up to rotations and reflections.`);
    }

    async function savePicture() {
        const input = solutions[shown] && faintBox.checked ? solutions[shown] : text;
        const answer = await answerOf(app, { question: "draw", input, options: {} }, questions.signal);
        if (!answer) return;
        if (answer.text.trim() === "") say(faultOf(answer));
        else download("packing.svg", new Blob([answer.text], { type: "image/svg+xml" }));
    }

    return {
        /** @param {Record<string, string>} parameters */
        update(parameters) {
            const preset = PRESETS.find(({ name }) => name === (parameters.box ?? FIRST));
            void open(parameters.text ?? preset?.text ?? PRESETS[0].text);
        },
        unmount() {
            questions.abort();
            opened += 1;
        },
    };
}
