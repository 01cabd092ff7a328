//! A worker thread of the commands `explain`, `hint` and `rate`.

use dlx::explain::{Branch, ExplanationEnd, Reason};
use dlx::{Limit, Limits};
use serde_json::{Map, Value, json};

use super::StepQuestion;
use super::score::{score, shown};
use crate::io::args::ExplainArgs;
use crate::io::batch::{Gone, Sink};
use crate::io::exit::{self, Exit};
use crate::io::gallery::{DrawnPicture, PictureMaker};
use crate::io::notices::About;
use crate::io::source::NumberedPuzzle;
use crate::io::{interrupt, memory};
use farandole::explain::{Explanation, Guide, Step, StepWords};
use puzzle::Puzzle;
use techniques::{Cells, Chain, Group, Net, Node, Part, Words};
use text::TextLimit;

/// Minimum size (bytes) of an output block that is sent before its chunk of puzzles is finished.
const BLOCK_SIZE: usize = 1 << 16;
/// Minimum total size (bytes) of pictures that are sent before their puzzle is finished.
const PICTURES_SIZE: usize = 1 << 22;
/// Maximum length of a step without `--full` (lines): what a reader can take in at a glance.
const STEP_LINES: usize = 12;

#[derive(Debug)]
pub(super) struct ExplainBlock {
    pub(super) out: String,
    pub(super) pictures: Vec<DrawnPicture>,
    pub(super) notices: Vec<(About, String)>,
    pub(super) exit: Exit,
}

impl Default for ExplainBlock {
    fn default() -> Self {
        Self { out: String::new(), pictures: Vec::new(), notices: Vec::new(), exit: Exit::Done }
    }
}

pub(super) struct ExplainWorker {
    asked: ExplainArgs,
    is_full: bool,
    question: StepQuestion,
    maker: Option<PictureMaker>,
    limits: Limits,
    guide: Guide,
    block: ExplainBlock,
}

impl ExplainWorker {
    pub(super) fn new(
        asked: &ExplainArgs,
        is_full: bool,
        question: StepQuestion,
        maker: Option<PictureMaker>,
        limits: Limits,
    ) -> Self {
        let guide = match question {
            StepQuestion::Rate => Guide::rating(),
            StepQuestion::Hint(technique) => Guide::new().technique(technique),
            StepQuestion::Explain => Guide::new(),
        };
        let guide = guide.nodes(asked.nodes).uniqueness(asked.uniqueness);
        let block = ExplainBlock::default();
        Self { asked: asked.clone(), is_full, question, maker, limits, guide, block }
    }

    pub(super) fn work(
        &mut self,
        chunk: Vec<NumberedPuzzle>,
        sink: &mut Sink<'_, ExplainBlock>,
    ) -> Result<(), Gone> {
        for job in chunk {
            self.answer(job, sink)?;
            if self.block.out.len() >= BLOCK_SIZE {
                sink(std::mem::take(&mut self.block))?;
            }
        }
        sink(std::mem::take(&mut self.block))
    }

    fn answer(&mut self, job: NumberedPuzzle, sink: &mut Sink<'_, ExplainBlock>) -> Result<(), Gone> {
        let NumberedPuzzle { number, origin, kind, puzzle, .. } = job;
        let puzzle = match puzzle {
            Ok(puzzle) => puzzle,
            Err(fault) if fault.limit() == Some(TextLimit::Interrupt) => return Ok(()),
            Err(fault) => {
                let message = fault.to_string();
                let ended = if fault.limit().is_some() { Exit::Limited } else { Exit::BadInput };
                self.end(ended);
                match self.asked.output.json {
                    true => {
                        let error = json!({ "error": message.trim_end() });
                        pushln!(self.block.out, "{}", origin.object(number, error));
                    }
                    false => self.block.out.push_str("error\n"),
                }
                self.block.notices.push((About::Unread, message));
                return Ok(());
            }
        };
        memory::recover();
        let limits = self.limits.clone().within(self.asked.time);
        let mut told = self.guide.begin(puzzle.as_ref());
        let is_json = self.asked.output.json;
        let lines = if self.is_full { usize::MAX } else { STEP_LINES };
        let mut text = String::new();
        let caption = origin.caption(kind);
        let mut drawing = StepDrawing {
            maker: self.maker,
            caption,
            block: &mut self.block,
            limits: limits.clone(),
            is_undrawn: false,
            cut: None,
        };
        let object = match self.question {
            StepQuestion::Explain => {
                let mut draw = |told: &Explanation<'_>, step: &Step, words: &str| {
                    drawing.draw(told, step, words);
                    drawing.send(sink)
                };
                explain(&mut told, puzzle.as_ref(), (lines, is_json), &limits, &mut text, &mut draw)?
            }
            StepQuestion::Hint(_) => {
                let mut draw =
                    |told: &Explanation<'_>, step: &Step, words: &str| drawing.draw(told, step, words);
                hint(&mut told, puzzle.as_ref(), lines, &limits, &mut text, &mut draw)
            }
            StepQuestion::Rate => rate(&mut told, &limits, &mut text),
        };
        let StepDrawing { is_undrawn, cut, .. } = drawing;
        let ended = match (cut, told.end()) {
            (None, Some(ExplanationEnd::Impossible(_) | ExplanationEnd::Clash(_))) => Exit::Failed,
            (Some(limit), _) | (None, Some(&ExplanationEnd::Cut(limit))) => {
                if !self.asked.output.quiet {
                    let limit = if limit == Limit::Nodes { "node" } else { exit::name_of(limit) };
                    let notice = format!("puzzle {number}: {limit} limit reached");
                    self.block.notices.push((About::Cut, notice));
                }
                Exit::Limited
            }
            _ => Exit::Done,
        };
        // Do not report a puzzle that an interrupt left unfinished.
        if interrupt::happened() {
            return Ok(());
        }
        if is_undrawn {
            let notice = format!("puzzle {number}: {kind} has no picture, or is too large");
            self.block.notices.push((About::Unfit, notice));
            self.end(Exit::BadInput);
        }
        self.end(ended);
        if is_json {
            let mut all = Map::new();
            all.insert("kind".to_owned(), kind.into());
            all.extend(object);
            pushln!(self.block.out, "{}", origin.object(number, Value::Object(all)));
        } else {
            self.block.out.push_str(&text);
        }
        Ok(())
    }

    fn end(&mut self, ended: Exit) {
        self.block.exit = self.block.exit.max(ended);
    }
}

struct StepDrawing<'b> {
    maker: Option<PictureMaker>,
    caption: String,
    block: &'b mut ExplainBlock,
    limits: Limits,
    /// Whether some step has no picture, and the limit reached while drawing.
    is_undrawn: bool,
    cut: Option<Limit>,
}

impl StepDrawing<'_> {
    /// Draws a step with its text, if the user asked for pictures.
    fn draw(&mut self, told: &Explanation<'_>, step: &Step, words: &str) {
        let Some(maker) = self.maker.filter(|_| self.cut.is_none()) else { return };
        let caption = format!("{}, step {}", self.caption, told.count() + 1);
        match maker.make(|| told.picture(step, words.trim_end()), caption, &self.limits) {
            Ok(Some(drawn)) => self.block.pictures.push(drawn),
            Ok(None) => self.is_undrawn = true,
            Err(limit) => self.cut = Some(limit),
        }
    }

    fn send(&mut self, sink: &mut Sink<'_, ExplainBlock>) -> Result<(), Gone> {
        let size = self.block.pictures.iter().map(DrawnPicture::len).sum::<usize>();
        if size < PICTURES_SIZE { Ok(()) } else { sink(std::mem::take(self.block)) }
    }
}

/// A callback that receives each step and its text before the step is applied.
type Draw<'d, T> = dyn FnMut(&Explanation<'_>, &Step, &str) -> T + 'd;

fn explain(
    told: &mut Explanation<'_>,
    puzzle: &dyn Puzzle,
    (lines, is_json): (usize, bool),
    limits: &Limits,
    text: &mut String,
    draw: &mut Draw<'_, Result<(), Gone>>,
) -> Result<Map<String, Value>, Gone> {
    let mut steps = Vec::new();
    let mut hardest: Option<(u32, String)> = None;
    while let Some(step) = told.next(limits) {
        let name = told.name(&step);
        if hardest.as_ref().is_none_or(|(score, _)| step.score() > *score) {
            hardest = Some((step.score(), name.clone()));
        }
        let number = told.count() + 1;
        if is_json {
            steps.push(object(&told.words(), number, &name, &step));
        }
        let begin = text.len();
        told.words().write_short(&head(number, &name, &step), &step, lines, text);
        draw(told, &step, &text[begin..])?;
        if is_json {
            text.truncate(begin);
        }
        told.take(&step);
    }
    let end = told.end().expect("there is no step any more");
    let count = told.count();
    if !text.is_empty() || count == 0 {
        let plural = if count == 1 { "" } else { "s" };
        let hardest =
            hardest.as_ref().map(|(score, name)| format!(", the hardest: {name} ({})", shown(*score)));
        let hardest = hardest.unwrap_or_default();
        pushln!(text, "{} after {count} step{plural}{hardest}", ending(end, &told.words()));
    }
    let solutions = solutions(end, puzzle);
    if !is_json {
        write_solutions(&solutions, text);
    }
    let mut object = Map::new();
    object.insert("score".to_owned(), score(told.score()));
    object.insert("hardest".to_owned(), hardest.map(|(_, name)| name).into());
    object.insert("end".to_owned(), name_of(end).into());
    object.insert("steps".to_owned(), steps.into());
    object.insert("solutions".to_owned(), solutions.into());
    Ok(object)
}

fn hint(
    told: &mut Explanation<'_>,
    puzzle: &dyn Puzzle,
    lines: usize,
    limits: &Limits,
    text: &mut String,
    draw: &mut Draw<'_, ()>,
) -> Map<String, Value> {
    let mut all = Map::new();
    if let Some(step) = told.next(limits) {
        let name = told.name(&step);
        told.words().write_short(&format!("{name} ({})", shown(step.score())), &step, lines, text);
        draw(told, &step, text);
        all.insert("step".to_owned(), object(&told.words(), 1, &name, &step));
        return all;
    }
    let end = told.end().expect("there is no step");
    pushln!(text, "{}", ending(end, &told.words()));
    write_solutions(&solutions(end, puzzle), text);
    all.insert("step".to_owned(), Value::Null);
    all.insert("end".to_owned(), name_of(end).into());
    all
}

fn rate(told: &mut Explanation<'_>, limits: &Limits, text: &mut String) -> Map<String, Value> {
    let hardest = told.rate(limits).hardest;
    let end = told.end().expect("there is no step any more");
    let name = hardest.as_deref().unwrap_or("no step");
    let scored = shown(told.score());
    match end {
        ExplanationEnd::Solved(_) => pushln!(text, "{scored} {name}"),
        ExplanationEnd::Cut(_) => pushln!(text, "{scored}+ {name}"),
        _ => pushln!(text, "{}", ending(end, &told.words())),
    }
    let mut object = Map::new();
    let is_rated = matches!(end, ExplanationEnd::Solved(_) | ExplanationEnd::Cut(_));
    object.insert("score".to_owned(), if is_rated { score(told.score()) } else { Value::Null });
    object.insert("hardest".to_owned(), hardest.into());
    object.insert("steps".to_owned(), told.count().into());
    object.insert("end".to_owned(), name_of(end).into());
    object
}

fn head(number: usize, name: &str, step: &Step) -> String {
    format!("{number}. {name} ({})", shown(step.score()))
}

fn ending(end: &ExplanationEnd, words: &StepWords<'_>) -> String {
    match end {
        ExplanationEnd::Solved(_) => "solved".to_owned(),
        ExplanationEnd::Impossible(item) => {
            format!("no solution: nothing is left for {}", words.item(*item))
        }
        ExplanationEnd::Clash(item) => format!("no solution: two clues clash in {}", words.item(*item)),
        ExplanationEnd::Several(_) => "several solutions".to_owned(),
        ExplanationEnd::Harder => "no such step".to_owned(),
        _ => "stopped".to_owned(),
    }
}

/// Returns the JSON name for the ending of an explanation.
fn name_of(end: &ExplanationEnd) -> &'static str {
    match end {
        ExplanationEnd::Solved(_) => "solved",
        ExplanationEnd::Impossible(_) | ExplanationEnd::Clash(_) => "impossible",
        ExplanationEnd::Several(_) => "several",
        ExplanationEnd::Harder => "none",
        _ => "cut",
    }
}

/// Returns the solutions found by the explanation: one, or two as proof that there are several.
fn solutions(end: &ExplanationEnd, puzzle: &dyn Puzzle) -> Vec<String> {
    let covers = match end {
        ExplanationEnd::Solved(cover) => std::slice::from_ref(cover),
        ExplanationEnd::Several(covers) => covers.as_slice(),
        _ => &[],
    };
    let show = |(number, cover): (usize, &Vec<dlx::OptionId>)| {
        let mut out = String::new();
        puzzle.show(cover, number as u64 + 1, &mut out);
        out
    };
    covers.iter().enumerate().map(show).collect()
}

/// Writes the solutions. Two solutions have headings.
fn write_solutions(solutions: &[String], text: &mut String) {
    for (number, solution) in (1..).zip(solutions) {
        if solutions.len() > 1 {
            pushln!(text, "solution {number}:");
        }
        text.push_str(solution);
    }
}

fn object(words: &StepWords<'_>, number: usize, name: &str, step: &Step) -> Value {
    let list = |texts: Vec<String>| Value::from(texts);
    let mut object = Map::new();
    let mut put = |key: &str, value: Value| object.insert(key.to_owned(), value);
    put("step", number.into());
    put("name", name.into());
    put("score", score(step.score()));
    put("choices", step.choices().into());
    put("on", list(words.chosen(step)));
    put("off", list(words.excluded(step)));
    if step.pattern().is_some() || step.clue().is_some() || words.uses_clues(step) {
        put("why", words.reason(step).into());
    }
    if let Some(clue) = step.clue() {
        put("clue", clue.clue.as_str().into());
    }
    if let (Some(pattern), Some(writer)) = (step.pattern(), words.board_words()) {
        let named =
            |houses: &[usize]| houses.iter().map(|&house| writer.house(house)).collect::<Value>();
        put("houses", named(&pattern.houses));
        put("covers", named(&pattern.covers));
        put("groups", pattern.groups.iter().map(|group| group_object(writer, group)).collect());
        let nets = pattern.nets.iter().map(|net| net_object(writer, net));
        put("nets", nets.collect());
        put("chains", pattern.chains.iter().map(|chain| chain_object(writer, chain)).collect());
    }
    match &step.logic().reason {
        Reason::Forced { item } => drop(put("item", words.item(*item).into())),
        Reason::Sets { truths, links } => {
            if step.clue().is_none() {
                put("truths", list(words.items(truths)));
            }
            if step.clue().is_none() && step.pattern().is_none() {
                put("links", list(words.items(links)));
                put("rank", step.logic().reason.rank().into());
            }
        }
        Reason::Supposition(supposition) => {
            put("implications", list(words.implications(supposition)));
        }
        Reason::Split { item, branches } => {
            put("item", words.item(*item).into());
            put("branches", branches.iter().map(|branch| branch_object(words, branch)).collect());
        }
        _ => {}
    }
    Value::Object(object)
}

fn branch_object(words: &StepWords<'_>, branch: &Branch) -> Value {
    let steps = words.steps_of(branch);
    let steps = steps.iter().zip(1..).map(|(step, number)| object(words, number, "so", step));
    let steps: Vec<Value> = steps.collect();
    json!({ "tried": words.tried(branch), "steps": steps, "fails": words.item(branch.conflict) })
}

fn group_object(words: Words<'_>, group: &Group) -> Value {
    let part = match group.part {
        Part::Body => "body".to_owned(),
        Part::Fin => "fin".to_owned(),
        Part::Link => "link".to_owned(),
        Part::Set(number) => format!("set {}", number + 1),
    };
    let digits: Vec<&str> = group.digits.iter().map(|digit| words.digit(digit)).collect();
    json!({ "part": part, "cells": cell_names(words, group.cells), "digits": digits })
}

fn chain_object(words: Words<'_>, chain: &Chain) -> Value {
    let node = |node: &Node| {
        let cells = cell_names(words, node.cells);
        json!({ "cells": cells, "digit": words.digit(node.digit), "on": node.is_on })
    };
    let nodes: Vec<Value> = chain.nodes.iter().map(node).collect();
    json!({ "text": words.chain(chain), "loop": chain.is_loop, "nodes": nodes })
}

fn net_object(words: Words<'_>, net: &Net) -> Value {
    let follow = net.inferences.iter().map(|inference| words.placed(inference.placed));
    json!({ "supposed": words.placed(net.start), "follow": follow.collect::<Vec<_>>() })
}

fn cell_names(words: Words<'_>, cells: Cells) -> Vec<String> {
    cells.iter().map(|cell| words.cells(Cells::one(cell))).collect()
}
