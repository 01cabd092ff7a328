//! The lesson of `compare` shows on five puzzles why some algorithms are faster than others.
//!
//! The explanations are fixed texts. Times and sizes of search trees are measured while the command
//! runs. If the expected winner is slower, the text says so.

use std::fmt;
use std::io::Cursor;
use std::time::Duration;

use dlx::Limits;

use super::table;
use crate::io::bar::Bar;
use crate::io::interrupt;
use compare::show::group;
use compare::{
    Comparison, Contender, Entrant, MedianInterval, OwnAlgorithm, PuzzleInfo, Setup, measure,
};
use farandole::algorithm;
use farandole::stream::{Stream, StreamHints};
use puzzle::Puzzle;

/// The interval of a measured time is printed if its half width exceeds this fraction of the time.
const DOUBT: f64 = 0.05;

struct Chapter {
    title: &'static str,
    puzzles: ChapterPuzzles,
    engines: &'static [&'static str],
    say: fn(&Figures<'_>, &mut String),
}

enum ChapterPuzzles {
    Parameter(&'static str, &'static str),
    /// A puzzle in the program: its description and its text.
    Text(&'static str, &'static str),
}

const CHAPTERS: &[Chapter] = &[
    Chapter {
        title: "Choosing well beats trying fast",
        puzzles: ChapterPuzzles::Text(
            "a hard 9x9 Sudoku",
            include_str!("../../../puzzles/sudoku/difficulty-10.7.txt"),
        ),
        engines: &["links", "links-no-mrv", "stack"],
        say: |figures, page| {
            let [links, stack] = [figures.of("links"), figures.of("stack")];
            let in_order = figures.of("links-no-mrv");
            push!(
                page,
                "`stack` tries the empty cells in their order. `links`, Knuth's dancing links, \
                 branches on the item \
                 with the fewest options left, be it a cell or a place for a digit: {} nodes instead \
                 of {}. It is \
                 that choice which wins, not the links: without it (`links-no-mrv`) they enter {} \
                 nodes. The links \
                 know at any time how many options each item has left, so that a choice is one walk \
                 along the items \
                 that are still to be covered. A node takes {} with the choice, {} without it, and {} \
                 with `stack`. {}",
                KnownCount(links.nodes()),
                KnownCount(stack.nodes()),
                KnownCount(in_order.nodes()),
                PerNode(links),
                PerNode(in_order),
                PerNode(stack),
                figures.versus("links", "stack"),
            );
        },
    },
    Chapter {
        title: "The same sets in better memory",
        puzzles: ChapterPuzzles::Parameter("queens", "10"),
        engines: &["links", "cells"],
        say: |figures, page| {
            let [links, cells] = [figures.of("links"), figures.of("cells")];
            push!(
                page,
                "The list of an item leads `links` from record to record, all over its memory. \
                 `cells` has a bit for \
                 each option of an item, in words side by side: an option is removed by clearing its \
                 bits, and going \
                 back copies the saved words or sets the cleared bits again. `cells` also gives up a \
                 choice as soon \
                 as any item has too few options left, and covers items that leave no choice before \
                 it branches. So \
                 its tree is smaller: {} nodes instead of {}. The updates of the two are not the same \
                 thing: {} \
                 records that `links` removed from a list, {} options that `cells` removed as a \
                 whole. {}",
                KnownCount(cells.nodes()),
                KnownCount(links.nodes()),
                KnownCount(links.updates()),
                KnownCount(cells.updates()),
                figures.versus("cells", "links"),
            );
        },
    },
    Chapter {
        title: "No lists at all",
        puzzles: ChapterPuzzles::Parameter("polyomino", "3x20"),
        engines: &["links", "cells", "masks"],
        say: |figures, page| {
            let [links, masks] = [figures.of("links"), figures.of("masks")];
            push!(
                page,
                "Where an option rules out many others, whole sets are cheaper than lists. `masks` \
                 has a bit for \
                 each option of each item, and each option has a row: the bits that remain once it is \
                 chosen. A child \
                 is its parent AND the row of an option, up to 512 bits an instruction. Each node has \
                 a copy of its \
                 own, so nothing is undone. The tree is that of `links`, {} and {} nodes, but a node \
                 takes {} \
                 instead of {}. {}",
                KnownCount(masks.nodes()),
                KnownCount(links.nodes()),
                PerNode(masks),
                PerNode(links),
                figures.versus("masks", "cells"),
            );
        },
    },
    Chapter {
        title: "Not to go there at all",
        puzzles: ChapterPuzzles::Parameter("polyomino", "dominoes:8x8"),
        engines: &["masks", "frontier", "matching"],
        say: |figures, page| {
            let matching = figures.of("matching");
            push!(
                page,
                "There are {} ways to put dominoes on a chessboard, and a search has to meet each of \
                 them. A count \
                 does not: after some squares it only matters which squares on the border are \
                 covered. `frontier` adds \
                 up the ways to get to each such state. `matching` needs no states: on a graph that \
                 can be drawn \
                 without crossings the number of perfect matchings is a Pfaffian, which elimination \
                 calculates. {} {}",
                KnownCount(matching.solutions().try_into().ok()),
                figures.versus("frontier", "masks"),
                figures.versus("matching", "masks"),
            );
        },
    },
    Chapter {
        title: "Many at once",
        puzzles: ChapterPuzzles::Text(
            "9x9 Sudoku with 17 clues",
            include_str!("../../../puzzles/sudoku/17-clues.sdm"),
        ),
        engines: &["links", "masks", "lanes"],
        say: |figures, page| {
            let [links, lanes] = [figures.of("links"), figures.of("lanes")];
            push!(
                page,
                "`lanes` is for 9x9 Sudoku alone. It searches 8 to 32 grids at once, each in a lane \
                 of 16 bits of \
                 vector registers, and takes the same steps in all of them. A lane whose puzzle is \
                 done takes the next \
                 puzzle or, if there is none, a branch of another lane's puzzle. A step also \
                 concludes more than an \
                 exact cover does, such as that all places of a digit in a box lie in one row, which \
                 excludes the digit \
                 from the rest of that row. Its {} nodes are the puzzles and the guesses; the {} of \
                 `links` are all \
                 options that it tries, forced ones included. {}",
                KnownCount(lanes.nodes()),
                KnownCount(links.nodes()),
                figures.versus("lanes", "links"),
            );
        },
    },
];

pub(super) fn page(time: Duration, precision: f64, is_quiet: bool) -> String {
    let bar = Bar::start(!is_quiet);
    let mut remarks = Vec::new();
    let mut page = String::from("# What makes an exact-cover solver fast\n");
    for (number, chapter) in CHAPTERS.iter().enumerate() {
        let puzzles = chapter.puzzles.read();
        let limits = Limits::new().cancel(interrupt::flag());
        let setup = Setup { puzzles, limits, time, each: None, precision, has_profile: false };
        let specs = chapter.engines.iter().filter_map(|name| algorithm::by_name(name));
        let mut entrants: Vec<Box<dyn Entrant>> =
            specs.map(|spec| Box::new(OwnAlgorithm::new(spec)) as Box<dyn Entrant>).collect();
        let comparison = measure(&mut entrants, &setup, &mut |what| bar.tell(what));
        if interrupt::happened() {
            break;
        }
        let told = comparison.remarks.iter();
        remarks.extend(told.map(|remark| format!("chapter {}: {remark}", number + 1)));
        pushln!(page, "\n## {}. {}\n", number + 1, chapter.title);
        let count = comparison.puzzles.len();
        let times = if count > 1 { format!(", {count} of them") } else { String::new() };
        pushln!(page, "On {}{times}:\n", chapter.puzzles.name());
        page.push_str(&table::show(&comparison, table::WIDTH));
        page.push('\n');
        let mut text = String::new();
        (chapter.say)(&Figures(&comparison), &mut text);
        page.push_str(&wrap(&text));
    }
    bar.finish();
    if !is_quiet {
        remarks.iter().for_each(|remark| say!("{remark}"));
    }
    page
}

impl ChapterPuzzles {
    fn name(&self) -> String {
        match self {
            Self::Parameter(kind, parameter) => format!("{kind} {parameter}"),
            Self::Text(name, _) => (*name).to_owned(),
        }
    }

    fn read(&self) -> Vec<(PuzzleInfo, Box<dyn Puzzle>)> {
        let puzzles: Vec<Box<dyn Puzzle>> = match self {
            Self::Parameter(kind, parameter) => {
                let kind = farandole::kinds::by_name(kind).and_then(|kind| kind.parameter);
                kind.and_then(|kind| {
                    (kind.make)(parameter, &mut Default::default(), &Default::default()).ok()
                })
                .into_iter()
                .collect()
            }
            Self::Text(_, text) => Stream::open(Cursor::new(*text), &StreamHints::default())
                .into_iter()
                .flatten()
                .filter_map(Result::ok)
                .collect(),
        };
        puzzles.into_iter().map(|puzzle| (PuzzleInfo::default(), puzzle)).collect()
    }
}

struct Figures<'c>(&'c Comparison);

impl Figures<'_> {
    fn of(&self, name: &str) -> &Contender {
        let contender = self.0.contenders.iter().find(|contender| contender.name == name);
        contender.expect("the chapter compares it")
    }

    /// Describes how much faster the contender `name` is than the contender `other`.
    fn versus(&self, name: &str, other: &str) -> String {
        let Some(ratio) = self.of(other).ratio_to(self.of(name)) else {
            return format!("At least one of `{name}` and `{other}` did not finish in its time.");
        };
        let factor = |ratio: f64| {
            if ratio < 100.0 { format!("{ratio:.1}") } else { group(&format!("{ratio:.0}")) }
        };
        if ratio.low <= 1.0 && ratio.high >= 1.0 {
            return format!("Here `{name}` and `{other}` are the same within the noise.");
        }
        let (fast, slow, ratio) = match ratio.median >= 1.0 {
            true => (name, other, ratio),
            false => {
                let MedianInterval { median, low, high } = ratio;
                (other, name, MedianInterval { median: 1.0 / median, low: 1.0 / high, high: 1.0 / low })
            }
        };
        let doubt = match ratio.spread() > DOUBT {
            true => format!(" ({} to {})", factor(ratio.low), factor(ratio.high)),
            false => String::new(),
        };
        let begin = if fast == name { "Here" } else { "But on this machine" };
        format!("{begin} `{fast}` is {} times as fast as `{slow}`{doubt}.", factor(ratio.median))
    }
}

struct KnownCount(Option<u64>);

impl fmt::Display for KnownCount {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Some(count) => f.write_str(&group(&count.to_string())),
            None => f.write_str("an unknown number of"),
        }
    }
}

struct PerNode<'c>(&'c Contender);

impl fmt::Display for PerNode<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.0.time(), self.0.nodes()) {
            (Some(time), Some(nodes)) if nodes > 0 => {
                write!(f, "{:.0} ns", 1e9 * time.median / nodes as f64)
            }
            _ => f.write_str("an unknown time"),
        }
    }
}

fn wrap(text: &str) -> String {
    const WIDTH: usize = 80;
    let (mut lines, mut length) = (String::new(), 0);
    for word in text.split_whitespace() {
        let word_length = word.chars().count();
        if length > 0 && length + 1 + word_length > WIDTH {
            lines.push('\n');
            length = 0;
        } else if length > 0 {
            lines.push(' ');
            length += 1;
        }
        lines.push_str(word);
        length += word_length;
    }
    lines + "\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_chapter_has_puzzles_and_algorithms() {
        for chapter in CHAPTERS {
            assert!(!chapter.puzzles.read().is_empty(), "{}", chapter.title);
            assert!(
                chapter.engines.iter().all(|name| algorithm::by_name(name).is_some()),
                "{}",
                chapter.title
            );
        }
    }

    #[test]
    fn lines_are_broken_between_words() {
        assert_eq!(wrap("a  b\nc"), "a b c\n");
        let long = "word ".repeat(40);
        assert!(wrap(&long).lines().all(|line| line.len() <= 80 && !line.ends_with(' ')));
    }
}
