// The lists of dancing links after some steps, computed from the steps alone.
//
// An option is *shown* while it is in the lists of its items. The trail records each change, and
// `uncover`, `back` and `leave` undo the changes since `cover`, `try` and `choose`. A snapshot
// every few steps lets the player go back to any step and find exactly the same state.

/**
 * @import { Problem } from "./problem.js"
 * @import { Step } from "./steps.js"
 *
 * @typedef {{
 *   item: number, option: number, ordinal: number, of: number, isTried: boolean, mark: number,
 *   tryMark: number,
 * }} Choice one choice on the path from the root
 * @typedef {{ events: number, nodes: number, updates: number, solutions: number,
 *   deadEnds: number }} Counters
 */

/** Largest number of snapshots; with more steps they are further apart. */
const SNAPSHOTS_MOST = 400;
/** Smallest number of steps between two snapshots: this many steps replay in about 1 ms. */
const SNAPSHOT_STEPS = 128;

/** Kinds of changes on the trail. */
const HIDDEN = 0;
const COVERED = 1;
const COLORED = 2;
const COUNTED = 3;

/** Value of `hiddenBy` of an option that is in the lists of its items. */
export const SHOWN = -1;
/** Value of `hiddenBy` of an option that a try took out of all lists. */
const TAKEN = -2;
/** Value of `hiddenBy` of an option that no cover contains: it is in no list from the beginning. */
const NEVER = -3;

export class Dance {
    /** @param {Problem} problem */
    constructor(problem) {
        this.problem = problem;
        const { items, options, lists } = problem;
        /** The item whose covering hid each option, or SHOWN. */
        this.hiddenBy = Int32Array.from(options, (option) => {
            const bounded = option.entries.map((entry) => items[entry.item]).filter((item) => item.primary);
            return bounded.length > 0 && bounded.every((item) => item.high > 0) ? SHOWN : NEVER;
        });
        /** Whether each item is out of the list of items. */
        this.isCovered = new Uint8Array(items.length);
        this.sizes = Int32Array.from(lists, (list) =>
            list.filter((option) => this.hiddenBy[option] === SHOWN).length);
        this.needs = Int32Array.from(items, (item) => (item.primary ? item.low : 0));
        /** @type {string[]} */
        this.colors = items.map(() => "");
        items.forEach((item, number) => {
            if (item.primary && item.high === 0) this.isCovered[number] = 1;
        });
        /** Changes as pairs of kind and index.
        * @type {number[]} */
        this.trail = [];
        /** Trail lengths at the open coverings.
        * @type {number[]} */
        this.marks = [];
        /** @type {number[]} */
        this.given = [];
        /** @type {Choice[]} */
        this.path = [];
        /** @type {Counters} */
        this.counters = { events: 0, nodes: 0, updates: 0, solutions: 0, deadEnds: 0 };
        /** Options that the last step hid or restored.
        * @type {Set<number>} */
        this.changed = new Set();
    }

    /** The chosen options: the given ones, then those of the path. */
    cover() {
        const tried = this.path.filter((choice) => choice.option >= 0);
        return [...this.given, ...tried.map((choice) => choice.option)];
    }

    /**
    * The number of branches at a primary item; 0 is a dead end, null an item that may stay as it is.
    * @param {number} item
    */
    degree(item) {
        const need = Math.max(this.needs[item], 0);
        const degree = Math.max(this.sizes[item] + 1 - need, 0);
        return this.sizes[item] > 0 || need > 0 ? degree : null;
    }

    /** @param {Step} step */
    apply(step) {
        this.changed.clear();
        this.counters.events += 1;
        this.counters.updates += step.updates;
        const choice = this.path[this.path.length - 1];
        switch (step.name) {
            case "given":
                this.given.push(step.option);
                this.hide(step.option, TAKEN);
                this.count(step.option, -1);
                break;
            case "choose": {
                this.counters.nodes += 1;
                const mark = this.trail.length;
                this.path.push({
                    item: step.item, option: -1, ordinal: 0, of: step.count, isTried: false, mark,
                    tryMark: mark,
                });
                this.change(COUNTED, step.item);
                break;
            }
            case "cover":
                this.marks.push(this.trail.length);
                this.coverItem(step.item, step.color);
                break;
            case "uncover":
                this.undo(this.marks.pop() ?? 0);
                break;
            case "try":
                // The item may need a further option, so its list is still there without this one. The
                // option stays out of it until the search leaves the node.
                if (step.option >= 0) this.hide(step.option, TAKEN);
                choice.tryMark = this.trail.length;
                choice.option = step.option;
                choice.ordinal = step.count;
                choice.isTried = true;
                if (step.option >= 0) this.count(step.option, choice.item);
                else if (!this.isCovered[choice.item]) this.change(COVERED, choice.item);
                break;
            case "dead_end":
                this.counters.nodes += 1;
                this.counters.deadEnds += 1;
                break;
            case "solution":
                this.counters.nodes += 1;
                this.counters.solutions += 1;
                break;
            case "back":
                choice.option = -1;
                choice.isTried = false;
                this.undo(choice.tryMark);
                break;
            case "leave":
                this.path.pop();
                this.undo(choice.mark);
                break;
            default:
                break;
        }
    }

    /**
    * Covers an item, or purifies it to a color: hides its options, or those of other colors.
    * @param {number} item
    * @param {string} color
    */
    coverItem(item, color) {
        for (const option of this.problem.lists[item]) {
            const entry = this.problem.options[option].entries.find((entry) => entry.item === item);
            if (color === "" || entry?.color !== color) this.hide(option, item);
        }
        this.change(color === "" ? COVERED : COLORED, item);
        this.colors[item] = color;
    }

    /**
    * Counts an option for its primary items, except the item of the branch.
    * @param {number} option
    * @param {number} but
    */
    count(option, but) {
        for (const { item } of this.problem.options[option]?.entries ?? []) {
            if (item !== but && this.problem.items[item].primary) this.change(COUNTED, item);
        }
    }

    /**
    * @param {number} option
    * @param {number} by
    */
    hide(option, by) {
        if (this.hiddenBy[option] !== SHOWN) return;
        this.hiddenBy[option] = by;
        this.changed.add(option);
        this.change(HIDDEN, option);
    }

    /**
    * @param {number} kind
    * @param {number} index
    */
    change(kind, index) {
        this.trail.push(kind, index);
        if (kind === HIDDEN) {
            for (const { item } of this.problem.options[index].entries) this.sizes[item] -= 1;
        } else if (kind === COVERED) {
            this.isCovered[index] = 1;
        } else if (kind === COUNTED) {
            this.needs[index] -= 1;
        }
    }

    /** @param {number} length */
    undo(length) {
        while (this.trail.length > length) {
            const index = /** @type {number} */ (this.trail.pop());
            const kind = this.trail.pop();
            if (kind === HIDDEN) {
                this.hiddenBy[index] = SHOWN;
                this.changed.add(index);
                for (const { item } of this.problem.options[index].entries) this.sizes[item] += 1;
            } else if (kind === COVERED) {
                this.isCovered[index] = 0;
            } else if (kind === COLORED) {
                this.colors[index] = "";
            } else {
                this.needs[index] += 1;
            }
        }
    }

    /** A copy with its own lists. */
    clone() {
        const copy = /** @type {Dance} */ (Object.create(Dance.prototype));
        copy.problem = this.problem;
        copy.hiddenBy = this.hiddenBy.slice();
        copy.isCovered = this.isCovered.slice();
        copy.sizes = this.sizes.slice();
        copy.needs = this.needs.slice();
        copy.colors = this.colors.slice();
        copy.trail = this.trail.slice();
        copy.marks = this.marks.slice();
        copy.given = this.given.slice();
        copy.path = this.path.map((choice) => ({ ...choice }));
        copy.counters = { ...this.counters };
        copy.changed = new Set(this.changed);
        return copy;
    }
}

/** The states of a search before and after each step. */
export class History {
    /**
    * @param {Problem} problem
    * @param {Step[]} steps
    */
    constructor(problem, steps) {
        this.steps = steps;
        this.every = Math.max(SNAPSHOT_STEPS, Math.ceil(steps.length / SNAPSHOTS_MOST));
        /** @type {Dance[]} */
        this.snapshots = [new Dance(problem)];
        /** Number of applied steps. */
        this.position = 0;
        this.state = this.snapshots[0].clone();
    }

    /**
    * Goes to the state after `position` steps.
    * @param {number} position
    */
    seek(position) {
        const goal = Math.max(0, Math.min(position, this.steps.length));
        const snapshot = Math.min(Math.floor(goal / this.every), this.snapshots.length - 1);
        if (goal < this.position || this.position < snapshot * this.every) {
            this.state = this.snapshots[snapshot].clone();
            this.position = snapshot * this.every;
        }
        while (this.position < goal) {
            this.state.apply(this.steps[this.position]);
            this.position += 1;
            if (this.position === this.snapshots.length * this.every) {
                this.snapshots.push(this.state.clone());
            }
        }
        return this.state;
    }
}
