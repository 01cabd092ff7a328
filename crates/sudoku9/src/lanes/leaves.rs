//! The table of the supported instruction sets, and the detection of the instruction sets that this
//! processor supports.
#![allow(unsafe_code, reason = "makes and calls what needs the instructions of a leaf")]
#![cfg_attr(
    not(any(target_arch = "x86_64", all(target_arch = "aarch64", target_endian = "little"))),
    allow(unused_imports, unused_macros, reason = "only leaves use them")
)]

use std::fmt;

use super::alone::Alone;
use super::compiled::{Compiled, CompiledNine};
use super::search::{Run, Search};
use super::singly::Singly;
#[cfg(all(target_arch = "aarch64", target_endian = "little"))]
use crate::leaf::neon;
#[cfg(target_arch = "x86_64")]
use crate::leaf::{avx2, avx512, avx512vl};
use crate::model::board::Board;

/// An instruction set that both the lane solver and this processor support, or `plain` for searches
/// in ordinary words.
#[derive(Clone, Copy)]
#[non_exhaustive]
pub struct Leaf {
    /// Name of the instruction set.
    pub name: &'static str,
    is_available: fn() -> bool,
    build: unsafe fn() -> Box<dyn Run>,
    build_alone: unsafe fn() -> Box<dyn Run>,
    /// Reads a line; returns `false` if two clues clash.
    read: unsafe fn(&[u8; 81], &mut Board) -> bool,
    write: unsafe fn(&Board, &mut [u8; 81]),
}

impl fmt::Debug for Leaf {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Leaf").field("name", &self.name).finish_non_exhaustive()
    }
}

static LEAVES: &[Leaf] = &[
    #[cfg(target_arch = "x86_64")]
    Leaf {
        name: "avx512",
        is_available: avx512::is_available,
        build: Search::<avx512::X32>::boxed,
        build_alone: alone::<avx512vl::X16, avx512vl::X16>,
        read: avx512::read_line,
        write: avx512::write_line,
    },
    #[cfg(target_arch = "x86_64")]
    Leaf {
        name: "avx512vl",
        is_available: avx512::is_available,
        build: Search::<avx512vl::X16>::boxed,
        build_alone: alone::<avx512vl::X16, avx512vl::X16>,
        read: avx512::read_line,
        write: avx512::write_line,
    },
    #[cfg(target_arch = "x86_64")]
    Leaf {
        name: "avx2",
        is_available: avx2::is_available,
        build: Search::<avx2::X16>::boxed,
        build_alone: alone::<avx2::X16, avx2::X16>,
        read: avx2::read_line,
        write: avx2::write_line,
    },
    #[cfg(all(target_arch = "aarch64", target_endian = "little"))]
    Leaf {
        name: "neon",
        is_available: || true,
        build: Search::<neon::X8>::boxed,
        build_alone: Singly::boxed,
        read: Board::read_line,
        write: Board::write_line,
    },
    Leaf {
        name: "plain",
        is_available: || true,
        build: Singly::boxed,
        build_alone: Singly::boxed,
        read: Board::read_line,
        write: Board::write_line,
    },
];

/// Builds the search for single puzzles.
///
/// # Safety
/// The processor must have the instructions of both register types.
unsafe fn alone<D: CompiledNine, V: Compiled>() -> Box<dyn Run> {
    // SAFETY: the caller guarantees that the processor has the instructions of both register types.
    let (digits, lanes) = unsafe { (D::zero(), V::new()) };
    Box::new(Alone::new(digits, lanes))
}

/// Returns the instruction sets that this processor supports, the best first.
///
/// ```
/// assert_eq!(sudoku9::leaves().last().map(|leaf| leaf.name), Some("plain"));
/// ```
pub fn leaves() -> impl Iterator<Item = &'static Leaf> {
    LEAVES.iter().filter(|leaf| (leaf.is_available)())
}

// A `Leaf` can be made only in this file, and only `leaves` returns leaves to callers.
impl Leaf {
    /// Does the same as [`Board::from_digits`] in place, with this instruction set. If two clues
    /// clash, the board is left without candidates, and the result is `false`.
    pub fn read_line(&self, text: &[u8; 81], board: &mut Board) -> bool {
        // SAFETY: `leaves` returned `self`, so the processor has the instructions that reading
        // needs.
        unsafe { (self.read)(text, board) }
    }

    /// Does the same as [`Board::write_line`], with this instruction set.
    pub fn write_line(&self, board: &Board, text: &mut [u8; 81]) {
        // SAFETY: `leaves` returned `self`, so the processor has the instructions that writing
        // needs.
        unsafe { (self.write)(board, text) }
    }

    pub(super) fn build(&self) -> Box<dyn Run> {
        // SAFETY: `leaves` returned `self`, so the processor has the instructions of its
        // registers.
        unsafe { (self.build)() }
    }

    pub(super) fn build_alone(&self) -> Box<dyn Run> {
        // SAFETY: `leaves` returned `self`, whose test also covers the instructions of the
        // narrower registers.
        unsafe { (self.build_alone)() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_clues_clash_if_and_only_if_their_cells_see_each_other() {
        for (a, b) in (0..81).flat_map(|b| (0..b).map(move |a| (a, b))) {
            let [(i, j), (k, l)] = [a, b].map(|cell| (cell / 9, cell % 9));
            let sees = i == k || j == l || (i / 3, j / 3) == (k / 3, l / 3);
            for (digit, other) in
                (b'1'..=b'9').flat_map(|digit| [(digit, digit), (digit, b'9' + b'1' - digit)])
            {
                let mut text = [b'.'; 81];
                (text[a], text[b]) = (digit, other);
                for leaf in leaves() {
                    let mut board = Board::EMPTY;
                    let is_read = leaf.read_line(&text, &mut board);
                    assert_eq!(
                        is_read,
                        !sees || digit != other,
                        "{}: {digit} in {a}, {other} in {b}",
                        leaf.name
                    );
                    let expected = if is_read { Board::from_digits(&text) } else { Board::EMPTY };
                    assert_eq!(board, expected, "{}", leaf.name);
                }
            }
        }
    }
}
