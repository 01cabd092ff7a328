//! Problems where finding one cover, or proving that there is none, takes milliseconds to seconds.

use super::{Family, boards, family, graphs, grids, sets};

pub(super) const FAMILIES: &[Family] = &[
    family(
        "quasigroups",
        grids::quasigroups,
        &[&[30, 340, 1], &[33, 380, 2], &[33, 400, 3], &[36, 480, 4], &[40, 600, 5]],
    ),
    family("sudoku", grids::sudoku, &[&[5, 225, 1], &[6, 596, 2], &[6, 536, 3], &[6, 496, 4]]),
    family("latin squares", grids::latin, &[&[20]]),
    family("queens", grids::queens, &[&[60]]),
    family("toroidal queens", grids::toroidal, &[&[29], &[37], &[14]]),
    family("queen partitions", grids::queen_partitions, &[&[9], &[10]]),
    family("words", grids::words, &[&[5, 5, 400, 8, 1], &[5, 6, 800, 10, 2]]),
    family("kakuro", grids::kakuro, &[&[5, 5, 1]]),
    family("nonograms", grids::nonograms, &[&[20, 50, 1]]),
    family(
        "vertex colors",
        graphs::vertex_colors,
        &[&[300, 690, 3, 1], &[120, 540, 4, 3], &[125, 1000, 6, 5], &[200, 460, 3, 2]],
    ),
    family("one-factors", graphs::one_factors, &[&[14, 0], &[20, 0]]),
    family("graceful wheels", graphs::graceful, &[&[9]]),
    family("langford", graphs::langford, &[&[40], &[64]]),
    family("skolem", graphs::skolem, &[&[40], &[18]]),
    family("pentomino sets", boards::pentomino_sets, &[&[10, 12, 2], &[12, 15, 3]]),
    family("one shape", boards::one_shape, &[&[15, 4, 1], &[20, 4, 1], &[10, 3, 0]]),
    family("rectangles", boards::rectangles, &[&[14, 18, 1], &[18, 24, 2]]),
    family("edges", boards::edges, &[&[5, 5, 1], &[6, 6, 2], &[7, 8, 3]]),
    family("bricks", boards::bricks, &[&[4, 4, 6, 7]]),
    family("mutilated", boards::mutilated, &[&[12]]),
    family("golfers", sets::golfers, &[&[5, 3, 6], &[5, 3, 7], &[5, 4, 5]]),
    family("timetables", sets::timetables, &[&[12, 14, 12, 20, 1], &[15, 15, 15, 15, 2]]),
    family("designs", sets::designs, &[&[19], &[25]]),
    family("difference families", sets::difference_families, &[&[61, 5], &[73, 4], &[81, 5]]),
    family(
        "random",
        sets::random,
        &[&[60, 500, 5, 1], &[48, 1500, 6, 2], &[90, 600, 5, 3], &[150, 600, 3, 4]],
    ),
    family("three-partition", sets::three_partition, &[&[30, 1000, 1], &[50, 1000, 2]]),
    family("one in three", sets::one_in_three, &[&[300, 185, 1], &[600, 370, 2]]),
    family("pigeons", sets::pigeons, &[&[30]]),
];
