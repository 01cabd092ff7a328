//! Parses literals of programming languages into a tree of [`Node`]s with positions.
//!
//! # Bounds
//! Brackets nest at most [`DEPTH_MAX`] deep. A range has at most [`RANGE_MAX`] elements.

use dlx::limits::Pace;
use serde_json::{Map, Value};

use super::super::json::JsonStep;
use super::super::spend;
use text::InputError;

const DEPTH_MAX: usize = 32;
/// Functions that return their argument.
const CALLS: [&str; 21] = [
    "array",
    "asarray",
    "matrix",
    "Matrix",
    "DLXMatrix",
    "dlx_solver",
    "AlgorithmX",
    "list",
    "tuple",
    "set",
    "frozenset",
    "Set",
    "dict",
    "vec!",
    "Array",
    "tensor",
    "csr_matrix",
    "csc_matrix",
    "coo_matrix",
    "OrderedDict",
    "Dict",
];
/// Functions that turn their named arguments into a dictionary.
const DICTIONARIES: [&str; 3] = ["dict", "Dict", "list"];
/// Functions that return a list of their arguments.
const LISTS: [&str; 11] =
    ["asList", "of", "c", "rbind", "listOf", "setOf", "arrayOf", "intArrayOf", "List", "Vector", "Seq"];
/// Functions that turn their arguments, each key before its value, into a dictionary.
const ALTERNATING: [&str; 1] = ["Map.of"];
/// Maximum number of elements of a range.
const RANGE_MAX: i64 = 1 << 16;
/// Names of arguments that are ignored.
const REMARKS: [&str; 4] = ["dtype", "order", "copy", "ndmin"];
/// Names of a variable that lists all items.
const ITEMS: [&str; 7] = ["X", "U", "items", "universe", "columns", "names", "constraints"];
#[derive(Clone, Debug)]
pub(super) struct Node<'t> {
    pub(super) start: usize,
    pub(super) data: LiteralData<'t>,
}

#[derive(Clone, Debug)]
pub(super) enum LiteralData<'t> {
    Word(&'t str),
    /// A quoted text without its quotes.
    Text(&'t str),
    /// An element of a range.
    Number(i64),
    List(Vec<Node<'t>>),
    Map(Vec<(Node<'t>, Node<'t>)>),
}

impl Node<'_> {
    pub(super) fn value(&self) -> Value {
        match &self.data {
            LiteralData::Text(text) => Value::from(*text),
            LiteralData::Number(number) => Value::from(*number),
            LiteralData::Word(word) => match *word {
                "True" | "true" => Value::from(1),
                "False" | "false" => Value::from(0),
                "None" | "null" | "nil" => Value::Null,
                word => {
                    // Read a float such as `1.` or `1.00` as a whole number.
                    let whole =
                        word.trim_end_matches('0').strip_suffix('.').filter(|_| word.contains('.'));
                    let number = whole.unwrap_or(word);
                    number.parse::<i64>().map_or_else(|_| Value::from(word), Value::from)
                }
            },
            LiteralData::List(elements) => elements.iter().map(Node::value).collect(),
            LiteralData::Map(pairs) => {
                let pair = |(key, value): &(Node<'_>, Node<'_>)| (key.name(), value.value());
                Value::Object(pairs.iter().map(pair).collect::<Map<String, Value>>())
            }
        }
    }

    pub(super) fn name(&self) -> String {
        match self.value() {
            Value::String(name) => name,
            value => value.to_string(),
        }
    }

    /// Returns the position of the first occurrence of a name. Keys are not searched.
    pub(super) fn find(&self, name: &str) -> Option<usize> {
        match &self.data {
            LiteralData::List(elements) => elements.iter().find_map(|element| element.find(name)),
            LiteralData::Map(pairs) => pairs.iter().find_map(|(_, value)| value.find(name)),
            _ => (self.name() == name).then_some(self.start),
        }
    }

    pub(super) fn is_scalar(&self) -> bool {
        !matches!(self.data, LiteralData::List(_) | LiteralData::Map(_))
    }

    pub(super) fn is_flat(&self) -> bool {
        matches!(&self.data, LiteralData::List(elements) if elements.iter().all(Node::is_scalar))
    }

    pub(super) fn locate(&self, path: &[JsonStep<'_>]) -> usize {
        let mut node = self;
        for step in path {
            let next = match (&node.data, step) {
                (LiteralData::List(elements), JsonStep::Index(index)) => elements.get(*index),
                (LiteralData::Map(pairs), JsonStep::Key(name) | JsonStep::Name(name)) => {
                    let pair = pairs.iter().find(|(key, _)| key.name() == **name);
                    let is_name = matches!(step, JsonStep::Name(_));
                    pair.map(|(key, value)| if is_name { key } else { value })
                }
                _ => None,
            };
            let Some(next) = next else { break };
            node = next;
        }
        node.start
    }
}

/// A statement `NAME = VALUE`, or a value alone.
pub(super) struct Statement<'t> {
    pub(super) name: Option<Node<'t>>,
    pub(super) value: Node<'t>,
    pub(super) is_bare: bool,
}

pub(super) struct LiteralProgram<'t> {
    pub(super) statements: Vec<Statement<'t>>,
    /// The first line that was ignored. A note mentions it.
    pub(super) left_out: Option<&'t str>,
}

/// An error message with its byte offset, or the limit that was reached.
pub(super) enum Fault {
    At(usize, String),
    Limited(InputError),
}

impl Fault {
    pub(super) fn error(self, text: &str) -> InputError {
        match self {
            Self::At(start, message) => {
                let start = start.min(text.len());
                let line_start = text[..start].rfind('\n').map_or(0, |end| end + 1);
                let line = text[line_start..].lines().next().unwrap_or_default();
                let number = text[..start].matches('\n').count() + 1;
                InputError::at(number, line, start - line_start, message)
            }
            Self::Limited(error) => error,
        }
    }
}

struct LiteralParser<'t, 'p, 'l> {
    text: &'t str,
    at: usize,
    pace: &'p mut Pace<'l>,
}

fn is_delimiter(c: char) -> bool {
    c.is_whitespace() || "[](){},;:='\"".contains(c)
}

impl<'t> LiteralParser<'t, '_, '_> {
    fn rest(&self) -> &'t str {
        &self.text[self.at..]
    }

    fn fault(&self, expected: &str) -> Fault {
        let rest = self.rest();
        let found = match rest.chars().next() {
            None => "found the end of the text".to_owned(),
            Some(first) if is_delimiter(first) => format!("found `{first}`"),
            Some(_) => format!("found `{}`", rest.split(is_delimiter).next().unwrap_or_default()),
        };
        Fault::At(self.at, format!("expected {expected}, {found}"))
    }

    fn skip(&mut self) {
        loop {
            let rest = self.rest();
            let blank = rest.len() - rest.trim_start().len();
            self.at += blank;
            let rest = &rest[blank..];
            let comment = if rest.starts_with('#') || rest.starts_with("//") {
                rest.find('\n').unwrap_or(rest.len())
            } else if rest
                .strip_prefix("...")
                .is_some_and(|rest| rest.trim_start_matches([' ', '\t', '\r']).starts_with('\n'))
            {
                // A line that MATLAB continues.
                3
            } else if rest.starts_with("/*") {
                rest.find("*/").map_or(rest.len(), |end| end + 2)
            } else {
                0
            };
            self.at += comment;
            if comment == 0 {
                break;
            }
        }
    }

    fn takes(&mut self, mark: &str) -> bool {
        let is_there = self.rest().starts_with(mark);
        self.at += if is_there { mark.len() } else { 0 };
        is_there
    }

    fn program(&mut self) -> Result<LiteralProgram<'t>, Fault> {
        let mut program = LiteralProgram { statements: Vec::new(), left_out: None };
        loop {
            self.skip();
            while self.takes(";") {
                self.skip();
            }
            if self.rest().is_empty() {
                return Ok(program);
            }
            let line = self.rest().lines().next().unwrap_or_default();
            if ["import ", "from ", "using ", "require "].iter().any(|word| line.starts_with(word)) {
                program.left_out.get_or_insert(line.trim_end());
                self.at += line.len();
                continue;
            }
            let statement = self.statement()?;
            program.statements.push(statement);
            // A statement ends at the end of its line or at a separator.
            let rest = self.rest();
            let blank = rest.len() - rest.trim_start_matches([' ', '\t', '\r', ';', ',']).len();
            self.at += blank;
            let is_end = self.rest().is_empty() || self.rest().starts_with(['\n', '#', '/']);
            if !is_end && !rest[..blank].contains(';') {
                return Err(self.fault("the end of the line"));
            }
        }
    }

    fn statement(&mut self) -> Result<Statement<'t>, Fault> {
        let start = self.at;
        let line = self.rest().lines().next().unwrap_or_default();
        if line.starts_with(['[', '(', '{']) || line.starts_with("<|") {
            let value = self.value(0)?;
            return Ok(Statement { name: None, value, is_bare: false });
        }
        // Find the first `=` or `:` outside quotes that separates a name from its value.
        let opens = |text: &str| text.trim_start().starts_with(['[', '(', '{']);
        let is_call = |text: &str| text.trim_start().starts_with(|c: char| c.is_alphabetic());
        let equals = line.find('=').filter(|&at| !line[..at].contains(['(', '"', '\'']));
        let equals = equals.filter(|&at| {
            let rest = &line[at + 1..];
            rest.trim().is_empty()
                || opens(rest)
                || is_call(rest)
                || rest.trim_start().starts_with("<|")
        });
        // C++ declares `m{{1, 0}}`, and R assigns with an arrow.
        let open = line.find('{').filter(|&at| {
            let head = line[..at].replace("::", "");
            head.starts_with(char::is_alphabetic)
                && !head.starts_with("new ")
                && !head.starts_with("map[")
                && !head.contains([':', '=', '(', '"', '\''])
        });
        let arrow = line.find("<-").filter(|&at| !line[..at].contains(['(', '"', '\'', '{']));
        if let Some(end) = open.or(arrow) {
            let name = self.name_of(start, &line[..end], true)?;
            self.at = start + end + if open.is_some() { 0 } else { "<-".len() };
            self.skip();
            let value = self.value(0)?;
            return Ok(Statement { name: Some(name), value, is_bare: false });
        }
        let colon = line
            .find(':')
            .filter(|&at| equals.is_none_or(|equals| at > equals) && !line[..at].starts_with("map["));
        let Some((end, is_colon)) = equals.map(|at| (at, false)).or(colon.map(|at| (at, true))) else {
            // A call may stand alone, without a name.
            let value = self.value(0)?;
            if value.is_scalar() {
                return Err(Fault::At(
                    start,
                    "expected options of a cover, as in `A = [1, 4, 7]` or `A: 1 4 7`".to_owned(),
                ));
            }
            return Ok(Statement { name: None, value, is_bare: false });
        };
        let name = self.name_of(start, &line[..end], is_colon)?;
        self.at = start + end + 1;
        // `A => [1, 4]` means the same as `A: [1, 4]`.
        self.takes(">");
        let rest = &line[end + 1..];
        if is_colon && !opens(rest) {
            let value = self.bare(rest.trim_start_matches('>'))?;
            return Ok(Statement { name: Some(name), value, is_bare: true });
        }
        self.skip();
        let value = self.value(0)?;
        Ok(Statement { name: Some(name), value, is_bare: false })
    }

    /// Returns the name in `head`, the text before the sign of a statement: the last word of a
    /// declaration such as `int[,] m`, without a type after it.
    fn name_of(&self, start: usize, head: &'t str, is_colon: bool) -> Result<Node<'t>, Fault> {
        let head = if is_colon { head } else { head.split(':').next().unwrap_or(head) };
        let bare = head
            .trim_end()
            .trim_end_matches(|c: char| c == ']' || c == '[' || c.is_ascii_digit() || c == ' ');
        // Digits at the end belong to the name unless they are in brackets.
        let bare = if head.trim_end().ends_with(']') { bare } else { head.trim_end() };
        let word =
            if is_colon { bare } else { bare.rsplit([' ', '\t', '*', '&']).next().unwrap_or(bare) };
        let word = word.trim().trim_matches(['"', '\'']);
        if word.is_empty() {
            return Err(Fault::At(start, "expected a name before the sign, found none".to_owned()));
        }
        Ok(Node {
            start: word.as_ptr().addr() - self.text.as_ptr().addr(),
            data: LiteralData::Text(word),
        })
    }

    /// Reads items without brackets, up to the end of the line.
    fn bare(&mut self, line: &'t str) -> Result<Node<'t>, Fault> {
        let line = line.split(" #").next().unwrap_or(line);
        let start = line.as_ptr().addr() - self.text.as_ptr().addr();
        let words = line
            .split(|c: char| c.is_whitespace() || c == ',' || c == ';')
            .filter(|word| !word.is_empty());
        let mut items = Vec::new();
        for word in words {
            let at = word.as_ptr().addr() - self.text.as_ptr().addr();
            if word.contains(['=', '[', ']', '(', ')', '{', '}', ':']) {
                return Err(Fault::At(at, format!("expected an item of an option, found `{word}`")));
            }
            items.push(Node { start: at, data: LiteralData::Word(word.trim_matches(['"', '\''])) });
        }
        self.at = start + line.len();
        spend(self.pace, line).map_err(Fault::Limited)?;
        Ok(Node { start, data: LiteralData::List(items) })
    }

    fn value(&mut self, depth: usize) -> Result<Node<'t>, Fault> {
        if depth > DEPTH_MAX {
            return Err(self.fault(&format!("at most {DEPTH_MAX} brackets inside each other")));
        }
        let start = self.at;
        let rest = self.rest();
        match rest.chars().next() {
            _ if go_type(rest).is_some() => {
                self.at += go_type(rest).unwrap_or_default();
                self.value(depth + 1)
            }
            Some('[') => self.elements("]", depth),
            Some('(') => self.elements(")", depth),
            Some('{') => self.elements("}", depth),
            Some('<') if rest.starts_with("<|") => self.elements("|>", depth),
            Some(quote @ ('"' | '\'')) => {
                let end =
                    rest[1..].find([quote, '\n']).filter(|&end| rest[1 + end..].starts_with(quote));
                let Some(end) = end else { return Err(self.fault("a text that ends in a quote")) };
                self.at += end + 2;
                Ok(Node { start, data: LiteralData::Text(&rest[1..=end]) })
            }
            // A symbol of Ruby.
            Some(':') if rest[1..].starts_with(char::is_alphabetic) => {
                self.at += 1;
                self.value(depth + 1)
            }
            Some(first) if !is_delimiter(first) => {
                let end = rest.find(is_delimiter).unwrap_or(rest.len());
                let word = &rest[..end];
                self.at += end;
                spend(self.pace, word).map_err(Fault::Limited)?;
                if word == "new" {
                    // Skip the type in an expression such as `new int[3, 4] {`.
                    let open = self.rest().find('{').filter(|&at| !self.rest()[..at].contains('\n'));
                    self.at += open.unwrap_or(0);
                    self.skip();
                    return self.value(depth + 1);
                }
                let function = word.rsplit('.').next().unwrap_or(word);
                if self.rest().starts_with('(') || word.ends_with('!') {
                    let function = if ALTERNATING.contains(&word) { word } else { function };
                    return self.call(start, function, depth);
                }
                Ok(Node { start, data: LiteralData::Word(word) })
            }
            _ => Err(self.fault("an option, an item or a bracket")),
        }
    }

    fn call(&mut self, start: usize, function: &str, depth: usize) -> Result<Node<'t>, Fault> {
        let is_list = LISTS.contains(&function) || ALTERNATING.contains(&function);
        if !is_list && !CALLS.contains(&function) && function != "range" {
            let message = format!("expected options or items, found the call `{function}`");
            return Err(Fault::At(start, message));
        }
        let Node { data, .. } =
            self.elements(if self.rest().starts_with('[') { "]" } else { ")" }, depth)?;
        let mut size = MatrixSize::default();
        let mut elements = match data {
            LiteralData::Map(pairs) if DICTIONARIES.contains(&function) => {
                return Ok(Node { start, data: LiteralData::Map(pairs) });
            }
            LiteralData::Map(pairs) => {
                let mut values = Vec::new();
                for (key, value) in pairs {
                    match key.data {
                        // An argument without a name was parsed as a key without a value.
                        LiteralData::List(_) => values.push(key),
                        _ if REMARKS.contains(&&*key.name()) => {}
                        _ if function == "matrix" && size.takes(&key.name(), &value)? => {}
                        _ => {
                            let message = format!("expected no argument `{}`", key.name());
                            return Err(Fault::At(value.start, message));
                        }
                    }
                }
                values
            }
            LiteralData::List(elements) => elements,
            _ => Vec::new(),
        };
        if function == "range" {
            return range(start, &elements);
        }
        if ALTERNATING.contains(&function) {
            return pairs(start, elements);
        }
        if size.is_stated() {
            return size.matrix(start, elements);
        }
        if is_list || function == "vec!" {
            return Ok(Node { start, data: LiteralData::List(elements) });
        }
        // An array of PHP has its elements as arguments.
        let scalars = elements.iter().filter(|element| element.is_scalar()).count();
        let is_even = scalars == 0 || scalars == elements.len();
        if matches!(function, "array" | "Array") && elements.len() > 1 && is_even {
            return Ok(Node { start, data: LiteralData::List(elements) });
        }
        // Drop a ring or a size, which may precede the rows of a matrix.
        while elements.len() > 1 && elements[0].is_scalar() {
            elements.remove(0);
        }
        match elements.len() {
            0 => Ok(Node { start, data: LiteralData::List(Vec::new()) }),
            1 => Ok(elements.swap_remove(0)),
            _ => Err(Fault::At(
                elements[1].start,
                format!("expected one argument of `{function}`, found another"),
            )),
        }
    }

    /// Reads the contents of a bracket: elements, with or without commas, or keys with values.
    fn elements(&mut self, close: &str, depth: usize) -> Result<Node<'t>, Fault> {
        let start = self.at;
        self.at += close.len();
        let mut elements: Vec<Node<'t>> = Vec::new();
        let mut pairs: Vec<(Node<'t>, Node<'t>)> = Vec::new();
        let mut row_ends = Vec::new();
        loop {
            self.skip();
            if self.rest().starts_with(close) {
                self.at += close.len();
                break;
            }
            let element = match self.value(depth + 1) {
                Err(Fault::At(at, _))
                    if at == self.at
                        && self.rest().starts_with([']', ')', '}', ',', ';', ':', '=']) =>
                {
                    return Err(self.fault(&format!("`{close}` or an element")));
                }
                element => element?,
            };
            self.skip();
            if ["=>", "->", ":", "="].iter().any(|sign| self.takes(sign)) {
                self.skip();
                let value = self.value(depth + 1)?;
                if let Some((first, _)) = pairs.iter().find(|(key, _)| key.name() == element.name()) {
                    let line = self.text[..first.start].matches('\n').count() + 1;
                    let message = format!(
                        "expected the key `{}` once, found it again (first on line {line})",
                        element.name()
                    );
                    return Err(Fault::At(element.start, message));
                }
                pairs.push((element, value));
                self.skip();
            } else {
                elements.push(element);
            }
            if !self.takes(",") && self.takes(";") {
                row_ends.push(elements.len());
            }
        }
        // MATLAB and Julia separate the rows of a matrix with semicolons.
        if close == "]" && !row_ends.is_empty() && elements.iter().all(Node::is_scalar) {
            row_ends.push(elements.len());
            let mut cells = elements.into_iter();
            let (mut rows, mut begin) = (Vec::new(), 0);
            for end in row_ends {
                let row: Vec<Node<'t>> = cells.by_ref().take(end - begin).collect();
                begin = end;
                rows.extend(
                    row.first()
                        .map(|cell| cell.start)
                        .map(|start| Node { start, data: LiteralData::List(row) }),
                );
            }
            elements = rows;
        }
        let data = match (elements.is_empty(), pairs.is_empty()) {
            (_, true) => LiteralData::List(elements),
            (true, false) => LiteralData::Map(pairs),
            // Only some arguments have names.
            (false, false) if close == ")" => {
                let plain = elements.into_iter().map(|element| {
                    let start = element.start;
                    let list = Node { start, data: LiteralData::List(vec![element]) };
                    (list, Node { start, data: LiteralData::List(Vec::new()) })
                });
                let plain: Vec<_> = plain.collect();
                let unwrapped = plain.into_iter().map(|(list, value)| match list.data {
                    LiteralData::List(mut one) if !one[0].is_scalar() => (one.swap_remove(0), value),
                    data => (Node { start: list.start, data }, value),
                });
                let mut all: Vec<_> = unwrapped.collect();
                all.extend(pairs);
                LiteralData::Map(all)
            }
            (false, false) => {
                return Err(Fault::At(elements[0].start, "expected a key with its value".to_owned()));
            }
        };
        Ok(Node { start, data })
    }
}

/// Returns the length of a type of Go before its elements, as in `[][]int{` or `map[string][]int{`.
fn go_type(text: &str) -> Option<usize> {
    let (head, _) = text.split_once('{')?;
    let rest = head.strip_prefix("map").unwrap_or(head);
    let is_type = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let mut name = rest;
    while let Some((size, rest)) = name.strip_prefix('[').and_then(|rest| rest.split_once(']')) {
        name = rest;
        if !size.chars().all(is_type) {
            return None;
        }
    }
    let is_go = rest.starts_with('[') && !name.is_empty() && name.chars().all(is_type);
    is_go.then_some(head.len())
}

/// Returns the numbers of a range of Python: its end, or its start and its end.
fn range<'t>(start: usize, bounds: &[Node<'t>]) -> Result<Node<'t>, Fault> {
    let bounds: Option<Vec<i64>> = bounds.iter().map(|bound| bound.value().as_i64()).collect();
    let numbers = match bounds.as_deref() {
        Some([end]) => Some(0..*end),
        Some([start, end]) => Some(*start..*end),
        _ => None,
    };
    let numbers = numbers.filter(|numbers| {
        numbers.end.checked_sub(numbers.start).is_some_and(|count| count <= RANGE_MAX)
    });
    let message = || format!("expected a range of at most {RANGE_MAX} numbers without a step");
    let numbers = numbers.ok_or_else(|| Fault::At(start, message()))?;
    let nodes = numbers.map(|number| Node { start, data: LiteralData::Number(number) });
    Ok(Node { start, data: LiteralData::List(nodes.collect()) })
}

/// Returns the dictionary of arguments that are keys and values in turn.
fn pairs(start: usize, elements: Vec<Node<'_>>) -> Result<Node<'_>, Fault> {
    let mut pairs: Vec<(Node<'_>, Node<'_>)> = Vec::new();
    let mut elements = elements.into_iter();
    let mut seen = std::collections::HashSet::new();
    while let Some(key) = elements.next() {
        let Some(value) = elements.next().filter(|_| seen.insert(key.name())) else {
            return Err(Fault::At(key.start, "expected each key once, with its value".to_owned()));
        };
        pairs.push((key, value));
    }
    Ok(Node { start, data: LiteralData::Map(pairs) })
}

/// The size of a matrix of R, whose cells are one list, by default column by column.
#[derive(Debug, Default)]
struct MatrixSize {
    rows: Option<usize>,
    columns: Option<usize>,
    by_row: Option<bool>,
}

impl MatrixSize {
    /// Records an argument, and returns whether it is one of a size.
    fn takes(&mut self, name: &str, value: &Node<'_>) -> Result<bool, Fault> {
        let fault = |what: &str| Fault::At(value.start, format!("expected {what} in `{name}`"));
        let count = || {
            let count = value.value().as_u64().and_then(|count| usize::try_from(count).ok());
            count.ok_or_else(|| fault("a number"))
        };
        match name {
            "nrow" => self.rows = Some(count()?),
            "ncol" => self.columns = Some(count()?),
            "byrow" => {
                self.by_row = match &*value.name() {
                    "T" | "TRUE" | "1" => Some(true),
                    "F" | "FALSE" | "0" => Some(false),
                    _ => return Err(fault("TRUE or FALSE")),
                }
            }
            _ => return Ok(false),
        }
        Ok(true)
    }

    fn is_stated(&self) -> bool {
        self.rows.is_some() || self.columns.is_some() || self.by_row.is_some()
    }

    fn matrix<'t>(&self, start: usize, mut elements: Vec<Node<'t>>) -> Result<Node<'t>, Fault> {
        let cells = match elements.pop() {
            Some(Node { data: LiteralData::List(cells), .. }) if elements.is_empty() => cells,
            _ => return Err(Fault::At(start, "expected one list of cells".to_owned())),
        };
        let of = |other: usize| cells.len() / other.max(1);
        let (rows, columns) = match (self.rows, self.columns) {
            (Some(rows), Some(columns)) => (rows, columns),
            (Some(rows), None) => (rows, of(rows)),
            (None, Some(columns)) => (of(columns), columns),
            (None, None) => (cells.len(), 1),
        };
        if rows.checked_mul(columns) != Some(cells.len()) {
            let message =
                format!("expected {} cells, found {}", rows.saturating_mul(columns), cells.len());
            return Err(Fault::At(start, message));
        }
        let place = |row: usize, column: usize| match self.by_row {
            Some(true) => row * columns + column,
            _ => column * rows + row,
        };
        let row = |row: usize| {
            let cells = (0..columns).map(|column| cells[place(row, column)].clone());
            Node { start, data: LiteralData::List(cells.collect()) }
        };
        Ok(Node { start, data: LiteralData::List((0..rows).map(row).collect()) })
    }
}

impl<'t> LiteralProgram<'t> {
    /// Returns the value that all statements define together, and the list of items if a statement
    /// defines one.
    pub(super) fn whole(self) -> Result<(Node<'t>, Option<Node<'t>>), Fault> {
        let expected = || {
            "expected options of a cover (lists of items, rows of 0 and 1, or a dictionary of them)"
                .to_owned()
        };
        let mut statements = self.statements;
        let is_items = |statement: &Statement<'_>| {
            let name = statement.name.as_ref().map(Node::name).unwrap_or_default();
            statement.value.is_flat() && ITEMS.contains(&&*name)
        };
        let mut items = None;
        if statements.len() == 2 && !statements.iter().all(|statement| statement.value.is_flat()) {
            let place = statements.iter().position(is_items);
            items = place.map(|place| statements.remove(place).value);
        }
        let all_flat = statements.iter().all(|statement| statement.value.is_flat());
        let named = statements.iter().filter(|statement| statement.name.is_some()).count();
        match statements.len() {
            0 => Err(Fault::At(0, format!("{}, found none", expected()))),
            1 if !all_flat || named == 1 && statements[0].is_bare => {
                let Statement { name, value, is_bare } = statements.swap_remove(0);
                match name.filter(|_| is_bare) {
                    Some(name) => Ok((
                        Node { start: name.start, data: LiteralData::Map(vec![(name, value)]) },
                        items,
                    )),
                    None => Ok((value, items)),
                }
            }
            1 => Err(Fault::At(statements[0].value.start, format!("{}, found one list", expected()))),
            count if all_flat && named == count => {
                let mut pairs: Vec<(Node<'t>, Node<'t>)> = Vec::new();
                let mut seen = std::collections::HashSet::new();
                for Statement { name, value, .. } in statements {
                    let Some(name) = name else { continue };
                    if !seen.insert(name.name()) {
                        let message =
                            format!("expected the name `{}` once, found it again", name.name());
                        return Err(Fault::At(name.start, message));
                    }
                    pairs.push((name, value));
                }
                Ok((Node { start: pairs[0].0.start, data: LiteralData::Map(pairs) }, items))
            }
            _ if all_flat && named == 0 => {
                let rows: Vec<Node<'t>> =
                    statements.into_iter().map(|statement| statement.value).collect();
                Ok((Node { start: rows[0].start, data: LiteralData::List(rows) }, items))
            }
            _ => {
                let start = statements[1].name.as_ref().unwrap_or(&statements[1].value).start;
                Err(Fault::At(start, format!("{}, found a second value", expected())))
            }
        }
    }
}

pub(super) fn parse<'t>(text: &'t str, pace: &mut Pace<'_>) -> Result<LiteralProgram<'t>, Fault> {
    LiteralParser { text, at: 0, pace }.program()
}
