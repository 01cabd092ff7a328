//! Conflict analysis.
//!
//! Starting with the conflicting clause, literals are resolved with their reasons, the last
//! falsified first, until one literal of the current level is left (the first unique implication
//! point). Afterwards, literals implied by other literals of the clause are dropped. Finally,
//! several options rejected because of the same taken option are replaced by that option, which
//! halves the length of learned clauses.
//!
//! The test for implied literals visits their antecedents recursively and caches all results for
//! the conflict.
//!
//! Sources: Marques-Silva and Sakallah, "GRASP" (1999); Zhang et al., "Efficient conflict driven
//! learning in a Boolean satisfiability solver" (ICCAD 2001) for the implication point; Sörensson
//! and Biere, "Minimizing learned clauses" (SAT 2009); Fleury and Biere, "Efficient all-UIP learned
//! clause minimization" (SAT 2021) for replacing literals of one level.

use super::clauses::ClauseId;
use super::matrix::Lit;
use super::solver::{Antecedent, Assignment, ClauseSolver, FalseClause, LITERAL_WORK};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum LiteralMark {
    None,
    Seen,
    Free,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum AntecedentStatus {
    Implied,
    Free,
    /// The first antecedent whose status is unknown: its option, and its index in the list of
    /// antecedents.
    Unknown(u32, usize),
}

#[derive(Debug)]
pub(super) struct Analysis {
    pub(super) learned: Vec<Lit>,
    marks: Vec<LiteralMark>,
    marked: Vec<u32>,
    antecedents: Vec<Lit>,
    /// The stack of options under test, each an antecedent of the previous one, with the index of
    /// its next antecedent to test.
    path: Vec<(u32, usize)>,
    /// The last stamp of each level. A level is marked if its stamp equals `stamp`.
    stamps: Vec<u64>,
    stamp: u64,
    rivals: Vec<(u32, u32)>,
}

impl Analysis {
    pub(super) fn new(option_count: usize) -> Self {
        Self {
            learned: Vec::new(),
            marks: vec![LiteralMark::None; option_count],
            marked: Vec::new(),
            antecedents: Vec::new(),
            path: Vec::new(),
            stamps: vec![0; option_count + 1],
            stamp: 0,
            rivals: Vec::new(),
        }
    }

    fn mark_level(&mut self, level: u32) -> bool {
        let stamp = &mut self.stamps[level as usize];
        let is_new = *stamp != self.stamp;
        *stamp = self.stamp;
        is_new
    }

    fn is_seen(&self, option: u32) -> bool {
        self.marks[option as usize] == LiteralMark::Seen
    }

    fn mark(&mut self, option: u32, mark: LiteralMark) {
        self.marks[option as usize] = mark;
        self.marked.push(option);
    }

    fn unmark(&mut self) {
        for option in self.marked.drain(..) {
            self.marks[option as usize] = LiteralMark::None;
        }
    }
}

impl ClauseSolver<'_> {
    fn level_of(&self, lit: Lit) -> u32 {
        self.assignments[lit.option() as usize].level
    }

    /// Derives a clause from the conflict. Returns its LBD and the level where it asserts its first
    /// literal, which is the level of its second literal.
    pub(super) fn analyze(&mut self, conflict: FalseClause) -> (u32, usize) {
        self.analysis.learned.clear();
        self.analysis.antecedents.clear();
        match conflict {
            FalseClause::Rivals(a, b) => {
                self.analysis.antecedents.extend([Lit::reject(a), Lit::reject(b)]);
            }
            FalseClause::Item(item) => {
                self.bump_item(item);
                self.explain_item(item);
            }
            FalseClause::Clause(clause) => {
                self.use_clause(clause);
                self.analysis.antecedents.extend(self.clauses.lits_from(clause, 0));
            }
        }
        self.analysis.learned.push(Lit::take(0));
        let mut open = self.mark_antecedents();
        let mut place = self.trail.len();
        let point = loop {
            place -= 1;
            let lit = self.trail[place];
            if !self.analysis.is_seen(lit.option()) {
                continue;
            }
            open -= 1;
            if open == 0 {
                break lit;
            }
            match self.assignments[lit.option() as usize].reason {
                Antecedent::Item(item) => self.bump_item(item),
                Antecedent::Clause(clause) => self.use_clause(clause),
                Antecedent::None | Antecedent::Rival(_) => {}
            }
            self.explain(lit);
            open += self.mark_antecedents();
        };
        self.analysis.learned[0] = !point;
        self.drop_implied();
        self.merge_rivals();
        self.analysis.unmark();
        self.finish()
    }

    /// Lists the false literals that made `lit` true. The list may include the option of `lit`,
    /// which is already marked.
    fn explain(&mut self, lit: Lit) {
        self.analysis.antecedents.clear();
        match self.assignments[lit.option() as usize].reason {
            Antecedent::None => {}
            Antecedent::Rival(rival) => self.analysis.antecedents.push(Lit::reject(rival)),
            Antecedent::Item(item) => self.explain_item(item),
            Antecedent::Clause(clause) => {
                self.analysis.antecedents.extend(self.clauses.lits_from(clause, 1));
            }
        }
    }

    fn explain_item(&mut self, item: u32) {
        let options = self.matrix.options_of(item).iter();
        self.analysis.antecedents.extend(options.map(|&option| Lit::take(option)));
    }

    /// Marks the antecedents, adds the ones of earlier levels to the clause, and returns the number
    /// of new antecedents of the current level.
    fn mark_antecedents(&mut self) -> u32 {
        let mut open = 0;
        self.work += LITERAL_WORK * self.analysis.antecedents.len() as u64;
        let antecedents = std::mem::take(&mut self.analysis.antecedents);
        for &lit in &antecedents {
            if self.analysis.is_seen(lit.option()) {
                continue;
            }
            let level = self.level_of(lit);
            if level == 0 {
                continue;
            }
            self.analysis.mark(lit.option(), LiteralMark::Seen);
            self.bump(lit.option());
            if level as usize == self.levels.len() {
                open += 1;
            } else {
                self.analysis.learned.push(lit);
            }
        }
        self.analysis.antecedents = antecedents;
        open
    }

    fn use_clause(&mut self, clause: ClauseId) {
        let before = self.clauses.lbd(clause);
        self.analysis.stamp += 1;
        let mut lbd = 0;
        for lit in self.clauses.lits_from(clause, 0) {
            let level = self.assignments[lit.option() as usize].level;
            lbd += u32::from(self.analysis.mark_level(level));
            if lbd >= before {
                break;
            }
        }
        self.clauses.set_used(clause, lbd);
    }

    fn drop_implied(&mut self) {
        self.analysis.stamp += 1;
        for k in 0..self.analysis.learned.len() {
            let level = self.level_of(self.analysis.learned[k]);
            self.analysis.mark_level(level);
        }
        let mut kept = 1;
        for k in 1..self.analysis.learned.len() {
            let lit = self.analysis.learned[k];
            if !self.is_implied(lit) {
                self.analysis.learned[kept] = lit;
                kept += 1;
            }
        }
        self.analysis.learned.truncate(kept);
    }

    /// Returns whether the other literals of the clause imply that `lit` is false. Caches the
    /// results for all literals visited.
    fn is_implied(&mut self, lit: Lit) -> bool {
        if self.assignments[lit.option() as usize].reason == Antecedent::None {
            return false;
        }
        self.analysis.path.clear();
        self.analysis.path.push((lit.option(), 0));
        while let Some(&(option, place)) = self.analysis.path.last() {
            match self.look(option, place) {
                AntecedentStatus::Implied => {
                    self.analysis.path.pop();
                    self.analysis.mark(option, LiteralMark::Seen);
                }
                AntecedentStatus::Unknown(next, place) => {
                    self.analysis.path.last_mut().expect("it was there").1 = place + 1;
                    self.analysis.path.push((next, 0));
                }
                AntecedentStatus::Free => {
                    for k in 1..self.analysis.path.len() {
                        let option = self.analysis.path[k].0;
                        self.analysis.mark(option, LiteralMark::Free);
                    }
                    return false;
                }
            }
        }
        true
    }

    /// Returns the status of an option's literal, derived from its antecedents from the 0-based
    /// index `place` on.
    fn look(&self, option: u32, place: usize) -> AntecedentStatus {
        match self.assignments[option as usize].reason {
            Antecedent::None => AntecedentStatus::Free,
            Antecedent::Rival(rival) => self.check_antecedents(option, place, std::iter::once(rival)),
            Antecedent::Item(item) => {
                self.check_antecedents(option, place, self.matrix.options_of(item).iter().copied())
            }
            Antecedent::Clause(clause) => self.check_antecedents(
                option,
                place,
                self.clauses.lits_from(clause, 0).map(Lit::option),
            ),
        }
    }

    fn check_antecedents(
        &self,
        option: u32,
        place: usize,
        antecedents: impl Iterator<Item = u32>,
    ) -> AntecedentStatus {
        let mut look = AntecedentStatus::Implied;
        for (k, other) in antecedents.enumerate().skip(place) {
            let mark = self.analysis.marks[other as usize];
            if mark == LiteralMark::Seen || other == option {
                continue;
            }
            let Assignment { level, reason } = self.assignments[other as usize];
            if level == 0 {
                continue;
            }
            let is_foreign_level = self.analysis.stamps[level as usize] != self.analysis.stamp;
            if mark == LiteralMark::Free || reason == Antecedent::None || is_foreign_level {
                return AntecedentStatus::Free;
            }
            if look == AntecedentStatus::Implied {
                look = AntecedentStatus::Unknown(other, k);
                if place > 0 {
                    break;
                }
            }
        }
        look
    }

    fn merge_rivals(&mut self) {
        let mut rivals = std::mem::take(&mut self.analysis.rivals);
        rivals.clear();
        for (place, lit) in self.analysis.learned.iter().enumerate().skip(1) {
            if let Antecedent::Rival(rival) = self.assignments[lit.option() as usize].reason {
                rivals.push((rival, place as u32));
            }
        }
        rivals.sort_unstable();
        let placeholder = self.analysis.learned[0];
        for group in rivals.chunk_by(|a, b| a.0 == b.0) {
            if let [(rival, place), others @ ..] = group
                && !others.is_empty()
            {
                self.analysis.learned[*place as usize] = Lit::reject(*rival);
                for &(_, place) in others {
                    self.analysis.learned[place as usize] = placeholder;
                }
            }
        }
        let mut place = 0;
        self.analysis.learned.retain(|&lit| {
            place += 1;
            place == 1 || lit != placeholder
        });
        self.analysis.rivals = rivals;
    }

    /// Moves a literal of the highest level among all but the first literal to index 1. Returns the
    /// LBD of the clause and that level.
    fn finish(&mut self) -> (u32, usize) {
        self.analysis.stamp += 1;
        let (mut lbd, mut back, mut second) = (0, 0, 1);
        for k in 0..self.analysis.learned.len() {
            let level = self.level_of(self.analysis.learned[k]);
            lbd += u32::from(self.analysis.mark_level(level));
            if k > 0 && level > back {
                (back, second) = (level, k);
            }
        }
        if self.analysis.learned.len() > 1 {
            self.analysis.learned.swap(1, second);
        }
        (lbd, back as usize)
    }
}
