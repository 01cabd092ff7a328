//! Searches the neighborhood of plain 9x9 Sudoku for puzzles that random generation hardly ever
//! makes: few clues, high ratings, or near a given puzzle.
//!
//! # Method
//! A *family* begins with random puzzles, or with the puzzle of `--like`. A job expands the puzzle
//! of the pool that is nearest to the request: its {-1+1} neighbors, sometimes a sample of its
//! {-2+2} neighbors, join the pool unless an isomorphic puzzle was seen. Nearest means:
//! - for few clues, the fewest clues, then the oldest;
//! - for a rating, the highest [`hardness`] whose expected score is not above the range. Each rated
//!   puzzle gives a pair of hardness and score, and the expected score is the mean of the nearest
//!   pairs. Other jobs rate the nearest puzzles.
//!
//! A new family begins after [`FAMILY_MAX`] puzzles, so that not all puzzles are relatives, or
//! after [`EXPANSIONS_MAX`] expansions without a puzzle ([`CLIMB_MAX`] for ratings).
//!
//! # Invariant
//! [`JOBS`] jobs are in progress, whatever the number of threads. A job is chosen from the results
//! of all jobs up to the one [`JOBS`] before it. So the puzzles depend only on the seed.
//!
//! Tried and dropped: preferring the expected score nearest to the range, since the noise of the
//! expectations stops the climb.
//!
//! # Bounds
//! [`POOL_MAX`] puzzles of 200 bytes, [`SEEN_MAX`] hashes of seen puzzles, [`PAIRS_MAX`] pairs.

use std::cmp::Reverse;
use std::collections::HashSet;
use std::hash::{BuildHasher as _, BuildHasherDefault, DefaultHasher};
use std::ops::{ControlFlow, RangeInclusive};

use dlx::Limit;
use sudoku9::Lanes;
use sudoku9::canonical;
use sudoku9::generate::vicinity::{Change, hardness, neighbors};
use sudoku9::generate::{self, Generated, Recipe};

use super::nine::clues;
use super::page::{Page, Printed, write_line};
use super::rated::{Rated, Rater};
use super::wishes::{distance, wanted_scores};
use super::{GenerateTask, ordered};
use farandole::algorithm::nine;
use puzzle::Fill;

/// Number of jobs in progress. More jobs use more threads, but each is chosen from older results.
const JOBS: usize = 32;
/// Number of tries of a job that draws random puzzles.
const DRAWS: u64 = 32;
/// Number of jobs that draw the first puzzles of a family.
const FIRST_DRAWS: usize = 32;
/// Maximum number of puzzles in the pool; the worse half is dropped when it is full.
const POOL_MAX: usize = 4096;
/// Maximum number of hashes (8 bytes each) of seen puzzles; all are forgotten when it is full.
const SEEN_MAX: usize = 1 << 20;
/// Maximum number of pairs of hardness and score; every second one is dropped when it is full.
const PAIRS_MAX: usize = 512;
/// Number of pairs on each side whose mean is the expected score.
const NEAR_PAIRS: usize = 2;
/// Number of puzzles made from one family.
const FAMILY_MAX: u64 = 16;
/// Maximum number of expansions of a family without a puzzle (about 10 s on a core). Nearly all
/// families reach 17 clues with fewer.
const EXPANSIONS_MAX: u64 = 4096;
/// Maximum number of expansions of a family without a puzzle, for a request of ratings. Three of
/// five families reach puzzles that trials cannot solve with 300 to 450 expansions; the others stay
/// far below.
const CLIMB_MAX: u64 = 512;
/// Distance of the expected score from the range (in tenths) up to which most jobs rate puzzles.
const NEAR_TENTHS: u32 = 3;
/// One expansion in so many is a sample of {-2+2}, for a request of ratings.
const TWOS: u64 = 4;

/// A puzzle of the pool.
struct Relative {
    made: Generated,
    /// The number of the try that found it.
    number: u64,
    hardness: u32,
    is_expanded: bool,
    is_rated: bool,
}

/// A new puzzle with the hash of its canonical form.
struct Candidate {
    made: Generated,
    form: u64,
    hardness: u32,
}

enum Work {
    Draw(u64),
    Expand([u8; 81], Change),
    Rate(Box<(Generated, u64, u32)>),
}

struct VicinityJob {
    number: u64,
    family: u64,
    work: Work,
}

enum Outcome {
    Found(Vec<Candidate>),
    Rated(Box<(Generated, u64, u32)>, Rated),
}

pub(super) fn run(task: &GenerateTask<'_>, fill: &Fill, page: &mut Page<'_>) -> Result<(), Limit> {
    let asked = task.asked;
    let tries_max = asked.tries.unwrap_or(u64::MAX);
    let is_rating = asked.rating.is_some() || asked.technique.is_some();
    let recipe = Recipe::new(task.seed);
    let worker = || {
        let (mut lanes, mut rater) = (nine::lanes(), Rater::new(task, fill));
        let recipe = &recipe;
        Ok(move |VicinityJob { number, family, work }: VicinityJob| {
            let found = match work {
                Work::Rate(puzzle) => {
                    let rated = rater.rate(&clues(fill, &puzzle.0.puzzle))?;
                    return Ok(Some((family, Outcome::Rated(puzzle, rated))));
                }
                Work::Draw(block) => draw(&mut lanes, recipe, block, task)?,
                Work::Expand(puzzle, change) => {
                    neighbors(&mut lanes, &puzzle, change, [task.seed, number], &task.limits)?
                }
            };
            let mut candidates = Vec::with_capacity(found.len());
            for made in found {
                task.limits.check()?;
                candidates.push(Candidate::new(made, is_rating));
            }
            Ok(Some((family, Outcome::Found(candidates))))
        })
    };
    let mut pool = PuzzlePool::new(task, is_rating);
    let first: Vec<VicinityJob> = (0..JOBS).map(|_| pool.job()).collect();
    ordered::run_jobs(task.threads, &task.stop, worker, first, |(family, outcome)| {
        match outcome {
            Outcome::Found(candidates) => {
                for candidate in candidates {
                    let number = pool.tries;
                    pool.tries += 1;
                    page.report.tries = pool.tries;
                    if let Some(made) = pool.add(candidate, family, page) {
                        print(fill, task, page, &made, number, None)?;
                        pool.count_made();
                    }
                    if pool.tries >= tries_max {
                        page.after(pool.tries)?;
                        return ControlFlow::Break(());
                    }
                }
            }
            Outcome::Rated(puzzle, rated) => {
                let (made, number, hardness) = *puzzle;
                let score = match rated {
                    Rated::Wanted(rating) => {
                        let score = rating.as_ref().map_or(0, |rating| rating.score);
                        print(fill, task, page, &made, number, rating)?;
                        pool.count_made();
                        score
                    }
                    Rated::Easy => 0,
                    Rated::Other { score, hardest } => {
                        page.report.add_other_rating(score, hardest);
                        score
                    }
                };
                pool.learn(hardness, score);
            }
        }
        page.after(pool.tries)?;
        ControlFlow::Continue(pool.job())
    })
}

fn draw(
    lanes: &mut Lanes,
    recipe: &Recipe,
    block: u64,
    task: &GenerateTask<'_>,
) -> Result<Vec<Generated>, Limit> {
    let first = block.saturating_mul(DRAWS);
    Ok(generate::run(lanes, recipe, first..first.saturating_add(DRAWS), &task.limits)?.puzzles)
}

fn print(
    fill: &Fill,
    task: &GenerateTask<'_>,
    page: &mut Page<'_>,
    made: &Generated,
    number: u64,
    rating: Option<farandole::explain::Rating>,
) -> ControlFlow<()> {
    let is_json = task.asked.output.json;
    page.print(&Printed {
        number,
        puzzle: write_line(fill, &made.puzzle),
        solution: if is_json { write_line(fill, &made.solution) } else { String::new() },
        clues: made.clues,
        cages: None,
        is_minimal: Some(made.is_minimal),
        weight: None,
        rating,
    })
}

impl Candidate {
    fn new(made: Generated, is_rating: bool) -> Self {
        let canonical = canonical::of_solved(&made.puzzle, &made.solution);
        let form = form_hash(&canonical.puzzle);
        let hardness = if is_rating { hardness(&made.puzzle).unwrap_or_default() } else { 0 };
        Self { made, form, hardness }
    }
}

fn form_hash(puzzle: &[u8; 81]) -> u64 {
    BuildHasherDefault::<DefaultHasher>::default().hash_one(puzzle)
}

/// Known puzzles, and the choice of the next job.
struct PuzzlePool<'t> {
    clues: Option<&'t RangeInclusive<u32>>,
    /// The range of wanted scores.
    scores: Option<RangeInclusive<u32>>,
    is_rating: bool,
    like: Option<[u8; 81]>,
    relatives: Vec<Relative>,
    seen: HashSet<u64>,
    /// Pairs of hardness and score, ascending.
    pairs: Vec<(u32, u32)>,
    family: u64,
    made: u64,
    expansions: u64,
    /// The number of jobs that are still to begin the family, and of all jobs that begin families.
    seeds_left: usize,
    seeds: u64,
    jobs: u64,
    tries: u64,
}

impl<'t> PuzzlePool<'t> {
    fn new(task: &'t GenerateTask<'_>, is_rating: bool) -> Self {
        let like = task.like.and_then(|like| canonical::of_puzzle(&like, 1).ok().flatten());
        Self {
            clues: task.asked.clues.as_ref(),
            scores: wanted_scores(task.asked),
            is_rating,
            like: task.like,
            relatives: Vec::new(),
            seen: like.iter().map(|like| form_hash(&like.puzzle)).collect(),
            pairs: Vec::new(),
            family: 0,
            made: 0,
            expansions: 0,
            seeds_left: FIRST_DRAWS,
            seeds: 0,
            jobs: 0,
            tries: 0,
        }
    }

    /// Adds a puzzle unless an isomorphic one was seen. Returns the puzzle if it is wanted without
    /// a rating.
    fn add(&mut self, candidate: Candidate, family: u64, page: &mut Page<'_>) -> Option<Generated> {
        let Candidate { made, form, hardness } = candidate;
        if family != self.family || !self.seen.insert(form) {
            return None;
        }
        let is_wanted = self.clue_distance(made.clues) == 0;
        if !is_wanted {
            page.report.add_other_clues(made.clues);
        }
        let number = self.tries - 1;
        let wanted = (is_wanted && !self.is_rating).then(|| made.clone());
        self.relatives.push(Relative { made, number, hardness, is_expanded: false, is_rated: false });
        if self.relatives.len() >= POOL_MAX {
            let mut relatives = std::mem::take(&mut self.relatives);
            relatives.sort_by_cached_key(|relative| self.rank(relative));
            relatives.truncate(POOL_MAX / 2);
            self.relatives = relatives;
        }
        if self.seen.len() >= SEEN_MAX {
            self.seen.clear();
            self.begin_family();
        }
        wanted
    }

    fn count_made(&mut self) {
        self.made += 1;
        self.expansions = 0;
        if self.made == FAMILY_MAX && self.like.is_none() {
            self.begin_family();
        }
    }

    fn begin_family(&mut self) {
        self.relatives.clear();
        self.family += 1;
        (self.made, self.expansions, self.seeds_left) = (0, 0, FIRST_DRAWS);
    }

    fn learn(&mut self, hardness: u32, score: u32) {
        if self.pairs.len() == PAIRS_MAX {
            let mut nth = 0;
            self.pairs.retain(|_| {
                nth += 1;
                nth % 2 == 0
            });
        }
        let place = self.pairs.partition_point(|&pair| pair < (hardness, score));
        self.pairs.insert(place, (hardness, score));
    }

    fn clue_distance(&self, clues: u32) -> u32 {
        self.clues.map_or(0, |wanted| distance(wanted, clues))
    }

    /// Returns the expected score of a puzzle; 0 before the first rating.
    fn expected_score(&self, hardness: u32) -> u32 {
        let place = self.pairs.partition_point(|&(known, _)| known < hardness);
        let last = (place + NEAR_PAIRS).min(self.pairs.len());
        let near = &self.pairs[place.saturating_sub(NEAR_PAIRS).min(last)..last];
        let sum: u32 = near.iter().map(|&(_, score)| score).sum();
        sum / near.len().max(1) as u32
    }

    /// Returns the sort key of a puzzle; puzzles with small keys are expanded and rated first.
    fn rank(&self, relative: &Relative) -> (u32, u32, Reverse<u32>, u64) {
        let above = self
            .scores
            .as_ref()
            .map_or(0, |wanted| self.expected_score(relative.hardness).saturating_sub(*wanted.end()));
        let clues = self.clue_distance(relative.made.clues);
        (clues, above, Reverse(relative.hardness), relative.number)
    }

    /// Returns the index of the best puzzle among those that `is_open` selects.
    fn best(&self, is_open: impl Fn(&Relative) -> bool) -> Option<usize> {
        let open = (0..self.relatives.len()).filter(|&at| is_open(&self.relatives[at]));
        open.min_by_key(|&at| self.rank(&self.relatives[at]))
    }

    fn job(&mut self) -> VicinityJob {
        self.jobs += 1;
        let work = self.rating().or_else(|| self.expansion()).unwrap_or_else(|| self.seed());
        VicinityJob { number: self.jobs, family: self.family, work }
    }

    fn rating(&mut self) -> Option<Work> {
        if !self.is_rating || self.seeds_left > 0 {
            return None;
        }
        let is_open =
            |relative: &Relative| !relative.is_rated && self.clue_distance(relative.made.clues) == 0;
        let at = self.best(is_open)?;
        let score = self.expected_score(self.relatives[at].hardness);
        let is_near = |wanted| distance(wanted, score) <= NEAR_TENTHS;
        let is_promising = self.scores.as_ref().is_none_or(is_near);
        // Rate three of four times among promising puzzles, otherwise only now and then, to learn.
        let is_turn =
            if is_promising { !self.jobs.is_multiple_of(4) } else { self.jobs.is_multiple_of(8) };
        if !is_turn {
            return None;
        }
        let relative = &mut self.relatives[at];
        relative.is_rated = true;
        let work = Work::Rate(Box::new((relative.made.clone(), relative.number, relative.hardness)));
        self.drop_if_done(at);
        Some(work)
    }

    fn expansion(&mut self) -> Option<Work> {
        if self.seeds_left > 0 {
            return None;
        }
        if self.expansions >= if self.is_rating { CLIMB_MAX } else { EXPANSIONS_MAX } {
            self.begin_family();
            return None;
        }
        let at = self.best(|relative| !relative.is_expanded)?;
        self.expansions += 1;
        let change = match self.is_rating && self.expansions.is_multiple_of(TWOS) {
            true => Change::TWO,
            false => Change::ONE,
        };
        let relative = &mut self.relatives[at];
        relative.is_expanded = true;
        let work = Work::Expand(relative.made.puzzle, change);
        self.drop_if_done(at);
        Some(work)
    }

    /// Drops a puzzle for which no job is left.
    fn drop_if_done(&mut self, at: usize) {
        let relative = &self.relatives[at];
        if relative.is_expanded && (relative.is_rated || !self.is_rating) {
            self.relatives.swap_remove(at);
        }
    }

    /// Returns a job that finds first puzzles of a family.
    fn seed(&mut self) -> Work {
        self.seeds_left = self.seeds_left.saturating_sub(1);
        self.seeds += 1;
        match self.like {
            Some(puzzle) if self.seeds == 1 => Work::Expand(puzzle, Change::ONE),
            Some(puzzle) => Work::Expand(puzzle, Change::TWO),
            None => Work::Draw(self.seeds - 1),
        }
    }
}
