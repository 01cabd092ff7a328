//! Invented comparisons for tests.

use super::{
    Comparison, Contender, Cost, Machine, MeasureSettings, Mismatch, PuzzleInfo, PuzzleOutcome,
    PuzzleRun,
};

/// Returns named comparisons that cover all special cases of the views.
pub(super) fn all() -> Vec<(&'static str, Comparison)> {
    let mut none_finished = made(3, 4, |_, _| PuzzleOutcome::Limit("time".to_owned()));
    none_finished.contenders[1].runs.truncate(1);
    none_finished.contenders[1].is_complete = false;
    let mut all_refused = made(2, 3, |_, _| PuzzleOutcome::Finished);
    for contender in &mut all_refused.contenders {
        refuse(contender);
    }
    let mut refusals = made(4, 12, |_, _| PuzzleOutcome::Finished);
    refuse(&mut refusals.contenders[3]);
    let mut mismatch = made(2, 3, |_, _| PuzzleOutcome::Finished);
    mismatch.mismatch = Some(Mismatch {
        puzzle: 1,
        contenders: ["contender 0".to_owned(), "contender 1".to_owned()],
        answers: ["2 solutions".to_owned(), "3 solutions".to_owned()],
        smallest: Some("A B | X\nA X:<1>\n".to_owned()),
    });
    let mut same = made(2, 3, |_, _| PuzzleOutcome::Finished);
    same.contenders[1].runs = same.contenders[0].runs.clone();
    let mut zero = made(2, 6, |_, _| PuzzleOutcome::Finished);
    for cost in zero
        .contenders
        .iter_mut()
        .flat_map(|contender| &mut contender.runs)
        .flat_map(|run| &mut run.costs)
    {
        cost.wall = 0.0;
    }
    refusals.contenders[0].runs[3].solutions = "9".repeat(300);
    vec![
        ("nothing", Comparison::default()),
        ("one contender", made(1, 20, |_, _| PuzzleOutcome::Finished)),
        ("one puzzle", made(3, 1, |_, _| PuzzleOutcome::Finished)),
        ("none finished", none_finished),
        ("all refused", all_refused),
        ("refusals", refusals),
        ("mismatch", mismatch),
        ("time-outs", made(9, 30, late)),
        (
            "crashes",
            made(3, 5, |contender, puzzle| match (contender, puzzle) {
                (2, 0) => PuzzleOutcome::Wrong("two queens in a row".to_owned()),
                (1, 2..) => PuzzleOutcome::Failed("exit status 139 <segmentation | fault>".to_owned()),
                _ => PuzzleOutcome::Finished,
            }),
        ),
        ("same trees", same),
        ("no time at all", zero),
        ("strange names", strange_names()),
        ("range", range()),
        ("many puzzles", made(3, 10_000, late)),
    ]
}

pub(super) fn range() -> Comparison {
    let mut comparison = made(4, 9, |contender, puzzle| {
        if puzzle > 9 - contender {
            PuzzleOutcome::Limit("time".to_owned())
        } else {
            PuzzleOutcome::Finished
        }
    });
    for (size, puzzle) in (4..).zip(&mut comparison.puzzles) {
        puzzle.size = Some(size);
        puzzle.kind = "queens".to_owned();
        puzzle.name = format!("queens {size}");
    }
    comparison
}

pub(super) fn strange_names() -> Comparison {
    let mut comparison = made(3, 8, |_, _| PuzzleOutcome::Finished);
    for contender in &mut comparison.contenders {
        contender.name = format!("a<b&\"c\"{}", &contender.name[9..]);
        contender.summary = "sh -c 'solve <in >out | tee `log`' & \u{1b}[1m".to_owned();
    }
    for puzzle in &mut comparison.puzzles {
        puzzle.name = "<script>alert(\"1, 2\")</script>|\n]]>".to_owned();
    }
    comparison.command =
        ["farandole", "compare", "--with", "a<b&\"c\"=x {in}"].map(str::to_owned).to_vec();
    comparison.remarks = vec!["The machine was </p><b>busy</b> & loud.".to_owned()];
    comparison
}

fn late(contender: usize, puzzle: usize) -> PuzzleOutcome {
    let is_late = contender > 0 && (puzzle * 7 + contender).is_multiple_of(10);
    if is_late { PuzzleOutcome::Limit("time".to_owned()) } else { PuzzleOutcome::Finished }
}

fn refuse(contender: &mut Contender) {
    contender.refusal = Some("colors".to_owned());
    contender.runs.clear();
    contender.rounds.clear();
    contender.is_complete = false;
}

/// Returns a comparison where each contender is slower than the one before. `outcome` decides how
/// each contender ends on each puzzle.
fn made(
    contender_count: usize,
    puzzle_count: usize,
    outcome: fn(usize, usize) -> PuzzleOutcome,
) -> Comparison {
    let puzzles = (0..puzzle_count).map(|puzzle| PuzzleInfo {
        name: format!("puzzles.txt:{}", puzzle + 1),
        kind: "sudoku".to_owned(),
        size: None,
        items: 324,
        options: 729,
    });
    let contenders = (0..contender_count).map(|number| {
        let runs: Vec<PuzzleRun> =
            (0..puzzle_count).map(|puzzle| run(number, puzzle, outcome(number, puzzle))).collect();
        let is_finished = runs.iter().all(|run| run.outcome == PuzzleOutcome::Finished);
        let sum: f64 = runs.iter().map(|run| run.costs[0].wall).sum();
        let rounds = [1.0, 1.01, 0.99, 1.02, 0.98].map(|noise| cost(sum * noise));
        Contender {
            name: format!("contender {number}"),
            summary: "an algorithm".to_owned(),
            is_program: number % 2 == 1,
            refusal: None,
            runs,
            is_complete: true,
            rounds: if is_finished { rounds.to_vec() } else { Vec::new() },
        }
    });
    let machine = Machine {
        processor: "Example 9000".to_owned(),
        cores: 4,
        system: "linux x86_64".to_owned(),
        features: vec!["avx2".to_owned()],
    };
    Comparison {
        version: "0.1.0".to_owned(),
        command: ["farandole", "compare", "puzzles.txt"].map(str::to_owned).to_vec(),
        date: "2026-11-21T19:30:00Z".to_owned(),
        machine,
        settings: MeasureSettings {
            time: 10.0,
            each: Some(1.0),
            precision: 0.02,
            ..MeasureSettings::default()
        },
        puzzles: puzzles.collect(),
        contenders: contenders.collect(),
        mismatch: None,
        remarks: Vec::new(),
    }
}

fn run(contender: usize, puzzle: usize, outcome: PuzzleOutcome) -> PuzzleRun {
    let hardness = 1.5_f64.powi((puzzle * 7 % 13) as i32) * 1e-5;
    let wall = if outcome == PuzzleOutcome::Finished { hardness * (contender + 1) as f64 } else { 1.0 };
    PuzzleRun {
        outcome,
        solutions: "1".to_owned(),
        digest: Some("00ff".to_owned()),
        nodes: Some(10 << (puzzle % 13)),
        updates: (contender != 1).then_some(100 << (puzzle % 13)),
        levels: if contender == 2 { Vec::new() } else { vec![1, 2, 8, 5 + contender as u64, 1] },
        costs: vec![cost(wall), cost(wall * 1.01), cost(wall * 1.02)],
    }
}

fn cost(wall: f64) -> Cost {
    Cost { wall, cpu: Some(wall * 0.98), instructions: None, cycles: None, memory: Some(3 << 20) }
}
