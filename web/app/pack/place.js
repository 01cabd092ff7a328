// The place Pack.

import { element } from "../ui.js";

/**
 * @param {HTMLElement} root
 * @param {import("../main.js").App} app
 * @returns {import("../places.js").Mounted}
 */
export function mount(root, app) {
    const state = element("p", { "aria-live": "polite" });
    root.append(element("h1", {}, "Pack"), state);
    return {
        update(parameters) {
            state.textContent = `${app.carrier} ${JSON.stringify(parameters)}`;
        },
        unmount() {},
    };
}
