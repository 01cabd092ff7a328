//! Measures the constants of `dlx/src/portfolio/costs.rs` on this machine and prints them next to
//! their current values: `cargo bench --bench costs`.
//!
//! Each output line has the name of a constant, its current value, and the minimum, the median and
//! the maximum of the measured values (ns). Each measurement is on another problem and is the
//! minimum of five runs.

#[path = "../dlx/src/portfolio/costs.rs"]
mod costs;

use std::hint::black_box;
use std::time::{Duration, Instant};

use dlx::cheapest::{self, Tuning};
use dlx::count::{Counter, METHODS};
use dlx::diagram::Diagram;
use dlx::{ENGINES, Engine, ItemId, Limits, Problem, ProblemBuilder, Random, Solver};

fn main() {
    println!("| cost | stands | least | middle | most | measured on |");
    println!("|---|---:|---:|---:|---:|---|");
    engines();
    before_a_search();
    methods();
    cheapest_covers();
    println!("\nDurations that are chosen, not measured, in nanoseconds:\n");
    for (name, time) in [
        ("COUNT_SLICE", costs::COUNT_SLICE as f64),
        ("COUNT_SLICE_MAX", costs::COUNT_SLICE_MAX as f64),
        ("COUNT_UNKNOWN", costs::COUNT_UNKNOWN),
        ("COUNT_NEXT_ORDER", costs::COUNT_NEXT_ORDER),
        ("COUNT_CHECK_MIN", costs::COUNT_CHECK_MIN as f64),
        ("ALGEBRA_HOPE", costs::ALGEBRA_HOPE as f64),
        ("MEMO_FIRST", costs::MEMO_FIRST as f64),
        ("MEMO_DOUBT", costs::MEMO_DOUBT as f64),
        ("MEMO_SLICE", costs::MEMO_SLICE as f64),
        ("MEMO_TRIAL", costs::MEMO_TRIAL as f64),
        ("ROUND_SLICE", costs::ROUND_SLICE as f64),
        ("DEPTH_PART", costs::DEPTH_PART),
        ("TURN_DENSE", costs::TURN_DENSE as f64),
        ("TURN_SPARSE", costs::TURN_SPARSE as f64),
        ("TURN_EVEN", costs::TURN_EVEN as f64),
        ("TURN_SHARED", costs::TURN_SHARED as f64),
        ("TURN_HELPED", costs::TURN_HELPED as f64),
        ("LOOK", costs::LOOK as f64),
    ] {
        println!("{name} {time:.0}");
    }
}

fn line(name: &str, stands: f64, mut measured: Vec<f64>, on: &str) {
    measured.sort_by(f64::total_cmp);
    let middle = measured[measured.len() / 2];
    let (least, most) = (measured[0], measured[measured.len() - 1]);
    println!("| {name} | {stands:.1} | {least:.1} | {middle:.1} | {most:.1} | {on} |");
}

/// Returns the minimum time of five runs (ns).
fn time<T>(mut run: impl FnMut() -> T) -> f64 {
    let once = |_| {
        let begun = Instant::now();
        black_box(run());
        begun.elapsed()
    };
    (0..5).map(once).min().unwrap_or(Duration::ZERO).as_nanos() as f64
}

fn puzzle(kind: &str, parameter: &str) -> Problem {
    let kind = farandole::kinds::by_name(kind).expect("a kind");
    let make = kind.parameter.expect("it has a parameter").make;
    let puzzle = make(parameter, &mut Default::default(), &Default::default()).expect("it is right");
    (**puzzle.problem()).clone()
}

fn build(name: &str, problem: &Problem) -> Box<dyn Engine> {
    let spec = ENGINES.iter().find(|spec| spec.name == name).expect("an engine");
    (spec.build)(problem).expect("it takes the problem")
}

/// Estimates, per option, the number of other options that it excludes and the cost (ns) of hiding
/// them in dancing links.
fn density(problem: &Problem) -> (f64, f64) {
    let mut counts = vec![0.0; problem.item_count()];
    for entry in problem.options().flat_map(|option| problem.option(option)) {
        counts[entry.item.index()] += 1.0;
    }
    let options = problem.option_count() as f64;
    let exclusions = counts.iter().map(|count| count * count).sum::<f64>() / options;
    (exclusions, exclusions * problem.entry_count() as f64 / options)
}

fn node(name: &str, problem: &Problem) -> f64 {
    let mut engine = build(name, problem);
    let limits = Limits::default().nodes(30_000);
    let nodes = engine.count(&[], &limits).nodes.max(1) as f64;
    time(|| build(name, problem).count(&[], &limits)) / nodes - time(|| build(name, problem)) / nodes
}

/// For each point, fits a line to all other points. Returns the intercepts and the slopes of these
/// lines.
fn fits(points: &[(f64, f64)]) -> (Vec<f64>, Vec<f64>) {
    let fit = |left_out: usize| {
        let kept =
            || points.iter().enumerate().filter(|&(place, _)| place != left_out).map(|(_, p)| *p);
        let mean = |of: fn((f64, f64)) -> f64| kept().map(of).sum::<f64>() / (points.len() - 1) as f64;
        let (x, y) = (mean(|p| p.0), mean(|p| p.1));
        let slope = kept().map(|p| (p.0 - x) * (p.1 - y)).sum::<f64>()
            / kept().map(|p| (p.0 - x).powi(2)).sum::<f64>();
        (y - slope * x, slope)
    };
    (0..points.len()).map(fit).unzip()
}

/// Returns a random problem whose options each cover two or three nearby items. Some items may be
/// covered several times.
fn bounded(items: usize, options: usize) -> Problem {
    let mut random = Random::new(1);
    let mut builder = ProblemBuilder::new();
    let name = |item: usize| item.to_string();
    let items: Vec<ItemId> =
        (0..items).map(|item| builder.bounded(&name(item), 1, 2).expect("a new name")).collect();
    for _ in 0..options {
        let at = random.next_u64() as usize % (items.len() - 3);
        let size = 2 + random.next_u64() as usize % 2;
        builder.option(items[at..at + size].iter().copied()).expect("different items");
    }
    builder.build()
}

fn engines() {
    let sparse = || ["9", "10", "12"].map(|order| puzzle("latin", order));
    let entries = |problem: &Problem| problem.entry_count() as f64;
    let setup = |p: &Problem| time(|| build("cells", p)) / entries(p);
    line("CELLS_ENTRY", costs::CELLS_ENTRY, sparse().iter().map(setup).collect(), "latin 9, 10, 12");
    // On these strips an option hides few others, so the cost of the node itself dominates.
    let strips = ["2x24", "3x14", "4x10"].map(|size| puzzle("polyomino", &format!("dominoes:{size}")));
    let apart = |p: &Problem| node("cells", p) - density(p).1;
    let nodes = strips.iter().map(apart).collect();
    line("CELLS_NODE", costs::CELLS_NODE, nodes, "dominoes 2x24, 3x14, 4x10");
    let wide = ["40x40", "5x600", "90x90"].map(|size| puzzle("polyomino", &format!("dominoes:{size}")));
    let item = |p: &Problem| {
        let far = p.item_count() - costs::CELLS_NEAR;
        (node("cells", p) - density(p).1 - costs::CELLS_NODE) / far as f64
    };
    let items = wide.iter().map(item).collect();
    line("CELLS_ITEM", costs::CELLS_ITEM, items, "dominoes 40x40, 5x600, 90x90");
    // Each item has few options, so the bit sets of the items cost little compared with the
    // entries.
    let thin = [(200, 300), (400, 600), (800, 1200)].map(|(items, options)| bounded(items, options));
    let setup = |p: &Problem| {
        time(|| build("counts", p)) / entries(p) - costs::COUNTS_BIT * p.option_count() as f64
    };
    line(
        "COUNTS_ENTRY",
        costs::COUNTS_ENTRY,
        thin.iter().map(setup).collect(),
        "random bounds, sparse",
    );
    // Each option covers many items, so the rows dominate the cost.
    let dense = [2000, 3000, 4000].map(|options| {
        let mut random = Random::new(3);
        let option = |_| (0..60).filter(|_| random.next_u64().is_multiple_of(3)).collect::<Vec<u32>>();
        Problem::from_sets(60, (0..options).map(option)).expect("sets of items")
    });
    let hiding = |p: &Problem| {
        let limits = Limits::default().nodes(10);
        let updates = build("cells", p).count(&[], &limits).updates as f64;
        let time = time(|| build("cells", p).count(&[], &limits)) - time(|| build("cells", p));
        time * p.option_count() as f64 / (updates * entries(p))
    };
    line(
        "CELLS_HIDING",
        costs::CELLS_HIDING,
        dense.iter().map(hiding).collect(),
        "60 items, 2000 to 4000 options",
    );
    let bit = |p: &Problem| {
        (time(|| build("counts", p)) / entries(p) - costs::COUNTS_ENTRY) / p.option_count() as f64
    };
    line(
        "COUNTS_BIT",
        costs::COUNTS_BIT,
        dense.iter().map(bit).collect(),
        "60 items, 2000 to 4000 options",
    );
    let small = [(20, 80), (25, 150), (30, 300)].map(|(items, options)| bounded(items, options));
    let nodes = small.iter().map(|p| node("counts", p)).collect();
    line("COUNTS_NODE", costs::COUNTS_NODE, nodes, "random bounds, all blocks of the sets included");
    let learn: Vec<_> = ["queens 12", "queens 20", "langford 15", "latin 12", "queens 30", "queens 40"]
        .into_iter()
        .map(|name| {
            let (kind, parameter) = name.split_once(' ').expect("two words");
            let problem = puzzle(kind, parameter);
            (density(&problem).1, node("learn", &problem))
        })
        .collect();
    let (apart, hiding) = fits(&learn);
    line(
        "LEARN_NODE",
        costs::LEARN_NODE,
        apart,
        "queens 12 to 40, langford 15, latin 12, a line fitted",
    );
    line("LEARN_HIDING", costs::LEARN_HIDING, hiding, "the same");
    let tables =
        |p: &Problem| time(|| build("filter", p).count(&[], &Limits::default().nodes(0))) / entries(p);
    let blocks = |p: &Problem| p.option_count().div_ceil(512) as f64;
    let few = ["8", "10", "12"].map(|size| puzzle("queens", size));
    let few = few.iter().map(|p| tables(p) - costs::FILTER_BLOCK * blocks(p)).collect();
    line("FILTER_ENTRY", costs::FILTER_ENTRY, few, "queens 8, 10, 12");
    let many = ["14", "16", "18"].map(|order| puzzle("latin", order));
    let many = many.iter().map(|p| (tables(p) - costs::FILTER_ENTRY) / blocks(p)).collect();
    line("FILTER_BLOCK", costs::FILTER_BLOCK, many, "latin 14, 16, 18");
    // The tables are so large that the operating system maps new pages each time.
    let bytes = [40, 60, 80].map(|mebibytes| mebibytes << 20);
    let touched = bytes.map(|bytes: usize| time(|| vec![1_u8; bytes]) / bytes as f64);
    line("FIRST_BYTE", costs::FIRST_BYTE, touched.to_vec(), "tables of 40, 60 and 80 MiB");
    let small = [puzzle("queens", "8"), puzzle("langford", "8"), puzzle("polyomino", "dominoes:4x6")];
    let nodes = small.iter().map(|p| node("masks", p)).collect();
    line("NODE_MIN", costs::NODE_MIN, nodes, "masks on queens 8, langford 8, dominoes 4x6");
}

fn before_a_search() {
    let none = Limits::default().nodes(0);
    let problems = [puzzle("queens", "20"), puzzle("latin", "12"), puzzle("polyomino", "6x10")];
    let entry = |problem: &Problem| {
        let all = time(|| Solver::new(problem.clone()).at_once().count(&[], &none));
        let engine = time(|| build(dlx::choose(problem).0.name, problem));
        (all - engine) / problem.entry_count() as f64
    };
    let entries = problems.iter().map(entry).collect();
    line("REDUCTION_ENTRY", costs::REDUCTION_ENTRY, entries, "queens 20, latin 12, pentominoes 6x10");
    let parts = [100, 1000, 3000].map(|count: u32| {
        let sets = (0..count).flat_map(|part| {
            let [a, b, c] = [0, 1, 2].map(|item| 3 * part + item);
            [vec![a, b], vec![b, c], vec![a, c], vec![a], vec![b], vec![c]]
        });
        let problem = Problem::from_sets(3 * count as usize, sets).expect("sets of items");
        let all = time(|| Solver::new(problem.clone()).at_once().count(&[], &none));
        (all - costs::REDUCTION_ENTRY * problem.entry_count() as f64) / f64::from(count)
    });
    line("PART", costs::PART, parts.to_vec(), "100, 1000 and 3000 triangles");
}

fn count(name: &str, problem: &Problem) -> (f64, f64) {
    let method = METHODS.iter().find(|method| method.name == name).expect("a method");
    let run = || Counter::new(problem.clone()).by(method).count(&[], &Limits::default());
    (time(run), run().nodes.max(1) as f64)
}

fn methods() {
    let chains = [300, 1000, 3000].map(|length: u32| {
        let pairs = (0..length - 1).map(|item| vec![item, item + 1]);
        let sets = pairs.chain((0..length).map(|item| vec![item]));
        Problem::from_sets(length as usize, sets).expect("sets of items")
    });
    let entry = |problem: &Problem| {
        let (time, states) = count("frontier", problem);
        (time - states * costs::FRONTIER_STATE) / problem.entry_count() as f64
    };
    line(
        "METHOD_ENTRY",
        costs::METHOD_ENTRY,
        chains.iter().map(entry).collect(),
        "frontiers of chains",
    );
    let problems =
        [puzzle("langford", "11"), puzzle("queens", "10"), puzzle("polyomino", "tetrominoes:6x8")];
    let state = |problem: &Problem| {
        let (time, states) = count("frontier", problem);
        time / states
    };
    let states = problems.iter().map(state).collect();
    line("FRONTIER_STATE", costs::FRONTIER_STATE, states, "langford 11, queens 10, tetrominoes 6x8");
    let node = |problem: &Problem| {
        let build = || Diagram::new(problem, &[], &Limits::new(), 1 << 30).expect("it fits");
        let nodes = build().node_count() as f64;
        time(build) / nodes
    };
    let nodes = problems.iter().map(node).collect();
    line("DIAGRAM_NODE", costs::DIAGRAM_NODE, nodes, "langford 11, queens 10, tetrominoes 6x8");
    let boards = ["8x8", "12x12", "16x16"].map(|size| puzzle("polyomino", &format!("dominoes:{size}")));
    let option = |problem: &Problem| count("matching", problem).0 / problem.option_count() as f64;
    let options = boards.iter().map(option).collect();
    line("MATCHING_OPTION", costs::MATCHING_OPTION, options, "dominoes 8x8, 12x12, 16x16");
    let alike = [puzzle("latin", "5"), puzzle("latin", "6"), puzzle("sudoku", "2x2")];
    let item = |problem: &Problem| count("symmetry", problem).0 / problem.item_count() as f64;
    let items = alike.iter().map(item).collect();
    line("SYMMETRY_ITEM", costs::SYMMETRY_ITEM, items, "latin 5, 6, sudoku 2x2");
    // A step of this method has 32 lanes and changes few sums; it enumerates all points except two.
    // A problem with sums of two words, such as 15 pairs, costs as much as one with a few more
    // pairs.
    let sums = [("11", 5), ("12", 5), ("15", 9)].map(|(parameter, more)| {
        let pairs: i32 = parameter.parse().expect("a number");
        count("signs", &puzzle("langford", parameter)).0
            / (f64::from(pairs + more) * f64::from(2 * pairs - 7).exp2())
    });
    line("SIGNS_SUM", costs::SIGNS_SUM, sums.to_vec(), "langford 11, 12, 15");
    let changes = count("signs", &puzzle("polyomino", "soma")).0 / f64::from(241 << 18);
    line("SIGNS_CHANGE", costs::SIGNS_CHANGE, vec![changes], "soma");
    let pairs = [100_usize, 200, 400].map(|options| {
        let mut builder = ProblemBuilder::new();
        let [a, b] = ["a", "b"].map(|name| builder.primary(name).expect("a new name"));
        for option in 0..options {
            let other = builder.secondary(&option.to_string()).expect("a new name");
            builder.option([a, other]).expect("two items");
            builder.option([b, other]).expect("two items");
        }
        let problem = builder.build();
        count("memo", &problem).0 / (problem.option_count() as f64).powi(2)
    });
    line("MEMO_PAIR", costs::MEMO_PAIR, pairs.to_vec(), "200 to 800 options, search included");
}

fn cheapest_covers() {
    let update = |(kind, parameter): (&str, &str)| {
        let whole = puzzle(kind, parameter);
        let mut random = Random::new(2);
        let mut builder = ProblemBuilder::new();
        for item in whole.items() {
            let name = item.index().to_string();
            let item =
                if whole.is_primary(item) { builder.primary(&name) } else { builder.secondary(&name) };
            item.expect("a new name");
        }
        for option in whole.options() {
            let items = whole.option(option).iter().map(|entry| entry.item);
            builder.option_with_cost(items, random.next_u64() % 100).expect("different items");
        }
        let problem = builder.build();
        let tuning =
            Tuning { has_masks: false, has_linear: false, has_layers: false, ..Tuning::default() };
        let limits = Limits::default().nodes(20_000);
        let run = || cheapest::search_with(tuning, &problem, &[], 1, &limits).report.updates;
        time(run) / run() as f64
    };
    let problems = [("polyomino", "3x20"), ("queens", "12"), ("latin", "6")];
    let updates = problems.into_iter().map(update).collect();
    line("PRICES_UPDATE", costs::PRICES_UPDATE as f64, updates, "pentominoes 3x20, queens 12, latin 6");
}
