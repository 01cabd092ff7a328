//! The picture in the README, `docs/search.svg`, shows the search that `farandole trace` prints.
//!
//! Each option that dancing links tries is a piece that appears on the board, and disappears when
//! the search backtracks. An item without remaining options is marked. Below the board, a plot
//! shows the depth of the search at each step. Viewers without animation show the solution. To
//! redraw the picture, run `FARANDOLE_WRITE=1 cargo test --test it picture::`.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use serde_json::Value;

use crate::command::run;

const PUZZLE: &str = "puzzles/polyomino/pentominoes-clues.poly";
const PATH: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/search.svg");

/// Row and column counts of the board.
const ROWS: usize = 6;
const COLUMNS: usize = 10;
/// Side of a cell, and width of the border around the board (pixels).
const CELL: usize = 40;
const BORDER: usize = 10;
/// Height of one level in the plot of the depth (pixels).
const LEVEL: usize = 5;
/// Duration of a step (s), and duration of the final solution (steps).
const STEP: f64 = 0.3;
const PAUSE: usize = 15;

/// Fill and outline colors of the pieces, in the order of their letters.
const COLORS: [(&str, &str); 12] = [
    ("#e8806a", "#8f3a28"),
    ("#eda35c", "#8f5718"),
    ("#e6c34f", "#806410"),
    ("#b3cc5a", "#5b6f14"),
    ("#7dc47a", "#2f6e2d"),
    ("#5fc0a3", "#19694f"),
    ("#5cb8cf", "#175f73"),
    ("#6ba0e0", "#1f4f8c"),
    ("#8d8fe6", "#36388f"),
    ("#b586dd", "#5d2d86"),
    ("#dc83c4", "#85296c"),
    ("#e8809a", "#8c2843"),
];

/// The row and the column of a cell.
type Cell = (usize, usize);

/// A piece that is on the board from one step to another.
struct Piece {
    name: String,
    cells: Vec<Cell>,
    from: usize,
    to: Option<usize>,
}

/// The parts of a search that the picture shows.
#[derive(Default)]
struct Search {
    pieces: Vec<Piece>,
    /// For each step: its line of text, its level, and the item without remaining options, if any.
    steps: Vec<(String, usize, Option<String>)>,
}

fn cell(item: &str) -> Option<Cell> {
    let (row, column) = item.strip_prefix('r')?.split_once('c')?;
    Some((row.parse().ok()?, column.parse().ok()?))
}

/// Reads the events of a search up to its first solution.
fn search(events: &str) -> Search {
    let mut search = Search::default();
    let mut open: Vec<usize> = Vec::new();
    let mut item = BTreeMap::new();
    for line in events.lines() {
        let event: Value = serde_json::from_str(line).expect("an event");
        let text = |key: &str| event[key].as_str().unwrap_or_default().to_owned();
        let level = usize::try_from(event["level"].as_u64().unwrap_or(0)).expect("a level");
        let piece = |from| {
            let option = text("option");
            let cells = option.split(' ').filter_map(cell).collect();
            let name = option.split(' ').find(|item| cell(item).is_none()).expect("a piece").to_owned();
            Piece { name, cells, from, to: None }
        };
        match event["event"].as_str().expect("a name") {
            "given" => search.pieces.push(piece(0)),
            "choose" => drop(item.insert(level, text("item"))),
            "try" => {
                let piece = piece(search.steps.len());
                let (ordinal, of) = (&event["ordinal"], &event["of"]);
                let line =
                    format!("{} covered by {}: option {ordinal} of {of}", item[&level], piece.name);
                search.steps.push((line, level + 1, None));
                open.push(search.pieces.len());
                search.pieces.push(piece);
            }
            "dead_end" => {
                let item = text("item");
                search.steps.push((
                    format!("dead end: nothing is left to cover {item}"),
                    level,
                    Some(item),
                ));
            }
            "back" => {
                let piece = open.pop().expect("a piece that was tried");
                search.pieces[piece].to = Some(search.steps.len());
            }
            "solution" => {
                let nodes = search.pieces.len() + 1 - 2;
                for _ in 0..PAUSE {
                    search.steps.push((format!("a solution, after {nodes} nodes"), open.len(), None));
                }
                return search;
            }
            _ => {}
        }
    }
    panic!("no solution");
}

/// Returns the animation that shows an element only from step `from` to step `to`.
fn animation(from: usize, to: usize, steps: usize) -> String {
    let time = |step: usize| {
        let text = format!("{:.4}", step as f64 / steps as f64);
        text.trim_end_matches('0').trim_end_matches('.').to_owned()
    };
    let mut values = vec![("0", 0), ("1", from), ("0", to)];
    values.retain(|&(_, step)| step < steps);
    if from == 0 {
        values.remove(0);
    }
    let join = |all: Vec<String>| all.join(";");
    format!(
        "<animate attributeName=\"opacity\" calcMode=\"discrete\" dur=\"{:.1}s\" repeatCount=\"indefinite\" \
         values=\"{}\" keyTimes=\"{}\"/>",
        steps as f64 * STEP,
        join(values.iter().map(|(value, _)| (*value).to_owned()).collect()),
        join(values.iter().map(|&(_, step)| time(step)).collect()),
    )
}

fn place((row, column): Cell) -> (usize, usize) {
    (BORDER + (column - 1) * CELL, BORDER + (row - 1) * CELL)
}

/// Returns the SVG paths for the area of a piece and for its outline.
fn piece_paths(cells: &[Cell]) -> (String, String) {
    let (mut area, mut line) = (String::new(), String::new());
    for &(row, column) in cells {
        let (x, y) = place((row, column));
        let _ = write!(area, "M{x} {y}h{CELL}v{CELL}h-{CELL}z");
        let is_free = |row: usize, column: usize| !cells.contains(&(row, column));
        if is_free(row - 1, column) {
            let _ = write!(line, "M{x} {y}h{CELL}");
        }
        if is_free(row + 1, column) {
            let _ = write!(line, "M{x} {}h{CELL}", y + CELL);
        }
        if is_free(row, column - 1) {
            let _ = write!(line, "M{x} {y}v{CELL}");
        }
        if is_free(row, column + 1) {
            let _ = write!(line, "M{} {y}v{CELL}", x + CELL);
        }
    }
    (area, line)
}

fn draw(search: &Search) -> String {
    let steps = search.steps.len();
    let (width, board) = (COLUMNS * CELL + 2 * BORDER, ROWS * CELL + 2 * BORDER);
    let deepest = search.steps.iter().map(|step| step.1).max().unwrap_or(0);
    let ground = board + 26 + deepest * LEVEL;
    let height = ground + BORDER;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\" \
         role=\"img\">\n<title>Dancing links search a tiling of a 6x10 board by the twelve pentominoes</title>\n\
         <style>text{{font:14px ui-monospace,monospace;fill:#3c4450}}.board{{fill:#f0f2f5;stroke:#c5cbd3}}.grid{{stroke:#d9dde3}}\
         .depth{{fill:#9aa5b4}}.now{{fill:#d0452f}}.end{{fill:none;stroke:#d0452f;stroke-width:4}}\
         .line{{fill:none;stroke-width:2.5;stroke-linecap:round}}\
         @media(prefers-color-scheme:dark){{text{{fill:#c9d1d9}}.board{{fill:#1c222b;stroke:#3a424d}}.grid{{stroke:#2c333d}}\
         .depth{{fill:#596576}}.now{{fill:#ff7b63}}.end{{stroke:#ff7b63}}}}</style>\n"
    );
    let _ = writeln!(
        svg,
        "<rect class=\"board\" x=\"{BORDER}\" y=\"{BORDER}\" width=\"{}\" height=\"{}\"/>",
        COLUMNS * CELL,
        ROWS * CELL
    );
    svg.push_str("<path class=\"grid\" d=\"");
    for row in 1..ROWS {
        let _ = write!(svg, "M{BORDER} {}h{}", BORDER + row * CELL, COLUMNS * CELL);
    }
    for column in 1..COLUMNS {
        let _ = write!(svg, "M{} {BORDER}v{}", BORDER + column * CELL, ROWS * CELL);
    }
    svg.push_str("\"/>\n");
    let mut names: Vec<&str> = search.pieces.iter().map(|piece| piece.name.as_str()).collect();
    names.sort_unstable();
    names.dedup();
    for piece in &search.pieces {
        let color = names.binary_search(&piece.name.as_str()).expect("it is one of them");
        let (fill, stroke) = COLORS[color % COLORS.len()];
        let (area, line) = piece_paths(&piece.cells);
        let is_always = piece.to.is_none() && piece.from == 0;
        let motion = if is_always {
            String::new()
        } else {
            animation(piece.from, piece.to.unwrap_or(steps), steps)
        };
        let opacity = if piece.to.is_some() { " opacity=\"0\"" } else { "" };
        let _ = writeln!(
            svg,
            "<g{opacity}><path fill=\"{fill}\" d=\"{area}\"/><path class=\"line\" stroke=\"{stroke}\" d=\"{line}\"/>{motion}</g>"
        );
    }
    for (step, (_, _, dead)) in search.steps.iter().enumerate() {
        let Some(dead) = dead.as_deref().and_then(cell) else { continue };
        let (x, y) = place(dead);
        let (near, far) = (CELL / 4, CELL / 2);
        let motion = animation(step, step + 1, steps);
        let _ = writeln!(
            svg,
            "<path class=\"end\" opacity=\"0\" d=\"M{} {}l{far} {far}m0 -{far}l-{far} {far}\">{motion}</path>",
            x + near,
            y + near
        );
    }
    // Show one line of text at a time. Equal consecutive lines are merged.
    let mut from = 0;
    for (step, (text, ..)) in search.steps.iter().enumerate() {
        if search.steps.get(step + 1).is_some_and(|next| next.0 == *text) {
            continue;
        }
        let is_last = step + 1 == steps;
        let opacity = if is_last { "" } else { " opacity=\"0\"" };
        let motion = animation(from, step + 1, steps);
        let y = board + 10;
        let _ = writeln!(svg, "<text x=\"{BORDER}\" y=\"{y}\"{opacity}>{text}{motion}</text>");
        from = step + 1;
    }
    let bar = (COLUMNS * CELL) as f64 / steps as f64;
    let left = |step: usize| BORDER as f64 + step as f64 * bar;
    svg.push_str("<path class=\"depth\" d=\"");
    for (step, (_, level, _)) in search.steps.iter().enumerate() {
        let height = level * LEVEL;
        let _ = write!(svg, "M{:.1} {ground}v-{height}h{bar:.2}v{height}z", left(step));
    }
    svg.push_str("\"/>\n");
    let lefts: Vec<String> = (0..steps).map(|step| format!("{:.1}", left(step))).collect();
    let _ = writeln!(
        svg,
        "<rect class=\"now\" x=\"{:.1}\" y=\"{}\" width=\"2\" height=\"{}\"><animate attributeName=\"x\" \
         calcMode=\"discrete\" dur=\"{:.1}s\" repeatCount=\"indefinite\" values=\"{}\"/></rect>",
        left(steps - 1),
        ground - deepest * LEVEL,
        deepest * LEVEL,
        steps as f64 * STEP,
        lefts.join(";")
    );
    svg.push_str("</svg>\n");
    svg
}

#[test]
fn the_picture_of_the_readme_shows_the_output_of_trace() {
    let ran = run(&format!("trace --quiet --limit 1 {PUZZLE}"), "");
    let picture = draw(&search(&ran.out));
    if std::env::var_os("FARANDOLE_WRITE").is_some() {
        std::fs::write(PATH, &picture).expect("written");
    }
    let shown = std::fs::read_to_string(PATH).expect("the picture");
    assert!(shown == picture, "docs/search.svg is not what `farandole trace {PUZZLE}` tells");
}
