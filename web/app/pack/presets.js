// The boxes of the place Pack: well-known packing puzzles, one row each.

/** @typedef {{ name: string, group: string, title: string, text: string }} Preset */

/** @type {[string, string, string, string][]} */
const ROWS = [
    ["two-placed", "Pentominoes", "6x10, two pieces placed", "pieces pentominoes\nboard 6x10\n\nclues\n..........\n...X......\n..XXX.....\n...X......\n..........\nIIIII.....\n"],
    ["6x10", "Pentominoes", "6x10", "pieces pentominoes\nboard 6x10\n"],
    ["5x12", "Pentominoes", "5x12", "pieces pentominoes\nboard 5x12\n"],
    ["4x15", "Pentominoes", "4x15", "pieces pentominoes\nboard 4x15\n"],
    ["3x20", "Pentominoes", "3x20, the narrowest", "pieces pentominoes\nboard 3x20\n"],
    ["scott", "Pentominoes", "8x8 with a hole", "pieces pentominoes\nboard\n........\n........\n........\n...##...\n...##...\n........\n........\n........\n"],
    ["tetrominoes", "Squares", "Two sets of tetrominoes, 5x8", "pieces tetrominoes x2\nboard 5x8\n"],
    ["optional", "Squares", "Tetrominoes in 5x5, five squares stay empty", "pieces tetrominoes\nboard\n?????\n?????\n?????\n?????\n?????\n"],
    ["y", "Squares", "Y pentominoes, 5x10", "piece Y unlimited\n####\n.#..\n\nboard 5x10\n"],
    ["dominoes", "Squares", "Dominoes on a chessboard", "pieces dominoes unlimited\nboard 8x8\n"],
    ["mutilated", "Squares", "Dominoes without two corners", "pieces dominoes unlimited\nboard\n#.....\n......\n......\n......\n......\n.....#\n"],
    ["aztec", "Squares", "Dominoes on an Aztec diamond", "pieces dominoes unlimited\nboard aztec-4\n"],
    ["hexiamonds", "Triangles", "Hexiamonds in a rhombus", "pieces hexiamonds\nboard rhombus-6x6\n"],
    ["lozenges", "Triangles", "Lozenges in a hexagon", "pieces diamonds unlimited\nboard hexagon-3\n"],
    ["tetrahexes", "Hexagons", "Tetrahexes in a rhombus", "pieces tetrahexes\nboard rhombus-4x7\n"],
    ["pond", "Hexagons", "Trihexes around a pond", "pieces trihexes x2\n\nboard\n  . . .\n . . . .\n. . # . .\n . . . .\n  . . .\n"],
    ["tristicks", "Edges", "Tristicks and two single sticks", "pieces tristicks\npieces monosticks x2\n\nboard\n+.+.+.+\n. . . .\n+.+.+.+\n. . . .\n+.+.+.+\n"],
    ["soma", "In space", "The Soma cube", "pieces soma\nboard 3x3x3\n"],
    ["slothouber", "In space", "Slothouber-Graatsma", "piece A x6\n##\n##\n\npiece B x3\n#\n\nboard 3x3x3\n"],
    ["solid-pentominoes", "In space", "Solid pentominoes, 2x3x10", "pieces pentominoes\nboard 2x3x10\n"],
    ["solid-3x4x5", "In space", "Solid pentominoes, 3x4x5", "pieces pentominoes\nboard 3x4x5\n"],
    ["spheres", "In space", "Pairs of spheres", "lattice spheres\npiece A unlimited\n#\n.#\n\nboard 2x3x4\n"],
];

/** @type {Preset[]} */
export const PRESETS = ROWS.map(([name, group, title, text]) => ({ name, group, title, text }));
