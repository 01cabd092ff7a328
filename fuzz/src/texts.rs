//! Valid texts of every kind, rule and format. The texts are short, so that each of their
//! characters can be changed.
//!
//! Most texts come from tables of the library, so a new row of a table is tested automatically. The
//! tables in this file add cases that the examples lack: heads of grids, lattices, links, and
//! several puzzles in one text.

use std::sync::LazyLock;

use dlx::Limits;
use farandole::kinds::{KINDS, by_name};
use grid::{FORMATS, GridRule};
use polyomino::XMPUZZLE;
use puzzle::{Kind, PuzzleSource, cover};
use variant::{PACKINGS, Packing, rules::RULES, written_forms};

/// A valid text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Text {
    /// Name of the text, which states its subject, such as `rule killer`.
    pub name: String,
    /// The text.
    pub text: String,
    /// Number of puzzles in the text.
    pub puzzles: usize,
    /// The form of links that holds the text in compressed form; `None` if it is read as it is.
    pub packing: Option<&'static str>,
}

impl Text {
    fn new(name: impl Into<String>, text: impl Into<String>) -> Self {
        Self { name: name.into(), text: text.into(), puzzles: 1, packing: None }
    }

    /// Returns a text that is not in the table.
    #[must_use]
    pub fn own(text: &str) -> Self {
        Self::new("", text)
    }

    fn with(self, puzzles: usize) -> Self {
        Self { puzzles, ..self }
    }

    /// Returns the text that the program reads, of the text or a changed one.
    #[must_use]
    pub fn packed(&self, text: &str) -> String {
        let packing = PACKINGS.iter().find(|packing| Some(packing.name) == self.packing);
        let packed = |packing: &Packing| match text.starts_with('{') {
            true => (packing.pack)(text.trim_end()),
            // Changes of short lines find more, but the lines of a drawing are counted.
            false => (packing.pack)(&text.trim_end().replace("\n ", "")),
        };
        packing.map_or_else(|| text.to_owned(), packed)
    }
}

/// Returns all texts, always in the same order.
#[must_use]
pub fn texts() -> &'static [Text] {
    static TEXTS: LazyLock<Vec<Text>> = LazyLock::new(|| {
        let all: [fn() -> Vec<Text>; 9] =
            [kinds, formats, covers, heads, rules, tilings, links, payloads, batches];
        all.into_iter().flat_map(|texts| texts()).collect()
    });
    &TEXTS
}

/// Returns the example of each kind, with a head that names the kind.
fn kinds() -> Vec<Text> {
    let example = |kind: &Kind| match kind.source {
        PuzzleSource::Grids { example, .. } => example,
        PuzzleSource::Text(text) => text.example,
    };
    let texts = KINDS.iter().filter(|kind| kind.name != "cover").map(|kind| {
        let example = example(kind);
        let head = if example.contains("# puzzle: ") {
            String::new()
        } else {
            format!("# puzzle: {}\n", kind.name)
        };
        Text::new(format!("kind {}", kind.name), head + example)
    });
    texts.chain(MORE_KINDS.iter().map(|&(name, text)| Text::new(name, text))).collect()
}

/// Texts of cases that the examples of the kinds lack.
const MORE_KINDS: &[(&str, &str)] = &[
    ("queens", "Q . . . .\n. . . . .\n. . . . .\n. . . . .\n. . . . .\n"),
    ("langford", "# puzzle: langford\n3 . . . 3 .\n"),
    (
        "overlapping",
        "# puzzle: overlapping\n# grids: r1c1 r3c3\n# boxes: 2x2\n1...  \n....  \n...3..\n.2....\n  ....\n  .4..\n",
    ),
];

fn formats() -> Vec<Text> {
    let texts = FORMATS.iter().map(|format| {
        let puzzles = match format.name {
            "csv" | "opensudoku" | "titled" => 2,
            _ => 1,
        };
        Text::new(format!("format {}", format.name), format.example).with(puzzles)
    });
    texts.collect()
}

/// Returns the example of each format of exact covers that can be read, and problems with all
/// features.
fn covers() -> Vec<Text> {
    let readable = cover::FORMS.iter().filter(|form| form.read.is_some());
    let examples = readable.clone().map(|form| Text::new(format!("form {}", form.name), form.example));
    let written = readable.flat_map(|form| {
        MORE_COVERS.iter().enumerate().filter_map(|(number, text)| {
            let problem = text.parse().expect("a problem");
            let text = (form.write)(&problem, &Limits::default()).ok()?;
            Some(Text::new(format!("form {} {number}", form.name), text))
        })
    });
    examples.chain(written).collect()
}

const MORE_COVERS: &[&str] =
    &["a 1:2|b 0:1|c | x y\na b x:red |3\nb y\nb x:red y |12\nc x:blue\n", "a b c\na b\nc\na\nb c\n"];

/// Returns texts of heads of grids, each with a grid that fits.
fn heads() -> Vec<Text> {
    let rules = GridRule::ALL.map(|rule| {
        Text::new(format!("rules {}", rule.name()), format!("# rules: {}\n{SMALL}", rule.name()))
    });
    let others = HEADS.iter().map(|&(head, grid)| {
        Text::new(format!("head {}", head.trim_end().replace('\n', ", ")), format!("{head}{grid}"))
    });
    rules.into_iter().chain(others).collect()
}

const SMALL: &str = "1...\n....\n....\n..2.\n";
const SIX: &str = "1.....\n......\n......\n......\n....2.\n......\n";

const HEADS: &[(&str, &str)] = &[
    ("# puzzle: latin\n", SMALL),
    ("# boxes: 2x3\n", SIX),
    ("# boxes: 2x3\n# rules: diagonals, anti-king\n", SIX),
    ("# rules: diagonals anti-knight\n", SMALL),
    ("# puzzle: latin\n# rules: diagonals\n", SMALL),
    ("# puzzle: variant\n# regions: 1112 1322 3324 3444\n", SMALL),
    ("# puzzle: variant\n# boxes: none\n# rules: diagonals nonconsecutive\n", SMALL),
    ("# regions: 1112132233243444\n# killer: r1c1 r1c2 = 4\n", SMALL),
    ("# digits: 0-3\n# killer: r1c1 r2c1 = 4\n", "1...\n....\n....\n..0.\n"),
    ("# order: 4\n# killer: r1c1 r1c2 = 4\n# thermo: r4c1 r3c1\n", ""),
    ("# rows: 4\n# columns: 6\n# sum: r1c1 r1c2 = 4\n", ""),
    ("# rows: 2\n# columns: 3\n# digits: 1-4\n# sum: r1c1 r1c2 = 4\n", ".1.\n...\n"),
    ("# order: 4\n# cells: A 2\n# sum: r1c1 A1 = 4\n# greater: A2 A1\n", ""),
    ("# order: 4\n# houses: none\n# sum: r1c1 r1c2 = 4\n", ""),
    (
        "# boxes: 2x3\n# rules: anti-king\n# killer: r1c1 r1c2 = 4\n# either: sum: r1c3 r1c4 = 4 or even: r1c5\n",
        SIX,
    ),
    ("# rules: nonconsecutive, diagonals\n", SMALL),
];

/// Returns texts of each clue rule: one above a grid, and one without a grid together with another
/// rule.
fn rules() -> Vec<Text> {
    let line = |index: usize| {
        let rule = &RULES[index % RULES.len()];
        match rule.example {
            "" => format!("# rules: {}\n", rule.name),
            _ => format!("# {}: {}\n", rule.name, rule.example),
        }
    };
    let grid = ".".repeat(81);
    let texts = RULES.iter().enumerate().flat_map(|(index, rule)| {
        let alone = format!("{}{grid}\n", line(index));
        let with_other = line(index) + &line(index + 1);
        [
            Text::new(format!("rule {}", rule.name), alone),
            Text::new(format!("rule {} and another", rule.name), with_other),
        ]
    });
    texts.collect()
}

fn tilings() -> Vec<Text> {
    TILINGS.iter().map(|&(name, text)| Text::new(format!("tiling {name}"), text)).collect()
}

const TILINGS: &[(&str, &str)] = &[
    ("colors", "piece A x2\n##\ncolors\nab\n\npiece B\n#\n\nboard\n..\n...\ncolors\nab\nab.\n"),
    ("clues", "pieces dominoes unlimited\n\nboard\n....\n....\nclues\nAA..\n....\n"),
    (
        "pieces of one's own",
        "piece L x2 rotate\n#.\n##\n\npiece I x0-2 fixed\n##\n\nboard\n....\n....\n???#\n",
    ),
    ("space", "piece T\n###\n.#.\n/\n...\n.#.\n\npieces monocubes unlimited\n\nboard 2x2x3\n"),
    ("hexagonal", "pieces dihexes x3\n\nboard\n . .\n. . .\n #\n"),
    ("triangular", "pieces diamonds x3\n\nboard\n...\n...\n"),
    ("square edges", "pieces disticks x2\n\nboard\n+.+\n. .\n+.+\n"),
    ("hexagonal edges", "lattice hexagonal-edges\npieces monotwigs x6\n\nboard hexagon-1\n"),
    ("triangular edges", "lattice triangular-edges\npieces monotrigs x3\n\nboard triangle-1\n"),
    ("spheres", "lattice spheres\npiece A unlimited\n#\n\nboard 1x1x1\n"),
    ("tiling", "tiling\nAAB\n#CB\n/\nDD?\nDCC\n"),
    (
        "xmpuzzle",
        "<?xml version=\"1.0\"?>\n<puzzle version=\"2\">\n<gridType type=\"0\"/>\n<colors/>\n<shapes>\n\
         <voxel x=\"3\" y=\"1\" z=\"1\" type=\"0\">###</voxel>\n<voxel x=\"2\" y=\"2\" z=\"1\" type=\"0\">###_</voxel>\n\
         <voxel x=\"2\" y=\"1\" z=\"1\" type=\"0\">##</voxel>\n<voxel x=\"3\" y=\"3\" z=\"1\" type=\"0\">+++++++++</voxel>\n\
         </shapes>\n<problems><problem\nname=\"box\"\nstate=\"0\"\n><shapes><shape id=\"0\" count=\"1\"/>\
         <shape id=\"1\" count=\"1\"/><shape id=\"2\" min=\"1\" max=\"1\"/></shapes><result id=\"3\"/><bitmap/>\
         </problem></problems></puzzle>\n",
    ),
];

/// Returns variants in every foreign format that can express them, tiling puzzles as files, and
/// texts in formats that are only read.
fn links() -> Vec<Text> {
    let mut texts: Vec<Text> =
        LINKS.iter().map(|&(name, text)| Text::new(format!("link {name}"), text)).collect();
    let named = |kind: &str,
                 number: &str,
                 text: &str,
                 forms: &mut dyn Iterator<Item = &'static str>| {
        let Some(PuzzleSource::Text(source)) = by_name(kind).map(|kind| kind.source) else {
            panic!("a kind of texts")
        };
        let puzzle = (source.read)(text, &Limits::default()).expect("a valid text");
        let written = forms.filter_map(|form| Some((form, puzzle.write_as(form)?.ok()?)));
        written.map(|(form, text)| Text::new(format!("link {form}{number}"), text)).collect::<Vec<_>>()
    };
    for (number, text) in VARIANTS.iter().enumerate() {
        texts.extend(named(
            "variant",
            &format!(" {number}"),
            text,
            &mut written_forms().map(|(name, _)| name),
        ));
    }
    texts.extend(named("polyomino", "", TILINGS[2].1, &mut std::iter::once(XMPUZZLE)));
    texts
}

/// Variants to be written in the formats of other programs.
const VARIANTS: &[&str] = &[
    "# order: 4\n# killer: r1c1 r1c2 = 4\n# thermo: r4c1 r3c1\n# difference: r1c3 r2c3\n",
    "# puzzle: variant\n# regions: 1112 1322 3324 3444\n1...\n....\n....\n..2.\n",
    "# puzzle: variant\n# boxes: none\n# skyscraper: row 1 = 2\n# skyscraper: column 2 bottom = 3\n....\n....\n....\n....\n",
    "# rules: anti-knight\n# arrow: r1c1 / r1c2 r2c2\n# even: r3c3\n# sandwich: row 2 = 3\n1...\n....\n....\n....\n",
];

const LINKS: &[(&str, &str)] = &[
    ("puzzlink sudoku", "https://puzz.link/p?sudoku/4/4/1k3h4k2\n"),
    ("puzzlink kropki", "https://pzv.jp/p.html?kropki/4/4/aa7fioco\n"),
    ("puzzlink minarism", "https://puzz.link/p?minarism/4/4/hhhq21pgi\n"),
    ("puzzlink easyasabc", "https://puzz.link/p?easyasabc/4/4/3/1m2h3g3h\n"),
    ("puzzlink doppelblock", "https://puzz.link/p?doppelblock/5/5/g6g34g10h\n"),
    ("puzzlink starbattle", "https://puzz.link/p?starbattle/6/6/1/4ilbhgdnmhou\n"),
    (
        "ipuz cages",
        "{\"version\":\"http://ipuz.org/v2\",\"kind\":[\"http://ipuz.org/sudoku#1\"],\"charset\":\"1234\",\
         \"puzzle\":[[1,0,0,0],[0,0,3,0],[0,4,0,0],[0,0,0,{\"value\":2}]],\
         \"cages\":[{\"cells\":[[1,2],[2,2]],\"value\":6,\"operator\":\"+\"},{\"rect\":[3,1,4,1],\"value\":7}],\
         \"zones\":[{\"rect\":[1,3,2,4]}]}\n",
    ),
    (
        "sudokupad",
        "{\"cells\":[[{\"value\":\"1\"},{},{},{}],[{},{},{},{}],[{},{},{},{}],[{},{},{},{}]],\
         \"regions\":[[[0,0],[0,1],[1,0],[1,1]],[[0,2],[0,3],[1,2],[1,3]],[[2,0],[2,1],[3,0],[3,1]],[[2,2],[2,3],[3,2],[3,3]]],\
         \"cages\":[{\"cells\":[[1,0],[1,1]],\"value\":\"5\",\"unique\":true}],\"global\":[\"antiknight\"]}\n",
    ),
    (
        "opensudoku attributes",
        "<opensudoku\n version=\"2\">\n<folder\n name=\"a\"\n created=\"1\">\n<game\n created=\"1\"\n\
         state=\"0\"\n time=\"0\"\n data=\"0030010000400200\"/>\n</folder>\n</opensudoku>\n",
    ),
    ("iss", ".Shape~4x4.Cage~5~R2C1~R2C2.Thermo~R4C1~R3C1.~R4C2_1.AntiKnight\n"),
];

/// Returns the decompressed texts of links: those of [`VARIANTS`], and of [`PAYLOADS`].
fn payloads() -> Vec<Text> {
    let unpacked = |text: &Text, packing: &'static Packing| {
        let payload = (packing.unpack)(&text.text)?.replace(",\"", "\n ,\"");
        // The first fields of a drawing and the first key of an object have lines of their own.
        let payload = match payload.match_indices(',').nth(2) {
            _ if payload.starts_with('{') => payload.replacen('{', "{\n ", 1),
            Some((at, _)) => format!("{}\n {}", &payload[..at], &payload[at..]),
            None => payload,
        };
        let name = text.name.replacen("link", "payload", 1);
        Some(Text { packing: Some(packing.name), ..Text::new(name, payload) })
    };
    let links = links();
    let written = links
        .iter()
        .flat_map(|text| PACKINGS.iter().filter_map(move |packing| unpacked(text, packing)));
    let more = PAYLOADS.iter().map(|&(packing, text)| Text {
        packing: Some(packing),
        ..Text::new(format!("payload {packing} of all"), text)
    });
    written.chain(more).collect()
}

/// Payloads with all elements of a form, each with its looks.
const PAYLOADS: &[(&str, &str)] = &[
    (
        "fpuzzles-link",
        r##"{"size":4,
 "title":"a title",
 "author":"an author",
 "grid":[
 [{"value":1,"given":true},{"givenPencilMarks":[2,3]},{},{}],
 [{},{},{},{}],[{},{},{},{}],
 [{},{},{},{
 "c":"#FF0000"
 }]],
 "diagonal+":true,
 "antiking":true,
 "thermometer":[{"lines":[["R4C1","R3C1"]]}],
 "killercage":[{"cells":["R1C3","R1C4"],"value":"5",
 "outlineC":"#000000"
 }],
 "arrow":[{"lines":[["R4C4","R4C3","R4C2"]],"cells":["R4C4"]}],
 "littlekillersum":[{"cell":"R0C1","cells":["R1C2","R2C3","R3C4"],"direction":"DR","value":"7"}],
 "sandwichsum":[{"cell":"R2C0","value":"3"}],
 "xv":[{"cells":["R2C1","R2C2"],"value":"V"}],
 "ratio":[{"cells":["R2C3","R2C4"],"value":"2"}],
 "quadruple":[{"cells":["R3C3","R3C4","R4C3","R4C4"],"values":[1,2]}],
 "clone":[{"cells":["R1C2"],"cloneCells":["R2C4"]}],
 "minimum":[{"cell":"R3C2"}],
 "odd":[{"cell":"R2C1"}],
 "negative":["xv"]}
"##,
    ),
    (
        "sudokupad",
        r##"{
 "id":"an id",
 "cellSize":50,
 "metadata":{
 "title":"a title",
 "norowcol":false},
 "cells":[[{"value":"1"},{},{},{}],[{"value":2,"given":true},{},{},{}],
 [{},{},{},{}],[{},{},{},{
 "color":"#FF0000"
 }]],
 "regions":[[[0,0],[0,1],[1,0],[1,1]],[[0,2],[0,3],[1,2],[1,3]],
 [[2,0],[2,1],[3,0],[3,1]],[[2,2],[2,3],[3,2],[3,3]]],
 "cages":[{"cells":[[1,2],[1,3]],"value":"5","unique":true},
 {"cells":[[2,0],[2,1]],"sum":4},
 {"cells":[[3,0],[2,2]],"unique":true,
 "style":"dashed"},
 {"value":"author: an author"},
 {"cells":[[0,0],[0,1],[0,2],[0,3]],"type":"rowcol",
 "unique":true
 }],
 "global":["antiknight"]}
"##,
    ),
];

/// Returns texts of several puzzles.
fn batches() -> Vec<Text> {
    let line = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79\n";
    let other = "8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4..\n";
    let lines = |count: usize| [line, other].into_iter().cycle().take(count).collect::<String>();
    let titled = [1, 2, 3, 4, 5, 8, 9].into_iter().map(|count| {
        let text = format!("Easy puzzles\n{0}\nHard puzzles\n{0}", lines(count));
        Text::new(format!("batch of {count} under each title"), text).with(2 * count)
    });
    let batches = BATCHES.iter().map(|&(name, text)| Text::new(format!("batch {name}"), text).with(2));
    let kinds = KINDS.iter().filter_map(|kind| match kind.source {
        PuzzleSource::Text(text) if text.divider.is_some() => {
            let named = format!(
                "# puzzle: {}\n{}",
                kind.name,
                text.example.replace("# puzzle: overlapping\n", "")
            );
            Some(Text::new(format!("batch {}", kind.name), format!("{named}\n{named}")).with(2))
        }
        _ => None,
    });
    titled.chain(batches).chain(kinds).chain([Text::new("batch lines", lines(3)).with(3)]).collect()
}

const BATCHES: &[(&str, &str)] = &[
    ("rows", "1...\n....\n....\n..2.\n\n.3..\n....\n....\n...4\n"),
    (
        "rules between",
        "# rules: diagonals\n1...\n....\n....\n..2.\n\n# rules: anti-king\n.3..\n....\n....\n...4\n",
    ),
    ("csv columns", "id,puzzle,solution\n1,1...........2...,\n2,.3............4.,\n"),
    (
        "hodoku deleted",
        ":0000:x:+8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4..:112 213::\n\
      :0000:x:8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4..:::\n",
    ),
];
