//! The learned clauses, stored in one array of words, with two watched literals each.
//!
//! A clause consists of a head of three words and its literals, and the first two literals are
//! watched. When a watched literal becomes false, the clause searches for another literal to watch,
//! starting where its last search ended. A watch also stores another literal of the clause, the
//! blocker. If the blocker is true, the clause need not be read.
//!
//! The LBD of a clause is the number of distinct levels of its literals. A low LBD marks a useful
//! clause. A reduction drops half of the unused clauses with a high LBD or, once the array is half
//! full, half of all clauses that are not reasons.
//!
//! Sources: Moskewicz et al., "Chaff" (DAC 2001) for watches; Gent, "Optimal implementation of
//! watched literals and more general techniques" (2013); Audemard and Simon, "Predicting learnt
//! clauses quality" (IJCAI 2009) for the LBD.

use super::matrix::Lit;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(transparent)]
pub(super) struct ClauseId(u32);

#[derive(Clone, Copy, Debug)]
pub(super) struct Watcher {
    pub(super) clause: ClauseId,
    pub(super) blocker: Lit,
}

/// Number of words of a clause head: the length, the LBD with the `USED` bit, and the index where
/// the last search for a literal ended.
const HEAD: usize = 3;
const LEN: usize = 0;
const QUALITY: usize = 1;
const PLACE: usize = 2;

/// A bit in the quality word of a clause that was used since the last reduction.
const USED: u32 = 1 << 31;
/// Maximum LBD of clauses that are kept unless the array is half full.
const LBD_KEPT: u32 = 2;
/// Maximum LBD of clauses that are kept if they were used since the last reduction.
const LBD_USED: u32 = 6;
const REDUCTION_INTERVAL: usize = if cfg!(test) { 20 } else { 2000 };
/// Maximum number of words of all clauses (512 MiB). The last clause may exceed this limit.
const WORDS_MAX: usize = if cfg!(test) { 1 << 10 } else { 1 << 27 };

#[derive(Clone, Debug)]
pub(super) struct Clauses {
    words: Vec<u32>,
    count: usize,
    /// The number of clauses and the number of words that trigger the next reduction.
    reduce_at: (usize, usize),
    watches: Vec<Vec<Watcher>>,
}

impl Clauses {
    pub(super) fn new(literal_count: usize) -> Self {
        let watches = vec![Vec::new(); literal_count];
        Self { words: Vec::new(), count: 0, reduce_at: (REDUCTION_INTERVAL, WORDS_MAX / 2), watches }
    }

    pub(super) fn add(&mut self, lits: &[Lit], lbd: u32) -> ClauseId {
        debug_assert!(!self.is_full(), "a full array ends the search");
        let clause = ClauseId(self.words.len() as u32);
        self.words.extend([lits.len() as u32, lbd | USED, 2]);
        self.words.extend(lits.iter().map(|lit| lit.number()));
        self.count += 1;
        self.watch(clause);
        clause
    }

    fn watch(&mut self, clause: ClauseId) {
        let [first, second] = [self.lit(clause, 0), self.lit(clause, 1)];
        self.watches[first.index()].push(Watcher { clause, blocker: second });
        self.watches[second.index()].push(Watcher { clause, blocker: first });
    }

    fn lit(&self, clause: ClauseId, place: usize) -> Lit {
        Lit::from_number(self.words[clause.index() + HEAD + place])
    }

    /// Lists the literals of a clause, starting with the 0-based index `place`.
    pub(super) fn lits_from(&self, clause: ClauseId, place: usize) -> impl Iterator<Item = Lit> + '_ {
        let start = clause.index() + HEAD;
        let end = start + self.words[clause.index() + LEN] as usize;
        self.words[start + place..end].iter().map(|&number| Lit::from_number(number))
    }

    pub(super) fn lbd(&self, clause: ClauseId) -> u32 {
        self.words[clause.index() + QUALITY] & !USED
    }

    pub(super) fn set_used(&mut self, clause: ClauseId, lbd: u32) {
        self.words[clause.index() + QUALITY] = lbd | USED;
    }

    /// Removes the watches of `lit`, until [`Self::put_watches`] returns them.
    pub(super) fn take_watches(&mut self, lit: Lit) -> Vec<Watcher> {
        std::mem::take(&mut self.watches[lit.index()])
    }

    pub(super) fn put_watches(&mut self, lit: Lit, watches: Vec<Watcher>) {
        self.watches[lit.index()] = watches;
    }

    /// Finds a literal to watch instead of `falsified`. Returns the other watched literal as an
    /// error if it is true, or if no other literal can be watched. The returned literal is then the
    /// first of the clause.
    #[inline]
    pub(super) fn move_watch(
        &mut self,
        clause: ClauseId,
        falsified: Lit,
        values: &[i8],
    ) -> Result<(), Lit> {
        let head = clause.index();
        let len = self.words[head + LEN] as usize;
        let place = self.words[head + PLACE] as usize;
        let lits = &mut self.words[head + HEAD..head + HEAD + len];
        if lits[0] == falsified.number() {
            lits.swap(0, 1);
        }
        let first = Lit::from_number(lits[0]);
        if values[first.index()] > 0 {
            return Err(first);
        }
        let is_free = |&number: &u32| values[number as usize] >= 0;
        let found = match lits[place..].iter().position(is_free) {
            Some(k) => place + k,
            None => match lits[2..place].iter().position(is_free) {
                Some(k) => 2 + k,
                None => return Err(first),
            },
        };
        lits.swap(1, found);
        let lit = Lit::from_number(lits[1]);
        self.words[head + PLACE] = found as u32;
        self.watches[lit.index()].push(Watcher { clause, blocker: first });
        Ok(())
    }

    pub(super) fn is_time_to_reduce(&self) -> bool {
        self.count >= self.reduce_at.0 || self.words.len() >= self.reduce_at.1
    }

    pub(super) fn is_full(&self) -> bool {
        self.words.len() >= WORDS_MAX
    }

    /// Drops the worse half of the clauses that are neither good nor reasons. Calls `moved` for
    /// each remaining clause with its first literal, its old id and its new id.
    pub(super) fn reduce(
        &mut self,
        is_reason: impl Fn(Lit, ClauseId) -> bool,
        mut moved: impl FnMut(Lit, ClauseId, ClauseId),
    ) {
        let mut bad = Vec::new();
        let is_scarce = self.words.len() >= WORDS_MAX / 2;
        let mut head = 0;
        while head < self.words.len() {
            let clause = ClauseId(head as u32);
            let (len, quality) = (self.words[head + LEN], self.words[head + QUALITY]);
            let lbd = quality & !USED;
            self.words[head + QUALITY] = lbd;
            let is_good = lbd <= LBD_KEPT || lbd <= LBD_USED && quality & USED != 0;
            if (is_scarce || !is_good) && !is_reason(self.lit(clause, 0), clause) {
                bad.push((lbd, len, clause.0));
            }
            head += HEAD + len as usize;
        }
        bad.sort_unstable();
        let mut forgotten: Vec<u32> = bad[bad.len() / 2..].iter().map(|&(.., head)| head).collect();
        forgotten.sort_unstable();
        self.count -= forgotten.len();
        self.watches.iter_mut().for_each(Vec::clear);
        let mut forgotten = forgotten.into_iter().peekable();
        let (mut head, mut to) = (0, 0);
        while head < self.words.len() {
            let len = HEAD + self.words[head + LEN] as usize;
            if forgotten.next_if_eq(&(head as u32)).is_none() {
                self.words.copy_within(head..head + len, to);
                let clause = ClauseId(to as u32);
                moved(self.lit(clause, 0), ClauseId(head as u32), clause);
                self.watch(clause);
                to += len;
            }
            head += len;
        }
        self.words.truncate(to);
        self.reduce_at = (self.count + REDUCTION_INTERVAL, (WORDS_MAX / 2).max(to + WORDS_MAX / 8));
    }
}

#[cfg(test)]
impl Clauses {
    pub(super) fn word_count(&self) -> usize {
        self.words.len()
    }

    pub(super) fn room(&self) -> usize {
        WORDS_MAX
    }

    pub(super) fn fill(&mut self) {
        while !self.is_full() {
            self.add(&[Lit::take(0), Lit::reject(0)], 1);
        }
    }
}

impl ClauseId {
    const fn index(self) -> usize {
        self.0 as usize
    }
}
