//! Completes the options of filled cells to an exact cover. The options of the cells determine all
//! other options.
//!
//! For each primary item that the options of cells leave uncovered, only one option fits, possibly
//! after options of other items were chosen. The options of each item are listed once per puzzle,
//! so completing a solution examines only the uncovered items.

use dlx::{Color, ItemId, OptionId, Problem};

/// All options except those of the cells, grouped by the primary items that they cover.
#[derive(Debug)]
pub(super) struct Completion(Vec<(ItemId, Vec<OptionId>)>);

impl Completion {
    /// Groups all options except the first `placements` ones, which belong to cells.
    pub(super) fn new(problem: &Problem, placements: usize) -> Self {
        let mut options_of: Vec<Vec<OptionId>> = vec![Vec::new(); problem.item_count()];
        for option in problem.options().skip(placements) {
            for entry in problem.option(option).iter().filter(|entry| problem.is_primary(entry.item)) {
                options_of[entry.item.index()].push(option);
            }
        }
        let options = problem.items().zip(options_of).filter(|(_, options)| !options.is_empty());
        Self(options.collect())
    }

    pub(super) fn complete(&self, problem: &Problem, cover: &mut Vec<OptionId>) {
        // For each item: whether it is covered, and its color, if any.
        let mut covered: Vec<Option<Option<Color>>> = vec![None; problem.item_count()];
        let take = |covered: &mut Vec<Option<Option<Color>>>, option: OptionId| {
            for entry in problem.option(option) {
                covered[entry.item.index()] = Some(entry.color);
            }
        };
        cover.iter().for_each(|&option| take(&mut covered, option));
        let fits = |covered: &[Option<Option<Color>>], option: OptionId| {
            problem.option(option).iter().all(|entry| match covered[entry.item.index()] {
                None => true,
                Some(color) => color.is_some() && color == entry.color,
            })
        };
        // The items of an automaton are in the order of its steps, so one round is usually enough.
        let mut left: Vec<usize> = (0..self.0.len()).collect();
        loop {
            let before = left.len();
            left.retain(|&index| {
                let (item, options) = &self.0[index];
                if covered[item.index()].is_none() {
                    let mut fitting = options.iter().filter(|&&option| fits(&covered, option));
                    if let (Some(&option), None) = (fitting.next(), fitting.next()) {
                        take(&mut covered, option);
                        cover.push(option);
                    }
                }
                covered[item.index()].is_none()
            });
            if left.is_empty() {
                return;
            }
            if left.len() == before {
                // An automaton with several start states may need a search.
                let whole = dlx::engine::Links::new(problem).into_solutions(cover).next();
                *cover = whole.expect("filled cells have one cover");
                return;
            }
        }
    }
}
