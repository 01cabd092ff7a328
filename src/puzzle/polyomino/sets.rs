//! The built-in sets of pieces.

use super::super::nearest;
use super::shape::{Motions, Position};

/// A set of pieces with its usual names.
#[derive(Debug)]
pub(super) struct PieceSet {
    pub(super) name: &'static str,
    /// Whether a bare parameter means each piece once, or else any number of each.
    pub(super) is_once: bool,
    /// How the pieces may move unless the text says otherwise; `None` as any piece.
    pub(super) motions: Option<Motions>,
    /// The pieces: name, then rows set apart by blanks, layers by `/`.
    drawings: &'static [&'static str],
}

/// Every set. The two hands of a one-sided piece are an upper-case and a lower-case letter, or the
/// usual pairs J, L and S, Z of the tetrominoes.
pub(super) const SETS: &[PieceSet] = &[
    PieceSet { name: "monominoes", is_once: false, motions: None, drawings: &["M #"] },
    PieceSet { name: "dominoes", is_once: false, motions: None, drawings: &["D ##"] },
    PieceSet { name: "trominoes", is_once: false, motions: None, drawings: &["I ###", "L #. ##"] },
    PieceSet {
        name: "tetrominoes",
        is_once: false,
        motions: None,
        drawings: &["I ####", "L #. #. ##", "O ## ##", "S .## ##.", "T ### .#."],
    },
    PieceSet {
        name: "one-sided-tetrominoes",
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
    PieceSet {
        name: "pentominoes",
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
    PieceSet {
        name: "one-sided-pentominoes",
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
    // Piet Hein's cube, with the letters of Winning Ways: left A, right B, and the corner P.
    PieceSet {
        name: "soma",
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
];

/// Returns the set of that name.
pub(super) fn by_name(name: &str) -> Option<&'static PieceSet> {
    SETS.iter().find(|set| set.name == name)
}

/// Says which sets there are, and which one is meant by a wrong name.
pub(super) fn expected(name: &str) -> String {
    let names = || SETS.iter().map(|set| set.name);
    match nearest(name, names()) {
        Some(meant) => format!("`{meant}`, the nearest of the sets of pieces"),
        None => format!("a set of pieces ({})", names().collect::<Vec<_>>().join(", ")),
    }
}

impl PieceSet {
    /// Iterates over the pieces: names and cells.
    pub(super) fn pieces(&self) -> impl Iterator<Item = (char, Vec<Position>)> {
        self.drawings.iter().filter_map(|drawing| {
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
            Some((name, cells))
        })
    }
}
