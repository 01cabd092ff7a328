//! Estimated costs and trial durations in nanoseconds, the basis of this library's choices.
//!
//! `cargo bench --bench costs` measures the costs and prints each under the name of its constant.
//! The values come from one machine (x86-64 with AVX-512, 2.x GHz); races correct their errors
//! (`race.rs`). A work unit of a counting method should also take about a nanosecond.

/// Time per entry to build dancing cells (ns).
pub(crate) const CELLS_ENTRY: f64 = 30.0;
/// Time per node of dancing cells, without hiding (ns).
pub(crate) const CELLS_NODE: f64 = 50.0;
/// Time per node of dancing cells and item beyond `CELLS_NEAR` items (ns): copying more items
/// exceeds the nearest cache.
pub(crate) const CELLS_ITEM: f64 = 0.5;
pub(crate) const CELLS_NEAR: usize = 512;
/// Time to hide an entry of an option in dancing cells (ns).
pub(crate) const CELLS_HIDING: f64 = 1.3;
/// Time per entry to build the engine `counts`, without its bits (ns).
pub(crate) const COUNTS_ENTRY: f64 = 20.0;
/// Time per entry and option to build the bits of the engine `counts` (ns).
pub(crate) const COUNTS_BIT: f64 = 0.0025;
/// Time per node of the engine `counts` (ns), in addition to a nanosecond per block of a set of
/// options.
pub(crate) const COUNTS_NODE: f64 = 30.0;
/// Time per node of clause learning, without hiding (ns).
pub(crate) const LEARN_NODE: f64 = 4000.0;
/// Time to hide options in clause learning, in multiples of dancing links.
pub(crate) const LEARN_HIDING: f64 = 3.0;
/// Time to build the tables of the engine `filter`: per entry, and per entry and block of conflicts
/// (ns).
pub(crate) const FILTER_ENTRY: f64 = 20.0;
pub(crate) const FILTER_BLOCK: f64 = 0.8;
/// Time per node of the fastest engine (ns).
pub(crate) const NODE_MIN: f64 = 12.0;

/// Time per entry to reduce a problem (ns).
pub(crate) const REDUCTION_ENTRY: f64 = 100.0;
/// Time to build a part of a problem and its engine, at least (ns).
pub(crate) const PART: f64 = 10_000.0;

/// Time per entry to start a frontier, to compute canonical forms, or to build the rows of a memo
/// (ns).
pub(crate) const METHOD_ENTRY: f64 = 300.0;
/// Time per state of a frontier (ns).
pub(crate) const FRONTIER_STATE: f64 = 150.0;
/// Time per option to count the matchings of a planar graph (ns).
pub(crate) const MATCHING_OPTION: f64 = 500.0;
/// Time per item to count a symmetric problem (ns).
pub(crate) const SYMMETRY_ITEM: f64 = 20_000.0;
/// Time per sum of 32 terms in a sum over signs, including its part of their product (ns).
pub(crate) const SIGNS_SUM: f64 = 0.75;
/// Time to update a sum in 32 lanes after a sign changes (ns).
pub(crate) const SIGNS_CHANGE: f64 = 1.5;
/// Time to build a node of a decision diagram (ns).
pub(crate) const DIAGRAM_NODE: f64 = 750.0;
/// Time per pair of options to build the rows of a memo (ns).
pub(crate) const MEMO_PAIR: f64 = 1.6;

/// Time per byte for the first use of large tables, whose pages the system then provides (ns).
pub(crate) const FIRST_BYTE: f64 = 0.85;

/// Time per update of the search by prices (ns).
pub(crate) const PRICES_UPDATE: u64 = 28;

// The following durations are chosen, and no bench measures them.

/// First time slice of a counting method (ns). Shorter slices give no usable estimate of a search
/// or a frontier.
pub(crate) const COUNT_SLICE: u64 = 200_000;
/// Longest time slice of a counting method (ns). The limit ensures a progress report every second.
pub(crate) const COUNT_SLICE_MAX: u64 = 1_000_000_000;
/// Time after which a counting method without a prior estimate starts (ns).
pub(crate) const COUNT_UNKNOWN: f64 = 2e6;
/// Time after which each further order of a frontier starts, if its estimate equals the estimate of
/// the first order (ns).
pub(crate) const COUNT_NEXT_ORDER: f64 = 4e6;
/// Minimum time budget of an unrequested check of a count; with less, no check starts (ns).
pub(crate) const COUNT_CHECK_MIN: u64 = 500_000;
/// Work after which a refutation by algebra is unlikely to succeed (ns).
pub(crate) const ALGEBRA_HOPE: u64 = 100_000_000;
/// Time of a memo before its first progress report (ns).
pub(crate) const MEMO_FIRST: u64 = 500_000;
/// Work of a branching rule of a memo after which its forecast counts as reliable (ns).
pub(crate) const MEMO_DOUBT: u64 = 2_000_000;
/// First time slice of a branching rule of a memo (ns).
pub(crate) const MEMO_SLICE: u64 = 250_000;
/// Work of a branching rule of a memo before it is compared with other rules (ns).
pub(crate) const MEMO_TRIAL: u64 = 4_000_000;
/// First time slice of each search in a round of the search for the cheapest covers (work units).
pub(crate) const ROUND_SLICE: u64 = 100_000;
/// Time to resume a subtree that a depth-first search left, without its given options (ns). This
/// time is chosen from race times.
pub(crate) const DEPTH_PART: f64 = 3000.0;
/// First turn of the chosen engine in a dense problem, before clause learning starts (ns).
pub(crate) const TURN_DENSE: u64 = 2_000_000;
/// First turn of the chosen engine in a sparse problem, where clause learning often wins (ns).
pub(crate) const TURN_SPARSE: u64 = 250_000;
/// In a dense problem, turns of clause learning are as long as those of the engine once they reach
/// this length (ns).
pub(crate) const TURN_EVEN: u64 = 16_000_000;
/// Shortest turn of the engine that uses all idle cores (ns).
pub(crate) const TURN_SHARED: u64 = 256_000_000;
/// Shortest turn of clause learning that uses helpers on idle cores (ns).
pub(crate) const TURN_HELPED: u64 = 8_000_000;
/// Work between two checks of the cancel flag and the clock (ns).
pub(crate) const LOOK: u64 = 200_000;
