//! What things cost, in nanoseconds, and how long something is tried: every such number of this library's choices.
//!
//! `cargo bench --bench costs` measures each cost anew and prints it beside the value that stands here; its lines bear
//! the names of the constants. The values are rounded, and of one machine (x86-64 with AVX-512, 2.x GHz). That is
//! enough: they decide what is tried first and for how long, and a race mends what they get wrong (`race.rs`). A work
//! unit of a counting method is meant to take about a nanosecond, too.

// Costs of engines, of which the choice is made.

/// An entry when dancing cells are built.
pub(crate) const CELLS_ENTRY: f64 = 30.0;
/// A node of dancing cells, apart from what is hidden.
pub(crate) const CELLS_NODE: f64 = 50.0;
/// An item in a node of dancing cells, of those beyond the number behind: what is copied there leaves the nearest cache.
pub(crate) const CELLS_ITEM: f64 = 0.5;
pub(crate) const CELLS_NEAR: usize = 512;
/// An entry of an option that dancing cells hide.
pub(crate) const CELLS_HIDING: f64 = 1.3;
/// An entry when the engine `counts` is built, apart from its row of bits.
pub(crate) const COUNTS_ENTRY: f64 = 20.0;
/// An option in that row.
pub(crate) const COUNTS_BIT: f64 = 0.0025;
/// A node of that engine, apart from a nanosecond for each block of a set.
pub(crate) const COUNTS_NODE: f64 = 30.0;
/// A node of clause learning, apart from what is hidden.
pub(crate) const LEARN_NODE: f64 = 4000.0;
/// What clause learning takes to hide, where dancing links take 1.
pub(crate) const LEARN_HIDING: f64 = 3.0;
/// An entry when the tables of the engine `filter` are made, and a block of conflicts for it.
pub(crate) const FILTER_ENTRY: f64 = 20.0;
pub(crate) const FILTER_BLOCK: f64 = 0.8;
/// The shortest node of any engine.
pub(crate) const NODE_MIN: f64 = 12.0;

// Costs of what is done before a search.

/// An entry when a problem is reduced.
pub(crate) const REDUCTION_ENTRY: f64 = 100.0;
/// A part of a problem, however small, with its engine.
pub(crate) const PART: f64 = 10_000.0;

// Costs of counting methods, as far as they can be told before a method has begun.

/// An entry when a frontier, the forms of a problem or the rows of a memo are begun.
pub(crate) const METHOD_ENTRY: f64 = 300.0;
/// A state of a frontier.
pub(crate) const FRONTIER_STATE: f64 = 150.0;
/// An option of a planar graph, for its whole count.
pub(crate) const MATCHING_OPTION: f64 = 500.0;
/// An item of a symmetric problem, for its whole count.
pub(crate) const SYMMETRY_ITEM: f64 = 20_000.0;
/// A sum of 32 terms of a sum over signs, with its share of their product.
pub(crate) const SIGNS_SUM: f64 = 0.75;
/// A sum in 32 lanes that changes with a sign.
pub(crate) const SIGNS_CHANGE: f64 = 1.5;
/// A node of a diagram, for its whole making.
pub(crate) const DIAGRAM_NODE: f64 = 750.0;
/// A pair of options when the rows of a memo are made.
pub(crate) const MEMO_PAIR: f64 = 1.6;

/// A byte of large tables that are made for the first time, since the system has to give their pages: fitted to first slices of the
/// search that filters.
pub(crate) const FIRST_BYTE: f64 = 0.85;

// Costs of the search for the cheapest covers.

/// An update of the search by prices.
pub(crate) const PRICES_UPDATE: u64 = 28;

// Durations that are chosen, not measured: how long something is tried before something else is. No bench yields them.

/// The first slice of a counting method. Shorter ones say nothing of a search or a frontier.
pub(crate) const COUNT_SLICE: u64 = 200_000;
/// The longest slice of a counting method. So progress is told once a second.
pub(crate) const COUNT_SLICE_MAX: u64 = 1_000_000_000;
/// The time after which a method begins of which nothing can be known before.
pub(crate) const COUNT_UNKNOWN: f64 = 2e6;
/// The time after which each further order of a frontier begins, if it promises as much as the first.
pub(crate) const COUNT_NEXT_ORDER: f64 = 4e6;
/// A check of a count that would have less time than this is left out.
pub(crate) const COUNT_CHECK_MIN: u64 = 500_000;
/// The work of a refutation by algebra after which there is hardly any hope of one.
pub(crate) const ALGEBRA_HOPE: u64 = 100_000_000;
/// The time of a memo after which it is told how far it is.
pub(crate) const MEMO_FIRST: u64 = 500_000;
/// The work of a branching rule of a memo before its forecast is believed.
pub(crate) const MEMO_DOUBT: u64 = 2_000_000;
/// The first slice of a branching rule of a memo, in work.
pub(crate) const MEMO_SLICE: u64 = 250_000;
/// The work of a branching rule of a memo before it is compared with the others.
pub(crate) const MEMO_TRIAL: u64 = 4_000_000;
/// The first slice of each search of a round for the cheapest covers.
pub(crate) const ROUND_SLICE: u64 = 100_000;
/// To go on with a part of a tree that a search in depth left, apart from its given options. Chosen by what races take, so
/// no line of the bench yields it: 13 problems in two orders took 0.805 (geometric mean, of the time before) with 0,
/// 0.771 with this, and 0.773 with 10,000.
pub(crate) const DEPTH_PART: f64 = 3000.0;
/// The first turn of the chosen engine before clause learning in a dense problem.
pub(crate) const TURN_DENSE: u64 = 2_000_000;
/// The first turn of the chosen engine in a sparse problem, in which clause learning often wins.
pub(crate) const TURN_SPARSE: u64 = 250_000;
/// Turns of the engine in a dense problem from this length on are no longer than those of clause learning.
pub(crate) const TURN_EVEN: u64 = 16_000_000;
/// Turns of the engine from this length on are shared by all idle cores.
pub(crate) const TURN_SHARED: u64 = 256_000_000;
/// Turns of clause learning from this length on have helpers on idle cores.
pub(crate) const TURN_HELPED: u64 = 8_000_000;
/// The work between two looks at flag and clock: well under a millisecond.
pub(crate) const LOOK: u64 = 200_000;
