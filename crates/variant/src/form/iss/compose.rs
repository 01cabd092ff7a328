//! Reads tokens that contain other tokens up to `End`: alternatives (`Or`), conjunctions (`And`),
//! and copies (`Replicate`).

use super::super::NamedClues;
use super::parts::{cell, sextet_bits};
use super::{IssToken, clues};
use crate::rules::Args;
use crate::{VariantBoard, args};
use text::InputError;

const DEPTH_MAX: usize = 50;
/// Maximum number of clues of a string, including copies.
const CLUES_MAX: usize = 100_000;

struct Node<'t> {
    token: &'t IssToken<'t>,
    held: Vec<Node<'t>>,
}

fn is_composite(kind: &str) -> bool {
    matches!(kind, "Or" | "And" | "Replicate")
}

pub(super) fn all<'t>(
    board: &VariantBoard,
    tokens: &'t [IssToken<'t>],
) -> Result<Vec<(&'t IssToken<'t>, NamedClues)>, InputError> {
    let mut rest = tokens.iter();
    let nodes = nodes(&mut rest, 0)?;
    let groups = Groups::of(board, tokens);
    let is_tie =
        |token: &IssToken<'_>| token.kind == "FullRankTies" && token.args.first() == Some(&"any");
    let may_tie = tokens.iter().any(is_tie);
    let mut all = Vec::new();
    let mut count = 0;
    for node in &nodes {
        // Digits outside `Or`, `And` and `Replicate` are givens of the grid.
        if node.token.kind.is_empty() {
            continue;
        }
        let mut named = expand(board, &groups, node)?;
        for (name, _) in named.iter_mut().filter(|(name, _)| may_tie && *name == "full-rank") {
            *name = "full-rank-ties";
        }
        count += named.len();
        if count > CLUES_MAX {
            return Err(node.token.error(format!("expected at most {CLUES_MAX} clues")));
        }
        all.push((node.token, named));
    }
    Ok(all)
}

fn nodes<'t>(
    rest: &mut std::slice::Iter<'t, IssToken<'t>>,
    depth: usize,
) -> Result<Vec<Node<'t>>, InputError> {
    let mut all = Vec::new();
    while let Some(token) = rest.next() {
        let mut held = Vec::new();
        if token.kind == "End" {
            if depth == 0 {
                return Err(token.error("expected a type of clue, found `End` without a beginning"));
            }
            return Ok(all);
        }
        if is_composite(token.kind) {
            if depth == DEPTH_MAX {
                return Err(token.error(format!("expected at most {DEPTH_MAX} tokens in each other")));
            }
            held = nodes(rest, depth + 1)?;
        }
        all.push(Node { token, held });
    }
    Ok(all)
}

fn expand(board: &VariantBoard, groups: &Groups, node: &Node<'_>) -> Result<NamedClues, InputError> {
    let token = node.token;
    let together = |nodes: &[Node<'_>]| {
        let clues: Result<Vec<_>, _> = nodes.iter().map(|node| expand(board, groups, node)).collect();
        Ok(clues?.concat())
    };
    match token.kind {
        "" => given(board, token),
        "And" => together(&node.held),
        "Replicate" => {
            let template = together(&node.held)?;
            copies(board, groups, token, &template)
        }
        "Or" => {
            let mut alternatives = Vec::new();
            for held in &node.held {
                match held.token.kind {
                    "And" | "Replicate" => alternatives.push(expand(board, groups, held)?),
                    // A token that gives several clues is one alternative per clue.
                    _ => alternatives
                        .extend(expand(board, groups, held)?.into_iter().map(|clue| vec![clue])),
                }
            }
            either(board, token, alternatives)
        }
        _ => clues::read(board, token),
    }
}

fn either(
    board: &VariantBoard,
    token: &IssToken<'_>,
    mut alternatives: Vec<NamedClues>,
) -> Result<NamedClues, InputError> {
    if alternatives.is_empty() {
        return Err(token.error("expected alternatives before `End`"));
    }
    if alternatives.len() == 1 {
        return Ok(alternatives.remove(0));
    }
    if alternatives.iter().any(Vec::is_empty) {
        return Ok(NamedClues::new());
    }
    let line = |(name, args): &(&str, Args)| format!("{name}: {}", args::write(board, args));
    let mut texts = Vec::new();
    for clues in alternatives {
        if clues.iter().any(|(name, _)| *name == "either") && clues.len() > 1 {
            return Err(token.error("expected alternatives without alternatives in an `And`"));
        }
        texts.push(match &clues[..] {
            [("either", args)] => args.text.clone(),
            _ => clues.iter().map(line).collect::<Vec<_>>().join(" and "),
        });
    }
    Ok(vec![("either", Args { text: texts.join(" or "), ..Args::default() })])
}

fn given(board: &VariantBoard, token: &IssToken<'_>) -> Result<NamedClues, InputError> {
    let clue = |word: &&str| {
        let (name, digits) = word.split_once('_').unwrap_or((word, ""));
        let cell = cell(board, name).map_err(|message| token.error(message))?;
        let digits: Option<Vec<i64>> = digits.split('_').map(|digit| digit.parse().ok()).collect();
        let values =
            digits.ok_or_else(|| token.error(format!("expected a cell and digits, found `{word}`")))?;
        Ok(("any-of", Args { groups: vec![vec![cell]], values, ..Args::default() }))
    };
    token.args.iter().filter(|word| !word.is_empty()).map(clue).collect()
}

/// Blocks of cells arranged in rows: the grid, and each group of cells outside the grid.
struct Groups(Vec<Rows>);

#[derive(Clone, Copy)]
struct Rows {
    start: usize,
    count: usize,
    columns: usize,
}

impl Groups {
    fn of(board: &VariantBoard, tokens: &[IssToken<'_>]) -> Self {
        let columns = |name: &str| {
            let token =
                tokens.iter().find(|token| token.kind == "Var" && token.args.first() == Some(&name))?;
            token.args.get(2)?.split_once('x')?.1.parse().ok().filter(|&columns: &usize| columns > 0)
        };
        let mut all = vec![Rows { start: 0, count: board.inside(), columns: board.columns() }];
        let mut start = board.inside();
        for (name, count) in &*board.outside {
            let columns = columns(name).unwrap_or(board.columns());
            all.push(Rows { start, count: *count, columns });
            start += count;
        }
        Self(all)
    }

    fn find(&self, cell: usize) -> Option<Rows> {
        self.0.iter().copied().find(|rows| (rows.start..rows.start + rows.count).contains(&cell))
    }
}

impl Rows {
    fn place(&self, cell: usize) -> (isize, isize) {
        let index = cell - self.start;
        ((index / self.columns) as isize, (index % self.columns) as isize)
    }

    /// Returns the cell whose displacement from `cell` equals the displacement from `from` to `to`.
    fn shifted(&self, cell: usize, from: usize, to: usize) -> Option<usize> {
        let inside = |cell: usize| (self.start..self.start + self.count).contains(&cell);
        if ![cell, from, to].into_iter().all(inside) {
            return None;
        }
        let (here, from, to) = (self.place(cell), self.place(from), self.place(to));
        let (row, column) = (here.0 + to.0 - from.0, here.1 + to.1 - from.1);
        let is_there = row >= 0 && (0..self.columns as isize).contains(&column);
        let index = is_there.then_some(row as usize * self.columns + column as usize)?;
        (index < self.count).then_some(self.start + index)
    }
}

/// Copies clues from an origin to each target.
fn copies(
    board: &VariantBoard,
    groups: &Groups,
    token: &IssToken<'_>,
    template: &NamedClues,
) -> Result<NamedClues, InputError> {
    let bits = sextet_bits(token.args.first().copied().unwrap_or(""))
        .map_err(|message| token.error(message))?;
    let origin = match token.args.get(1).filter(|name| !name.is_empty()) {
        Some(name) => cell(board, name).map_err(|message| token.error(message))?,
        None => 0,
    };
    let rows = groups.find(origin).ok_or_else(|| token.error("expected a cell as the origin"))?;
    let mut all = NamedClues::new();
    for (offset, _) in bits.iter().enumerate().filter(|(_, is_target)| **is_target) {
        let to = origin + offset;
        if all.len() > CLUES_MAX {
            return Err(token.error(format!("expected at most {CLUES_MAX} clues")));
        }
        for (name, args) in template {
            if !args.text.is_empty() && args.groups.is_empty() {
                return Err(token.error("expected clues without alternatives in `Replicate`"));
            }
            let mut copy = args.clone();
            for cell in copy.groups.iter_mut().flatten() {
                let there = rows.shifted(*cell, origin, to);
                *cell = there.ok_or_else(|| {
                    let (cell, place) = (board.name(*cell), offset + 1);
                    token.error(format!(
                        "expected copies inside of the grid, found {cell} at target {place}"
                    ))
                })?;
            }
            all.push((*name, copy));
        }
    }
    Ok(all)
}
