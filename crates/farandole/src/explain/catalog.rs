//! The names that the hardest step of a puzzle can have.

use std::collections::BTreeSet;

use techniques::techniques;

/// The names that the module `names` gives to steps of grids; most are techniques as well. Names
/// that list rules, or count truths and links, are left out.
const NAMES: [&str; 49] = [
    "full house",
    "hidden single",
    "naked single",
    "pointing",
    "claiming",
    "locked",
    "locked candidates",
    "locked pair",
    "locked triple",
    "naked pair",
    "naked triple",
    "naked quadruple",
    "hidden pair",
    "hidden triple",
    "hidden quadruple",
    "almost locked pair",
    "almost locked triple",
    "X-wing",
    "swordfish",
    "jellyfish",
    "Franken X-wing",
    "Franken swordfish",
    "Franken jellyfish",
    "mutant X-wing",
    "mutant swordfish",
    "mutant jellyfish",
    "finned X-wing",
    "finned swordfish",
    "finned jellyfish",
    "sashimi X-wing",
    "sashimi swordfish",
    "sashimi jellyfish",
    "skyscraper",
    "two-string kite",
    "turbot fish",
    "empty rectangle",
    "X-chain",
    "grouped X-chain",
    "XY-wing",
    "XYZ-wing",
    "W-wing",
    "WXYZ-wing",
    "remote pair",
    "XY-chain",
    "AIC",
    "grouped AIC",
    "forcing net",
    "forcing net with locked candidates",
    "case split",
];

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
