// The place Compare: engines, rules and backtrackers on a puzzle or on puzzles of several sizes.

import { button, debounce, download, element, field, grouped, message, select, time } from "../ui.js";
import { EXAMPLES, exampleOf, sizeOf, sourceOf } from "../watch/examples.js";
import { ENGINES, GROUPS } from "./engines.js";
import { measure, toCsv, winners } from "./measure.js";
import { LINES, plot } from "./plot.js";

/** @import { Check, Row } from "./measure.js" */

/** Engines that are compared at first: choice rules, engines, and a backtracker. */
const ENGINES_FIRST = ["links", "links-no-mrv", "cells", "masks", "naive"];
const SECONDS = 0.3;
const SECONDS_MOST = 60;

/**
 * @param {HTMLElement} root
 * @param {import("../main.js").App} app
 * @returns {import("../places.js").Mounted}
 */
export function mount(root, app) {
    /** @type {AbortController | null} */
    let running = null;
    let shown = "";
    /** @type {Row[]} */
    let rows = [];
    /** @type {Check[]} */
    let checks = [];
    /** @type {number[]} */
    let sizes = [];
    /** @type {string[]} */
    let names = [];
    let figure = /** @type {"seconds" | "nodes" | "updates"} */ ("seconds");

    const choice = select(EXAMPLES.map(({ name, title }) => [name, title]), "queens", (name) => {
        app.set({ example: name, n: null, to: null, text: null });
    });
    const from = element("input", { type: "number", class: "size" });
    const to = element("input", { type: "number", class: "size" });
    const fromField = field("From size", from);
    const toField = field("to size", to);
    const sized = () => app.set({ n: from.value, to: Number(to.value) > Number(from.value) ? to.value : null });
    from.addEventListener("change", () => {
        if (Number(to.value) < Number(from.value)) to.value = from.value;
        sized();
    });
    to.addEventListener("change", () => {
        if (Number(to.value) < Number(from.value)) from.value = to.value;
        sized();
    });
    const seconds = element("input", { type: "number", class: "size", min: 0.05, max: SECONDS_MOST, step: 0.05 });
    seconds.addEventListener("change", () => app.set({ seconds: seconds.value }));
    const text = element("textarea", { rows: 5, spellcheck: "false" });
    const typed = debounce(() => app.set({ example: "own", text: text.value, n: null, to: null }), 600);
    text.addEventListener("input", typed);
    const textField = field("The puzzle, in any form that the program reads", text);
    /** @type {Map<string, HTMLInputElement>} */
    const boxes = new Map();
    const groups = GROUPS.map(({ title, engines }) => element("fieldset", {},
        element("legend", {}, title),
        ...engines.map(({ name, about }) => {
            const box = element("input", { type: "checkbox", value: name });
            box.addEventListener("change", chosen);
            boxes.set(name, box);
            return element("label", { class: "engine" }, box, element("span", {},
                element("b", {}, name), " ", element("span", { class: "muted" }, about)));
        })));
    const chooser = element("details", { class: "panel chooser" },
        element("summary", {}, "Engines"), element("div", { class: "groups" }, ...groups));
    const chooserTitle = /** @type {HTMLElement} */ (chooser.firstElementChild);
    const runButton = button("Measure", () => void run(), { class: "primary" });
    const stopButton = button("Stop", () => running?.abort(), { hidden: true });
    const about = element("p", { class: "muted" });
    const progress = element("p", { class: "muted small", role: "status" });
    const verdict = element("div", { class: "verdict" });
    const results = element("section", { class: "panel results", "aria-label": "Results" });
    const plots = element("div", { class: "plots" });
    const wins = element("div", { class: "wins" });
    const exports = element("div", { class: "row no-print", hidden: true },
        button("Save as CSV", () => download("compare.csv", new Blob([toCsv(rows)], { type: "text/csv" }))),
        button("Save as JSON", () => download("compare.json", new Blob(
            [rows.map((row) => JSON.stringify(row)).join("\n"), "\n"], { type: "application/json" }))),
        button("Watch the search", () => {
            const { example = "queens", n, text } = app.parameters;
            app.go("watch", { example, ...(n ? { n } : {}), ...(text ? { text } : {}) });
        }, { class: "plain" }));

    root.append(
        element("div", {}, element("h1", {}, "Compare algorithms"), about),
        element("section", { class: "panel setup", "aria-label": "What to compare" },
            element("div", { class: "row setup-row" }, field("Problem", choice), fromField, toField,
                field("Seconds for each engine", seconds), element("div", { class: "row go" }, runButton, stopButton)),
            textField, chooser),
        progress, verdict, results, wins, plots, exports);

    function chosen() {
        const list = ENGINES.filter((name) => boxes.get(name)?.checked);
        app.set({ engines: list.join(",") });
    }

    /** @param {string[]} chosen */
    function nameEngines(chosen) {
        chooserTitle.textContent = `Engines: ${chosen.join(", ") || "none"}`;
    }

    function settings() {
        const { parameters } = app;
        const example = exampleOf(parameters.example ?? "queens");
        const low = sizeOf(example, parameters.n ?? (parameters.example === undefined ? "4" : undefined));
        const high = parameters.to !== undefined ? sizeOf(example, parameters.to)
            : parameters.example === undefined && parameters.n === undefined ? 8 : low;
        const known = (parameters.engines ?? ENGINES_FIRST.join(",")).split(",");
        return {
            example, low, high: Math.max(low, high),
            engines: ENGINES.filter((name) => known.includes(name)),
            seconds: Math.min(SECONDS_MOST, Math.max(0.05, Number(parameters.seconds) || SECONDS)),
            problem: example.name === "own" ? parameters.text ?? example.text(0) : "",
        };
    }

    async function run() {
        running?.abort();
        const mine = new AbortController();
        running = mine;
        const { example, low, high, engines, seconds, problem } = settings();
        rows = [];
        checks = [];
        names = engines;
        sizes = [];
        for (let size = low; size <= high; size += 1) sizes.push(size);
        stopButton.hidden = false;
        exports.hidden = true;
        draw();
        if (engines.length === 0) {
            verdict.replaceChildren(message("Choose at least one engine."));
            stopButton.hidden = true;
            return;
        }
        try {
            const messages = await measure(app, {
                question: "compare", sizes, engines, seconds,
                source: (size) => sourceOf(example, example.name === "own" ? problem : example.text(size)),
            }, mine.signal, {
                row(row) {
                    rows = rows.filter((other) => other.size !== row.size || other.engine !== row.engine);
                    rows.push(row);
                    draw();
                },
                check(check) {
                    checks.push(check);
                    draw();
                },
                tell(what) {
                    progress.textContent = what;
                },
            });
            if (running !== mine) return;
            if (messages.length > 0) verdict.replaceChildren(message(messages));
            progress.textContent = mine.signal.aborted ? "Stopped. The rows that were measured stay." : "";
        } catch (error) {
            if (running === mine) verdict.replaceChildren(message(String(error)));
        }
        if (running !== mine) return;
        stopButton.hidden = true;
        exports.hidden = rows.length === 0;
        root.dataset.runs = String(Number(root.dataset.runs ?? 0) + 1);
    }

    /** Draws what is known so far. */
    function draw() {
        drawVerdict();
        results.hidden = rows.length === 0;
        results.replaceChildren(...(sizes.length > 1 ? rangeTable() : singleTable()));
        drawWins();
        drawPlots();
    }

    function drawVerdict() {
        const alarms = checks.filter((check) => check.verdict === "differ");
        if (alarms.length > 0) {
            verdict.replaceChildren(element("div", { class: "message error", role: "alert" },
                element("p", {}, element("b", {}, "The engines disagree"), `: ${alarms.map((check) =>
                    `${sizes.length > 1 ? `size ${check.size}: ` : ""}${check.count}`).join("; ")}. Please report this.`),
                element("pre", {}, alarms.flatMap((check) => check.notes).join("\n"))));
            return;
        }
        const agreed = checks.filter((check) => check.verdict === "agree");
        if (agreed.length === 0) {
            verdict.replaceChildren();
            return;
        }
        const counts = agreed.map((check) => grouped(check.count)).join(", ");
        verdict.replaceChildren(element("p", { class: "message good" },
            element("b", {}, "✓ The answers agree. "),
            sizes.length > 1
                ? `All engines that finished found the same solutions at each size: ${counts}. `
                : `All engines that finished found ${counts} ${counts === "1" ? "solution" : "solutions"}. `,
            element("span", { class: "muted" }, "The program compares the numbers, and a digest of all solutions "
                + "of the engines that list them.")));
    }

    /** @param {string} name */
    const lineOf = (name) => names.indexOf(name);
    /** @param {string} name */
    const swatch = (name) => element("span", { class: `swatch line-${lineOf(name) % LINES}`, "aria-hidden": "true" });

    function singleTable() {
        const best = Math.min(...rows.map((row) => row.seconds ?? Infinity));
        const most = Math.max(...rows.map((row) => row.seconds ?? 0));
        const sorted = [...rows].sort((a, b) => (a.seconds ?? Infinity) - (b.seconds ?? Infinity));
        const span = Math.log(most / best) || 1;
        return [element("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": "Table of engines" },
            element("table", {},
                element("thead", {}, element("tr", {},
                    element("th", { scope: "col" }, "Engine"),
                    ...["Median", "±", "Ratio"].map((name) => element("th", { scope: "col", class: "number" }, name)),
                    element("th", { scope: "col" }, element("span", { class: "visually-hidden" }, "Bar")),
                    ...["Nodes", "Updates", "Solutions"].map((name) =>
                        element("th", { scope: "col", class: "number" }, name)),
                    element("th", { scope: "col" }, "State"))),
                element("tbody", {}, ...sorted.map((row) => {
                    const bar = element("span", { class: "time-bar" });
                    bar.style.width = row.seconds === null ? "0"
                        : `${Math.round(8 + 92 * (Math.log(row.seconds / best) / span))}%`;
                    const spread = row.interval && row.seconds
                        ? (row.interval[1] - row.interval[0]) / 2 / row.seconds : null;
                    return element("tr", { class: row.isFirst ? "first" : "" },
                        element("th", { scope: "row" }, swatch(row.engine), row.engine),
                        element("td", { class: "number" }, row.seconds === null ? "–" : time(row.seconds)),
                        element("td", { class: "number" }, spread === null ? "–" : `${(100 * spread).toFixed(1)} %`),
                        element("td", { class: "number" }, ratio(row, best)),
                        element("td", { class: "bar-cell" }, bar),
                        element("td", { class: "number" }, row.nodes === null ? "–" : grouped(row.nodes)),
                        element("td", { class: "number" }, row.updates === null ? "–" : grouped(row.updates)),
                        element("td", { class: "number" }, row.complete ? grouped(row.count) : `${grouped(row.count)}+`),
                        element("td", {}, row.isFirst ? "first measurement" : row.state));
                })))),
        element("p", { class: "muted small" }, "Each engine searches all solutions, on one thread. Then the engines take "
            + "turns; ± is half of the 95 % confidence interval of the median. The bars have a logarithmic scale.")];
    }

    function rangeTable() {
        const cells = new Map(rows.map((row) => [`${row.size} ${row.engine}`, row]));
        const done = sizes.filter((size) => rows.some((row) => row.size === size));
        const best = new Map(done.map((size) => [size,
            Math.min(...rows.filter((row) => row.size === size).map((row) => row[figure] ?? Infinity))]));
        const switcher = element("div", { class: "row", role: "group", "aria-label": "Figure of the table" },
            .../** @type {const} */ ([["seconds", "Time"], ["nodes", "Nodes"], ["updates", "Updates"]]).map(([key, name]) =>
                button(name, () => {
                    figure = key;
                    draw();
                    /** @type {HTMLElement | null} */ (results.querySelector('[aria-pressed="true"]'))?.focus();
                }, { "aria-pressed": String(figure === key), class: "small" })));
        return [switcher, element("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": "Table of sizes" },
            element("table", { class: "range" },
                element("thead", {}, element("tr", {}, element("th", { scope: "col" }, "Engine"),
                    ...sizes.map((size) => element("th", { scope: "col", class: "number" }, `size ${size}`)))),
                element("tbody", {},
                    ...names.map((name) => element("tr", {},
                        element("th", { scope: "row" }, swatch(name), name),
                        ...sizes.map((size) => {
                            const row = cells.get(`${size} ${name}`);
                            if (!row) return element("td", { class: "number muted" }, done.includes(size) ? "–" : "");
                            const value = row[figure];
                            const words = value !== null ? (figure === "seconds" ? time(value) : grouped(value))
                                : row.complete ? "–" : short(row.state);
                            const isBest = value !== null && value === best.get(size);
                            return element("td", { class: isBest ? "number best" : "number", title: row.state },
                                words, isBest ? element("span", { class: "visually-hidden" }, " (least)") : null);
                        }))),
                    element("tr", { class: "answers" }, element("th", { scope: "row" }, "solutions"),
                        ...sizes.map((size) => {
                            const check = checks.find((check) => check.size === size);
                            const mark = check?.verdict === "agree" ? " ✓" : check?.verdict === "differ" ? " ✗" : "";
                            return element("td", { class: "number" }, check ? `${grouped(check.count || "–")}${mark}` : "");
                        })))))];
    }

    function drawWins() {
        const runs = sizes.length > 1 ? winners(rows) : [];
        wins.replaceChildren(...(runs.length === 0 ? [] : [element("section", { class: "panel" },
            element("h2", {}, "Who wins where"),
            element("ul", { class: "winners" }, ...runs.map(({ engine, from, to }) => element("li", {},
                swatch(engine), element("b", {}, engine), from === to ? ` at size ${from}` : ` from size ${from} to ${to}`))),
            growth())]));
    }

    /** Describes how the times grow from one size to the next, on average over the sizes. */
    function growth() {
        const parts = names.flatMap((name) => {
            const mine = rows.filter((row) => row.engine === name && row.seconds !== null && !row.isFirst)
                .sort((a, b) => a.size - b.size);
            const [first, last] = [mine[0], mine[mine.length - 1]];
            if (mine.length < 3 || !first.seconds || !last.seconds) return [];
            return [`${name} ${((last.seconds / first.seconds) ** (1 / (last.size - first.size))).toFixed(1)}`];
        });
        return parts.length === 0 ? null
            : element("p", { class: "muted" }, `Mean factor from one size to the next: ${parts.join(", ")}.`);
    }

    function drawPlots() {
        if (sizes.length < 2) {
            plots.replaceChildren();
            return;
        }
        const lines = (/** @type {"seconds" | "nodes"} */ key) => names.map((name, line) => ({
            name, line,
            points: /** @type {[number, number][]} */ (rows
                .filter((row) => row.engine === name && (row[key] ?? 0) > 0)
                .sort((a, b) => a.size - b.size)
                .map((row) => [row.size, row[key]])),
        }));
        const kinds = /** @type {const} */ ([
            ["seconds", "Time over size", (/** @type {number} */ value) => time(value)],
            ["nodes", "Nodes over size", (/** @type {number} */ value) => grouped(value)],
        ]);
        plots.replaceChildren(...kinds.flatMap(([key, title, tick]) => {
            const picture = plot({ title, sizes, label: "size", lines: lines(key), tick });
            return picture ? [element("section", { class: "panel" }, element("h2", {}, title), picture)] : [];
        }));
    }

    return {
        update() {
            const { example, low, high, engines, seconds: limit, problem } = settings();
            choice.value = example.name;
            about.textContent = example.about;
            fromField.hidden = toField.hidden = !example.size;
            if (example.size) {
                for (const input of [from, to]) {
                    input.min = String(example.size.least);
                    input.max = String(example.size.most);
                }
                if (document.activeElement !== from) from.value = String(low);
                if (document.activeElement !== to) to.value = String(high);
            }
            if (document.activeElement !== seconds) seconds.value = String(limit);
            textField.hidden = example.kind !== undefined || example.size !== undefined;
            if (document.activeElement !== text) text.value = problem || (textField.hidden ? "" : example.text(0));
            for (const [name, box] of boxes) box.checked = engines.includes(name);
            nameEngines(engines);
            const wanted = JSON.stringify([example.name, low, high, engines, limit, problem]);
            if (wanted !== shown) {
                shown = wanted;
                void run();
            }
        },
        unmount() {
            typed.cancel();
            running?.abort();
        },
    };
}

/** @param {Row} row @param {number} best */
function ratio(row, best) {
    const value = row.ratio ?? (row.seconds === null || !Number.isFinite(best) ? null : row.seconds / best);
    return value === null ? "–" : `${value < 100 ? value.toFixed(2) : grouped(Math.round(value))}×`;
}

/** Shortens the reason why an engine has no figure. @param {string} state */
function short(state) {
    if (state.includes("does not support")) return "unsupported";
    return /time|stopped/.test(state) ? "over time" : state.slice(0, 16);
}
