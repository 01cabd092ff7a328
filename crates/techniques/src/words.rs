//! Steps in words: notation of candidates, cells and chains.
//!
//! Chains are written as players do (Eureka notation): `(3)r1c2=(3)r1c8-(3)r4c8=(3)r4c1`, where `=`
//! is a strong and `-` a weak link.

use crate::bits::{Cells, Digits};
use crate::board::Candidate;
use crate::layout::Layout;
use crate::step::{Chain, Node, Step};

/// Writes steps of one board in words.
#[derive(Clone, Copy, Debug)]
pub struct Words<'w> {
    layout: &'w Layout,
}

impl<'w> Words<'w> {
    /// Makes the writer of a board.
    #[must_use]
    pub fn new(layout: &'w Layout) -> Self {
        Self { layout }
    }

    /// Returns the shape of the board.
    #[must_use]
    pub fn layout(&self) -> &'w Layout {
        self.layout
    }

    /// Returns the name of a cell or of several cells, such as `r1c2` or `r13c2`.
    #[must_use]
    pub fn cells(&self, cells: Cells) -> String {
        self.layout.cells(cells)
    }

    /// Returns the name of a house, such as `row 3`.
    #[must_use]
    pub fn house(&self, house: usize) -> &'w str {
        &self.layout.houses()[house].name
    }

    /// Returns the names of houses with commas and "and": `rows 2 and 5`, `row 1 and box 3`.
    #[must_use]
    pub fn houses(&self, houses: &[usize]) -> String {
        let names: Vec<&str> = houses.iter().map(|&house| self.house(house)).collect();
        let split: Option<Vec<(&str, &str)>> = names.iter().map(|name| name.rsplit_once(' ')).collect();
        match split.as_deref() {
            Some([(word, _), _, ..])
                if split
                    .iter()
                    .flatten()
                    .all(|(other, number)| other == word && number.parse::<usize>().is_ok()) =>
            {
                let plural = if *word == "box" { "boxes".to_owned() } else { format!("{word}s") };
                let numbers: Vec<&str> = split.iter().flatten().map(|&(_, number)| number).collect();
                format!("{plural} {}", join(&numbers))
            }
            _ => join(&names),
        }
    }

    /// Returns a digit as a word.
    #[must_use]
    pub fn digit(&self, digit: usize) -> &'w str {
        self.layout.symbol(digit)
    }

    /// Returns digits with commas and "and": `1, 4 and 7`.
    #[must_use]
    pub fn digits(&self, digits: Digits) -> String {
        let names: Vec<&str> = digits.iter().map(|digit| self.digit(digit)).collect();
        join(&names)
    }

    /// Returns a placement, such as `r1c2=5`.
    #[must_use]
    pub fn placed(&self, candidate: Candidate) -> String {
        format!("{}={}", self.cells(Cells::one(candidate.cell)), self.digit(candidate.digit))
    }

    /// Returns an elimination, such as `r1c2<>5`.
    #[must_use]
    pub fn removed(&self, candidate: Candidate) -> String {
        format!("{}<>{}", self.cells(Cells::one(candidate.cell)), self.digit(candidate.digit))
    }

    /// Returns the conclusion of a step, separated by blanks.
    #[must_use]
    pub fn conclusion(&self, step: &Step) -> String {
        let placed = step.placed.iter().map(|&candidate| self.placed(candidate));
        let removed = step.removed.iter().map(|&candidate| self.removed(candidate));
        placed.chain(removed).collect::<Vec<_>>().join(" ")
    }

    /// Returns the explanation of a step: its pattern, and why it implies the conclusion.
    #[must_use]
    pub fn tell(&self, step: &Step) -> String {
        (step.technique.tell)(step, self)
    }

    /// Returns a chain, node by node.
    #[must_use]
    pub fn chain(&self, chain: &Chain) -> String {
        let mut words = String::new();
        let mut last: Option<&Node> = None;
        for node in chain.nodes.iter().chain(chain.nodes.first().filter(|_| chain.is_loop)) {
            if let Some(last) = last {
                words.push(if last.is_on { '-' } else { '=' });
            }
            words.push_str(&format!("({}){}", self.digit(node.digit), self.cells(node.cells)));
            last = Some(node);
        }
        words
    }
}

/// Joins words with commas and "and".
#[must_use]
pub fn join(words: &[&str]) -> String {
    match words {
        [] => String::new(),
        [one] => (*one).to_owned(),
        [rest @ .., last] => format!("{} and {last}", rest.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_chain_is_written_in_eureka_notation() {
        let layout = Layout::classic();
        let node = |cell, digit, is_on| Node { cells: Cells::one(cell), digit, is_on };
        let nodes = vec![node(1, 2, false), node(7, 2, true), node(34, 2, false), node(27, 2, true)];
        let chain = Chain { nodes, is_loop: false };
        assert_eq!(Words::new(&layout).chain(&chain), "(3)r1c2=(3)r1c8-(3)r4c8=(3)r4c1");
    }

    #[test]
    fn houses_of_the_same_kind_share_their_word() {
        let layout = Layout::classic();
        let words = Words::new(&layout);
        assert_eq!(words.houses(&[0, 4]), "rows 1 and 5");
        assert_eq!(words.houses(&[0, 19]), "row 1 and box 2");
        assert_eq!(words.houses(&[18, 19, 20]), "boxes 1, 2 and 3");
    }
}
