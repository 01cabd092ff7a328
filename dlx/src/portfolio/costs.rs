//! Cost estimates and trial durations in nanoseconds: every constant behind this library's choices.
//!
//! `cargo bench --bench costs` measures each cost and prints it next to the value in this file,
//! under the name of the constant. The values come from one machine (x86-64 with AVX-512, 2.x GHz);
//! a race corrects their errors (`race.rs`). One work unit of a counting method should also take
//! about a nanosecond.

/// Building dancing cells, per entry.
pub(crate) const CELLS_ENTRY: f64 = 30.0;
/// A node of dancing cells, without hiding.
pub(crate) const CELLS_NODE: f64 = 50.0;
/// A node of dancing cells, per item beyond `CELLS_NEAR`: copying those exceeds the nearest cache.
pub(crate) const CELLS_ITEM: f64 = 0.5;
pub(crate) const CELLS_NEAR: usize = 512;
/// Hiding an entry of an option in dancing cells.
pub(crate) const CELLS_HIDING: f64 = 1.3;
/// Building the engine `counts`, per entry, without its row of bits.
pub(crate) const COUNTS_ENTRY: f64 = 20.0;
/// One option in that row.
pub(crate) const COUNTS_BIT: f64 = 0.0025;
/// A node of the engine `counts`, without the nanosecond per block of a set.
pub(crate) const COUNTS_NODE: f64 = 30.0;
/// A node of clause learning, without hiding.
pub(crate) const LEARN_NODE: f64 = 4000.0;
/// Cost of hiding in clause learning, in multiples of dancing links.
pub(crate) const LEARN_HIDING: f64 = 3.0;
/// Building the tables of the engine `filter`, per entry and per block of conflicts.
pub(crate) const FILTER_ENTRY: f64 = 20.0;
pub(crate) const FILTER_BLOCK: f64 = 0.8;
/// The fastest node of any engine.
pub(crate) const NODE_MIN: f64 = 12.0;

/// Reducing a problem, per entry.
pub(crate) const REDUCTION_ENTRY: f64 = 100.0;
/// A part of a problem with its engine, however small.
pub(crate) const PART: f64 = 10_000.0;

/// Starting a frontier, the forms of a problem or the rows of a memo, per entry.
pub(crate) const METHOD_ENTRY: f64 = 300.0;
/// A state of a frontier.
pub(crate) const FRONTIER_STATE: f64 = 150.0;
/// Counting the matchings of a planar graph, per option.
pub(crate) const MATCHING_OPTION: f64 = 500.0;
/// Counting a symmetric problem, per item.
pub(crate) const SYMMETRY_ITEM: f64 = 20_000.0;
/// A sum of 32 terms in a sum over signs, with its share of their product.
pub(crate) const SIGNS_SUM: f64 = 0.75;
/// Updating a sum in 32 lanes after a sign changes.
pub(crate) const SIGNS_CHANGE: f64 = 1.5;
/// Building a node of a diagram.
pub(crate) const DIAGRAM_NODE: f64 = 750.0;
/// Building the rows of a memo, per pair of options.
pub(crate) const MEMO_PAIR: f64 = 1.6;

/// First use of a byte of large tables, when the system provides their pages.
pub(crate) const FIRST_BYTE: f64 = 0.85;

/// An update of the search by prices.
pub(crate) const PRICES_UPDATE: u64 = 28;

// Chosen durations. No bench measures them.

/// First time slice of a counting method; shorter ones give no usable estimate of a search or a
/// frontier.
pub(crate) const COUNT_SLICE: u64 = 200_000;
/// Longest time slice of a counting method, so that progress is reported every second.
pub(crate) const COUNT_SLICE_MAX: u64 = 1_000_000_000;
/// Time after which a method without any prior estimate starts.
pub(crate) const COUNT_UNKNOWN: f64 = 2e6;
/// Time after which each further order of a frontier starts, if its estimate equals the first
/// one's.
pub(crate) const COUNT_NEXT_ORDER: f64 = 4e6;
/// Least remaining time for which the check of a count is still started.
pub(crate) const COUNT_CHECK_MIN: u64 = 500_000;
/// Work after which a refutation by algebra is unlikely to succeed.
pub(crate) const ALGEBRA_HOPE: u64 = 100_000_000;
/// Time of a memo before its first progress report.
pub(crate) const MEMO_FIRST: u64 = 500_000;
/// Work of a branching rule of a memo before its forecast counts as reliable.
pub(crate) const MEMO_DOUBT: u64 = 2_000_000;
/// First time slice of a branching rule of a memo, in work units.
pub(crate) const MEMO_SLICE: u64 = 250_000;
/// Work of a branching rule of a memo before it is compared with others.
pub(crate) const MEMO_TRIAL: u64 = 4_000_000;
/// First time slice of each search in a round for the cheapest covers, in work units.
pub(crate) const ROUND_SLICE: u64 = 100_000;
/// Resuming a part of the tree left by a depth-first search, without its given options. Chosen by
/// race times, so no bench measures it.
pub(crate) const DEPTH_PART: f64 = 3000.0;
/// First turn of the chosen engine before clause learning in a dense problem.
pub(crate) const TURN_DENSE: u64 = 2_000_000;
/// First turn of the chosen engine in a sparse problem, where clause learning often wins.
pub(crate) const TURN_SPARSE: u64 = 250_000;
/// Turn length in a dense problem from which the engine and clause learning get equally long turns.
pub(crate) const TURN_EVEN: u64 = 16_000_000;
/// Shortest turn of the engine that all idle cores share.
pub(crate) const TURN_SHARED: u64 = 256_000_000;
/// Shortest turn of clause learning that uses helpers on idle cores.
pub(crate) const TURN_HELPED: u64 = 8_000_000;
/// Work between two checks of the cancel flag and the clock: well under a millisecond.
pub(crate) const LOOK: u64 = 200_000;
