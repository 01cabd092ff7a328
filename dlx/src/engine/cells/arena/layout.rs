//! Construction of the arena for a problem.

use super::{
    Arena, ItemNo, ItemRoom, Kept, LANES, Margin, NOTHING, OptionNo, Record, Set, Snapshot, Span, WORD,
};
use crate::engine::cells::Unsupported;
use crate::model::{Bounds, Color, OptionId, Problem};

/// Maximum size (bytes) of the words that are copied at each branch. States with more bytes are
/// restored from the trail.
const COPY_BYTES_MAX: usize = 1 << 14;

impl<M: Margin> Arena<M> {
    pub(in crate::engine::cells) fn new(problem: &Problem, order: &[usize]) -> Self {
        let is_primary = |&item: &crate::model::ItemId| problem.is_primary(item);
        let primary: Vec<_> = problem.items().filter(is_primary).collect();
        let secondary = problem.items().filter(|item| !is_primary(item));
        let ordered: Vec<_> = order.iter().map(|&place| primary[place]).chain(secondary).collect();
        let mut numbers = vec![ItemNo(0); ordered.len()];
        for (number, item) in ordered.iter().enumerate() {
            numbers[item.index()] = ItemNo(number as u32);
        }
        let primary_count = primary.len();
        let mut arena = Self {
            primary_count,
            root: Snapshot::default(),
            spans: Vec::with_capacity(problem.option_count() + 1),
            records: Vec::with_capacity(problem.entry_count()),
            kept: Vec::new(),
            sets: Vec::with_capacity(ordered.len()),
            cells: Vec::new(),
            words: Vec::new(),
            margins: vec![M::INACTIVE; primary_count.next_multiple_of(LANES)],
            left: Vec::with_capacity(primary_count),
            is_done: vec![false; ordered.len()],
            trail: vec![OptionNo(0); if M::COPIES { 0 } else { problem.option_count() }],
            trail_len: 0,
            closed: Vec::new(),
            done: Vec::new(),
            chosen: Vec::new(),
            forced: vec![ItemNo(0); 2 * primary_count + 2],
            forced_len: 0,
            active_count: 0,
            saved_margins: Vec::new(),
            saved_words: Vec::new(),
            updates: 0,
        };
        for option in problem.options() {
            arena.push_option(problem, option, &numbers);
        }
        let end = arena.records.len() as u32;
        arena.spans.push(Span { primary: end, secondary: end });
        arena.fill_sets(problem, ordered.len());
        for &item in &ordered[..primary_count] {
            arena.push_margin(problem.bounds(item).unwrap_or(Bounds::ONE));
        }
        arena.root.active_count = arena.active_count;
        arena.mark(0);
        arena
    }

    /// Appends the records of `option`, primary items first. Until `fill_sets` runs, the field
    /// `bit` of a record contains its color number.
    fn push_option(&mut self, problem: &Problem, option: OptionId, numbers: &[ItemNo]) {
        let mut span = Span { primary: self.records.len() as u32, secondary: 0 };
        for wants_primary in [true, false] {
            for entry in problem.option(option) {
                if problem.is_primary(entry.item) == wants_primary {
                    let bit = entry.color.map_or(0, Color::number);
                    self.records.push(Record { item: numbers[entry.item.index()], bit });
                }
            }
            if wants_primary {
                span.secondary = self.records.len() as u32;
            }
        }
        self.spans.push(span);
    }

    /// Fills the sets with the options that can be chosen; the bits of other options are never set.
    /// Visits the records in memory order, which is faster for millions of records.
    fn fill_sets(&mut self, problem: &Problem, item_count: usize) {
        let mut lens = vec![0_u32; item_count];
        for record in &self.records {
            lens[record.item.index()] += 1;
        }
        let (mut cells, mut words) = (0, 0);
        for &len in &lens {
            let word_end = words + len.div_ceil(u64::BITS);
            self.sets.push(Set { cells, word: words, word_end });
            (cells, words) = (cells + len, word_end);
        }
        self.cells = vec![OptionNo(0); cells as usize];
        self.words = vec![0; words as usize];
        let by_color = problem.has_colors().then(|| self.rank_by_color(&lens));
        let mut filled = vec![0_u32; item_count];
        for option in problem.options() {
            let is_listed = u64::from(is_listed(problem, option));
            for record in self.places(option.into()) {
                let item = self.records[record].item.index();
                let rank = by_color.as_ref().map_or(filled[item], |ranks| ranks[record]);
                filled[item] += 1;
                let set = self.sets[item];
                self.cells[(set.cells + rank) as usize] = option.into();
                let bit = set.word * u64::BITS + rank;
                self.words[bit as usize / WORD] |= is_listed << (bit % u64::BITS);
                self.records[record].bit = bit;
            }
        }
    }

    /// Returns the rank of each record within its item, grouped by color, and fills `kept` with the
    /// ranges of the colors. The field `bit` of each record must still contain its color number.
    fn rank_by_color(&mut self, lens: &[u32]) -> Vec<u32> {
        let mut ends: Vec<usize> = lens
            .iter()
            .scan(0, |end, &len| Some(std::mem::replace(end, *end + len as usize)))
            .collect();
        let mut records = vec![0_u32; self.records.len()];
        for (number, record) in self.records.iter().enumerate() {
            let end = &mut ends[record.item.index()];
            records[*end] = number as u32;
            *end += 1;
        }
        self.kept = vec![NOTHING; self.records.len()];
        let mut ranks = vec![0; self.records.len()];
        let mut start = 0;
        for &end in &ends {
            let run = &mut records[std::mem::replace(&mut start, end)..end];
            let color = |record: u32| self.records[record as usize].bit;
            run.sort_by_key(|&record| color(record));
            let mut first = 0;
            for same in run.chunk_by(|&a, &b| color(a) == color(b)) {
                let kept = Kept { start: first, end: first + same.len() as u32 };
                for (rank, &record) in (first..).zip(same) {
                    ranks[record as usize] = rank;
                    if color(record) != 0 {
                        self.kept[record as usize] = kept;
                    }
                }
                first = kept.end;
            }
        }
        ranks
    }

    fn push_margin(&mut self, bounds: Bounds) {
        let item = self.left.len();
        self.left.push(ItemRoom { bound: bounds.high.into(), slack: bounds.high - bounds.low });
        let len: i64 =
            self.words_of(ItemNo(item as u32)).0.iter().map(|word| i64::from(word.count_ones())).sum();
        if bounds.high > 0 {
            self.margins[item] = M::new(len - i64::from(bounds.low));
            self.active_count += 1;
        } else {
            self.margins[item] = M::INACTIVE;
        }
    }
}

/// Returns whether backtracking in `problem` should copy the state instead of undoing changes.
///
/// # Errors
/// If the problem has more cells than 32-bit numbers can index.
pub(in crate::engine::cells) fn is_small(problem: &Problem) -> Result<bool, Unsupported> {
    let mut lens = vec![0_usize; problem.item_count()];
    for entry in problem.options().flat_map(|option| problem.option(option)) {
        lens[entry.item.index()] += 1;
    }
    let word_count = lens.iter().map(|len| len.div_ceil(WORD)).sum::<usize>();
    let longest = lens.iter().max().copied().unwrap_or(0);
    if word_count > u32::MAX as usize / WORD || longest >= <i32 as Margin>::INACTIVE as usize / 2 {
        return Err(Unsupported::new("problems of more than 2^32 cells"));
    }
    let fits = longest < <i16 as Margin>::INACTIVE as usize / 2;
    Ok(fits && word_count * size_of::<u64>() <= COPY_BYTES_MAX)
}

fn is_listed(problem: &Problem, option: OptionId) -> bool {
    let mut bounds =
        problem.option(option).iter().filter_map(|entry| problem.bounds(entry.item)).peekable();
    bounds.peek().is_some() && bounds.all(|bounds| bounds.high > 0)
}
