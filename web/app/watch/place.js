// The place Watch: dancing links on a problem, from the events of `trace`.

import { button, debounce, element, field, grouped, message, select, time } from "../ui.js";
import { EXAMPLES, exampleOf, sizeOf, sourceOf } from "./examples.js";
import { readProblem } from "./problem.js";
import { readSteps } from "./steps.js";
import { makeTheater } from "./theater.js";

/** Events asked for at first; the button for more asks for ten times as many. */
const EVENTS = 10_000;
/** Largest number of events: 100,000 take about 30 MB and less than a second. */
const EVENTS_MOST = 100_000;
/** Largest number of options that Watch shows: the state of each snapshot has 4 bytes for each. */
const OPTIONS_MOST = 20_000;
/** Longest search (s); the events that were printed until then are shown. */
const TIME = 5;
/** Seconds for each engine of the small table. */
const ENGINE_TIME = 0.2;

/**
 * @param {HTMLElement} root
 * @param {import("../main.js").App} app
 * @returns {import("../places.js").Mounted}
 */
export function mount(root, app) {
    const ended = new AbortController();
    /** @type {AbortController | null} */
    let asking = null;
    /** What is shown: the example, the text and the number of events. */
    let shown = "";
    let events = EVENTS;

    const theater = makeTheater({
        onRest: (position) => app.set({ step: position || null }, { replace: true }),
    });
    const state = element("div", { class: "watch-state", "aria-live": "polite" });
    const about = element("p", { class: "muted" });
    const choice = select(
        EXAMPLES.filter((example) => !example.isLarge).map(({ name, title }) => [name, title]),
        "knuth",
        (name) => app.set({ example: name, n: null, text: null, step: null, events: null }),
    );
    const sizeInput = element("input", { type: "number", class: "size" });
    const sizeField = field("Size", sizeInput);
    sizeInput.addEventListener("change", () => app.set({ n: sizeInput.value, step: null, events: null }));
    const text = element("textarea", { rows: 9, spellcheck: "false", autocapitalize: "off" });
    const typed = debounce(() => {
        app.set({ example: "own", text: text.value, step: null, n: null, events: null });
    }, 400);
    text.addEventListener("input", typed);
    const editor = element("details", { class: "panel editor", open: true },
        element("summary", {}, "The problem as text"),
        field("Items, then one option per line (Knuth's text), or any other form that the program reads", text));
    const engines = element("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": "Table of engines" });
    const engineNote = element("p", { class: "muted small" });
    const others = element("section", { class: "panel" },
        element("h2", {}, "Other engines on the same problem"), engineNote, engines,
        element("p", {}, button("Compare more of them", () => {
            const { example = "knuth", n, text } = app.parameters;
            app.go("compare", { example, ...(n ? { n } : {}), ...(text ? { text } : {}) });
        }, { class: "plain" })));

    root.append(
        element("div", { class: "row spread head" },
            element("div", {}, element("h1", {}, "Watch dancing links"), about),
            element("div", { class: "row choice" }, field("Problem", choice), sizeField)),
        state,
        theater.node,
        element("div", { class: "columns" }, others, editor),
        element("p", { class: "muted small keys" },
            "Keys: ", element("kbd", {}, "space"), " plays and pauses, ", element("kbd", {}, "←"), " ",
            element("kbd", {}, "→"), " step, ", element("kbd", {}, "s"), " goes to the next solution, ",
            element("kbd", {}, "Home"), " to the start, ", element("kbd", {}, "+"), " ", element("kbd", {}, "-"),
            " change the speed. A click on a node of the tree goes there."),
    );
    addEventListener("keydown", (event) => {
        if (theater.key(event)) event.preventDefault();
    }, { signal: ended.signal });

    /**
     * @param {import("./examples.js").Example} example
     * @param {string} problem
     * @param {number} position
     */
    async function load(example, problem, position) {
        asking?.abort();
        const asked = new AbortController();
        asking = asked;
        const { signal } = asked;
        theater.pause();
        state.replaceChildren(element("p", { class: "muted" }, "Searching …"));
        const source = sourceOf(example, problem);
        try {
            const [matrix, trace] = await Promise.all([
                app.ask({ question: "convert", ...source, options: { ...source.options, to: "dlx" } }, { signal }),
                app.ask({
                    question: "trace", ...source, options: { ...source.options, events, time: TIME },
                }, { signal }),
            ]);
            if (signal.aborted) return;
            const begin = trace.lines.find((line) => line.event === "begin");
            if (!begin || matrix.text.trim() === "") {
                const notes = trace.notes.length > 0 ? trace.notes : matrix.notes;
                state.replaceChildren(message(notes.length > 0 ? notes : ["expected a puzzle, found none"], {
                    onPlace: ({ line }) => {
                        editor.open = true;
                        text.focus();
                        const lines = text.value.split("\n");
                        const start = lines.slice(0, line - 1).join("\n").length + (line > 1 ? 1 : 0);
                        text.setSelectionRange(start, start + (lines[line - 1]?.length ?? 0));
                    },
                }));
                return;
            }
            if (begin.options > OPTIONS_MOST) {
                state.replaceChildren(message(`This problem has ${grouped(begin.options)} options. Watch shows at most ${
                    grouped(OPTIONS_MOST)}; choose a smaller one.`));
                return;
            }
            const ofFirst = trace.lines.filter((line) => line.puzzle === 1);
            const read = readProblem(matrix.text);
            const recording = { problem: read, ...readSteps(read, ofFirst) };
            theater.show(recording, position || recording.first);
            const isSeveral = trace.lines.some((line) => line.puzzle > 1);
            state.replaceChildren(...[
                recording.cut ? limitNote(recording) : null,
                isSeveral ? message("The text has several puzzles; this is the first one.", { kind: "note" }) : null,
            ].filter((part) => part !== null));
            root.dataset.ready = String(Number(root.dataset.ready ?? 0) + 1);
            void measure(source, signal);
        } catch (error) {
            if (!signal.aborted) state.replaceChildren(message(String(error)));
        }
    }

    /** @param {import("./theater.js").Recording} recording */
    function limitNote({ steps, end }) {
        const total = Number(end?.events ?? 0);
        const why = end?.end === "time" ? `The search was stopped after ${TIME} seconds. ` : "";
        return element("div", { class: "message warn" }, element("p", {},
            `${why}The recording has the first ${grouped(events)} of ${grouped(total)} events (${
                grouped(steps.length)} steps); the whole search has ${grouped(end?.nodes ?? 0)} nodes and ${
                grouped(end?.solutions ?? 0)} solutions. `,
            events < EVENTS_MOST
                ? button(`Record ${grouped(Math.min(events * 10, EVENTS_MOST))} events`, () => {
                    app.set({ events: Math.min(events * 10, EVENTS_MOST) });
                }, { class: "small" })
                : "This is the largest recording that the page keeps."));
    }

    /**
     * Measures other engines for the small table.
     * @param {ReturnType<typeof sourceOf>} source
     * @param {AbortSignal} signal
     */
    async function measure(source, signal) {
        engineNote.textContent = "Measuring …";
        engines.replaceChildren();
        const answer = await app.ask({
            question: "compare", ...source,
            options: { ...source.options, engine: "links,cells,masks", time: ENGINE_TIME, quiet: true },
        }, { signal });
        if (signal.aborted) return;
        const rows = answer.lines.filter((line) => line.engine);
        if (rows.length === 0) {
            engineNote.textContent = answer.notes[0] ?? "The engines could not be measured.";
            return;
        }
        engineNote.textContent = "Nodes and times of a search for all solutions, without a trace. The cells see dead ends "
            + "earlier and cover forced items together, so their tree can be smaller; the masks walk the tree of the links.";
        engines.replaceChildren(element("table", {},
            element("thead", {}, element("tr", {},
                element("th", { scope: "col" }, "Engine"),
                ...["Nodes", "Updates", "Time", "Solutions"].map((name) =>
                    element("th", { scope: "col", class: "number" }, name)))),
            element("tbody", {}, ...rows.map((row) => element("tr", {},
                element("th", { scope: "row" }, row.engine),
                element("td", { class: "number" }, row.nodes === null ? "–" : grouped(row.nodes)),
                element("td", { class: "number" }, row.updates === null ? "–" : grouped(row.updates)),
                element("td", { class: "number" }, row.seconds === null ? row.state : time(row.seconds)),
                element("td", { class: "number" }, row.complete ? grouped(row.count) : `${grouped(row.count)}+`))))));
    }

    return {
        update(parameters) {
            const example = exampleOf(parameters.example);
            const size = sizeOf(example, parameters.n);
            const problem = example.name === "own" ? parameters.text ?? example.text(0) : example.text(size);
            events = Math.min(EVENTS_MOST, Math.max(1, Number(parameters.events) || EVENTS));
            const position = Math.max(0, Number(parameters.step) || 0);
            choice.value = example.name;
            about.textContent = example.about;
            sizeField.hidden = !example.size;
            if (example.size) {
                sizeInput.min = String(example.size.least);
                sizeInput.max = String(example.size.most);
                sizeInput.value = String(size);
                const label = sizeField.querySelector("label");
                if (label) label.textContent = example.size.label;
            }
            const wanted = JSON.stringify([example.name, problem, events]);
            if (wanted === shown) {
                if (position !== 0 && position !== theater.position) theater.seek(position);
                return;
            }
            shown = wanted;
            if (document.activeElement !== text) {
                text.value = example.kind ? `${problem}\n` : problem;
                void showText(example, problem);
            }
            void load(example, problem, position);
        },
        unmount() {
            ended.abort();
            asking?.abort();
            typed.cancel();
            theater.close();
        },
    };

    /**
     * Shows a problem of a kind as the program writes it, so that it can be edited.
     * @param {import("./examples.js").Example} example
     * @param {string} problem
     */
    async function showText(example, problem) {
        if (!example.kind) return;
        const source = sourceOf(example, problem);
        const answer = await app.ask({ question: "convert", ...source, options: { ...source.options, to: "dlx" } });
        if (document.activeElement !== text && choice.value === example.name) text.value = answer.text;
    }
}
