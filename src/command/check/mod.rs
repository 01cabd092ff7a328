//! The command `check` reports whether each puzzle is valid, how many solutions it has, and whether
//! all its clues are needed. With `--quick` it makes no search.

mod candidates;
mod clues;
mod listed;
mod order;
mod same;
mod solutions;
mod why;

use std::io::{self, Write};

use dlx::{Limit, Limits};
use serde_json::{Value, json};

use self::clues::ClueId;
use self::order::Consistency;
use self::solutions::{Clues, Examiner, SolutionsFound};
use crate::io::args::pictures::PictureArgs;
use crate::io::args::{CheckArgs, InputArgs, OutputArgs, ProofFile, PuzzleLimits};
use crate::io::exit::Exit;
use crate::io::gallery::{Gallery, PictureMaker, undrawn};
use crate::io::notices::{About, NoticeCounts};
use crate::io::single::only_job;
use crate::io::source::{NumberedPuzzle, Puzzles};
use crate::io::{interrupt, memory, output, paint};
use crate::proof;
use puzzle::{Puzzle, cover};

/// Maximum number of clues named in a line; JSON names all.
const CLUES_SHOWN: usize = 20;

/// Hint for texts of exact covers that cannot be read.
const SOLUTIONS: &str = "if these are solutions, `check --solution FILE PROBLEM` reads them\n";

struct Finding {
    order: Consistency,
    /// The result of the search, or `None` if no search was requested or the check of the clues
    /// made it unnecessary.
    solutions: Option<SolutionsFound>,
}

pub(super) fn run(
    input: &InputArgs,
    asked: &CheckArgs,
    form: &OutputArgs,
    pictures: &PictureArgs,
) -> Exit {
    if pictures.is_wanted() && !asked.why && !asked.candidates {
        say!("pictures are drawn with --why or --candidates");
        return Exit::BadInput;
    }
    if let Some(file) = &asked.proof {
        return prove(input, asked, file, form);
    }
    if let Some(name) = &asked.solution {
        return listed::run(input, name, form);
    }
    if asked.same {
        return same::run(input, form.json);
    }
    if asked.candidates {
        return candidates::run(input, asked, form, pictures);
    }
    let mut gallery = match Gallery::open(pictures, form.json) {
        Ok(gallery) => gallery,
        Err(exit) => return exit,
    };
    let maker = PictureMaker::new(pictures);
    let limits = Limits::new().cancel(interrupt::flag());
    let limits = memory::guard(limits, None);
    let mut stdout = io::BufWriter::new(output::stdout());
    let mut examiner = (!asked.quick).then(|| Examiner::new(asked.nodes(), asked.time));
    let mut ends = Vec::new();
    let mut jobs =
        Puzzles::new(input, PuzzleLimits::within(asked.time)).quiet(form.quiet).without_puzzle_notes();
    let mut notices = NoticeCounts::default();
    let is_colored = asked.why && paint::use_color(asked.color, &io::stdout());
    while let Some(job) = jobs.next_or_end() {
        let number = job.number;
        let line = match job.puzzle {
            Ok(puzzle) => {
                let mut finding = check(puzzle.as_ref(), examiner.as_mut());
                // Represent clues as options, so that they can be named.
                let open = match asked.why || finding.has_spare_clues() {
                    true => puzzle.with_open_clues(&why::limits(asked)),
                    false => Ok(None),
                };
                let why = match open {
                    Ok(_) if !asked.why => None,
                    Ok(ref open) => {
                        let puzzle = open.as_deref().unwrap_or(puzzle.as_ref());
                        Some(why::ask(puzzle, &finding, asked))
                    }
                    Err(limit) => {
                        finding.drop_clues(limit);
                        asked.why.then_some(why::Why::Said)
                    }
                };
                let puzzle = open.ok().flatten().unwrap_or(puzzle);
                // Do not report a puzzle that an interrupt left unfinished.
                if interrupt::happened() {
                    break;
                }
                ends.push(finding.exit());
                if let (Some(maker), Some(why)) = (maker, &why) {
                    let caption = job.origin.caption(job.kind);
                    let (words, clash) =
                        (finding.words(puzzle.as_ref()), why.clash_words(puzzle.as_ref()));
                    let clash = clash.map_or(String::new(), |clash| format!("; {clash}"));
                    let words = format!("{caption}: {words}{clash}");
                    let compose = || {
                        let mut picture = why.picture(puzzle.as_ref(), &finding)?;
                        picture.caption(words);
                        Some(picture)
                    };
                    let drawn = match maker.make(compose, caption, &limits) {
                        Ok(Some(drawn)) => drawn,
                        Ok(None) => {
                            let message = format!(
                                "puzzle {number}: {} has no picture, or is too large",
                                job.kind
                            );
                            notices.print(About::Unfit, &message);
                            ends.push(Exit::BadInput);
                            continue;
                        }
                        Err(Limit::Cancelled) => break,
                        Err(limit) => {
                            notices.print(About::Cut, &undrawn(number, limit));
                            ends.push(Exit::Limited);
                            continue;
                        }
                    };
                    if let Err(exit) = gallery.add(&drawn) {
                        return exit;
                    }
                }
                let line = match (form.json, why) {
                    (true, why) => {
                        let mut object = finding.json(job.kind, puzzle.as_ref());
                        if let Some(why) = why {
                            object["why"] = why.json(puzzle.as_ref());
                        }
                        job.origin.object(number, object).to_string()
                    }
                    (false, None) => finding.words(puzzle.as_ref()),
                    (false, Some(why)) => {
                        let mut text = finding.words(puzzle.as_ref());
                        why.write(puzzle.as_ref(), is_colored, &mut text);
                        text.trim_end().to_owned()
                    }
                };
                // A note on contradictory clues quotes a clue, which the answer also names.
                let is_told =
                    |note: &str| note.split('`').nth(1).is_some_and(|clue| line.contains(clue));
                if let Some(note) = puzzle.note().filter(|&note| !is_told(note)) {
                    jobs.add_note(number, note);
                }
                line
            }
            Err(fault) => {
                if interrupt::happened() {
                    break;
                }
                ends.push(if fault.limit().is_some() { Exit::Limited } else { Exit::BadInput });
                // The first of several listed covers may look like the items of a problem.
                let may_be_cover = ["", cover::NAME].contains(&job.kind) && fault.has_position();
                let hint = if may_be_cover { SOLUTIONS } else { "" };
                notices.print(About::Unread, &format!("{fault}{hint}"));
                match form.json {
                    true => {
                        let error = json!({ "error": fault.to_string().trim_end() });
                        job.origin.object(number, error).to_string()
                    }
                    false => "error".to_owned(),
                }
            }
        };
        ends.sort_unstable_by_key(|exit| rank(*exit));
        ends.truncate(1);
        if gallery.takes_stdout() {
            continue;
        }
        let written = writeln!(stdout, "{line}");
        let written = if jobs.is_ready() { written } else { written.and_then(|()| stdout.flush()) };
        if let Err(error) = written {
            return output::lost(&error);
        }
    }
    notices.end();
    if let Err(exit) = gallery.finish() {
        return exit;
    }
    if let Err(error) = stdout.flush() {
        return output::lost(&error);
    }
    if interrupt::happened() { Exit::Interrupted } else { ends.first().copied().unwrap_or(Exit::Done) }
}

/// Checks a single puzzle, and writes a proof that it has no solution or only one.
fn prove(input: &InputArgs, asked: &CheckArgs, file: &ProofFile, form: &OutputArgs) -> Exit {
    let puzzles = Puzzles::new(input, PuzzleLimits::within(asked.time)).quiet(form.quiet);
    let NumberedPuzzle { number, origin, kind, puzzle, .. } = match only_job(puzzles) {
        Ok(job) => job,
        Err(exit) => return exit,
    };
    let Ok(puzzle) = puzzle else { return Exit::BadInput };
    let finding = check(puzzle.as_ref(), Some(&mut Examiner::new(asked.nodes(), asked.time)));
    let limits = memory::guard(Limits::new().cancel(interrupt::flag()), None).within(asked.time);
    let proven = proof::covers::check(puzzle.as_ref(), file, &limits);
    let line = if form.json {
        let mut object = finding.json(kind, puzzle.as_ref());
        if let Ok(proven) = &proven {
            object["proof"] = proven.json();
        }
        origin.object(number, object).to_string()
    } else {
        finding.words(puzzle.as_ref())
    };
    let exit = output::write_all((line + "\n").as_bytes(), finding.exit());
    exit.max(proof::covers::report(proven.map(Some), form.quiet))
}

/// Returns the rank of an exit code. The command ends with the exit code of the smallest rank among
/// its puzzles.
fn rank(exit: Exit) -> usize {
    let ranks = [Exit::Interrupted, Exit::BadInput, Exit::Limited, Exit::Failed, Exit::Done];
    ranks.iter().position(|&other| other == exit).unwrap_or(0)
}

fn check(puzzle: &dyn Puzzle, examiner: Option<&mut Examiner>) -> Finding {
    let order = order::order(puzzle);
    let is_open = order.code == 0 && !order.is_complete;
    let solutions = examiner.filter(|_| is_open).map(|examiner| examiner.examine(puzzle));
    Finding { order, solutions }
}

impl Finding {
    fn exit(&self) -> Exit {
        match &self.solutions {
            _ if self.order.code != 0 => Exit::Failed,
            Some(SolutionsFound { count: 0, cut: None, .. }) => Exit::Failed,
            Some(SolutionsFound { count: 0 | 1, cut: Some(_), .. })
            | Some(SolutionsFound { clues: Some(Clues { cut: Some(_), .. }), .. }) => Exit::Limited,
            _ => Exit::Done,
        }
    }

    /// Drops the spare clues, which cannot be named because of a limit.
    fn drop_clues(&mut self, limit: Limit) {
        if let Some(solutions) = &mut self.solutions {
            solutions.unmet.clear();
            solutions.clues = Some(Clues { spare: Vec::new(), cut: Some(limit) });
        }
    }

    fn has_spare_clues(&self) -> bool {
        let clues = self.solutions.as_ref().and_then(|solutions| solutions.clues.as_ref());
        clues.is_some_and(|clues| !clues.spare.is_empty())
    }

    fn words(&self, puzzle: &dyn Puzzle) -> String {
        let Self { order, solutions } = self;
        let mut line = order.message.clone();
        let Some(SolutionsFound { count, cut, unmet, clues: known }) = solutions else { return line };
        if (*count, *cut) == (0, None) {
            let more = line.strip_prefix("valid, ").map_or(String::new(), |more| format!("; {more}"));
            let names: Vec<String> =
                unmet.iter().take(CLUES_SHOWN).map(|&clue| clues::name(puzzle, clue)).collect();
            let alone = match names.len() {
                0 => String::new(),
                1 => format!("; this clue alone leaves none: {}", names[0]),
                _ => format!("; each of these clues alone leaves none: {}", names.join(", ")),
            };
            return format!("no clash, but no solution{more}{alone}");
        }
        line.push_str(": ");
        match (count, cut) {
            (1, None) => line.push_str("one solution"),
            (_, None) => push!(line, "{count} solutions"),
            (0, Some(limit)) => push!(line, "not known whether there is a solution ({})", name(*limit)),
            (1, Some(limit)) => {
                push!(line, "at least 1 solution, not known whether there are more ({})", name(*limit));
            }
            (_, Some(_)) => push!(line, "at least {count} solutions"),
        }
        let Some(known) = known else { return line };
        let named = |&clue: &ClueId| match cell_of(puzzle, clue) {
            Some((row, column)) => format!("r{row}c{column}"),
            None => clues::name(puzzle, clue),
        };
        let names: Vec<String> = known.spare.iter().take(CLUES_SHOWN).map(named).collect();
        let are_cells = known.spare.iter().all(|&clue| cell_of(puzzle, clue).is_some());
        let names = names.join(if are_cells { " " } else { ", " });
        let more = match known.spare.len().saturating_sub(CLUES_SHOWN) {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        match (known.spare.len(), known.cut) {
            (0, None) => line.push_str(", minimal"),
            (0, Some(_)) => {}
            (1, _) => push!(line, ", not minimal: the clue {names} can be left out"),
            (_, _) => push!(line, ", not minimal: each of these clues can be left out: {names}{more}"),
        }
        if let Some(limit) = known.cut {
            push!(line, "; not known of all clues whether they can be left out ({})", name(limit));
        }
        line
    }

    /// Returns the result as a JSON object, without the origin of the puzzle.
    fn json(&self, kind: &str, puzzle: &dyn Puzzle) -> Value {
        let Consistency { code, is_complete, message: _, cells } = &self.order;
        let (mut count, mut is_exact, mut known_clues) = (None, None, None);
        match &self.solutions {
            Some(solutions) => {
                count = Some(solutions.count);
                is_exact = Some(solutions.cut.is_none());
                known_clues = solutions.clues.as_ref();
            }
            // A solution has no other solution, and an invalid puzzle has no solution.
            None if *code != 0 => (count, is_exact) = (Some(0), Some(true)),
            None if *is_complete => (count, is_exact) = (Some(1), Some(true)),
            None => {}
        }
        let known = count.zip(is_exact);
        let is_solvable =
            known.and_then(|(count, is_exact)| (is_exact || count > 0).then_some(count > 0));
        let is_unique =
            known.and_then(|(count, is_exact)| (is_exact || count > 1).then_some(count == 1));
        let spare = known_clues.map(|known| {
            let spare = known.spare.iter().map(|&clue| match cell_of(puzzle, clue) {
                Some(place) => json!(place),
                None => clues::name(puzzle, clue).replace('`', "").into(),
            });
            spare.collect::<Vec<Value>>()
        });
        let is_minimal = known_clues.and_then(|clues| match clues {
            Clues { spare, .. } if !spare.is_empty() => Some(false),
            Clues { cut: None, .. } => Some(true),
            Clues { .. } => None,
        });
        json!({
            "kind": kind,
            "valid": *code == 0,
            "code": code,
            "complete": is_complete,
            "cells": cells,
            "solvable": is_solvable,
            "unique": is_unique,
            "count": count.map(|count| count.to_string()),
            "exact": is_exact,
            "minimal": is_minimal,
            "spare": spare,
            "message": self.words(puzzle),
        })
    }
}

/// Returns the row and column of a clue in a grid, counted from 1.
fn cell_of(puzzle: &dyn Puzzle, clue: ClueId) -> Option<(usize, usize)> {
    let grid = puzzle.as_symbols()?;
    Some(order::place(grid.grid(), grid.placed_by(clue.option()?)?.0))
}

/// Returns the name of the command-line option that sets `limit`.
fn name(limit: Limit) -> &'static str {
    match limit {
        Limit::Nodes => "--nodes",
        Limit::Time => "--time",
        Limit::Cancelled => "interrupted",
        _ => "memory",
    }
}
