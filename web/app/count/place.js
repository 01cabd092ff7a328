// The place Count: exact numbers of solutions, what is expected of them, and what they look like.

import { download, element, message } from "../ui.js";
import { answerOf, faultLines, faultOf } from "../pack/answers.js";
import { readModel } from "../pack/model.js";
import { FAMILIES, valuesOf } from "./families.js";
import { heatBoard, heatGrid, percent, solutionPicture, sortsBoard } from "./pictures.js";
import { SEQUENCES } from "./records.js";
import { countInParts } from "./shards.js";

/** @typedef {import("../main.js").App} App */
/** @typedef {import("../carrier.js").Answer} Answer */
/** @typedef {import("./families.js").Family} Family */
/** @typedef {import("./families.js").Source} Source */

/** Seconds for the count that starts by itself; after that the reader decides. WebAssembly on a busy machine needs 10 s for Sudoku grids. */
const FIRST_SECONDS = 15;

/** Milliseconds after which samples are drawn even if the count still runs. */
const SAMPLES_DELAY = 2500;

/** Seconds for the estimate, which runs at the same time. */
const ESTIMATE_SECONDS = 0.5;

/** Rows of the table of options that are shown at once. */
const ROWS_MAX = 200;

/** Characters of the solutions that are drawn at once: about as many shapes, which a browser draws in half a second. */
const CHARACTERS_MAX = 16_000;

/** Workers that are offered at most: each holds the whole program. */
const WORKERS_MAX = 8;

const METHODS = /** @type {Record<string, string>} */ ({
    matching: "by a Pfaffian determinant",
    frontier: "by dynamic programming over states",
    symmetry: "by dynamic programming up to symmetry",
    burnside: "by Burnside's lemma",
    search: "by search",
    memo: "by a search that remembers subproblems",
    signs: "by a sum over signs",
    algebra: "by linear algebra",
    bands: "by the bands of the grid",
});

/** A number in groups of three digits, between which a line may break. @param {string} digits */
const grouped = (digits) => digits.replace(/\B(?=(\d{3})+(?!\d))/g, "\u2009");

/** @param {number} seconds */
function spokenSeconds(seconds) {
    if (seconds < 0.001) return "less than a millisecond";
    if (seconds < 1) return `${Math.round(seconds * 1000)} ms`;
    if (seconds < 120) return `${seconds.toFixed(seconds < 10 ? 1 : 0)} s`;
    if (seconds < 7200) return `${Math.round(seconds / 60)} minutes`;
    if (seconds < 172_800) return `${Math.round(seconds / 3600)} hours`;
    const days = seconds / 86_400;
    return days < 1000 ? `${Math.round(days)} days` : `${(days / 365.25).toPrecision(2)} years`;
}

/** @param {number} bytes */
function spokenBytes(bytes) {
    const units = ["bytes", "kB", "MB", "GB", "TB", "PB"];
    let [value, unit] = [bytes, 0];
    while (value >= 1000 && unit < units.length - 1) [value, unit] = [value / 1000, unit + 1];
    return `${value.toPrecision(value < 10 ? 2 : 3)} ${units[unit]}`;
}

/** `1.234e10` as text with a power of ten, or a plain number. @param {string} text @returns {(string | Node)[]} */
function scientific(text) {
    const match = /^([\d.]+)e\+?(-?\d+)$/.exec(text);
    if (!match) return [grouped(text)];
    return [`${match[1]} × 10`, element("sup", {}, match[2])];
}

/**
 * @param {HTMLElement} root
 * @param {App} app
 * @returns {import("../places.js").Mounted}
 */
export function mount(root, app) {
    /** @type {Family} */
    let family = FAMILIES[0];
    /** @type {Record<string, string>} */
    let values = {};
    /** What the page shows now, to know what changed. */
    let shownSource = "";
    let shownSeed = "";
    let questions = new AbortController();
    /** @type {AbortController | null} */
    let running = null;
    let known = "";
    /** What the program does now, if its carrier says so. */
    let phase = "";

    /** @param {string} label @param {() => void} act @param {Record<string, string>} [more] */
    const key = (label, act, more = {}) => {
        const node = element("button", { type: "button", ...more }, label);
        node.addEventListener("click", act);
        return node;
    };

    const families = element(
        "select",
        { id: "count-family" },
        ...FAMILIES.map(({ name, title }) => element("option", { value: name }, title)),
    );
    families.addEventListener("change", () => go({ puzzle: families.value }));
    const fields = element("div", { class: "count-fields" });
    const area = element("textarea", { id: "count-text", rows: 10, spellcheck: "false", autocapitalize: "off" });
    const ownText = element("div", { class: "count-own", hidden: true }, element("label", { for: "count-text" }, "Puzzle"), area);
    let typing = 0;
    area.addEventListener("input", () => {
        clearTimeout(typing);
        typing = window.setTimeout(() => go({ puzzle: "text", text: area.value }), 600);
    });

    const question = element("h2", { class: "count-question" });
    const result = element("output", { class: "count-number", "aria-live": "polite" });
    const facts = element("p", { class: "count-facts" });
    const expected = element("p", { class: "count-expected" });
    const fault = element("div", { role: "alert" });
    const bar = element("progress", { class: "count-bar", max: 1, hidden: true, "aria-label": "Progress of the count" });
    const stop = key("Stop", () => stopCount(), { class: "count-stop" });
    const goOn = key("Count without a time limit", () => void count(null));
    const cores = Math.max(2, Math.min(WORKERS_MAX, navigator.hardwareConcurrency || 2));
    const workers = element("input", { type: "number", id: "count-workers", min: 1, max: WORKERS_MAX, value: cores, inputmode: "numeric" });
    const parts = key("Count in parts", () => void countParts());
    const partsBox = element("span", { class: "count-workers" }, parts, element("label", { for: "count-workers" }, "workers"), workers);
    const copy = key("Copy", () => void navigator.clipboard?.writeText(known.replace("+", "")));
    const inPack = key("Open in Pack", () => app.go("pack", { text: family.source(values).input }));
    const controls = element("div", { class: "pack-buttons" }, stop, goOn, partsBox, copy, inPack);

    const classes = element("div", { class: "count-classes" });
    const classRows = element("tbody");
    const classTable = element(
        "table",
        { class: "count-table", hidden: true },
        element("caption", {}, "Solutions up to symmetry"),
        element("thead", {}, element("tr", {}, element("th", { scope: "col" }, "Counted as one"), element("th", { scope: "col", class: "number" }, "Number"), element("th", { scope: "col" }, "Time"))),
        classRows,
    );
    const classBox = element("section", { class: "count-card panel" }, element("h2", {}, "Up to symmetry"), classes, classTable);

    const gallery = element("div", { class: "count-gallery" });
    const seedField = element("input", { type: "number", id: "count-seed", min: 1, value: 1, inputmode: "numeric" });
    seedField.addEventListener("change", () => go({ ...current(), seed: seedField.value }, true));
    /** @type {string[]} */
    let drawn = [];
    const saveText = key("Save as text", () => download("samples.txt", new Blob([`${drawn.join("\n\n")}\n`], { type: "text/plain" })), { hidden: "" });
    const galleryNote = element("p", { class: "pack-note", role: "status", "aria-live": "polite" });
    const sampleBox = element(
        "section",
        { class: "count-card panel" },
        element("h2", {}, "Drawn at random"),
        element(
            "div",
            { class: "pack-buttons" },
            key("Draw again", () => go({ ...current(), seed: String(Number(seedField.value) + 1) }, true), { class: "primary" }),
            element("label", { for: "count-seed" }, "Seed"),
            seedField,
            saveText,
        ),
        galleryNote,
        gallery,
    );

    const heat = element("div", { class: "count-heat" });
    const heatButton = key("Count every option", () => void countOptions());
    const heatBox = element(
        "section",
        { class: "count-card panel" },
        element("h2", {}, "Option by option"),
        element("p", {}, "In how many solutions does each option occur? A darker cell occurs in more of them."),
        element("div", { class: "pack-buttons" }, heatButton),
        heat,
    );

    root.replaceChildren(
        element(
            "div",
            { class: "counting" },
            element(
                "header",
                { class: "pack-head" },
                element("h1", {}, "Count"),
                element("p", { class: "lead" }, "Exact numbers of solutions, however large, without listing them where a faster method exists."),
            ),
            element("div", { class: "pack-choose" }, element("label", { for: "count-family" }, "What"), families, fields),
            ownText,
            element(
                "section",
                { class: "count-main", "aria-labelledby": "count-asked" },
                question,
                result,
                facts,
                bar,
                fault,
                expected,
                controls,
            ),
            element("div", { class: "count-cards" }, sampleBox, heatBox, classBox, recordsBox()),
        ),
    );
    question.id = "count-asked";

    /** @returns {Record<string, string | undefined>} */
    const current = () => ({ puzzle: family.name, ...values });

    /** Opens other parameters. @param {Record<string, string | undefined>} where @param {boolean} [replace] */
    function go(where, replace = false) {
        /** @type {Record<string, string | undefined>} */
        const all = { puzzle: undefined, text: undefined, seed: undefined };
        for (const row of FAMILIES) for (const field of [...row.sizes, ...row.choices]) all[field.key] = undefined;
        app.set({ ...all, ...where }, { replace });
    }

    /** @param {Record<string, string | undefined>} parameters */
    function show(parameters) {
        const name = parameters.puzzle ?? (parameters.text ? "text" : FAMILIES[0].name);
        family = FAMILIES.find((row) => row.name === name) ?? FAMILIES[0];
        values = valuesOf(family, parameters);
        families.value = family.name;
        drawFields();
        ownText.hidden = family.name !== "text";
        if (family.name === "text" && (document.activeElement !== area || area.value.trim() !== values.text.trim())) area.value = values.text;
        const source = family.source(values);
        const identity = JSON.stringify(source);
        const seed = parameters.seed ?? "1";
        seedField.value = seed;
        if (identity === shownSource) {
            if (seed !== shownSeed) {
                shownSeed = seed;
                void drawSamples(source, seed);
            }
            return;
        }
        shownSource = identity;
        shownSeed = seed;
        questions.abort();
        running?.abort();
        questions = new AbortController();
        question.textContent = family.question(values);
        fault.replaceChildren();
        expected.replaceChildren();
        facts.textContent = "";
        known = "";
        classRows.replaceChildren();
        classTable.hidden = true;
        heat.replaceChildren();
        gallery.replaceChildren();
        galleryNote.textContent = "";
        inPack.hidden = !/^\s*(pieces?|board)\b/m.test(source.input);
        drawGroups();
        void first(source, seed);
    }

    function drawFields() {
        const focused = document.activeElement?.id ?? "";
        const nodes = [
            ...family.sizes.map((field) => {
                const id = `count-${field.key}`;
                const input = element("input", { type: "number", id, min: field.min, max: field.max, value: values[field.key], inputmode: "numeric" });
                input.addEventListener("change", () => go({ ...current(), [field.key]: input.value }));
                return element("span", { class: "pack-size" }, element("label", { for: id }, field.label), input);
            }),
            ...family.choices.map((field) => {
                const id = `count-${field.key}`;
                const select = element("select", { id }, ...field.choices.map(([value, label]) => element("option", { value }, label)));
                select.value = values[field.key];
                select.addEventListener("change", () => go({ ...current(), [field.key]: select.value }));
                return element("span", { class: "pack-size" }, element("label", { for: id }, field.label), select);
            }),
        ];
        fields.replaceChildren(...nodes);
        if (focused.startsWith("count-")) document.getElementById(focused)?.focus();
    }

    /** Starts the first count, the estimate at the same time, and the samples afterwards. @param {Source} source @param {string} seed */
    async function first(source, seed) {
        const { signal } = questions;
        const counting = count(FIRST_SECONDS);
        void estimate(source, signal);
        await Promise.race([counting, new Promise((resolve) => setTimeout(resolve, SAMPLES_DELAY))]);
        if (!signal.aborted) await drawSamples(source, seed);
        await counting;
        if (!signal.aborted && known !== "" && !known.endsWith("+")) await countOptions(3);
    }

    /** @param {boolean} on */
    function setRunning(on) {
        stop.hidden = !on;
        bar.hidden = !on;
        goOn.hidden = on || (known !== "" && !known.endsWith("+"));
        partsBox.hidden = goOn.hidden;
        copy.hidden = on || known === "" || known.endsWith("+");
        if (on) bar.removeAttribute("value");
    }

    /** @param {string} number digits, with `+` behind a lower bound */
    function showNumber(number) {
        known = number;
        const digits = number.replace("+", "");
        const bound = number.endsWith("+");
        const size = digits.length > 60 ? " long" : digits.length > 21 ? " medium" : "";
        result.className = `count-number${size}${bound ? " bound" : ""}`;
        result.textContent = `${grouped(digits)}${bound ? "+" : ""}`;
    }

    /** Counts, for some seconds or without a limit. @param {number | null} seconds */
    async function count(seconds) {
        running?.abort();
        const mine = new AbortController();
        running = mine;
        const source = family.source(values);
        const start = performance.now();
        fault.replaceChildren();
        if (known === "") {
            result.className = "count-number waiting";
            result.textContent = "…";
        }
        phase = "";
        setRunning(true);
        const clock = window.setInterval(() => {
            const elapsed = (performance.now() - start) / 1000;
            if (elapsed > 0.4) facts.textContent = `${elapsed.toFixed(1)} s so far${phase ? `: ${phase}` : ""}`;
        }, 200);
        const options = { ...source.options, ...(seconds === null ? {} : { time: seconds }) };
        const answer = await answerOf(app, { question: "count", input: source.input, options }, mine.signal, (event) => {
            if (event.progress && running === mine) showProgress(event.progress);
        });
        clearInterval(clock);
        if (running !== mine) return;
        running = null;
        if (!answer) {
            stopped((performance.now() - start) / 1000);
            return;
        }
        const line = answer.lines[0];
        if (!line || line.error) {
            result.textContent = "";
            result.className = "count-number";
            facts.textContent = "";
            fault.replaceChildren(message(faultLines(answer)));
            setRunning(false);
            return;
        }
        showNumber(`${line.count}${line.complete ? "" : "+"}`);
        if (line.complete) showFacts(String(line.count), String(line.engine), Number(line.seconds), answer);
        else facts.textContent = `At least this many: the count was stopped after ${spokenSeconds(Number(line.seconds))}.`;
        setRunning(false);
    }

    /** @param {string} digits @param {string} engine @param {number} seconds @param {Answer} answer */
    function showFacts(digits, engine, seconds, answer) {
        const length = digits.length === 1 ? "1 digit" : `${digits.length} digits`;
        const method = METHODS[engine] ?? `by the engine ${engine}`;
        const notes = answer.notes.filter((note) => /board has/.test(note)).map((note) => ` ${note.replace(/^puzzle \d+: /, "")}.`);
        facts.textContent = `${length}, counted ${method} in ${spokenSeconds(seconds)}.${notes.join("")}`;
    }

    /** What the program reports while it counts; see docs/PROTOCOL.md. @param {Record<string, any>} progress */
    function showProgress(progress) {
        if (typeof progress.fraction === "number") bar.value = Math.max(0, Math.min(1, progress.fraction));
        const words = typeof progress.message === "string" ? progress.message : "";
        const isShare = typeof progress.fraction === "number" && words.startsWith("of ");
        phase = isShare ? `${(100 * progress.fraction).toFixed(progress.fraction < 0.1 ? 2 : 0)} % ${words}` : words;
        // The solutions of one part of a problem are no bound of the whole: another part may have none.
        if (progress.solutions > 0 && !phase.includes("part ")) showNumber(`${progress.solutions}+`);
    }

    function stopCount() {
        running?.abort();
    }

    /** @param {number} seconds */
    function stopped(seconds) {
        if (known === "") {
            result.textContent = "stopped";
            result.className = "count-number waiting";
            facts.textContent = `Stopped after ${spokenSeconds(seconds)}; nothing is known yet. A count in parts knows a lower bound at any time.`;
        } else {
            facts.textContent = `At least this many: stopped after ${spokenSeconds(seconds)}.`;
        }
        setRunning(false);
    }

    async function countParts() {
        running?.abort();
        const mine = new AbortController();
        running = mine;
        fault.replaceChildren();
        const start = performance.now();
        setRunning(true);
        const before = known;
        facts.textContent = "Splitting …";
        const number = Math.max(1, Math.min(WORKERS_MAX, Math.round(Number(workers.value)) || 1));
        const outcome = await countInParts(app, family.source(values), number, mine.signal, ({ known: sum, done, of, share }) => {
            if (running !== mine) return;
            bar.value = share;
            const elapsed = (performance.now() - start) / 1000;
            const left = share > 0.03 ? `, about ${spokenSeconds((elapsed * (1 - share)) / share)} left` : "";
            facts.textContent = `${done} of ${of} parts${left}`;
            if (sum > BigInt(before.replace("+", "") || "0")) showNumber(`${sum}+`);
        });
        if (running !== mine) return;
        running = null;
        const elapsed = (performance.now() - start) / 1000;
        if (outcome === null) {
            stopped(elapsed);
            return;
        }
        if ("fault" in outcome) {
            fault.replaceChildren(message(outcome.fault));
            facts.textContent = "";
        } else {
            showNumber(outcome.count);
            const length = outcome.count.length === 1 ? "1 digit" : `${outcome.count.length} digits`;
            facts.textContent = `${length}, counted in parts by ${number} ${number === 1 ? "worker" : "workers"} in ${spokenSeconds(elapsed)}; the parts were checked and added by the program.`;
        }
        setRunning(false);
    }

    /** @param {Source} source @param {AbortSignal} signal */
    async function estimate(source, signal) {
        const answer = await answerOf(
            app,
            { question: "estimate", input: source.input, options: { ...source.options, time: ESTIMATE_SECONDS } },
            signal,
        );
        const line = answer?.lines[0];
        if (!line || line.error || line.estimate === undefined) return;
        const cost = line.count_seconds === null ? "" : `; a count through all states would take ${spokenSeconds(Number(line.count_seconds))} and ${spokenBytes(Number(line.count_bytes))}`;
        const range = line.exact ? [] : [" (95 %: ", ...scientific(String(line.low)), " to ", ...scientific(String(line.high)), ")"];
        expected.replaceChildren(`Estimate before counting: ${line.exact ? "exactly" : "about"} `, ...scientific(String(line.estimate)), ...range, `${cost}.`);
    }

    function drawGroups() {
        classes.replaceChildren(
            ...family.groups.map(({ group, label }) => key(`Count up to ${label}`, () => void countClasses(group, label))),
        );
        classes.className = "pack-buttons";
        classBox.hidden = family.groups.length === 0;
    }

    /** @param {string} group @param {string} label */
    async function countClasses(group, label) {
        const source = family.source(values);
        const { signal } = questions;
        const number = element("td", { class: "number" }, "…");
        const time = element("td", {});
        const row = element("tr", {}, element("th", { scope: "row" }, label), number, time);
        classRows.append(row);
        classTable.hidden = false;
        const options = { ...source.options, "up-to-symmetry": group === "" ? true : group, time: 120 };
        const answer = await answerOf(app, { question: "count", input: source.input, options }, signal);
        if (!answer) return;
        const line = answer.lines[0];
        if (!line || line.error) {
            number.textContent = faultOf(answer).split("\n")[0];
            number.className = "";
        } else {
            number.textContent = `${grouped(String(line.count))}${line.complete ? "" : "+"}`;
            time.textContent = spokenSeconds(Number(line.seconds));
        }
    }

    /** @param {Source} source @param {string} seed */
    async function drawSamples(source, seed) {
        const { signal } = questions;
        if (known === "0") {
            galleryNote.textContent = "There is nothing to draw.";
            return;
        }
        galleryNote.textContent = "Drawing …";
        const options = { ...source.options, count: family.samples, seed: Number(seed) || 1, time: 20 };
        let answer = await answerOf(app, { question: "sample", input: source.input, options }, signal);
        if (!answer || seed !== shownSeed) return;
        let words = `${family.samples} solutions, drawn uniformly at random from all of them.`;
        if (!answer.lines[0]?.solutions) {
            const reason = faultOf(answer).split("\n")[0];
            const listed = await answerOf(
                app,
                { question: "list", input: source.input, options: { ...source.options, limit: family.samples, time: 5 } },
                signal,
            );
            if (!listed || seed !== shownSeed) return;
            answer = listed;
            words = answer.lines[0]?.solutions?.length ? "The first solutions of a search: there are too many for a fair draw here." : reason;
        }
        const line = answer.lines[0];
        const kind = String(line?.kind ?? "");
        const all = /** @type {string[]} */ (line?.solutions ?? []);
        const solutions = all.slice(0, Math.max(1, Math.floor(CHARACTERS_MAX / (all[0]?.length || 1))));
        const boxes = family.name === "sudoku" ? { width: Number(values.width), height: Number(values.height) } : null;
        const shown = solutions.map((solution, index) => {
            const picture = solutionPicture(kind, solution, `Solution ${index + 1}`, boxes);
            return element("figure", {}, picture ?? element("pre", { tabindex: "0" }, solution));
        });
        gallery.replaceChildren(...shown);
        drawn = solutions;
        saveText.hidden = solutions.length === 0;
        gallery.classList.toggle("flat", kind === "langford");
        galleryNote.textContent = words;
    }

    /** @param {number} [seconds] limit of the count that starts by itself */
    async function countOptions(seconds) {
        const source = family.source(values);
        const { signal } = questions;
        heat.replaceChildren(element("p", {}, "Counting …"));
        const options = { ...source.options, "per-option": true };
        const mine = new AbortController();
        const timer = seconds === undefined ? 0 : window.setTimeout(() => mine.abort(), seconds * 1000);
        const end = () => mine.abort();
        signal.addEventListener("abort", end);
        const answer = await answerOf(app, { question: "count", input: source.input, options }, mine.signal);
        clearTimeout(timer);
        signal.removeEventListener("abort", end);
        if (signal.aborted) return;
        if (!answer) {
            heat.replaceChildren(element("p", {}, "This takes longer: press the button to count every option."));
            return;
        }
        const line = answer.lines[0];
        if (!line || line.error || !line.counts) {
            heat.replaceChildren(element("p", {}, `The options of this puzzle cannot be counted here: ${faultOf(answer).split("\n")[0]}.`));
            return;
        }
        heat.replaceChildren(...optionParts(line, source));
    }

    /** The heat map and the table of a count by options. @param {any} line @param {Source} source @returns {HTMLElement[]} */
    function optionParts(line, source) {
        const total = Number(line.count);
        if (total === 0) return [element("p", {}, "There is no solution, so no option occurs.")];
        /** @type {{ name: string, count: string }[]} */
        const rows = [];
        if (line.options) line.options.forEach((/** @type {string} */ name, /** @type {number} */ k) => rows.push({ name, count: line.counts[k] }));
        else {
            const order = Math.round(Math.sqrt(line.counts.length));
            line.counts.forEach((/** @type {string[]} */ cell, /** @type {number} */ k) =>
                cell.forEach((count, symbol) => rows.push({ name: `r${Math.floor(k / order) + 1}c${(k % order) + 1} = ${symbol + 1}`, count })),
            );
        }
        const share = (/** @type {string} */ count) => Number((BigInt(count) * 1_000_000_000n) / BigInt(line.count)) / 1e9;
        const maps = heatMaps(line, source, share);
        const sorted = [...rows].sort((a, b) => (BigInt(b.count) > BigInt(a.count) ? 1 : BigInt(b.count) < BigInt(a.count) ? -1 : 0));
        const table = element(
            "table",
            { class: "count-table" },
            element("caption", {}, rows.length > ROWS_MAX ? `The ${ROWS_MAX} most frequent of ${rows.length} options` : `${rows.length} options, the most frequent first`),
            element("thead", {}, element("tr", {}, element("th", { scope: "col" }, "Option"), element("th", { scope: "col", class: "number" }, "Solutions"), element("th", { scope: "col", class: "number" }, "Share"))),
            element(
                "tbody",
                {},
                ...sorted.slice(0, ROWS_MAX).map(({ name, count }) =>
                    element("tr", {}, element("td", {}, element("code", {}, name)), element("td", { class: "number" }, grouped(count)), element("td", { class: "number" }, percent(share(count)))),
                ),
            ),
        );
        return [...maps, element("details", { class: "pack-edit" }, element("summary", {}, "Table of all options"), element("div", { class: "count-scroll scroll", tabindex: "0", role: "region", "aria-label": "Table of options" }, table))];
    }

    /** @param {any} line @param {Source} source @param {(count: string) => number} share @returns {HTMLElement[]} */
    function heatMaps(line, source, share) {
        if (line.kind === "queens") {
            const side = Math.max(...line.options.map((/** @type {string} */ name) => Number(/^r(\d+)/.exec(name)?.[1] ?? 0)));
            /** @type {(number | null)[][]} */
            const shares = Array.from({ length: side }, () => Array.from({ length: side }, () => 0));
            line.options.forEach((/** @type {string} */ name, /** @type {number} */ k) => {
                const match = /r(\d+) c(\d+)/.exec(name);
                if (match) shares[Number(match[1]) - 1][Number(match[2]) - 1] = share(line.counts[k]);
            });
            return [figure(heatGrid("How often a queen stands on each square", shares, (r, c) => `row ${r + 1}, column ${c + 1}`), `How often a queen stands on each square: ${range(shares.flat())}`)];
        }
        if (line.kind === "langford") {
            const most = Math.max(...line.options.map((/** @type {string} */ name) => Number(name.split(" ")[0])));
            /** @type {(number | null)[][]} */
            const shares = Array.from({ length: most }, () => Array.from({ length: 2 * most }, () => null));
            line.options.forEach((/** @type {string} */ name, /** @type {number} */ k) => {
                const match = /^(\d+) s(\d+)/.exec(name);
                if (match) shares[Number(match[1]) - 1][Number(match[2]) - 1] = share(line.counts[k]);
            });
            return [figure(heatGrid("Where the first of each pair stands", shares, (r, c) => `number ${r + 1}, place ${c + 1}`), `Rows: the numbers; columns: the place of the first of the two; ${range(shares.flat())}`)];
        }
        if (!line.options) {
            const order = Math.round(Math.sqrt(line.counts.length));
            const symbols = line.counts[0]?.length ?? 0;
            return chooser("Symbol", Array.from({ length: symbols }, (_, k) => String(k + 1)), (symbol) => {
                const shares = Array.from({ length: order }, (_, r) => Array.from({ length: order }, (_, c) => share(line.counts[r * order + c][symbol])));
                const title = `How often ${symbol + 1} stands in each cell`;
                return figure(heatGrid(title, shares, (r, c) => `row ${r + 1}, column ${c + 1}`), `${title}: ${range(shares.flat())}`);
            });
        }
        if (line.kind === "polyomino") {
            const items = [...new Set(line.options.flatMap((/** @type {string} */ name) => name.split(" ")))];
            const model = readModel(source.input, [items.join(" "), ...line.options].join("\n"));
            if (model.placements.length !== line.options.length) return [];
            const named = model.pieces.length > 1;
            const labels = named
                ? model.pieces.map((piece) => `Piece ${piece.label}`)
                : model.orientations.map((_, k) => (model.orientations.length === 2 ? ["lying", "upright"][k] : `way ${k + 1}`));
            const allShares = line.counts.map(share);
            const title = "Which way most pieces lie";
            const sorts = named ? null : sortsBoard(title, model, allShares);
            const before = sorts ? 1 : 0;
            return chooser(named ? "Piece" : "Show", [...(sorts ? ["all ways"] : []), ...labels], (place) => {
                const chosen = place - before;
                if (sorts && chosen < 0) return figure(sorts, `${title}: one color for each way, pale where none is more frequent`);
                const shares = model.cells.map(() => 0);
                model.placements.forEach((placement, k) => {
                    if ((named ? placement.piece : placement.orientation) !== chosen) return;
                    for (const cell of placement.cells) shares[cell] += allShares[k];
                });
                const caption = named ? `How often ${labels[chosen].toLowerCase()} covers each cell` : `How often each cell is covered this way (${labels[chosen]})`;
                return figure(heatBoard(caption, model, shares), `${caption}: ${range(shares)}`);
            });
        }
        return [];
    }

    /** @param {SVGElement} picture @param {string} caption */
    function figure(picture, caption) {
        return element("figure", { class: "count-map" }, picture, element("figcaption", {}, caption));
    }

    /** @param {(number | null)[]} shares */
    function range(shares) {
        const numbers = shares.filter((share) => share !== null);
        const [low, high] = [Math.min(...numbers), Math.max(...numbers)];
        return low === high ? `everywhere ${percent(low)}` : `from ${percent(low)} to ${percent(high)}`;
    }

    /** Radio buttons over a picture. @param {string} legend @param {string[]} labels @param {(chosen: number) => HTMLElement} picture @returns {HTMLElement[]} */
    function chooser(legend, labels, picture) {
        const place = element("div", {}, picture(0));
        const select = element("select", { id: "count-map" }, ...labels.map((label, k) => element("option", { value: k }, label)));
        select.addEventListener("change", () => place.replaceChildren(picture(Number(select.value))));
        return [element("div", { class: "pack-choose" }, element("label", { for: "count-map" }, legend), select), place];
    }

    function recordsBox() {
        const rows = SEQUENCES.map((sequence) => {
            const id = `count-record-${sequence.id}`;
            const last = sequence.first + sequence.terms.length - 1;
            const input = element("input", { type: "number", id, min: 1, max: sequence.most, value: last, inputmode: "numeric" });
            const outcome = element("td", {}, "");
            const run = key("Count", () => void countTerm(), {});
            run.setAttribute("aria-label", `Count term n of ${sequence.id}`);
            const countTerm = async () => {
                const n = Math.max(1, Math.min(sequence.most, Math.round(Number(input.value)) || 1));
                input.value = String(n);
                outcome.textContent = "…";
                const answer = await answerOf(app, { question: "count", input: sequence.text(n), options: { from: "dlx", time: 60 } }, questions.signal);
                const line = answer?.lines[0];
                if (!answer || !line || line.error) {
                    outcome.textContent = answer ? faultOf(answer).split("\n")[0] : "";
                    return;
                }
                const published = sequence.terms[n - sequence.first];
                const agrees = published === undefined ? "" : published === String(line.count) ? " ✓ as published" : " ✗ published otherwise";
                outcome.textContent = `${grouped(String(line.count))}${line.complete ? "" : "+"}${agrees} (${spokenSeconds(Number(line.seconds))})`;
            };
            const open = key("Open", () => {
                const n = Math.max(1, Math.min(sequence.most, Math.round(Number(input.value)) || 1));
                go({ puzzle: "text", text: sequence.text(n) });
                root.scrollIntoView();
            });
            open.setAttribute("aria-label", `Open ${sequence.id} as text`);
            return element(
                "tr",
                {},
                element("th", { scope: "row" }, sequence.id),
                element("td", {}, sequence.title),
                element("td", {}, element("span", { class: "pack-size whole" }, element("label", { for: id }, "n ="), input, run, open)),
                outcome,
                element("td", {}, ...sequence.fresh.map(([n, value]) => element("div", { class: "whole" }, `n = ${n}: ${grouped(value)}`))),
            );
        });
        return element(
            "section",
            { class: "count-card panel no-print" },
            element("h2", {}, "Records"),
            element("p", {}, "Five sequences of the Encyclopedia of Integer Sequences that Farandole extended. Every new term was counted twice, by different methods. Small terms run at a click."),
            element(
                "div",
                { class: "count-scroll scroll", tabindex: "0", role: "region", "aria-label": "Table of records" },
                element(
                    "table",
                    { class: "count-table" },
                    element("thead", {}, element("tr", {}, ...["Sequence", "Counts", "Run", "Result", "New terms"].map((head) => element("th", { scope: "col" }, head)))),
                    element("tbody", {}, ...rows),
                ),
            ),
        );
    }

    return {
        /** @param {Record<string, string>} parameters */
        update(parameters) {
            show(parameters);
        },
        unmount() {
            questions.abort();
            running?.abort();
        },
    };
}
