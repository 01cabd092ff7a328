//! The search by masks, where the prices of the items are fixed.
//!
//! At a settled state each cover costs at least the bound plus the reduced costs of its options. So
//! the reduced costs of a cover within the limit add up to at most the gap between bound and limit.
//! [`Cutoff`] finds the covers within the gap, using 64-bit numbers. Wider numbers are rounded
//! down, which admits some covers that cost more than the limit but loses no cover.

use super::amount::Amount;
use super::state::State;
use crate::engine::Cutoff;
use crate::limits::Limit;
use crate::model::{OptionId, Problem};
use crate::search::Meter;

#[derive(Debug)]
pub(super) struct Masked<N> {
    cutoff: Cutoff,
    has_begun: bool,
    /// The indices of the open primary items among all primary items.
    items: Vec<usize>,
    options: Vec<(u64, OptionId)>,
    chosen: Vec<u32>,
    bound: N,
    shift: u32,
}

impl<N: Amount> Masked<N> {
    pub(super) fn new(problem: &Problem) -> Option<Self> {
        Some(Self {
            cutoff: Cutoff::new(problem)?,
            has_begun: false,
            items: Vec::new(),
            options: Vec::new(),
            chosen: Vec::new(),
            bound: N::default(),
            shift: 0,
        })
    }

    /// Loads a settled state, whose limit must be finite.
    pub(super) fn load(&mut self, problem: &Problem, state: &State<N>) {
        self.has_begun = false;
        self.bound = state.bound;
        self.shift =
            66_u32.saturating_sub(Into::<i128>::into(state.limit - state.bound).leading_zeros());
        self.chosen.clear();
        self.chosen.extend_from_slice(state.chosen());
        let items = problem.items().filter(|&item| problem.is_primary(item)).enumerate();
        let open = items.filter(|(_, item)| state.is_missing(item.index() as u32));
        self.items.clear();
        self.items.extend(open.map(|(number, _)| number));
        let shift = self.shift;
        let priced =
            |&option: &u32| (shorten(state.reduced(option), shift), OptionId::new(option as usize));
        self.options.clear();
        self.options.extend(state.live().iter().map(priced));
        self.options.sort_unstable();
    }

    /// Continues until about `work` nanoseconds have been spent since [`Self::load`], and returns
    /// whether the search is complete. `record` receives the options of each cover and returns the
    /// new limit.
    pub(super) fn run(
        &mut self,
        work: u64,
        limit: N,
        is_last: bool,
        meter: &mut Meter<'_>,
        updates: &mut u64,
        record: &mut dyn FnMut(&[u32]) -> N,
    ) -> Result<bool, Limit> {
        let (bound, shift) = (self.bound, self.shift);
        let gap = |limit: N| (limit >= bound).then(|| shorten(limit - bound, shift));
        let Some(first_gap) = gap(limit) else {
            return Ok(true);
        };
        if self.has_begun {
            self.cutoff.narrow(first_gap);
        } else if self.cutoff.encoding_work(self.options.len()) > work {
            return Ok(false);
        } else {
            let items = self.items.iter().copied();
            self.cutoff.begin(items, &self.options, first_gap, meter.limits())?;
            self.has_begun = true;
        }
        let Self { cutoff, chosen, .. } = self;
        let chosen_len = chosen.len();
        cutoff.run(work, is_last, meter, updates, &mut |cover| {
            chosen.extend(cover.iter().map(|option| option.index() as u32));
            let limit = record(chosen);
            chosen.truncate(chosen_len);
            gap(limit)
        })
    }

    pub(super) fn work(&self) -> u64 {
        if self.has_begun { self.cutoff.work } else { 0 }
    }

    pub(super) fn fraction(&self) -> f64 {
        if self.has_begun { self.cutoff.fraction() } else { 0.0 }
    }

    pub(super) fn was_cut(&self) -> bool {
        self.has_begun && self.cutoff.was_cut
    }
}

fn shorten<N: Amount>(amount: N, shift: u32) -> u64 {
    (Into::<i128>::into(amount) >> shift) as u64
}
