// The shell: tabs, the address, the theme, and the place that is open.

import { carrierOf } from "./carrier.js";
import { PLACES } from "./places.js";
import { decode, encode } from "./state.js";
import { element, message } from "./ui.js";

/** @typedef {import("./places.js").Parameters} Parameters */
/** @typedef {import("./places.js").Place} Place */

/**
 * What a place uses of the shell.
 * @typedef {{
 *     ask: import("./carrier.js").Carrier["ask"],
 *     carrier: "program" | "wasm",
 *     set(changes: Record<string, string | number | null | undefined>, options?: { replace?: boolean }): void,
 *     go(place: string, parameters?: Parameters): void,
 *     link(): Promise<string>,
 *     readonly parameters: Parameters,
 * }} App
 */

/** Milliseconds from a change to the new address. Browsers refuse many changes in a short time. */
const ADDRESS_DELAY = 250;

const carrier = carrierOf(document);
const main = /** @type {HTMLElement} */ (document.getElementById("main"));
const tabs = /** @type {HTMLElement} */ (document.getElementById("tabs"));

/** @type {Place} */
let place = PLACES[0];
/** @type {import("./places.js").Mounted | null} */
let mounted = null;
/** @type {Parameters} */
let parameters = {};
/** The fragment that the address has, as written or read last. */
let fragment = "";
/** Numbers the openings of places, so that a late one is dropped. */
let opening = 0;

/** @type {{ timer: ReturnType<typeof setTimeout> | undefined, isPush: boolean }} */
const pending = { timer: undefined, isPush: false };

/** Writes the state into the address now. */
async function writeAddress() {
    clearTimeout(pending.timer);
    pending.timer = undefined;
    const { isPush } = pending;
    const state = parameters;
    const next = await encode(place.name, parameters);
    if (state !== parameters || next === fragment) {
        return;
    }
    pending.isPush = false;
    fragment = next;
    history[isPush ? "pushState" : "replaceState"](null, "", next);
}

/** @type {App} */
const app = {
    ask: (request, options) => carrier.ask(request, options),
    carrier: carrier.name,
    set(changes, { replace = false } = {}) {
        const next = { ...parameters };
        for (const [key, value] of Object.entries(changes)) {
            if (value === null || value === undefined || value === "") {
                delete next[key];
            } else {
                next[key] = String(value);
            }
        }
        parameters = next;
        pending.isPush ||= !replace;
        clearTimeout(pending.timer);
        if (pending.isPush) {
            void writeAddress();
        } else {
            pending.timer = setTimeout(writeAddress, ADDRESS_DELAY);
        }
        mounted?.update(parameters);
    },
    go(name, next = {}) {
        void encode(name, next).then((address) => {
            location.hash = address;
        });
    },
    async link() {
        return new URL(await encode(place.name, parameters), location.href).href;
    },
    get parameters() {
        return parameters;
    },
};

/** Opens the place and the parameters of the address. */
async function open() {
    const number = (opening += 1);
    clearTimeout(pending.timer);
    fragment = location.hash;
    const left = mounted ? await encode(place.name, parameters) : null;
    const read = await decode(location.hash);
    const next = PLACES.find(({ name }) => name === read.place) ?? PLACES[0];
    if (number !== opening) {
        return;
    }
    const isOpen = mounted !== null && next === place;
    parameters = read.parameters;
    pending.isPush = false;
    if (!isOpen) {
        // The tab of a place leads back to its last state.
        const tab = left && tabs.querySelector(`a[data-name="${place.name}"]`);
        tab && tab.setAttribute("href", left);
        await openPlace(next, number);
    }
    if (number === opening) {
        mounted?.update(parameters);
    }
    if (read.damaged.length > 0) {
        main.prepend(message(`A part of the address is damaged and was left out: ${read.damaged.join(", ")}`));
    }
}

/**
 * @param {Place} next
 * @param {number} number
 */
async function openPlace(next, number) {
    const isFirst = mounted === null;
    mounted?.unmount();
    mounted = null;
    place = next;
    // The style of another place would change this one where both use a class.
    for (const style of document.querySelectorAll("[data-places]")) {
        const { disabled, dataset } = /** @type {HTMLLinkElement} */ (style);
        const isUnused = !dataset.places?.split(" ").includes(next.name);
        if (disabled !== isUnused) {
            /** @type {HTMLLinkElement} */ (style).disabled = isUnused;
        }
    }
    for (const link of tabs.querySelectorAll("a")) {
        const isCurrent = link.dataset.name === next.name;
        isCurrent ? link.setAttribute("aria-current", "page") : link.removeAttribute("aria-current");
    }
    document.title = `${next.title} · Farandole`;
    try {
        const { mount } = await next.load();
        if (number === opening) {
            const root = element("div", { class: `place place-${next.name}` });
            main.replaceChildren(root);
            mounted = mount(root, app);
            if (!isFirst) {
                main.focus({ preventScroll: true });
                scrollTo(0, 0);
            }
        }
    } catch (error) {
        main.replaceChildren(message(`This place cannot be opened: ${error}`));
    }
}

const THEMES = ["system", "light", "dark"];

/** @param {string} theme */
function setTheme(theme) {
    if (theme === "system") {
        delete document.documentElement.dataset.theme;
    } else {
        document.documentElement.dataset.theme = theme;
    }
    const control = /** @type {HTMLElement} */ (document.getElementById("theme"));
    control.textContent = { system: "◐", light: "☀", dark: "☾" }[theme] ?? "◐";
    control.setAttribute("aria-label", `Theme: ${theme}`);
    control.title = `Theme: ${theme}`;
    try {
        theme === "system" ? localStorage.removeItem("theme") : localStorage.setItem("theme", theme);
    } catch {
        // Without storage, the theme lasts as long as the page.
    }
}

function storedTheme() {
    try {
        return localStorage.getItem("theme") ?? "system";
    } catch {
        return "system";
    }
}

function start() {
    tabs.replaceChildren(
        ...PLACES.map(({ name, title }) => element("li", {}, element("a", { href: `#${name}`, "data-name": name }, title))),
    );
    document.getElementById("theme")?.addEventListener("click", () => {
        const current = document.documentElement.dataset.theme ?? "system";
        setTheme(THEMES[(THEMES.indexOf(current) + 1) % THEMES.length]);
    });
    document.getElementById("skip")?.addEventListener("click", (event) => {
        event.preventDefault();
        main.focus();
    });
    setTheme(storedTheme());
    const where = document.getElementById("carrier");
    if (where && carrier.name === "program") {
        where.textContent = "in the program on this machine";
    }
    const { service } = document.documentElement.dataset;
    if (service && "serviceWorker" in navigator) {
        // After the first load, so that copies for later visits do not delay it. Without them the page needs the network.
        addEventListener("load", () => void navigator.serviceWorker.register(service).catch(() => {}));
    }
    addEventListener("hashchange", () => {
        if (location.hash !== fragment) {
            void open();
        }
    });
    addEventListener("popstate", () => {
        if (location.hash !== fragment) {
            void open();
        }
    });
    void open();
}

start();
