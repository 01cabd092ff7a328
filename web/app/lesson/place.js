// The place Lesson: ten steps from "what is an exact cover" to "which engine when".

import { button, element } from "../ui.js";
import { LESSONS } from "./steps.js";

/**
 * @param {HTMLElement} root
 * @param {import("../main.js").App} app
 * @returns {import("../places.js").Mounted}
 */
export function mount(root, app) {
    /** @type {AbortController | null} */
    let open = null;
    let number = 0;
    let text = "";

    const list = element("ol", { class: "lesson-list" });
    const links = LESSONS.map(({ title }, place) => {
        const link = button([element("span", { class: "dot", "aria-hidden": "true" }), title], () => go(place + 1),
            { class: "plain" });
        list.append(element("li", {}, link));
        return link;
    });
    const body = element("article", { class: "stack lesson-body" });
    root.append(
        element("nav", { class: "lesson-nav", "aria-label": "Steps of the lesson" },
            element("h1", {}, "Lesson"), list),
        body);

    /** @param {number} to */
    function go(to) {
        app.set({ step: to === 1 ? null : to, text: null });
        body.querySelector("h2")?.focus({ preventScroll: true });
        if (body.getBoundingClientRect().top < 0 || innerWidth < 860) body.scrollIntoView({ block: "start" });
    }

    /** Steps whose questions are answered, as in the address. */
    const done = () => new Set((app.parameters.done ?? "").split(",").filter(Boolean).map(Number));

    function mark() {
        const answered = done();
        links.forEach((link, place) => {
            link.classList.toggle("done", answered.has(place + 1));
            place + 1 === number ? link.setAttribute("aria-current", "step") : link.removeAttribute("aria-current");
            link.setAttribute("aria-label",
                `${place + 1}. ${LESSONS[place].title}${answered.has(place + 1) ? " (answered)" : ""}`);
        });
    }

    /** @param {string | undefined} given */
    function show(given) {
        open?.abort();
        const mine = new AbortController();
        open = mine;
        const lesson = LESSONS[number - 1];
        text = given ?? lesson.example;
        const shownAt = number;
        const answer = element("div", { class: "lesson-answer", role: "status" });
        const showAnswer = () => answer.replaceChildren(element("p", { class: "message good" },
            element("b", {}, "✓ "), words(lesson.answer)));
        const part = lesson.part({
            app, text, signal: mine.signal,
            setText(next) {
                text = next;
                app.set({ text: next === lesson.example ? null : next }, { replace: true });
                reset.hidden = next === lesson.example;
            },
            solved() {
                if (mine.signal.aborted) return;
                if (answer.childElementCount === 0) showAnswer();
                const answered = done();
                if (answered.has(shownAt)) return;
                answered.add(shownAt);
                app.set({ done: [...answered].sort((a, b) => a - b).join(",") }, { replace: true });
            },
        });
        const reset = button("Back to the first example", () => {
            app.set({ text: null });
        }, { class: "plain small" });
        reset.hidden = text === lesson.example;
        body.replaceChildren(
            element("p", { class: "muted small" }, `Step ${number} of ${LESSONS.length}`),
            element("h2", { tabindex: -1 }, lesson.title),
            ...lesson.text.map((paragraph) => element("p", { class: "prose" }, words(paragraph))),
            element("p", { class: "muted small" }, `Source: ${lesson.source}.`),
            element("section", { class: "panel stack", "aria-label": "Example" },
                element("div", { class: "question" }, element("p", {}, lesson.question)), part, answer,
                element("div", {}, reset)),
            element("div", { class: "row spread" },
                number > 1 ? button(`← ${LESSONS[number - 2].title}`, () => go(number - 1), { class: "plain" }) : element("span"),
                number < LESSONS.length
                    ? button(`${LESSONS[number].title} →`, () => go(number + 1), { class: "primary" })
                    : button("Compare algorithms →", () => app.go("compare"), { class: "primary" })),
        );
        root.dataset.step = String(number);
    }

    return {
        update(parameters) {
            const wanted = Math.min(LESSONS.length, Math.max(1, Math.round(Number(parameters.step)) || 1));
            const example = LESSONS[wanted - 1].example;
            const isNew = wanted !== number;
            number = wanted;
            if (isNew || (parameters.text ?? example) !== text) show(parameters.text);
            mark();
        },
        unmount() {
            open?.abort();
        },
    };
}

/** Text with code between backticks. @param {string} text */
function words(text) {
    return text.split("`").map((part, place) => (place % 2 === 1 ? element("code", {}, part) : part));
}
