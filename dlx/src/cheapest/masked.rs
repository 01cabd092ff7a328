//! The search at prices that stay as they are, with masks.
//!
//! Where a state was settled, each cover costs at least the bound and the reduced costs of its options, so
//! those within the limit are the covers whose reduced costs add up to at most the gap. [`Cutoff`] finds them, in
//! numbers of 64 bits: wider ones are rounded down, which lets in some covers that cost more, and loses none.

use super::amount::Amount;
use super::state::State;
use crate::engine::Cutoff;
use crate::limits::Limit;
use crate::model::{OptionId, Problem};
use crate::search::Meter;

/// What is left to be covered at a state, and the search for it.
#[derive(Debug)]
pub(super) struct Masked<N> {
    cutoff: Cutoff,
    /// Whether the cutoff has begun with this state.
    has_begun: bool,
    /// The numbers of the open primary items among the primary ones.
    items: Vec<usize>,
    /// The live options by reduced cost.
    options: Vec<(u64, OptionId)>,
    chosen: Vec<u32>,
    bound: N,
    /// By how many bits numbers are shortened.
    shift: u32,
}

impl<N: Amount> Masked<N> {
    /// Prepares searches of `problem`, if the masks take it.
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

    /// Takes over a settled state with a limit.
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

    /// Goes on until `work` nanoseconds were worked since [`Self::load`], about, and tells whether the
    /// search is over. `record` is told the options of each cover, and returns the limit from then on.
    /// Progress is told of the last search only.
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

    /// Returns the work since [`Self::load`], about in nanoseconds.
    pub(super) fn work(&self) -> u64 {
        if self.has_begun { self.cutoff.work } else { 0 }
    }

    /// Returns the fraction of the search that is done.
    pub(super) fn fraction(&self) -> f64 {
        if self.has_begun { self.cutoff.fraction() } else { 0.0 }
    }

    /// Tells whether something was left out because of the limit.
    pub(super) fn was_cut(&self) -> bool {
        self.has_begun && self.cutoff.was_cut
    }
}

/// Rounds down to a number of 64 bits by leaving out the last ones.
fn shorten<N: Amount>(amount: N, shift: u32) -> u64 {
    (Into::<i128>::into(amount) >> shift) as u64
}
