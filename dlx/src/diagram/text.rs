//! Diagrams as text, in the format that Graphillion dumps and loads.
//!
//! ```text
//! 2 3 B T
//! 3 2 B T
//! 4 1 3 2
//! .
//! ```
//!
//! Each line describes a node: its number, its 1-based variable, its low child and its high child.
//! `B` is the terminal that represents no set, and `T` the terminal that represents the empty set.
//! Children come before their nodes, variables ascend on all paths, and the last node is the root.
//! A diagram that is only a terminal has the single line `B` or `T`. Text after the line `.` is
//! ignored.

use std::collections::HashMap;
use std::fmt::Write as _;

use super::Diagram;
use super::nodes::{DiagramNode, NO_VARIABLE, NONE, NodeId, NodeTable, UNIT};
use crate::limits::{Limit, Limits, Pace};
use crate::model::{OptionId, ParseError};

/// Largest variable accepted, which bounds the memory of tables by variable.
const VARIABLE_MAX: u32 = 1 << 24;
/// Estimated work to write a node (ns).
const NODE_WORK: u64 = 200;
/// Estimated work to write a literal (ns).
const LITERAL_WORK: u64 = 20;

impl Diagram {
    /// Writes the diagram in Graphillion's format.
    ///
    /// Variable `k` (1-based) is the k-th option of [`Diagram::options`], not the option with the
    /// number `k`, because variables must ascend on all paths of a diagram.
    ///
    /// ```
    /// use dlx::Limits;
    /// use dlx::diagram::Diagram;
    ///
    /// let problem: dlx::Problem = "a b\na\nb\na b\n".parse()?;
    /// let diagram = Diagram::new(&problem, &[], &Limits::new(), 1 << 20)?;
    /// let text = diagram.to_text();
    /// let again = Diagram::from_text(&text)?;
    /// assert_eq!((again.count(), again.to_text()), (diagram.count(), text));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn to_text(&self) -> String {
        self.to_text_within(&Limits::default()).expect("there is no limit")
    }

    /// Works like [`Diagram::to_text`], within limits.
    ///
    /// # Errors
    /// The limit that was reached.
    #[cfg_attr(not(feature = "unstable"), doc(hidden))]
    pub fn to_text_within(&self, limits: &Limits) -> Result<String, Limit> {
        let mut pace = Pace::new(limits);
        let mut text = String::new();
        let name = |id: NodeId| match id {
            NONE => "B".to_owned(),
            UNIT => "T".to_owned(),
            _ => id.to_string(),
        };
        if self.root <= UNIT {
            return Ok(name(self.root) + "\n.\n");
        }
        for id in UNIT + 1..=self.root {
            pace.spend(NODE_WORK)?;
            let node = self.nodes.list[id as usize];
            writeln!(text, "{id} {} {} {}", node.variable + 1, name(node.low), name(node.high))
                .expect("writing to a string does not fail");
        }
        text.push_str(".\n");
        Ok(text)
    }

    /// Writes the diagram as a negation normal form in the format of d4, version 2: `o` is a
    /// disjunction, `t` is true and `f` is false. An edge `2 3 -1 4 0` from node 2 to node 3 has
    /// the literals -1 and 4. Node 1 is the root.
    ///
    /// Literal k is the option with the number k, from 1. Each path from the root to `t` has a
    /// literal for every option, so it is a single cover.
    ///
    /// ```
    /// use dlx::Limits;
    /// use dlx::diagram::Diagram;
    ///
    /// let problem: dlx::Problem = "a b\na\nb\na b\n".parse()?;
    /// let diagram = Diagram::new(&problem, &[], &Limits::new(), 1 << 20)?;
    /// let text = diagram.to_nnf_within(&Limits::new());
    /// let nodes = "o 1 0\no 2 0\no 3 0\no 4 0\nt 5 0\n";
    /// let edges = "1 4 0\n2 5 2 0\n3 5 3 -2 0\n4 3 -1 0\n4 2 1 -3 0\n";
    /// assert_eq!(text, Ok(format!("{nodes}{edges}")));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// The limit that was reached.
    #[cfg_attr(not(feature = "unstable"), doc(hidden))]
    pub fn to_nnf_within(&self, limits: &Limits) -> Result<String, Limit> {
        let mut pace = Pace::new(limits);
        if self.root == NONE {
            return Ok("f 1 0\n".to_owned());
        }
        // Node k > 1 of the diagram has the number k, and `t` comes after all nodes.
        let leaf = self.root.max(UNIT) + 1;
        let mut text = String::from("o 1 0\n");
        for id in UNIT + 1..=self.root {
            let _ = writeln!(text, "o {id} 0");
        }
        let _ = writeln!(text, "t {leaf} 0");
        let literal = |variable: u32| self.options[variable as usize].index() + 1;
        let mut edge = |from: NodeId, chosen: Option<u32>, next: u32, to: NodeId| {
            let _ = write!(text, "{from} {}", if to == UNIT { leaf } else { to });
            let end = self.nodes.list[to as usize].variable.min(self.options.len() as u32);
            let (start, sign) = (next, chosen.map_or("-", |_| ""));
            if let Some(variable) = chosen.or_else(|| (from > 1).then(|| start - 1)) {
                let _ = write!(text, " {sign}{}", literal(variable));
            }
            for variable in start..end {
                let _ = write!(text, " -{}", literal(variable));
            }
            text.push_str(" 0\n");
            pace.spend(NODE_WORK + LITERAL_WORK * u64::from(end - start))
        };
        edge(1, None, 0, self.root)?;
        for id in UNIT + 1..=self.root {
            let DiagramNode { variable, low, high } = self.nodes.list[id as usize];
            if low != NONE {
                edge(id, None, variable + 1, low)?;
            }
            edge(id, Some(variable), variable + 1, high)?;
        }
        Ok(text)
    }

    /// Reads a diagram in Graphillion's format. Option `k` has the variable `k + 1`, and options
    /// have no costs.
    ///
    /// ```
    /// use dlx::OptionId;
    /// use dlx::diagram::Diagram;
    ///
    /// let diagram = Diagram::from_text("7 2 B T\n9 1 7 T\n.\n")?;
    /// let covers: Vec<_> = diagram.covers().collect();
    /// assert_eq!(covers, [[OptionId::new(0)], [OptionId::new(1)]]);
    /// let error = Diagram::from_text("7 2 B T\n9 1 8 T\n.\n").unwrap_err();
    /// assert_eq!(error.to_string(), "2:5: expected `B`, `T` or the number of a node above, found `8`");
    /// # Ok::<(), dlx::ParseError>(())
    /// ```
    ///
    /// # Errors
    /// The first invalid line, with its position and the expected content.
    pub fn from_text(text: &str) -> Result<Self, ParseError> {
        let mut nodes = NodeTable::new();
        let mut ids: HashMap<u64, NodeId> = HashMap::new();
        let (mut root, mut variable_count) = (None, 0);
        let mut line_count = 0;
        for (number, line) in (1..).zip(text.lines()) {
            line_count = number;
            let words: Vec<&str> = line.split_whitespace().collect();
            let error = |word: &str, expected: &str| {
                let start = word.as_ptr().addr() - line.as_ptr().addr();
                let column = line[..start].chars().count() + 1;
                ParseError {
                    line: number,
                    column,
                    message: format!("expected {expected}, found `{word}`"),
                }
            };
            match words[..] {
                [] => {}
                ["."] if root.is_some() => {
                    let root = root.unwrap_or(NONE);
                    let options = (0..variable_count as usize).map(OptionId::new).collect();
                    nodes.finish();
                    return Ok(Self::of(nodes, root, Vec::new(), options, Vec::new()));
                }
                ["B"] if root.is_none() => root = Some(NONE),
                ["T"] if root.is_none() => root = Some(UNIT),
                [id, variable, low, high] => {
                    let own = id.parse::<u64>().ok().filter(|id| !ids.contains_key(id));
                    let own = own.ok_or_else(|| error(id, "a number that no node above has"))?;
                    let named = variable.parse().ok().filter(|v| (1..=VARIABLE_MAX).contains(v));
                    let named = named.ok_or_else(|| {
                        error(variable, &format!("a variable from 1 to {VARIABLE_MAX}"))
                    })?;
                    let child = |word: &str| {
                        let id = match word {
                            "B" => Some(NONE),
                            "T" => Some(UNIT),
                            _ => word.parse().ok().and_then(|id| ids.get(&id).copied()),
                        };
                        let id =
                            id.ok_or_else(|| error(word, "`B`, `T` or the number of a node above"))?;
                        let above = nodes.list[id as usize].variable;
                        let expected = || format!("a child of a variable above {named}");
                        if above == NO_VARIABLE || above >= named {
                            Ok(id)
                        } else {
                            Err(error(word, &expected()))
                        }
                    };
                    let (low, high) = (child(low)?, child(high)?);
                    variable_count = variable_count.max(named);
                    let node = nodes.make(named - 1, low, high);
                    ids.insert(own, node);
                    root = Some(node);
                }
                [word, ..] => return Err(error(word, "a node `number variable low high` or `.`")),
            }
        }
        let message = "expected a line `.`, found the end of the text".to_owned();
        Err(ParseError { line: line_count + 1, column: 1, message })
    }
}
