//! The table of techniques.
//!
//! One file and one row of [`FAMILIES`] add a family: techniques that the same search finds.

use limits::Limit;

use crate::search::Search;
use crate::step::Step;
use crate::words::Words;
use crate::{
    almost_locked, als, bug, chains, colouring, exocet, fireworks, fish, forcing, intersections, msls,
    nets, rectangles, singles, sk_loop, subsets, sue_de_coq, tridagon, turbot, wings,
};

/// A technique.
#[derive(Debug)]
pub struct Technique {
    /// The name that players use, in lower case.
    pub name: &'static str,
    /// The least score of its steps, in tenths.
    pub score: u32,
    /// What it is, in one or two sentences for the guide.
    pub summary: &'static str,
    /// Whether it assumes that the solution is unique.
    pub is_uniqueness: bool,
    /// Describes a step: what the pattern is and why it implies the conclusion, in one or two
    /// sentences without the name and without the conclusion.
    pub tell: fn(&Step, &Words<'_>) -> String,
}

impl PartialEq for Technique {
    /// Names are unique.
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

impl Eq for Technique {}

/// Techniques that the same search finds.
#[derive(Debug)]
pub(crate) struct Family {
    /// The techniques, ascending by least score.
    pub(crate) techniques: &'static [&'static Technique],
    /// Offers every step of these techniques that is not harder than the easiest step found so
    /// far, and need not offer others.
    pub(crate) find: fn(&mut Search<'_>) -> Result<(), Limit>,
}

/// All families, ascending by the score of their easiest technique.
#[rustfmt::skip]
pub(crate) const FAMILIES: &[Family] = &[
    singles::FAMILY,
    intersections::FAMILY,
    subsets::SMALL,
    fish::SMALL,
    wings::SHORT,
    rectangles::FAMILY,
    subsets::LARGE,
    fish::JELLYFISH,
    bug::FAMILY,
    colouring::REMOTE,
    turbot::FAMILY,
    wings::W,
    sue_de_coq::FAMILY,
    fish::FINNED_BASIC,
    colouring::SIMPLE,
    chains::X,
    colouring::MULTI,
    chains::XY,
    chains::ANY,
    wings::WXYZ,
    almost_locked::FAMILY,
    fireworks::FAMILY,
    chains::GROUPED_X,
    chains::GROUPED,
    als::FAMILY,
    fish::FRANKEN_ALL,
    nets::ONE_DIGIT,
    forcing::FAMILY,
    fish::MUTANT_ALL,
    chains::SETS,
    sk_loop::FAMILY,
    msls::FAMILY,
    exocet::FAMILY,
    tridagon::FAMILY,
    nets::DYNAMIC,
];

/// Returns all techniques, ascending by least score.
#[must_use]
pub fn techniques() -> Vec<&'static Technique> {
    let mut all: Vec<&'static Technique> =
        FAMILIES.iter().flat_map(|family| family.techniques.iter().copied()).collect();
    all.sort_by_key(|technique| technique.score);
    all
}

/// Returns the technique with this name.
///
/// ```
/// assert_eq!(techniques::by_name("X-wing").map(|technique| technique.score), Some(32));
/// ```
#[must_use]
pub fn by_name(name: &str) -> Option<&'static Technique> {
    techniques().into_iter().find(|technique| technique.name == name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn families_ascend_and_names_are_unique() {
        let least = |family: &Family| family.techniques.first().map(|technique| technique.score);
        assert!(FAMILIES.is_sorted_by_key(least));
        for family in FAMILIES {
            assert!(family.techniques.is_sorted_by_key(|technique| technique.score));
        }
        let mut names: Vec<&str> = techniques().iter().map(|technique| technique.name).collect();
        let count = names.len();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), count);
    }
}
