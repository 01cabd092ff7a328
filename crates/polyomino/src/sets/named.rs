//! The sets of pieces with established names and letters.

use super::super::lattice::{self, LATTICES, Motions};
use super::super::shape::plain;
use super::PieceSet;

const SQUARE: &str = "square";
const EDGES: &str = "square-edges";

#[derive(Debug)]
pub(super) struct NamedSet {
    pub(super) name: &'static str,
    lattice: &'static str,
    /// Whether a bare parameter means each piece once, not any number of each.
    pub(super) is_once: bool,
    motions: Option<Motions>,
    /// For each piece, its name, then its rows separated by blanks, and its layers separated by
    /// `/`.
    drawings: &'static [&'static str],
}

/// The sets with established names. The two mirror images of a one-sided piece are an upper-case
/// letter and the same lower-case letter, or the usual pairs J, L and S, Z of the tetrominoes.
pub(super) const NAMED_SETS: &[NamedSet] = &[
    NamedSet { name: "monominoes", lattice: SQUARE, is_once: false, motions: None, drawings: &["M #"] },
    NamedSet { name: "dominoes", lattice: SQUARE, is_once: false, motions: None, drawings: &["D ##"] },
    NamedSet {
        name: "trominoes",
        lattice: SQUARE,
        is_once: false,
        motions: None,
        drawings: &["I ###", "L #. ##"],
    },
    NamedSet {
        name: "tetrominoes",
        lattice: SQUARE,
        is_once: false,
        motions: None,
        drawings: &["I ####", "L #. #. ##", "O ## ##", "S .## ##.", "T ### .#."],
    },
    NamedSet {
        name: "one-sided-tetrominoes",
        lattice: SQUARE,
        is_once: false,
        motions: Some(Motions::Rotate),
        drawings: &[
            "I ####",
            "J .# .# ##",
            "L #. #. ##",
            "O ## ##",
            "S .## ##.",
            "T ### .#.",
            "Z ##. .##",
        ],
    },
    NamedSet {
        name: "pentominoes",
        lattice: SQUARE,
        is_once: true,
        motions: None,
        drawings: &[
            "F .## ##. .#.",
            "I #####",
            "L #. #. #. ##",
            "N .# .# ## #.",
            "P ## ## #.",
            "T ### .#. .#.",
            "U #.# ###",
            "V #.. #.. ###",
            "W #.. ##. .##",
            "X .#. ### .#.",
            "Y .# ## .# .#",
            "Z ##. .#. .##",
        ],
    },
    NamedSet {
        name: "one-sided-pentominoes",
        lattice: SQUARE,
        is_once: true,
        motions: Some(Motions::Rotate),
        drawings: &[
            "F .## ##. .#.",
            "f ##. .## .#.",
            "I #####",
            "L #. #. #. ##",
            "l .# .# .# ##",
            "N .# .# ## #.",
            "n #. #. ## .#",
            "P ## ## #.",
            "p ## ## .#",
            "T ### .#. .#.",
            "U #.# ###",
            "V #.. #.. ###",
            "W #.. ##. .##",
            "X .#. ### .#.",
            "Y .# ## .# .#",
            "y #. ## #. #.",
            "Z ##. .#. .##",
            "z .## .#. ##.",
        ],
    },
    // Piet Hein's cube. The letters of the three-dimensional pieces are from Winning Ways: A is the
    // left-handed one, B the right-handed one, and P the corner.
    NamedSet {
        name: "soma",
        lattice: SQUARE,
        is_once: true,
        motions: None,
        drawings: &[
            "V ## #.",
            "L ### #..",
            "T ### .#.",
            "Z ##. .##",
            "A ## #. / .# ..",
            "B ## #. / .. #.",
            "P ## #. / #. ..",
        ],
    },
    // The letters of the tetrasticks are from B. Barwell, Polysticks (Journal of Recreational
    // Mathematics 22, 1990), as in Knuth's Dancing Links.
    NamedSet {
        name: "disticks",
        lattice: EDGES,
        is_once: false,
        motions: None,
        drawings: &["I +#+#+", "V +.. #.. +#+"],
    },
    NamedSet {
        name: "tristicks",
        lattice: EDGES,
        is_once: false,
        motions: None,
        drawings: &[
            "I +#+#+#+",
            "L +.. #.. +.. #.. +#+",
            "T +#+#+ ..#.. ..+..",
            "U +.+ #.# +#+",
            "Z +#+.. ..#.. ..+#+",
        ],
    },
    NamedSet {
        name: "one-sided-tristicks",
        lattice: EDGES,
        is_once: false,
        motions: Some(Motions::Rotate),
        drawings: &[
            "I +#+#+#+",
            "L +.. #.. +.. #.. +#+",
            "l ..+ ..# ..+ ..# +#+",
            "T +#+#+ ..#.. ..+..",
            "U +.+ #.# +#+",
            "Z +#+.. ..#.. ..+#+",
            "z ..+#+ ..#.. +#+..",
        ],
    },
    NamedSet {
        name: "tetrasticks",
        lattice: EDGES,
        is_once: true,
        motions: None,
        drawings: &[
            "F +#+ #.. +#+ #.. +..",
            "H +.. #.. +#+ #.# +.+",
            "I +#+#+#+#+",
            "J ..+ ..# +.+ #.# +#+",
            "L +.. #.. +.. #.. +.. #.. +#+",
            "N +.. #.. +#+ ..# ..+ ..# ..+",
            "O +#+ #.# +#+",
            "P +#+ ..# +#+ #.. +..",
            "R +#+.. ..#.. ..+#+ ..#.. ..+..",
            "T +#+#+ ..#.. ..+.. ..#.. ..+..",
            "U +...+ #...# +#+#+",
            "V +.... #.... +.... #.... +#+#+",
            "W +.... #.... +#+.. ..#.. ..+#+",
            "X ..+.. ..#.. +#+#+ ..#.. ..+..",
            "Y +.. #.. +#+ #.. +.. #.. +..",
            "Z +#+.. ..#.. ..+.. ..#.. ..+#+",
        ],
    },
    NamedSet {
        name: "one-sided-tetrasticks",
        lattice: EDGES,
        is_once: true,
        motions: Some(Motions::Rotate),
        drawings: &[
            "F +#+ #.. +#+ #.. +..",
            "f +#+ ..# +#+ ..# ..+",
            "H +.. #.. +#+ #.# +.+",
            "h ..+ ..# +#+ #.# +.+",
            "I +#+#+#+#+",
            "J ..+ ..# +.+ #.# +#+",
            "j +.. #.. +.+ #.# +#+",
            "L +.. #.. +.. #.. +.. #.. +#+",
            "l ..+ ..# ..+ ..# ..+ ..# +#+",
            "N +.. #.. +#+ ..# ..+ ..# ..+",
            "n ..+ ..# +#+ #.. +.. #.. +..",
            "O +#+ #.# +#+",
            "P +#+ ..# +#+ #.. +..",
            "p +#+ #.. +#+ ..# ..+",
            "R +#+.. ..#.. ..+#+ ..#.. ..+..",
            "r ..+#+ ..#.. +#+.. ..#.. ..+..",
            "T +#+#+ ..#.. ..+.. ..#.. ..+..",
            "U +...+ #...# +#+#+",
            "V +.... #.... +.... #.... +#+#+",
            "W +.... #.... +#+.. ..#.. ..+#+",
            "X ..+.. ..#.. +#+#+ ..#.. ..+..",
            "Y +.. #.. +#+ #.. +.. #.. +..",
            "y ..+ ..# +#+ ..# ..+ ..# ..+",
            "Z +#+.. ..#.. ..+.. ..#.. ..+#+",
            "z ..+#+ ..#.. ..+.. ..#.. +#+..",
        ],
    },
];

impl NamedSet {
    pub(super) fn set(&self) -> PieceSet {
        let drawn = self.drawings.iter().filter_map(|drawing| {
            let mut words = drawing.split(' ');
            let name = words.next()?.chars().next()?;
            let mut cells = Vec::new();
            let (mut layer, mut row) = (0, 0);
            for word in words {
                if word == "/" {
                    (layer, row) = (layer + 1, 0);
                    continue;
                }
                let columns = (0..).zip(word.chars()).filter(|&(_, c)| c == '#');
                cells.extend(columns.map(|(column, _)| [layer, row, column]));
                row += 1;
            }
            Some((name, plain(cells)))
        });
        let lattice = lattice::by_name(self.lattice).unwrap_or(LATTICES[0]);
        PieceSet { lattice, motions: self.motions, pieces: drawn.collect() }
    }
}
