//! The built-in sets of pieces: sets with established names and letters, and sets of all pieces
//! with a given number of cells.
//!
//! A name such as `pentahexes` means all pieces of that size. In the plane, two pieces count as
//! equal if a rotation or a reflection maps one to the other. In space, two pieces count as equal
//! only if a rotation maps one to the other. The prefixes `free-`, `one-sided-` and `fixed-` select
//! the motions instead: rotations and reflections, only rotations, or only translations. The pieces
//! of the puzzle may then also be moved only by these motions.
//!
//! The pieces of n cells are generated from the pieces of n - 1 cells by adding a neighboring cell.
//! Each piece is stored in its smallest orientation. Letters are assigned in the order of these
//! orientations, upper-case letters first.
//!
//! Bound: a set has at most [`MAX_SET_PIECES`] pieces; larger sets do not exist.

mod named;

use std::collections::BTreeSet;

use dlx::limits::Pace;
use dlx::{Limit, Limits};

use self::named::NAMED_SETS;
use super::lattice::{LATTICES, Motions, PieceFamily, PieceLattice};
use super::shape::{
    MarkedCell, PLAIN, PieceCells, Position, add, in_corner, orientations, plain, shape,
};
use puzzle::nearest;

const MAX_SET_PIECES: usize = 30_000;
/// Minimum number of pieces in a set for a parameter without counts to use each piece once. In a
/// smaller set, each piece may be used any number of times.
const ONCE_COUNT: usize = 7;
/// Approximate time to find the first orientation of a piece (ns).
pub(super) const ORIENT_WORK: u64 = 10_000;

#[derive(Debug)]
pub(super) struct PieceSet {
    pub(super) lattice: &'static PieceLattice,
    /// The motions allowed for the pieces; `None` for the default of all pieces.
    pub(super) motions: Option<Motions>,
    pub(super) pieces: Vec<(char, Vec<MarkedCell>)>,
}

/// Returns the set named `name`, if there is one.
///
/// # Errors
/// The limit that was reached.
pub(super) fn by_name(name: &str, limits: &Limits) -> Result<Option<PieceSet>, Limit> {
    if let Some(named) = NAMED_SETS.iter().find(|set| set.name == name) {
        return Ok(Some(named.set()));
    }
    let prefixes = [
        ("free-", Some(Motions::Reflect)),
        ("one-sided-", Some(Motions::Rotate)),
        ("fixed-", Some(Motions::Fixed)),
        ("", None),
    ];
    let found = prefixes.into_iter().find_map(|(prefix, motions)| {
        let name = name.strip_prefix(prefix)?;
        let (lattice, family, index) = families().find_map(|(lattice, family)| {
            let index = family.names.iter().position(|known| *known == name)?;
            Some((lattice, family, index))
        })?;
        Some((lattice, family, index + 1, motions))
    });
    let Some((lattice, family, cell_count, motions)) = found else { return Ok(None) };
    let default = if family.is_solid { Motions::Rotate } else { Motions::Reflect };
    let pace = &mut Pace::new(limits);
    let shapes = all(lattice, cell_count, motions.unwrap_or(default), family.is_solid, pace)?;
    Ok(shapes.map(|shapes| {
        let shapes = shapes.iter().map(|shape| in_corner(lattice, shape));
        let pieces: Vec<_> = letters().zip(shapes).collect();
        PieceSet { lattice, motions, pieces }
    }))
}

/// Returns whether a bare parameter means each piece of a set once, not any number of each.
pub(super) fn is_once(name: &str, piece_count: usize) -> bool {
    let named = NAMED_SETS.iter().find(|set| set.name == name);
    named.map_or(piece_count >= ONCE_COUNT, |set| set.is_once)
}

/// Returns the lattice of the set named `name`, without building its pieces.
pub(super) fn lattice_of(name: &str) -> Option<&'static PieceLattice> {
    let is_meant = |family: &PieceFamily| family.names.iter().any(|known| name.ends_with(known));
    families().find_map(|(lattice, family)| is_meant(family).then_some(lattice))
}

fn families() -> impl Iterator<Item = (&'static PieceLattice, &'static PieceFamily)> {
    LATTICES.iter().flat_map(|lattice| lattice.families.iter().map(move |family| (*lattice, family)))
}

/// Returns the part of an error message that lists the sets, or names the set that a misspelled
/// name probably means.
pub(super) fn expected(name: &str) -> String {
    let named = || NAMED_SETS.iter().map(|set| set.name);
    let counted = || families().flat_map(|(_, family)| family.names.iter().copied());
    match nearest(name, named().chain(counted())) {
        Some(meant) => format!("`{meant}`, the nearest of the sets of pieces"),
        None => {
            let mut names: Vec<String> = Vec::new();
            for (_, family) in families() {
                let last = family.names.len() - 1;
                names.push(format!("{} to {}", family.names[0], family.names[last]));
            }
            format!("a set of pieces ({}, soma)", names.join(", "))
        }
    }
}

/// Iterates over the names of pieces: first Latin letters and digits, then other letters.
pub(super) fn letters() -> impl Iterator<Item = char> {
    let others = ('\u{c0}'..'\u{2b0}').chain('\u{391}'..='\u{3a9}').chain('\u{400}'..'\u{482}');
    let others = others.chain('\u{4e00}'..='\u{9fa5}').filter(|c| c.is_alphabetic());
    ('A'..='Z').chain('a'..='z').chain('0'..='9').chain(others)
}

/// Returns all pieces of `cell_count` cells, each in its smallest orientation; `None` if there are
/// too many.
///
/// # Errors
/// The limit that was reached.
fn all(
    lattice: &PieceLattice,
    cell_count: usize,
    motions: Motions,
    is_solid: bool,
    pace: &mut Pace<'_>,
) -> Result<Option<BTreeSet<PieceCells>>, Limit> {
    let first = |cells: &[MarkedCell]| orientations(lattice, cells, motions, is_solid).pop_first();
    let single = |cell: Position| first(&plain([cell]));
    let mut found: BTreeSet<PieceCells> = lattice.origins().filter_map(single).collect();
    for _ in 1..cell_count {
        let mut grown = BTreeSet::new();
        for piece in &found {
            for &(cell, _) in piece {
                for next in lattice.around(cell).map(|offset| add(cell, offset)) {
                    let is_there = piece.iter().any(|&(cell, _)| cell == next);
                    if !is_there && (is_solid || next[0] == 0) {
                        pace.spend(ORIENT_WORK)?;
                        let mut cells = piece.clone();
                        cells.push((next, PLAIN));
                        grown.extend(first(&shape(lattice, cells)));
                    }
                }
            }
            if grown.len() > MAX_SET_PIECES {
                return Ok(None);
            }
        }
        found = grown;
    }
    Ok(Some(found))
}

#[cfg(test)]
mod tests {
    use super::super::shape::parts;
    use super::*;

    #[track_caller]
    fn check(prefix: &str, counts: &[(&str, usize)]) {
        for &(name, count) in counts {
            let name = format!("{prefix}{name}");
            let set = by_name(&name, &Limits::new()).expect("no limit was set").expect(&name);
            assert_eq!(set.pieces.len(), count, "{name}");
            let names: BTreeSet<char> = set.pieces.iter().map(|(name, _)| *name).collect();
            assert_eq!(names.len(), count, "each piece of {name} has a name of its own");
            for (letter, cells) in &set.pieces {
                assert!(letter.is_alphanumeric(), "{letter}");
                let cells: Vec<Position> = cells.iter().map(|(cell, _)| *cell).collect();
                assert!(cells.iter().flatten().all(|&at| at >= 0), "{name} {letter}");
                assert_eq!(parts(set.lattice, &cells, |_, _| true).len(), 1, "{name} {letter}");
            }
        }
    }

    // OEIS: A000105, A000988, A001168 (polyominoes), A000228 (polyhexes), A000577 and A006534
    // (polyiamonds), A000162 and A038119 (polycubes), A019988 and A151537 (polysticks), A197459 and
    // A197460 (polytwigs), A159867 and A151539 (polytrigs).
    #[test]
    fn piece_sets_have_the_known_sizes() {
        check(
            "",
            &[
                ("monominoes", 1),
                ("dominoes", 1),
                ("trominoes", 2),
                ("tetrominoes", 5),
                ("pentominoes", 12),
                ("hexominoes", 35),
                ("heptominoes", 108),
                ("monohexes", 1),
                ("dihexes", 1),
                ("trihexes", 3),
                ("tetrahexes", 7),
                ("pentahexes", 22),
                ("hexahexes", 82),
                ("moniamonds", 1),
                ("diamonds", 1),
                ("triamonds", 1),
                ("tetriamonds", 3),
                ("pentiamonds", 4),
                ("hexiamonds", 12),
                ("heptiamonds", 24),
                ("octiamonds", 66),
                ("monocubes", 1),
                ("dicubes", 1),
                ("tricubes", 2),
                ("tetracubes", 8),
                ("pentacubes", 29),
                ("monosticks", 1),
                ("disticks", 2),
                ("tristicks", 5),
                ("tetrasticks", 16),
                ("pentasticks", 55),
                ("hexasticks", 222),
                ("monotwigs", 1),
                ("ditwigs", 1),
                ("tritwigs", 3),
                ("tetratwigs", 4),
                ("pentatwigs", 12),
                ("hexatwigs", 27),
                ("heptatwigs", 78),
                ("monotrigs", 1),
                ("ditrigs", 3),
                ("tritrigs", 12),
                ("tetratrigs", 60),
                ("pentatrigs", 375),
            ],
        );
        check("free-", &[("tetracubes", 7), ("pentacubes", 23), ("pentominoes", 12)]);
        check("one-sided-", &[("tetrominoes", 7), ("pentominoes", 18), ("hexominoes", 60)]);
        check("one-sided-", &[("tetrahexes", 10), ("hexiamonds", 19), ("tetracubes", 8)]);
        check("one-sided-", &[("disticks", 2), ("tristicks", 7), ("tetrasticks", 25)]);
        check("one-sided-", &[("pentasticks", 99), ("hexasticks", 416), ("hexatwigs", 49)]);
        check("one-sided-", &[("ditrigs", 3), ("tritrigs", 19), ("tetratrigs", 104)]);
        check("fixed-", &[("monosticks", 2), ("disticks", 6), ("monotrigs", 3), ("monotwigs", 3)]);
        check("fixed-", &[("moniamonds", 2), ("diamonds", 3), ("pentominoes", 63), ("tricubes", 15)]);
    }

    // In a debug build this test takes seconds.
    #[cfg(not(debug_assertions))]
    #[test]
    fn large_piece_sets_have_the_known_sizes() {
        check(
            "",
            &[
                ("octominoes", 369),
                ("heptahexes", 333),
                ("enneiamonds", 160),
                ("hexacubes", 166),
                ("heptacubes", 1023),
            ],
        );
        check("free-", &[("hexacubes", 112), ("heptacubes", 607)]);
        check("fixed-", &[("octominoes", 2725), ("heptacubes", 23502)]);
    }

    #[test]
    fn building_a_set_ends_at_the_limit() {
        let limits = Limits::new().within(std::time::Duration::ZERO);
        assert_eq!(by_name("heptacubes", &limits).map(|_| ()), Err(Limit::Time));
    }

    #[test]
    fn named_sets_contain_all_pieces_of_their_size() {
        for set in NAMED_SETS.iter().filter(|set| set.name != "soma") {
            let named = set.set();
            let motions = named.motions.unwrap_or(Motions::Reflect);
            let forms: BTreeSet<PieceCells> = named
                .pieces
                .iter()
                .filter_map(|(_, cells)| orientations(named.lattice, cells, motions, false).pop_first())
                .collect();
            let size = named.pieces[0].1.len();
            let limits = Limits::new();
            let all = all(named.lattice, size, motions, false, &mut Pace::new(&limits));
            assert_eq!(Ok(Some(forms)), all, "{}", set.name);
        }
    }
}
