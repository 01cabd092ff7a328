// The algorithms that Compare offers, in groups. The program has the list (`puzzles`); this table has
// a short description of each.

/** @typedef {{ name: string, about: string }} Engine */

/** @type {readonly { title: string, engines: readonly Engine[] }[]} */
export const GROUPS = [
    {
        title: "Engines that search",
        engines: [
            { name: "auto", about: "chooses an engine for each part of the problem" },
            { name: "links", about: "Knuth's dancing links" },
            { name: "cells", about: "dancing cells: sets in contiguous arrays" },
            { name: "masks", about: "bit masks, with SIMD" },
            { name: "filter", about: "each item removes what goes with none of its options" },
            { name: "learn", about: "learns a clause from each dead end" },
            { name: "lanes", about: "9x9 Sudoku, a search in each lane of a register" },
        ],
    },
    {
        title: "Rules for the choice of an item",
        engines: [
            { name: "links-no-mrv", about: "dancing links that always take the first item" },
            { name: "cells-last", about: "ties go to the last item" },
            { name: "cells-random", about: "ties go to any item" },
        ],
    },
    {
        title: "Methods that count without listing",
        engines: [
            { name: "frontier", about: "all states of a step at once" },
            { name: "matching", about: "Pfaffians, for dominoes and other matchings" },
            { name: "symmetry", about: "a memo up to renaming" },
            { name: "memo", about: "a memo of remaining problems" },
            { name: "signs", about: "inclusion and exclusion" },
        ],
    },
    {
        title: "Simple backtrackers",
        engines: [
            { name: "naive", about: "takes or leaves each option in turn" },
            { name: "flags", about: "grids: a flag per row, column, region and symbol" },
            { name: "scan", about: "grids: looks through row, column and box" },
            { name: "stack", about: "grids: a stack of cells, no recursion" },
            { name: "regions", about: "grids: row and column, then the list of the region" },
        ],
    },
];

export const ENGINES = GROUPS.flatMap((group) => group.engines.map((engine) => engine.name));
