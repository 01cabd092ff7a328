//! The names that the hardest step of a puzzle can have.

use std::collections::BTreeSet;

use techniques::techniques;

/// Names of steps that are not techniques. Names that list rules, or count truths and links, are
/// left out.
const NAMES: [&str; 4] = ["locked", "forcing net", "forcing net with locked candidates", "case split"];

/// Returns the names that [`Rating::hardest`](super::Rating::hardest) may have for a Sudoku.
///
/// ```
/// assert!(farandole::explain::technique_names().contains("XY-wing"));
/// ```
#[must_use]
pub fn technique_names() -> BTreeSet<&'static str> {
    let named = techniques().into_iter().map(|technique| technique.name);
    named.chain(NAMES).collect()
}

/// Returns the score (in tenths) of the easiest steps with this name; `None` if it is not known.
#[must_use]
pub fn technique_score(name: &str) -> Option<u32> {
    let technique = techniques().into_iter().find(|technique| technique.name == name);
    technique.map(|technique| technique.score)
}

/// Returns the possible scores of steps of grids, in tenths, ascending. Between the easiest chains
/// and the longest nets every score occurs.
///
/// ```
/// let scores = farandole::explain::scores();
/// assert!(scores.contains(&34) && scores.contains(&71) && !scores.contains(&59));
/// ```
#[must_use]
pub fn scores() -> Vec<u32> {
    let chains = techniques::by_name("X-chain").map_or(super::NETS_MAX, |chain| chain.score);
    let named = techniques().into_iter().map(|technique| technique.score);
    let mut all: Vec<u32> = dlx::explain::scores();
    all.extend(named.chain(chains..=super::NETS_MAX));
    all.sort_unstable();
    all.dedup();
    all
}
