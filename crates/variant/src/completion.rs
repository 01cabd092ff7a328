//! Completes the options of filled cells to an exact cover; all other options follow from them.
//!
//! For each primary item that the options of cells leave uncovered, only one option fits, possibly
//! after those of other items were chosen. The options per item are listed once per puzzle, so a
//! solution only examines its uncovered items.

use dlx::{Color, ItemId, OptionId, Problem};

/// The options other than those of cells, grouped by the primary items they cover.
#[derive(Debug)]
pub(super) struct Completion(Vec<(ItemId, Vec<OptionId>)>);

impl Completion {
    /// Groups the options after the first `placements` ones, which belong to cells.
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
        // The color of each covered item, if it has one.
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
        // Items of automata are in the order of their steps, so one round usually suffices.
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
                // Automata with several start states may need a search.
                let whole = dlx::engine::Links::new(problem).into_solutions(cover).next();
                *cover = whole.expect("filled cells have one cover");
                return;
            }
        }
    }
}
