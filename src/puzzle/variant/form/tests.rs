//! What is written is read again as the same puzzle; what is read means what its form says.

use std::collections::BTreeSet;
use std::io::Write as _;

use super::super::clue::Digit;
use super::super::rules::{RULES, tests};
use super::*;

fn read(text: &str) -> Result<Variant, String> {
    let form = of(text).unwrap_or_else(|| panic!("no form recognizes {text}"));
    (form.read)(text).map_err(|error| error.to_string())
}

/// The fillings that a variant allows.
fn allowed<'d>(variant: &Variant, all: &'d BTreeSet<Vec<Digit>>) -> Vec<&'d Vec<Digit>> {
    let is_right = |digits: &&Vec<Digit>| {
        let marks = variant.marks();
        let fits =
            |(cell, digit): (usize, &Digit)| marks[cell] >> (digit - variant.board.first) & 1 == 1;
        digits.iter().enumerate().all(fits)
            && variant.placed.iter().all(|placed| tests::holds(&placed.clues, digits))
    };
    all.iter().filter(is_right).collect()
}

#[test]
fn what_a_form_writes_it_reads_again() {
    let mut random = fastrand::Rng::with_seed(7);
    let boards = tests::boards();
    let written_forms = || FORMS.iter().filter(|form| form.write.is_some());
    let (mut written, mut refused) = (BTreeSet::new(), BTreeSet::new());
    for round in 0..3000 {
        let (board, all) = &boards[round % boards.len()];
        let mut placed = Vec::new();
        for _ in 0..random.usize(1..3) {
            let rule = &RULES[random.usize(..RULES.len())];
            let args = tests::random_args(&mut random, board, rule);
            placed.extend(Placed::new(board, rule, args));
        }
        let (_, mut grid) = empty(Arc::clone(&board.shape), board.first);
        if random.bool() {
            let cells = board.shape.cell_count();
            grid.place(random.usize(..cells), random.usize(..board.order()));
            grid.set_candidates(random.usize(..cells), 0b101);
        }
        let names: Vec<&str> = placed.iter().map(|placed| placed.rule.name).collect();
        let Ok(variant) = Variant::new(board.clone(), grid, placed) else { continue };
        for form in written_forms() {
            let text = match write(&variant, form.name).expect("it is written") {
                Ok(text) => text,
                Err(message) => {
                    assert!(!message.contains("expected"), "{message}");
                    refused.insert((form.name, names.clone()));
                    continue;
                }
            };
            written.extend(names.iter().map(|name| (form.name, *name)));
            let again = read(&text).unwrap_or_else(|error| panic!("{error}\n{text}"));
            assert_eq!(allowed(&again, all), allowed(&variant, all), "{names:?}\n{text}");
        }
    }
    for form in written_forms() {
        let count = written.iter().filter(|(name, _)| *name == form.name).count();
        let least = match form.name {
            "sudokupad" | "ipuz-cages" => 3,
            "puzzlink" => 0,
            _ => 25,
        };
        assert!(count > least, "{} writes {count} rules", form.name);
    }
}

#[test]
fn sudokupad_holds_digits_regions_and_cages() {
    let json = r#"{"cells":[[{"value":"1"},{},{},{}],[{},{},{},{}],[{},{},{},{}],[{},{},{},{}]],"regions":[[[0,0],[0,1],[1,0],[1,1]],[[0,2],[0,3],[1,2],[1,3]],[[2,0],[2,1],[3,0],[3,1]],[[2,2],[2,3],[3,2],[3,3]]],"cages":[{"cells":[[1,0],[1,1]],"value":"5","unique":true},{"value":"title: tiny"},{"cells":[[3,3]],"value":"?"}],"lines":[{"wayPoints":[[0.5,0.5],[1.5,0.5]]}],"global":["antiknight"]}"#;
    let expected = "# puzzle: variant\n# rules: anti-knight\n# killer: r2c1 r2c2 = 5\n";
    let links = [
        format!("https://sudokupad.app/scl{}", lz::compress(json)),
        format!("https://app.crackingthecryptic.com/sudoku/?puzzleid=SCL{}", "x")
            .replace("SCLx", &format!("scl{}", lz::compress(json))),
        json.to_owned(),
        json.replace("\"cells\"", "ce")
            .replace("\"cages\"", "ca")
            .replace('"', "'")
            .replace("'unique':true", "unique:t"),
    ];
    for text in links {
        let variant = if text.starts_with("{ce") {
            (sudokupad::FORM.read)(&text)
        } else {
            (of(&text).unwrap().read)(&text)
        };
        let variant = variant.unwrap();
        assert_eq!(variant.head(false), expected);
        assert_eq!(variant.grid.symbol(0), Some(0));
        assert_eq!(
            variant.note.as_deref(),
            Some("passed over, since it only draws: lines, 1 cages without rules")
        );
    }
    let without = json.replace("[[0,2],[0,3],[1,2],[1,3]],", "");
    assert!(read(&without).unwrap().head(false).contains("# boxes: none\n"));
    for (wrong, message) in [
        (json.replace("[3,3]]]", "[3,4]]]"), "1:1: expected a cell from [0,0] to [3,3], found `[3,4]`"),
        (
            json.replace("antiknight", "antifish"),
            "1:1: expected a rule that is known here in `global`, found `antifish`",
        ),
        (json.replace("\"5\"", "\"A\""), "1:1: expected a sum, found `\"A\"` in a cage"),
        (json.replace("\"1\"", "\"7\""), "1:1: expected a digit from 1 to 4, found `\"7\"`"),
    ] {
        assert_eq!(read(&wrong).map(|_| ()), Err(message.to_owned()));
    }
}

#[test]
fn ipuz_has_cages_and_zones() {
    let json = r#"{"version":"http://ipuz.org/v2","kind":["http://ipuz.org/sudoku#1"],"charset":"1234","puzzle":[[1,0,0,0],[0,0,3,0],[0,4,0,0],[0,0,0,{"value":2}]],"cages":[{"cells":[[1,2],[2,2]],"value":6,"operator":"+"},{"rect":[3,1,4,1],"value":7}],"zones":[{"rect":[1,3,2,4]}]}"#;
    let variant = read(&format!("ipuz({json});\n")).unwrap();
    assert_eq!(
        variant.head(false),
        "# puzzle: variant\n# sum: r2c1 r2c2 = 6\n# sum: r1c3 r1c4 = 7\n# extra: r3c1 r3c2 r4c1 r4c2\n"
    );
    assert_eq!(variant.grid.symbol(15), Some(1));
    let wrong = json.replace("\"+\"", "\"*\"");
    assert_eq!(
        read(&wrong).map(|_| ()),
        Err("1:1: expected cages that add up, found the operator `*`".to_owned())
    );
}

#[test]
fn links_of_puzz_link_are_read() {
    let sudoku = read("https://puzz.link/p?sudoku/4/4/1k3h4k2").unwrap();
    let digits: Vec<_> =
        (0..16).filter_map(|cell| sudoku.grid.symbol(cell).map(|digit| (cell, digit + 1))).collect();
    assert_eq!(digits, [(0, 1), (6, 3), (9, 4), (15, 2)]);
    let towers = read("https://puzz.link/p?skyscrapers/4/4/k13h4j3g").unwrap();
    assert_eq!(
        towers.head(false),
        "# puzzle: variant\n# boxes: none\n# skyscraper: column 2 bottom = 1\n# skyscraper: column 3 bottom = 3\n\
         # skyscraper: row 2 = 4\n# skyscraper: row 3 right = 3\n"
    );
    let dots = read("https://pzv.jp/p.html?kropki/4/4/aa7fioco").unwrap();
    let count = |name| dots.placed.iter().filter(|placed| placed.rule.name == name).count();
    assert_eq!((count("difference"), count("ratio"), count("no-ratio")), (8, 7, 9));
    let signs = read("https://puzz.link/p?minarism/4/4/hhhq21pgi").unwrap();
    assert_eq!(
        signs.head(false).lines().skip(2).collect::<Vec<_>>(),
        [
            "# greater: r1c1 r1c2",
            "# greater: r1c2 r1c3",
            "# greater: r1c3 r1c4",
            "# difference: r1c1 r2c1 = 2",
            "# difference: r1c2 r2c2 = 1",
            "# greater: r4c3 r3c3"
        ]
    );
    for (link, message) in [
        (
            "heyawake/4/4/1",
            "expected one of the kinds sudoku, skyscrapers, kropki, minarism, found `heyawake`",
        ),
        ("sudoku/99999/99999/1", "expected columns and rows, as many of each, at most 64"),
        ("sudoku/4/5/1", "expected columns and rows, as many of each, at most 64"),
        ("sudoku/4/4/5", "expected a digit from 1 to 4, found `5`"),
        ("sudoku/4/4/zz", "expected 16 places in the link, found 20"),
        ("sudoku/4/4/-\u{e9}", "expected 2 digits of base 16 behind `-` in the link"),
        ("kropki/4/4/zz", "expected a digit of base 27 in the link, found `z`"),
    ] {
        let found = read(&format!("https://puzz.link/p?{link}")).map(|_| ());
        assert_eq!(found, Err(format!("1:1: {message}")));
    }
}

/// Makes a link of penpa-edit.
fn penpa_link(text: &str) -> String {
    let text = text.replace('z', "zZ");
    let mut packed = flate2::write::DeflateEncoder::new(Vec::new(), flate2::Compression::default());
    packed.write_all(text.as_bytes()).unwrap();
    let letters = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let bits: Vec<u8> = packed
        .finish()
        .unwrap()
        .iter()
        .flat_map(|byte| (0..8).rev().map(move |bit| byte >> bit & 1))
        .collect();
    let letter =
        |six: &[u8]| six.iter().enumerate().fold(0, |all, (place, bit)| all | bit << (5 - place));
    let packed: String =
        bits.chunks(6).map(|six| char::from(letters[usize::from(letter(six))])).collect();
    format!("https://swaroopg92.github.io/penpa-edit/#m=edit&p={packed}")
}

#[test]
fn drawings_of_penpa_edit_are_read() {
    // Cells of a square of 4x4 within 8x8 begin with 18; their lower right corners with 82.
    let point = |row: usize, column: usize| 18 + 8 * row + column;
    let vertex = |row: usize, column: usize| 64 + point(row, column) - 9;
    let mut edges = Vec::new();
    for step in 0..4 {
        edges.push(format!("\"{},{}\":2", vertex(step, 2), vertex(step + 1, 2)));
        edges.push(format!("\"{},{}\":2", vertex(2, step), vertex(2, step + 1)));
    }
    let layers = format!(
        r#"{{"number":{{"{}":["3",1,"1"],"{}":["9",1,"1"]}},"numberS":{{"{}":["5",1]}},"lineE":{{{}}},"killercages":[[{},{}],[]],"thermo":[[{},"{}"]],"arrows":[],"symbol":{{"5":[1]}},"line":{{}}}}"#,
        point(0, 0),
        point(0, 4),
        4 * 64 + 4 * point(1, 0),
        edges.join(","),
        point(1, 0),
        point(1, 1),
        point(3, 0),
        point(2, 0),
    );
    let used = "[18,1,1,1,5,1,1,1,5,1,1,1,5,1,1,1]";
    let text =
        format!("square,4,4,38,0,1,1,190,190,40,40\n[0,0,0,0]\n[\"1\"]\n{layers}\n{{}}\n{used}\n");
    let variant = read(&penpa_link(&text)).unwrap();
    assert_eq!(
        variant.head(false),
        "# puzzle: variant\n# killer: r2c1 r2c2 = 5\n# thermo: r4c1 r3c1\n"
    );
    assert_eq!(variant.grid.symbol(0), Some(2));
    assert_eq!(
        variant.note.as_deref(),
        Some("passed over, since it only draws: numbers outside of the grid, symbol")
    );
    let link = penpa_link(&text);
    let broken = "1:1: expected a compressed drawing, found one that is cut or broken";
    assert_eq!(read(&link[..link.len() - 40]).map(|_| ()), Err(broken.to_owned()));
    let open = text.replace(&edges[0], "\"1,2\":2");
    let message = "1:1: expected thick edges around 4 regions, found 3";
    assert_eq!(read(&penpa_link(&open)).map(|_| ()), Err(message.to_owned()));
    let bomb = penpa_link(&"a".repeat(5 << 20));
    let message = "1:1: expected a drawing of at most 2097152 bytes, found more";
    assert_eq!(read(&bomb).map(|_| ()), Err(message.to_owned()));
    let hexagons = penpa_link("hex,4,4\n\n\n{}\n{}\n[]\n");
    assert_eq!(read(&hexagons).map(|_| ()), Err("1:1: expected a square grid, found `hex`".to_owned()));
}

#[test]
fn no_text_makes_a_form_panic() {
    let mut random = fastrand::Rng::with_seed(3);
    let examples = [
        ".Shape~4x4.Cage~4~R1C1~R1C2.Thermo~R4C1~R3C1.~R4C2_1.XSum~C2~~8.Quad~R1C1~1~2",
        r#"{"size":4,"grid":[[{"value":1,"given":true},{},{},{"region":null}],[{},{},{},{}],[{},{},{},{}],[{},{},{},{}]],"killercage":[{"cells":["R2C1","R2C2"],"value":"5"}],"arrow":[{"cells":["R1C1"],"lines":[["R1C1","R1C2"]]}]}"#,
        r#"{"cells":[[{"value":"1"},{}],[{},{}]],"regions":[[[0,0],[0,1]]],"cages":[{"cells":[[1,0],[1,1]],"value":"5","unique":true}]}"#,
        r#"ipuz({"kind":["http://ipuz.org/sudoku#1"],"puzzle":[[1,0],[0,2]],"cages":[{"cells":[[1,2],[2,2]],"value":3}]})"#,
        "https://puzz.link/p?skyscrapers/4/4/k13h4j3g",
        "https://puzz.link/p?minarism/4/4/hhhq21pgi",
    ];
    let pool: Vec<char> = "019~._-/{}[],:\"RCghz\u{e9}".chars().collect();
    for round in 0..6000 {
        let mut text: Vec<char> = examples[round % examples.len()].chars().collect();
        for _ in 0..random.usize(1..5) {
            let place = random.usize(..text.len());
            match random.usize(..3) {
                0 if text.len() > 1 => drop(text.remove(place)),
                1 => text[place] = pool[random.usize(..pool.len())],
                _ => text.insert(place, pool[random.usize(..pool.len())]),
            }
        }
        let text: String = text.into_iter().collect();
        if let Some(form) = of(&text) {
            let _ = (form.read)(&text);
        }
    }
}

#[test]
fn classic_grids_of_sudokupad_are_read_from_letters() {
    let digits = "530070000600195000098000060800060003400803001700020006060000280000419005000080079";
    let letters = "scf5NlQ19j9mGca3OIN1bWGk2m41TjS79";
    for link in [
        letters.to_owned(),
        format!("https://sudokupad.app/{letters}"),
        format!("https://sudokupad.app/?puzzleid={letters}&x=1"),
    ] {
        let variant = read(&link).unwrap();
        let digit = |cell| variant.grid.symbol(cell).map_or(0, |symbol| symbol + 1).to_string();
        assert_eq!((0..81).map(digit).collect::<String>(), digits);
    }
    assert!(of(&letters.replace("S79", "S7")).is_none(), "80 cells are no grid");
    assert!(of(&format!("scf{}", "9".repeat(82))).is_none());
}
