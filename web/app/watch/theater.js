// The theater: plays the steps of a search with matrix, board, tree and solutions. The lesson has a
// small one.

import { button, element, field } from "../ui.js";
import { makeBoard } from "./board.js";
import { History } from "./dance.js";
import { canDraw, MatrixView } from "./matrix.js";
import { fit, isStill, onTheme, readPalette } from "./paint.js";
import { readTree, TreeView } from "./tree.js";
import { counted, describe } from "./words.js";

/**
 * @import { Problem } from "./problem.js"
 * @import { Step } from "./steps.js"
 *
 * @typedef {{
 *     problem: Problem, steps: Step[], first: number, cut: boolean,
 *     end: Record<string, any> | null,
 * }} Recording
 * @typedef {{
 *     node: HTMLElement,
 *     show(recording: Recording, position: number): void,
 *     seek(position: number): void,
 *     readonly position: number,
 *     readonly speed: number,
 *     pause(): void,
 *     key(event: KeyboardEvent): boolean,
 *     close(): void,
 * }} Theater
 */

/** Slowest and fastest speed (steps per second). Above 60, a frame shows several steps. */
const SPEED_LEAST = 0.5;
const SPEED_MOST = 2000;
/** Positions of the speed slider. */
const SPEED_NOTCHES = 48;
/** Largest number of solutions that are drawn below each other. */
const SOLUTIONS_MOST = 60;
/** Time constant of the motion (ms); shorter when steps follow each other faster. */
const GLIDE = 110;
/** Matrices with more rows than this close their gaps at first. */
const ROWS_OPEN = 30;

/** @param {number} notch */
const speedAt = (notch) => SPEED_LEAST * (SPEED_MOST / SPEED_LEAST) ** (notch / SPEED_NOTCHES);
/** @param {number} speed */
const notchAt = (speed) =>
    Math.round((SPEED_NOTCHES * Math.log(speed / SPEED_LEAST)) / Math.log(SPEED_MOST / SPEED_LEAST));

/**
 * @param {{ small?: boolean, speed?: number, onRest?: (position: number) => void }} [options]
 *     `onRest` is called when the position was changed and the player pauses
 * @returns {Theater}
 */
export function makeTheater({ small = false, speed: startSpeed = 3, onRest } = {}) {
    const ended = new AbortController();
    /** @type {Recording | null} */
    let recording = null;
    /** @type {History | null} */
    let history = null;
    /** @type {MatrixView | null} */
    let matrix = null;
    /** @type {TreeView | null} */
    let tree = null;
    /** @type {import("./board.js").Board | null} */
    let board = null;
    let position = 0;
    let isPlaying = false;
    let speed = startSpeed;
    let credit = 0;
    let closes = false;
    let hovered = -1;
    let shown = -1;
    let isDirty = true;
    let last = performance.now();
    let frames = 0;
    let framesSince = last;
    /** @type {number[]} */
    let solutionSteps = [];

    const words = element("p", { class: "words", role: "status", "aria-live": "polite" });
    const counters = element("p", { class: "counters muted small" });
    const rate = element("span", { class: "rate muted small", "aria-hidden": "true" });
    const matrixCanvas = element("canvas", { role: "img", "aria-label": "The matrix" });
    const treeCanvas = element("canvas", { role: "img", "aria-label": "The search tree" });
    const caption = element("p", { class: "caption muted small" });
    const boardPlace = element("div", { class: "board-place" });
    const solutionPlace = element("ol", { class: "solutions" });
    const solutionTitle = element("h2", {}, "Solutions");
    const isEmptyNote = element("p", { class: "muted small" }, "None so far.");

    const slider = element("input", {
        type: "range", min: 0, max: 1, value: 0, class: "timeline", "aria-label": "Step",
    });
    slider.addEventListener("input", () => {
        pause();
        seek(Number(slider.value));
        onRest?.(position);
    });
    const speedSlider = element("input", {
        type: "range", min: 0, max: SPEED_NOTCHES, value: notchAt(speed), class: "speed",
    });
    const speedText = element("output", { class: "number small" });
    const setSpeed = (/** @type {number} */ next) => {
        speed = Math.min(SPEED_MOST, Math.max(SPEED_LEAST, next));
        const rounded = speed < 10 ? speed.toFixed(1) : String(Math.round(speed));
        speedText.textContent = `${rounded} steps/s`;
        speedSlider.setAttribute("aria-valuetext", `${rounded} steps per second`);
    };
    speedSlider.addEventListener("input", () => setSpeed(speedAt(Number(speedSlider.value))));
    setSpeed(speed);

    const icon = (/** @type {string} */ path) => {
        const picture = document.createElementNS("http://www.w3.org/2000/svg", "svg");
        picture.setAttribute("viewBox", "0 0 24 24");
        picture.setAttribute("aria-hidden", "true");
        const line = document.createElementNS("http://www.w3.org/2000/svg", "path");
        line.setAttribute("d", path);
        picture.append(line);
        return picture;
    };
    const PLAY = "M7 4l13 8-13 8z";
    const PAUSE = "M6 4h4v16H6zM14 4h4v16h-4z";
    const playIcon = icon(PLAY);
    const control = (/** @type {string} */ label, /** @type {string} */ path, /** @type {() => void} */ act,
        /** @type {string} */ keys) => button(icon(path), act, {
        class: "icon", "aria-label": label, title: `${label} (${keys})`, "aria-keyshortcuts": keys,
    });
    const playButton = button(playIcon, () => (isPlaying ? rest() : play()), {
        class: "icon primary", "aria-label": "Play", title: "Play or pause (Space)",
    });
    const controls = element("div", { class: "controls", role: "group", "aria-label": "Player" },
        control("Back to the start", "M5 4h2.5v16H5zM20 4v16L8.500 12z", () => jump(recording?.first ?? 0), "Home"),
        control("Previous solution", "M12 12l8-6v12zM4 12l8-6v12z", () => toSolution(-1), "Shift+S"),
        control("One step back", "M18 5v14L8 12zM5 5h2.500v14H5z", () => jump(position - 1), "ArrowLeft"),
        playButton,
        control("One step forward", "M6 5v14l10-7zM16.500 5H19v14h-2.500z", () => jump(position + 1), "ArrowRight"),
        control("Next solution", "M12 12l-8-6v12zM20 12l-8-6v12z", () => toSolution(1), "S"),
    );
    const closeToggle = button("Close gaps", () => {
        closes = !closes;
        closeToggle.setAttribute("aria-pressed", String(closes));
        isDirty = true;
    }, { "aria-pressed": "false", title: "Hidden rows and covered columns become narrow", class: "small" });

    const speedField = field("Speed", element("span", { class: "row speed-row" }, speedSlider, speedText));
    speedSlider.id = `speed-${Math.random().toString(36).slice(2, 8)}`;
    speedField.querySelector("label")?.setAttribute("for", speedSlider.id);
    const matrixPanel = element("section", { class: "panel matrix-panel" },
        element("div", { class: "row spread" }, element("h2", {}, "Matrix"), closeToggle),
        matrixCanvas, caption);
    const boardPanel = element("section", { class: "panel board-panel" }, element("h2", {}, "Partial cover"),
        boardPlace);
    const treePanel = element("section", { class: "panel tree-panel" }, element("h2", {}, "Search tree"), treeCanvas);
    const solutionPanel = element("section", { class: "panel solution-panel" }, solutionTitle, isEmptyNote,
        solutionPlace);
    const bar = element("div", { class: "bar panel" },
        words,
        element("div", { class: "row bar-row" }, controls, slider),
        element("div", { class: "row spread" }, speedField, element("div", {}, counters, rate)),
    );
    const node = element("div", { class: `theater${small ? " small-theater" : ""}` },
        matrixPanel, boardPanel, bar, treePanel, ...(small ? [] : [solutionPanel]));

    let palette = readPaletteLater();
    function readPaletteLater() {
        return readPalette(document.body);
    }
    onTheme(() => {
        palette = readPalette(document.body);
        shown = -1;
        isDirty = true;
    }, ended.signal);
    const resized = new ResizeObserver(() => (isDirty = true));
    resized.observe(matrixCanvas);
    resized.observe(treeCanvas);
    matrixCanvas.addEventListener("pointermove", (event) => {
        hovered = matrix ? matrix.optionAt(event.offsetY) : -1;
        const option = recording?.problem.options[hovered];
        caption.textContent = option ? `Option ${hovered + 1}: ${option.text}` : "";
        isDirty = true;
    });
    matrixCanvas.addEventListener("pointerleave", () => {
        hovered = -1;
        caption.textContent = "";
        isDirty = true;
    });
    treeCanvas.addEventListener("click", (event) => {
        const near = tree?.places.filter((place) => !place.stub)
            .map((place) => ({ place, far: Math.hypot(place.x - event.offsetX, place.y - event.offsetY) }))
            .sort((a, b) => a.far - b.far)[0];
        if (near && near.far < 24) jump(tree?.nodes[near.place.id].start ?? 0);
    });

    function play() {
        if (!recording) return;
        if (position >= recording.steps.length) seek(recording.first);
        isPlaying = true;
        credit = 0.7;
        words.setAttribute("aria-live", "off");
        playButton.setAttribute("aria-label", "Pause");
        playIcon.firstElementChild?.setAttribute("d", PAUSE);
    }
    function pause() {
        isPlaying = false;
        words.setAttribute("aria-live", "polite");
        playButton.setAttribute("aria-label", "Play");
        playIcon.firstElementChild?.setAttribute("d", PLAY);
        rate.textContent = "";
    }
    function rest() {
        pause();
        onRest?.(position);
    }
    /** @param {number} to */
    function seek(to) {
        if (!recording) return;
        position = Math.max(recording.first, Math.min(to, recording.steps.length));
        isDirty = true;
    }
    /** @param {number} to */
    function jump(to) {
        seek(to);
        rest();
    }
    /** @param {1 | -1} direction */
    function toSolution(direction) {
        const next = direction > 0
            ? solutionSteps.find((step) => step > position)
            : solutionSteps.findLast((step) => step < position);
        jump(next ?? (direction > 0 ? recording?.steps.length ?? 0 : recording?.first ?? 0));
    }

    /** Draws what the state after `position` steps is, in words and numbers. */
    function tell() {
        if (!recording || !history || shown === position) return;
        shown = position;
        const state = history.seek(position);
        const step = position > recording.first || position === recording.steps.length
            ? recording.steps[position - 1] : undefined;
        words.textContent = describe(recording.problem, step, state);
        words.dataset.kind = step?.name ?? "begin";
        slider.value = String(position);
        slider.setAttribute("aria-valuetext", `step ${position} of ${recording.steps.length}`);
        const { nodes, updates, solutions, deadEnds } = state.counters;
        counters.textContent = `Step ${position.toLocaleString("en")} of ${
            recording.steps.length.toLocaleString("en")} · level ${state.path.length} · ${
            counted(nodes, "node")} · ${counted(updates, "update")} · ${
            counted(deadEnds, "dead end")} · ${counted(solutions, "solution")}`;
        board?.update(state);
        showSolutions(solutions);
        const active = recording.problem.items.filter((item, number) => item.primary && !state.isCovered[number]);
        matrixCanvas.setAttribute("aria-label", `The matrix: ${counted(active.length, "item")} to cover${
            active.length > 0 && active.length <= 40 ? `: ${active.map((item) =>
                `${item.name} with ${state.sizes[recording?.problem.items.indexOf(item) ?? 0]}`).join(", ")}` : ""}`);
        treeCanvas.setAttribute("aria-label", `The search tree: ${counted(nodes, "node")}. The path: ${
            state.path.map((choice) => `${recording?.problem.items[choice.item].name} ${choice.ordinal} of ${
                choice.of}`).join(", ") || "the root"}`);
    }

    /** @param {number} found */
    function showSolutions(found) {
        if (small || !recording) return;
        const wanted = Math.min(found, SOLUTIONS_MOST);
        while (solutionPlace.children.length > wanted) solutionPlace.lastElementChild?.remove();
        while (solutionPlace.children.length < wanted) {
            const number = solutionPlace.children.length;
            const at = solutionSteps[number];
            const state = solutionStates(at);
            const picture = makeBoard(recording.problem, `Solution ${number + 1}`);
            picture.update(state);
            picture.node.setAttribute("aria-hidden", "true");
            solutionPlace.append(element("li", {},
                button([
                    picture.node,
                    element("span", { class: "visually-hidden" }, `Solution ${number + 1}: ${state
                        .map((option) => recording?.problem.options[option].text).join("; ")}`),
                ], () => jump(at), { class: "plain", title: `Go to solution ${number + 1}` })));
        }
        isEmptyNote.hidden = found > 0;
        solutionTitle.textContent = found === 0 ? "Solutions" : found > SOLUTIONS_MOST
            ? `${found.toLocaleString("en")} solutions, the first ${SOLUTIONS_MOST} drawn`
            : counted(found, "solution");
    }
    /** The covers of the solutions, by step.
     * @type {Map<number, number[]>} */
    const covers = new Map();
    /** @param {number} at */
    function solutionStates(at) {
        return covers.get(at) ?? [];
    }

    /** @param {number} now */
    function frame(now) {
        if (ended.signal.aborted) return;
        requestAnimationFrame(frame);
        const elapsed = Math.min(now - last, 250);
        last = now;
        if (!recording || !history || !node.isConnected) return;
        if (isPlaying) {
            frames += 1;
            if (now - framesSince > 1000) {
                rate.textContent = `${Math.round((1000 * frames) / (now - framesSince))} frames/s`;
                node.dataset.frames = String(Math.round((1000 * frames) / (now - framesSince)));
                frames = 0;
                framesSince = now;
            }
            credit += (elapsed / 1000) * speed;
            const steps = Math.floor(credit);
            if (steps > 0) {
                credit -= steps;
                seek(position + steps);
                if (position >= recording.steps.length) rest();
            }
        } else {
            frames = 0;
            framesSince = now;
        }
        if (!isDirty) return;
        tell();
        const pace = isPlaying ? Math.min(GLIDE, 350 / speed) : GLIDE;
        const blend = isStill() ? 1 : 1 - Math.exp(-elapsed / pace);
        const state = history.seek(position);
        let moves = false;
        if (matrix && matrixCanvas.clientWidth > 0) {
            const view = fit(matrixCanvas);
            moves = matrix.draw(view.context, { ...view, state, step: position, blend, close: closes, palette, row: hovered });
        }
        if (tree && treeCanvas.clientWidth > 0) {
            const view = fit(treeCanvas);
            moves = tree.draw(view.context, { ...view, time: position, blend, palette }) || moves;
        }
        isDirty = moves;
    }
    requestAnimationFrame(frame);

    return {
        node,
        get position() {
            return position;
        },
        get speed() {
            return speed;
        },
        show(next, at) {
            pause();
            recording = next;
            const { problem, steps } = next;
            history = new History(problem, steps);
            const drawn = canDraw(problem);
            matrix = drawn ? new MatrixView(problem) : null;
            tree = new TreeView(problem, readTree(steps));
            board = makeBoard(problem, "Partial cover");
            boardPlace.replaceChildren(board.node);
            solutionPlace.replaceChildren();
            covers.clear();
            solutionSteps = [];
            steps.forEach((step, number) => {
                if (step.name !== "solution") return;
                solutionSteps.push(number + 1);
                if (solutionSteps.length <= SOLUTIONS_MOST && history) {
                    covers.set(number + 1, history.seek(number + 1).cover());
                }
            });
            slider.min = String(next.first);
            slider.max = String(steps.length);
            closes = problem.options.length > ROWS_OPEN;
            closeToggle.setAttribute("aria-pressed", String(closes));
            const rows = problem.options.length;
            matrixCanvas.style.height = `${Math.round(Math.min(560, Math.max(small ? 240 : 300, 110 + rows * (small ? 30 : 42))))}px`;
            matrixCanvas.hidden = !drawn;
            caption.textContent = drawn ? ""
                : `The matrix has ${counted(problem.items.length, "item")} and ${
                    counted(problem.options.length, "option")}, too many to draw. Board and tree show the search.`;
            const levels = tree.nodes[0]?.depth ?? 1;
            treeCanvas.style.height = `${Math.min(small ? 200 : 330, 60 + 36 * levels)}px`;
            shown = -1;
            seek(at);
            tell();
        },
        seek,
        pause,
        key(event) {
            if (event.ctrlKey || event.altKey || event.metaKey) return false;
            const target = /** @type {HTMLElement} */ (event.target);
            if (target.closest("textarea, select, input:not(.timeline)")) return false;
            if (event.key === " " && target.closest("button, a, summary")) return false;
            switch (event.key) {
                case " ":
                    isPlaying ? rest() : play();
                    return true;
                case "ArrowRight":
                    jump(position + 1);
                    return true;
                case "ArrowLeft":
                    jump(position - 1);
                    return true;
                case "Home":
                    jump(recording?.first ?? 0);
                    return true;
                case "End":
                    jump(recording?.steps.length ?? 0);
                    return true;
                case "s":
                    toSolution(1);
                    return true;
                case "S":
                    toSolution(-1);
                    return true;
                case "+":
                case "=":
                case "-":
                    setSpeed(speed * (event.key === "-" ? 0.5 : 2));
                    speedSlider.value = String(notchAt(speed));
                    return true;
                default:
                    return false;
            }
        },
        close() {
            ended.abort();
            resized.disconnect();
        },
    };
}
