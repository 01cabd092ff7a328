//! Reads and writes (`write`) the format `.xmpuzzle` of BurrTools. A file is XML, usually
//! compressed by gzip; callers pass the decompressed text.
//!
//! - `gridType`: 0 is the grid of cubes, 1 of triangular prisms, 2 of spheres, 3 of cubes cut into
//!   tetrahedra, 4 of tetrahedra and octahedra.
//! - `shapes`: a list of voxel spaces with x * y * z cells, where x varies fastest. Each cell is
//!   `_` (no cell), `#` or, in the result, `+` (may stay empty), followed by the number of its
//!   color.
//! - `problems`: each is a separate puzzle. A problem has a result, the shapes with their counts of
//!   copies (`count`, or `min` and `max`), and the compatible pairs of colors of shape and result.
//!   These pairs count colors from 0; voxels count them from 1. Cells without a color are
//!   compatible with all cells.
//!
//! The layers are z, the rows y, and the columns x. A prism with even x + y has its neighbor at y -
//! 1, so the rows are reversed. Groups, assembly steps and stored solutions are skipped. `maxHoles`
//! limits the number of empty voxels if the number of pieces varies. If it does not vary, BurrTools
//! ignores `maxHoles`, so a note warns if the pieces leave more holes.
//!
//! Bounds: a text has at most [`MAX_BYTES`] bytes; voxels and pieces are bounded as in any text.
//! Source: the format that BurrTools 0.6 writes.

mod write;

use roxmltree::{Document, Error, Node, ParsingOptions, TextPos};

pub(super) use self::write::write;
use super::board::{PieceBoard, PlaceKind};
use super::lattice::{self, PieceLattice};
use super::sets::letters;
use super::shape::{MarkedCell, PLAIN, Position, parts};
use super::{Description, MAX_BOARD_SIZE, MAX_PIECE_CELLS, Piece, Supply};
use text::InputError;

const MAX_BYTES: usize = 1 << 26;
/// Maximum number of XML nodes, which take some hundred bytes each (a shape has one text node for
/// its voxels), and of attributes per element, which the parser compares pairwise.
const NODES_MAX: u32 = 200_000;
const ATTRIBUTES_MAX: usize = 200;
const MAX_PIECES: usize = 1 << 12;
/// The name of the lattice for each grid type.
const GRIDS: [&str; 5] = ["square", "triangular", "spheres", "rhombic", "tetrahedral"];
const MAX_COLOR: usize = 63;

pub(super) fn recognizes(sample: &str) -> bool {
    let text = sample.trim_start_matches('\u{feff}').trim_start();
    text.starts_with('<') && text.contains("<puzzle") && text.contains("<gridType")
}

struct VoxelShape {
    size: [usize; 3],
    cells: Vec<(Position, PlaceKind, char)>,
}

struct PuzzleFile<'t> {
    text: &'t str,
    lattice: &'static PieceLattice,
}

const PROBLEMS_MAX: usize = 1000;

/// Returns the line (from 0) of each problem; the first line of the text if the text cannot be
/// parsed.
pub(super) fn lines(text: &str) -> Vec<usize> {
    let Some(document) =
        Some(text).filter(|text| text.len() <= MAX_BYTES).and_then(|text| Document::parse(text).ok())
    else {
        return Vec::new();
    };
    let named = |name: &'static str| move |node: &Node<'_, '_>| node.has_tag_name(name);
    let problems = document.root_element().children().find(named("problems"));
    let problems = problems.iter().flat_map(Node::children).filter(named("problem"));
    let starts: Vec<usize> =
        problems.map(|problem| problem.range().start).take(PROBLEMS_MAX + 1).collect();
    let line = |start: &usize| text[..*start].bytes().filter(|&byte| byte == b'\n').count();
    starts.iter().map(line).collect()
}

/// Reads problem number `index` (from 0); also returns an optional note.
pub(super) fn read(text: &str, index: usize) -> Result<(Description, Option<String>), InputError> {
    if text.len() > MAX_BYTES {
        let message = format!("expected a file of at most {MAX_BYTES} bytes, found {}", text.len());
        return Err(InputError::whole(message));
    }
    if let Some(part) = text.split('<').find(|part| attribute_count(part) > ATTRIBUTES_MAX) {
        let start = part.as_ptr().addr() - text.as_ptr().addr();
        let line_start = text[..start].rfind('\n').map_or(0, |end| end + 1);
        let number = text[..start].matches('\n').count() + 1;
        let line = text[line_start..].lines().next().unwrap_or_default();
        let message = format!("expected at most {ATTRIBUTES_MAX} attributes of an element, found more");
        return Err(InputError::at(number, line, start - line_start, message));
    }
    let options = ParsingOptions { nodes_limit: NODES_MAX, ..ParsingOptions::default() };
    let document = Document::parse_with_options(text, options).map_err(|error| {
        if matches!(error, Error::NodesLimitReached) {
            let message = format!("expected at most {NODES_MAX} elements and texts, found more");
            return InputError::whole(message);
        }
        // For some errors the parser gives no position.
        let end = TextPos::new(text.trim_end().lines().count().max(1) as u32, u32::MAX);
        let is_cut = matches!(error, Error::UnexpectedEndOfStream | Error::UnclosedRootNode);
        let place = if is_cut { end } else { error.pos() };
        let line = text.lines().nth((place.row as usize).saturating_sub(1)).unwrap_or_default();
        let start = line.char_indices().nth((place.col as usize).saturating_sub(1));
        let start = start.map_or(line.len(), |(start, _)| start);
        let message = format!("expected XML, found that {}", lower_first(&error.to_string()));
        InputError::at((place.row as usize).max(1), line, start, message)
    })?;
    let mut file = PuzzleFile { text, lattice: lattice::LATTICES[0] };
    let root = document.root_element();
    file.check_texts(root)?;
    let version = root.attribute("version").unwrap_or(VERSIONS[1]);
    if !VERSIONS.contains(&version) {
        return Err(file.error(root, format!("expected version 1 or 2, found `{version}`")));
    }
    let grid = file.child(root, "gridType")?;
    let kind = grid.attribute("type").unwrap_or("0");
    let number = kind.parse().ok().filter(|_| kind.len() == 1);
    let name = number.and_then(|number: usize| GRIDS.get(number));
    file.lattice = name.and_then(|name| lattice::by_name(name)).ok_or_else(|| {
        let kinds: Vec<String> =
            GRIDS.iter().enumerate().map(|(number, name)| format!("{number} {name}")).collect();
        file.error(grid, format!("expected a grid type ({}), found `{kind}`", kinds.join(", ")))
    })?;
    let voxels: Vec<Node<'_, '_>> =
        file.child(root, "shapes")?.children().filter(|node| node.has_tag_name("voxel")).collect();
    let problems = file.child(root, "problems")?;
    let mut problems = problems.children().filter(|node| node.has_tag_name("problem"));
    if index >= PROBLEMS_MAX {
        return Err(InputError::whole(format!("expected at most {PROBLEMS_MAX} problems, found more")));
    }
    let problem = problems
        .nth(index)
        .ok_or_else(|| file.error(root, "expected a problem in the file, found none".to_owned()))?;
    let (description, note) = file.describe(problem, &voxels)?;
    let unused = file.unused(root)?;
    let unused = (!unused.is_empty()).then(|| format!("not used: {}", unused.join(", ")));
    let notes: Vec<String> = note.into_iter().chain(unused).collect();
    Ok((description, (!notes.is_empty()).then(|| notes.join("; "))))
}

/// Known elements, each with the elements that may hold it and with its attributes. Those without
/// an effect on solutions (names of cells, assembly, display colors) are skipped.
const KNOWN: [(&str, &[&str], &[&str]); 15] = [
    ("puzzle", &[], &["version"]),
    ("gridType", &["puzzle"], &["type"]),
    ("colors", &["puzzle"], &[]),
    ("color", &["colors"], &["red", "green", "blue"]),
    ("shapes", &["puzzle", "problem"], &[]),
    ("voxel", &["shapes"], &["x", "y", "z", "type", "hx", "hy", "hz", "weight", "name"]),
    ("problems", &["puzzle"], &[]),
    (SOLUTIONS, &["problem"], &[]),
    ("problem", &["problems"], &["state", "assemblies", "solutions", "time", "name", "maxHoles"]),
    ("shape", &["shapes"], &["id", "count", "min", "max", "group"]),
    ("result", &["problem"], &["id"]),
    ("bitmap", &["problem"], &[]),
    ("pair", &["bitmap"], &["piece", "result"]),
    ("group", &["shape"], &["group", "count"]),
    ("comment", &["puzzle"], &["popup"]),
];
/// Stored solutions of a problem.
const SOLUTIONS: &str = "solutions";
/// Versions of the format.
const VERSIONS: [&str; 2] = ["1", "2"];
/// Elements with text in them.
const TEXTS: [&str; 3] = ["voxel", "comment", SOLUTIONS];
/// Elements whose parts all matter.
const CLOSED: [&str; 4] = ["shapes", "problems", "problem", "bitmap"];
/// Elements that only draw or describe.
const LOOKS: [&str; 4] = ["colors", "color", "group", "comment"];
/// Number of unused parts that a note names, and their length (characters).
const UNUSED_MAX: usize = 3;
const UNUSED_LENGTH: usize = 40;

fn attribute_count(part: &str) -> usize {
    let quoted = |(at, _): &(usize, &str)| part[at + 1..].trim_start().starts_with(['"', '\'']);
    part.match_indices('=').filter(quoted).count()
}

impl PuzzleFile<'_> {
    fn error(&self, node: Node<'_, '_>, message: String) -> InputError {
        let start = node.range().start;
        let before = self.text.get(..start).unwrap_or_default();
        let line_start = before.rfind('\n').map_or(0, |end| end + 1);
        let number = before.bytes().filter(|&byte| byte == b'\n').count() + 1;
        let line = self.text[line_start..].lines().next().unwrap_or_default();
        InputError::at(number, line, start - line_start, message)
    }

    fn check_texts(&self, root: Node<'_, '_>) -> Result<(), InputError> {
        let has_words = |node: Node<'_, '_>| TEXTS.iter().any(|name| node.has_tag_name(*name));
        for text in root.descendants().filter(Node::is_text) {
            let word = text.text().and_then(|text| text.split_whitespace().next());
            if let Some((word, inside)) = word.zip(text.parent_element())
                && !inside.ancestors().any(has_words)
            {
                let inside = inside.tag_name().name();
                let message = format!("expected elements in `{inside}`, found `{word}`");
                return Err(self.error(text, message));
            }
        }
        Ok(())
    }

    /// Lists unknown elements and attributes, each once, except inside stored solutions.
    ///
    /// # Errors
    /// The first element where another one may be misspelt or misplaced, since the pieces would
    /// differ.
    fn unused(&self, root: Node<'_, '_>) -> Result<Vec<String>, InputError> {
        let is_stored = |node: Node<'_, '_>| {
            let above = node.parent_element();
            node.has_tag_name(SOLUTIONS) && above.is_some_and(|above| above.has_tag_name("problem"))
        };
        let is_solved = |node: &Node<'_, '_>| node.ancestors().any(is_stored);
        let mut unused: Vec<String> = Vec::new();
        let mut add = |part: String| {
            if unused.len() < UNUSED_MAX && !unused.contains(&part) {
                unused.push(part);
            }
        };
        for node in root.descendants().filter(|node| node.is_element() && !is_solved(node)) {
            let name = node.tag_name().name();
            let above = node.parent_element();
            let inside = above.map_or("", |above| above.tag_name().name());
            let known = KNOWN.iter().find(|(known, ..)| *known == name);
            // Shapes lie in the file, their copies in problems.
            let holder = above.and_then(|above| above.parent_element());
            let is_of_problem = holder.is_some_and(|holder| holder.has_tag_name("problem"));
            let is_placed = match name {
                "voxel" => !is_of_problem,
                "shape" => is_of_problem,
                _ => true,
            };
            let attributes = match known {
                Some((_, holders, attributes))
                    if node == root || holders.contains(&inside) && is_placed =>
                {
                    attributes
                }
                _ if CLOSED.contains(&inside) || known.is_some_and(|_| !LOOKS.contains(&name)) => {
                    return Err(self.error(
                        node,
                        format!("expected another element in `{inside}`, found `{name}`"),
                    ));
                }
                _ => {
                    add(format!("element `{name}` in `{inside}`"));
                    continue;
                }
            };
            let others = node.attributes().filter(|other| !attributes.contains(&other.name()));
            for other in others {
                let text = self.text.get(other.range()).unwrap_or_default();
                let text: String = text.chars().take(UNUSED_LENGTH).collect();
                add(format!("attribute `{text}` of `{name}`"));
            }
        }
        Ok(unused)
    }

    /// Returns the only child called `name`.
    fn child<'d, 'i>(&self, node: Node<'d, 'i>, name: &str) -> Result<Node<'d, 'i>, InputError> {
        let inside = node.tag_name().name();
        let mut found = node.children().filter(|child| child.has_tag_name(name));
        let child = found
            .next()
            .ok_or_else(|| self.error(node, format!("expected `{name}` in `{inside}`, found none")))?;
        if let Some(second) = found.next() {
            return Err(
                self.error(second, format!("expected one `{name}` in `{inside}`, found a second"))
            );
        }
        Ok(child)
    }

    fn number(&self, node: Node<'_, '_>, name: &str, most: usize) -> Result<Option<usize>, InputError> {
        let Some(text) = node.attribute(name) else { return Ok(None) };
        let number = text.parse().ok().filter(|&number| number <= most);
        number.map(Some).ok_or_else(|| {
            let message = format!("expected a number up to {most} for `{name}`, found `{text}`");
            self.error(node, message)
        })
    }

    fn needed(&self, node: Node<'_, '_>, name: &str, most: usize) -> Result<usize, InputError> {
        self.number(node, name, most)?.ok_or_else(|| {
            let inside = node.tag_name().name();
            self.error(node, format!("expected `{name}` at `{inside}`, found none"))
        })
    }

    fn referred(&self, node: Node<'_, '_>, voxels: &[Node<'_, '_>]) -> Result<VoxelShape, InputError> {
        let id = self.needed(node, "id", usize::MAX)?;
        let Some(&voxel) = voxels.get(id) else {
            let message =
                format!("expected the number of one of {} shapes, found `{id}`", voxels.len());
            return Err(self.error(node, message));
        };
        self.shape(voxel)
    }

    fn shape(&self, voxel: Node<'_, '_>) -> Result<VoxelShape, InputError> {
        let [x, y, z] = ["x", "y", "z"].map(|name| self.needed(voxel, name, MAX_BOARD_SIZE));
        let [x, y, z] = [x?, y?, z?];
        let count = x.checked_mul(y).and_then(|count| count.checked_mul(z)).unwrap_or(usize::MAX);
        if count > MAX_BOARD_SIZE {
            let message =
                format!("shape of {x} x {y} x {z} exceeds the limit of {MAX_BOARD_SIZE} places");
            return Err(self.error(voxel, message));
        }
        let is_reversed = self.lattice.name == GRIDS[1];
        // If the number of rows is even, an extra column preserves the orientation of the triangles
        // when the rows are reversed.
        let shift = usize::from(is_reversed && y % 2 == 0);
        let mut characters =
            voxel.text().unwrap_or_default().chars().filter(|c| !c.is_whitespace()).peekable();
        let mut cells = Vec::new();
        let mut place = 0;
        while let Some(character) = characters.next() {
            let mut color = 0;
            while let Some(digit) = characters.peek().and_then(|c| c.to_digit(10)) {
                color = (10 * color + digit as usize).min(MAX_COLOR + 1);
                characters.next();
            }
            if color > MAX_COLOR {
                return Err(self.error(voxel, format!("expected colors up to {MAX_COLOR}")));
            }
            let kind = match character {
                '_' => PlaceKind::Outside,
                '#' => PlaceKind::Covered,
                '+' => PlaceKind::Free,
                found => {
                    let message = format!("expected `_`, `#` or `+` in a voxel, found `{found}`");
                    return Err(self.error(voxel, message));
                }
            };
            if kind != PlaceKind::Outside && place < count {
                let (row, column) = (place / x % y, place % x + shift);
                let row = if is_reversed { y - 1 - row } else { row };
                let cell = [place / x / y, row, column].map(|at| at as i32);
                if self.lattice.is_solid() && !self.lattice.is_cell(cell, cell) {
                    let message = format!(
                        "expected voxels where the grid has cells, found one at {} {} {}",
                        place % x,
                        place / x % y,
                        place / x / y
                    );
                    return Err(self.error(voxel, message));
                }
                cells.push((cell, kind, mark(color)));
            }
            place += 1;
        }
        if place != count {
            let message =
                format!("expected {count} places in a voxel of {x} x {y} x {z}, found {place}");
            return Err(self.error(voxel, message));
        }
        cells.sort_unstable_by_key(|(cell, ..)| *cell);
        Ok(VoxelShape { size: [z, y, x + shift], cells })
    }

    fn describe(
        &self,
        problem: Node<'_, '_>,
        voxels: &[Node<'_, '_>],
    ) -> Result<(Description, Option<String>), InputError> {
        let result = self.child(problem, "result")?;
        let VoxelShape { size, cells } = self.referred(result, voxels)?;
        let mut board = PieceBoard::new(self.lattice, size);
        for (cell, kind, mark) in cells {
            board.set(cell, kind);
            board.set_mark(cell, mark);
        }
        if board.is_empty() {
            return Err(self.error(result, "expected cells in the result, found none".to_owned()));
        }
        let mut pairs = Vec::new();
        if problem.children().any(|child| child.has_tag_name("bitmap")) {
            let bitmap = self.child(problem, "bitmap")?;
            for pair in bitmap.children().filter(|node| node.has_tag_name("pair")) {
                let [piece, result] =
                    ["piece", "result"].map(|name| self.needed(pair, name, MAX_COLOR - 1));
                pairs.push((mark(piece? + 1), mark(result? + 1)));
            }
        }
        board.pairs = Some(pairs);
        let shapes = self.child(problem, "shapes")?;
        let mut pieces: Vec<Piece> = Vec::new();
        for (node, name) in shapes.children().filter(|node| node.has_tag_name("shape")).zip(letters()) {
            if pieces.len() == MAX_PIECES {
                return Err(self.error(node, format!("more shapes than the limit of {MAX_PIECES}")));
            }
            pieces.extend(self.piece(node, name, voxels)?);
        }
        if pieces.is_empty() {
            return Err(self.error(shapes, "expected shapes in the problem, found none".to_owned()));
        }
        let (mut hole_max, mut note) = (None, None);
        if let Some(most) = self.number(problem, "maxHoles", usize::MAX)? {
            let cell_count = board.count(PlaceKind::Covered) + board.count(PlaceKind::Free);
            let least = |piece: &Piece| piece.cells.len().saturating_mul(piece.supply.low as usize);
            let least = pieces.iter().map(least).fold(0, usize::saturating_add);
            let left = cell_count.saturating_sub(least);
            if left > most {
                if pieces.iter().all(|piece| piece.supply.high == Some(piece.supply.low)) {
                    note = Some(format!(
                        "maxHoles is {most}, and the pieces leave {left}, as their number says"
                    ));
                } else {
                    hole_max = Some(u32::try_from(most).unwrap_or(u32::MAX >> 1));
                }
            }
        }
        let too_large = self.error(result, String::new());
        let clues = Vec::new();
        Ok((
            Description {
                board,
                pieces,
                clues,
                hole_max,
                is_tiling: false,
                aliases: Vec::new(),
                note: None,
                too_large,
            },
            note,
        ))
    }

    fn piece(
        &self,
        node: Node<'_, '_>,
        name: char,
        voxels: &[Node<'_, '_>],
    ) -> Result<Option<Piece>, InputError> {
        let most = u32::MAX as usize >> 1;
        let supply = match self.number(node, "count", most)? {
            Some(count) => {
                for name in ["min", "max"] {
                    if let Some(bound) = self.number(node, name, most)?.filter(|bound| *bound != count)
                    {
                        let message =
                            format!("expected `{name}` to be {count}, as `count` says, found {bound}");
                        return Err(self.error(node, message));
                    }
                }
                (count, count)
            }
            None => (
                self.number(node, "min", most)?.unwrap_or(1),
                self.number(node, "max", most)?.unwrap_or(1),
            ),
        };
        if supply.0 > supply.1 {
            let message =
                format!("expected at least as many pieces as {}, found {}", supply.0, supply.1);
            return Err(self.error(node, message));
        }
        if supply.1 == 0 {
            return Ok(None);
        }
        let shape = self.referred(node, voxels)?;
        if shape.cells.iter().any(|(_, kind, _)| *kind == PlaceKind::Free) {
            return Err(self.error(node, "expected a piece without variable voxels".to_owned()));
        }
        let cells: Vec<MarkedCell> =
            shape.cells.into_iter().map(|(cell, _, mark)| (cell, mark)).collect();
        let places: Vec<Position> = cells.iter().map(|(cell, _)| *cell).collect();
        let message = match parts(self.lattice, &places, |_, _| true).len() {
            1 if cells.len() <= MAX_PIECE_CELLS => {
                let supply = Supply { low: supply.0 as u32, high: Some(supply.1 as u32) };
                let line = self.error(node, String::new()).line.saturating_sub(1);
                return Ok(Some(Piece {
                    name,
                    cells,
                    supply,
                    motions: None,
                    has_own_name: false,
                    line,
                }));
            }
            1 => {
                format!("piece has {} cells, which exceeds the limit of {MAX_PIECE_CELLS}", cells.len())
            }
            0 => "expected cells in a piece, found none".to_owned(),
            count => format!("expected a piece in one part, found {count} parts"),
        };
        Err(self.error(node, message))
    }
}

fn mark(color: usize) -> char {
    if color == 0 { PLAIN } else { letters().nth(color + 25).unwrap_or(PLAIN) }
}

/// Converts an error message of another crate to the rest of a sentence: changes its first letter
/// to lower case, except in a word in capitals.
fn lower_first(message: &str) -> String {
    let mut characters = message.chars();
    if message.chars().nth(1).is_some_and(char::is_uppercase) {
        return message.to_owned();
    }
    characters.next().map_or(String::new(), |first| first.to_lowercase().chain(characters).collect())
}

#[cfg(test)]
mod tests {
    use dlx::Limits;

    use super::super::{native, read as read_puzzle};
    use puzzle::Puzzle as _;

    fn file(grid: u32, shapes: &str, problem: &str) -> String {
        format!(
            "<?xml version=\"1.0\"?>\n<puzzle version=\"2\"><gridType type=\"{grid}\"/><colors/>\n<shapes>{shapes}\
             </shapes>\n<problems><problem name=\"a\" state=\"0\">{problem}</problem></problems></puzzle>\n"
        )
    }

    #[track_caller]
    fn check(grid: u32, shapes: &str, problem: &str, expected: u64) {
        let text = file(grid, shapes, problem);
        assert!(native::recognizes(&text), "{text}");
        let puzzle =
            read_puzzle(&text, &Limits::default()).unwrap_or_else(|error| panic!("{error}\n{text}"));
        assert_eq!(dlx::count(puzzle.problem()), expected.into(), "{text}");
    }

    #[track_caller]
    fn check_error(text: &str, expected: &str) {
        let error = read_puzzle(text, &Limits::default()).map(|_| ()).expect_err(text);
        assert_eq!(error.to_string(), expected);
    }

    const DOMINO: &str = "<voxel x=\"2\" y=\"1\" z=\"1\" type=\"0\">##</voxel>";
    const SQUARE: &str = "<voxel x=\"2\" y=\"2\" z=\"1\" type=\"0\">####</voxel>";

    #[test]
    fn ranges_colors_and_variable_voxels_are_read() {
        let shapes = format!("{DOMINO}{SQUARE}");
        let range = |low, high| {
            format!("<shapes><shape id=\"0\" min=\"{low}\" max=\"{high}\"/></shapes><result id=\"1\"/>")
        };
        check(0, &shapes, &range(0, 2), 2);
        check(0, &shapes, &range(0, 1), 0);
        check(
            0,
            &shapes,
            "<shapes><shape id=\"0\" count=\"2\"/></shapes><result id=\"1\"/><bitmap/>",
            2,
        );
        let free = format!("{DOMINO}<voxel x=\"2\" y=\"2\" z=\"1\">+++#</voxel>");
        check(0, &free, &range(0, 2), 4);
        let colored =
            "<voxel x=\"2\" y=\"1\" z=\"1\">#1#</voxel><voxel x=\"2\" y=\"2\" z=\"1\">#1#2#2#1</voxel>";
        let pair = "<bitmap><pair piece=\"0\" result=\"0\"/></bitmap>";
        check(0, colored, &format!("{}{pair}", range(2, 2)), 2);
        check(0, colored, &range(2, 2), 0);
    }

    #[test]
    fn holes_are_limited_if_the_number_of_pieces_varies() {
        let shapes = format!("{DOMINO}<voxel x=\"2\" y=\"2\" z=\"1\">++++</voxel>");
        let range = |low, high, holes: &str| {
            let problem = format!(
                "<shapes><shape id=\"0\" min=\"{low}\" max=\"{high}\"/></shapes><result id=\"1\"/>"
            );
            file(0, &shapes, &problem).replace(" state=\"0\"", holes)
        };
        // Without dominoes there are four holes (1 solution), with one domino two holes (4
        // solutions), with two dominoes no hole (2 solutions).
        for (holes, expected) in
            [(0, 2u32), (1, 2), (2, 6), (3, 6), (4, 7), (99, 7), (usize::from(u16::MAX), 7)]
        {
            let text = range(0, 2, &format!(" maxHoles=\"{holes}\""));
            let puzzle = read_puzzle(&text, &Limits::default()).unwrap();
            assert_eq!(dlx::count(puzzle.problem()), expected.into(), "{holes} holes");
            assert_eq!(puzzle.note(), None);
        }
        let puzzle = read_puzzle(&range(1, 1, " maxHoles=\"1\""), &Limits::default()).unwrap();
        assert_eq!(dlx::count(puzzle.problem()), 4u32.into());
        let note = "maxHoles is 1, and the pieces leave 2, as their number says";
        assert_eq!(puzzle.note(), Some(note));
        check_error(
            &range(0, 2, " maxHoles=\"x\""),
            "4:11: expected a number up to 18446744073709551615 for `maxHoles`, found `x`",
        );
    }

    #[test]
    fn triangles_are_read_at_the_positions_of_burrtools() {
        // Rows grow upwards. A triangle with even x + y has its base below, toward row y - 1.
        let diamond = "<voxel x=\"1\" y=\"2\" z=\"1\">##</voxel>";
        let across =
            "<voxel x=\"1\" y=\"2\" z=\"1\">_#</voxel><voxel x=\"1\" y=\"3\" z=\"1\">_##</voxel>";
        let one = "<shapes><shape id=\"0\" count=\"1\"/></shapes><result id=\"1\"/>";
        check_error(
            &file(1, &format!("{diamond}{diamond}"), one),
            "4:47: expected a piece in one part, found 2 parts",
        );
        let touching = "<voxel x=\"1\" y=\"3\" z=\"1\">_##</voxel>";
        check(1, &format!("{touching}{touching}"), one, 1);
        check(1, &format!("{touching}<voxel x=\"2\" y=\"1\" z=\"1\">##</voxel>"), one, 1);
        check(1, across, "<shapes><shape id=\"0\" count=\"2\"/></shapes><result id=\"1\"/>", 1);
    }

    #[test]
    fn spheres_and_cut_cubes_are_read() {
        let one = "<shapes><shape id=\"0\" count=\"2\"/></shapes><result id=\"1\"/>";
        let pair = "<voxel x=\"2\" y=\"2\" z=\"1\">#__#</voxel>";
        check(2, &format!("{pair}<voxel x=\"3\" y=\"3\" z=\"1\">#_#_+_#_#</voxel>"), one, 0);
        check(2, &format!("{pair}<voxel x=\"4\" y=\"2\" z=\"1\">#_#__#_#</voxel>"), one, 1);
        let tetrahedra = "<voxel x=\"3\" y=\"3\" z=\"2\">__#______ ____#____</voxel>";
        let cubes = "<voxel x=\"6\" y=\"3\" z=\"2\">__##______________ _______#__#_______</voxel>";
        check(4, &format!("{tetrahedra}{cubes}"), one, 1);
        check_error(
            &file(2, &format!("{pair}<voxel x=\"2\" y=\"1\" z=\"1\">##</voxel>"), one),
            "3:46: expected voxels where the grid has cells, found one at 1 0 0",
        );
    }

    #[test]
    fn errors_in_burrtools_files_have_their_position() {
        let shapes = format!("{DOMINO}{SQUARE}");
        let one = "<shapes><shape id=\"0\" count=\"1\"/></shapes>";
        check_error(
            &file(5, "", ""),
            "2:21: expected a grid type (0 square, 1 triangular, 2 spheres, 3 rhombic, 4 tetrahedral), found `5`",
        );
        check_error(&file(0, &shapes, one), "4:11: expected `result` in `problem`, found none");
        check_error(
            &file(0, &shapes, &format!("{one}<result id=\"7\"/>")),
            "4:81: expected the number of one of 2 shapes, found `7`",
        );
        check_error(
            &file(0, "<voxel x=\"2\" y=\"1\" z=\"1\">#</voxel>", &format!("{one}<result id=\"0\"/>")),
            "3:9: expected 2 places in a voxel of 2 x 1 x 1, found 1",
        );
        check_error(
            &file(
                0,
                "<voxel x=\"99999\" y=\"99999\" z=\"99999\">#</voxel>",
                &format!("{one}<result id=\"0\"/>"),
            ),
            "3:9: shape of 99999 x 99999 x 99999 exceeds the limit of 1048576 places",
        );
        let text = "<puzzle version=\"2\"><gridType/>\n<x></puzzle>";
        let error = read_puzzle(text, &Limits::default()).map(|_| ()).expect_err(text);
        assert_eq!(error.line, 2, "{error}");
    }
}
