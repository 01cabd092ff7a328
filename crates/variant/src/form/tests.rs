//! Tests that a written puzzle of each format is read as the same puzzle, and that each element of
//! a format is read with its meaning.

use std::collections::BTreeSet;

use super::super::clue::Digit;
use super::super::rules::{RULES, tests};
use super::*;

fn read(text: &str) -> Result<Variant, String> {
    let form = of(text).unwrap_or_else(|| panic!("no form recognizes {text}"));
    (form.read)(text).map_err(|error| error.to_string())
}

/// Returns the fillings in `all` that satisfy all clues of a variant.
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

/// Returns the arguments of random clues of a rule: any cells, a straight line, a square of cells,
/// or all pairs of adjacent cells.
fn random_clues(random: &mut fastrand::Rng, board: &VariantBoard, rule: &Rule) -> Vec<Args> {
    let mut args = tests::random_args(random, board, rule);
    let sort = if rule.groups == (1, 1, rule.groups.2) { random.usize(..4) } else { 0 };
    let start = random.usize(..board.inside());
    match sort {
        1 => {
            let step = *random.choice(&[(0, 1), (1, 0), (1, 1), (1, -1), (-1, 1), (-1, -1)]).unwrap();
            args.groups[0] = board.ray(start, step);
        }
        2 => {
            let (row, column) = board.place(start);
            let corner = |(down, right)| board.cell(row as isize + down, column as isize + right);
            args.groups[0] = [(0, 0), (0, 1), (1, 0), (1, 1)].into_iter().filter_map(corner).collect();
        }
        3 => {
            let values = match rule.usual {
                Some(usual) if random.bool() => vec![vec![usual]],
                // An X and a V, where a value must be stated.
                _ if rule.values.0 > 0 => vec![vec![5], vec![10]],
                _ => vec![vec![]],
            };
            let pair = |(one, other)| {
                let of_pair = |values: &Vec<i64>| clue(rule.name, vec![one, other], values.clone()).1;
                values.iter().map(of_pair).collect::<Vec<_>>()
            };
            return board.sides().into_iter().flat_map(pair).collect();
        }
        _ => {}
    }
    vec![args]
}

#[test]
fn every_form_writes_exactly_the_rules_of_its_table_and_reads_them_as_the_same_puzzle() {
    let mut random = fastrand::Rng::with_seed(7);
    let boards = tests::boards();
    for form in FORMS.iter().filter(|form| form.write.is_some()) {
        let listed: Vec<&Rule> =
            (form.rules)().into_iter().map(|name| rules::by_name(name).expect(name)).collect();
        for rule in RULES {
            let is_listed = listed.iter().any(|known| known.name == rule.name);
            let (mut tries, mut written) = (0, 0);
            while tries < 12 || is_listed && written == 0 {
                tries += 1;
                assert!(tries < 3000, "{} writes {}", form.name, rule.name);
                let (board, all) = random.choice(&boards).unwrap();
                let mut named = vec![rule];
                named.extend(random.bool().then(|| random.choice(&listed).copied()).flatten());
                let args = |rule| {
                    random_clues(&mut random, board, rule).into_iter().map(move |args| (rule, args))
                };
                let clues: Vec<(&Rule, Args)> = named.into_iter().flat_map(args).collect();
                let placed =
                    clues.into_iter().map(|(rule, args)| Placed::new(board, rule, args)).collect();
                let Ok(placed) = placed else { continue };
                let (_, mut grid) = empty(Arc::clone(&board.shape), board.first);
                if random.usize(..4) == 0 {
                    let cells = board.shape.cell_count();
                    grid.place(random.usize(..cells), random.usize(..board.order()));
                    grid.set_candidates(random.usize(..cells), 0b101);
                }
                let Ok(variant) = Variant::new(board.clone(), grid, placed) else { continue };
                let text = match write(&variant, form.name).expect("it is written") {
                    Ok(text) => text,
                    Err(message) => {
                        assert!(!message.contains("expected"), "{message}");
                        continue;
                    }
                };
                written += 1;
                let again = read(&text).unwrap_or_else(|error| panic!("{error}\n{text}"));
                assert_eq!(
                    allowed(&again, all),
                    allowed(&variant, all),
                    "{}\n{text}",
                    variant.head(false)
                );
            }
            assert_eq!(written > 0, is_listed, "{} writes {}", form.name, rule.name);
        }
    }
}

#[test]
fn cells_outside_the_grid_of_iss_touch_as_boxes_do() {
    let head = |clues: &str| {
        read(&format!(".Shape~4x4~0-4.Doppelganger.{clues}")).map(|variant| variant.head(false))
    };
    let words = head("GreaterThan~DGB4~DGB3~DGB2~DGB1").unwrap();
    for pair in ["DGB4 DGB3", "DGB4 DGB2", "DGB3 DGB1", "DGB2 DGB1"] {
        assert!(words.contains(&format!("# greater: {pair}\n")), "{pair}: {words}");
    }
    assert!(!words.contains("DGB3 DGB2"), "{words}");
    assert!(head("GreaterThan~DGB4~DGB1").is_err());
    assert!(head("GreaterThan~DGC4~DGC3").unwrap().contains("# greater: DGC4 DGC3\n"));
    // Without that type, the shape of the groups is not known.
    assert!(read(".Var~DGB~~4.GreaterThan~VDGB2~VDGB1").is_err());
}

#[test]
fn links_of_sudokupad_express_digits_regions_and_cages() {
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
        assert_eq!(variant.note.as_deref(), Some("not used: 1 cages without rules (\"?\"), lines"));
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
fn cages_and_zones_of_ipuz_are_read() {
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
            "expected one of the kinds sudoku, skyscrapers, kropki, minarism, easyasabc, doppelblock, starbattle, found `heyawake`",
        ),
        ("sudoku/99999/99999/1", "expected columns and rows, as many of each, at most 64"),
        ("sudoku/4/5/1", "expected columns and rows, as many of each, at most 64"),
        ("sudoku/4/4/1k3", "expected 16 places in the link, found 7: it may have been cut"),
        ("sudoku/4/4/5u", "expected a digit from 1 to 4, found `5`"),
        ("sudoku/4/4/zz", "expected 16 places in the link, found 20"),
        ("sudoku/4/4/-\u{e9}", "expected 2 digits of base 16 behind `-` in the link"),
        ("kropki/4/4/zz", "expected a digit of base 27 in the link, found `z`"),
        ("easyasabc/4/4/5/1", "expected a number of letters from 1 to 4 behind the sizes, found `5`"),
        ("easyasabc/4/4/3/4u", "expected letters from 1 to 3 outside of the grid"),
        ("easyasabc/4/4", "expected a number of letters from 1 to 4 behind the sizes, found `nothing`"),
        ("doppelblock/5/5/7o", "expected sums up to 6 outside of the grid"),
        ("doppelblock/2/2/1", "expected at least 3 columns and rows, found 2"),
        ("doppelblock/5/5/p4zj", "expected digits from 1 to 3 in the cells"),
        ("starbattle/6/6/1/4i", "expected 12 letters of borders in the link, found 2"),
        ("starbattle/6/6/0/4i", "expected a number of stars from 1 to 6 behind the sizes, found `0`"),
        ("starbattle/6/6/1/4ilbhgdnmhoz", "expected a digit of base 32 in the link, found `z`"),
    ] {
        let found = read(&format!("https://puzz.link/p?{link}")).map(|_| ());
        assert_eq!(found, Err(format!("1:1: {message}")));
    }
}

// The links and solutions are test cases of puzz.link. Each puzzle has exactly one solution.
#[test]
fn puzz_link_kinds_with_blanks_have_the_known_solutions() {
    for (link, expected) in [
        ("easyasabc/4/4/3/1m2h3g3h", "0231102323103102"),
        ("doppelblock/5/5/g6g34g10h", "3021001023230010213010302"),
        ("starbattle/6/6/1/4ilbhgdnmhou", "010000000100000001001000000010100000"),
    ] {
        let variant = read(&format!("https://puzz.link/p?{link}")).unwrap();
        let symbols: Vec<usize> =
            expected.chars().map(|digit| digit.to_digit(10).unwrap() as usize).collect();
        let mut solved = variant.grid.clone();
        symbols.iter().enumerate().for_each(|(cell, &symbol)| solved.place(cell, symbol));
        assert!(variant.broken(&solved).is_none(), "{link}");
        assert_eq!(dlx::count(puzzle::Puzzle::problem(&variant)), 1u32.into(), "{link}");
    }
}

fn penpa_link(text: &str) -> String {
    format!("https://swaroopg92.github.io/penpa-edit/#m=edit&p={}", penpa::packed::packed(text))
}

#[test]
fn drawings_of_penpa_edit_are_read() {
    // The points of a 4x4 square within an 8x8 drawing start at 18, and their lower right corners
    // at 82.
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
        Some(
            "not used: a cage of 0 cells ([]), number at point 22 ([\"9\",1,\"1\"]), symbol at point 5 ([1])"
        )
    );
    let link = penpa_link(&text);
    let broken = "1:1: expected a compressed drawing, found one that is cut or broken";
    assert_eq!(read(&link[..link.len() - 40]).map(|_| ()), Err(broken.to_owned()));
    let open = text.replace(&edges[0], "\"1,2\":2");
    let untold = |reason: &str| {
        let tags = "classic, latin, irregular, arrow, thermo, killer, evenodd, consecutivepairs, consecutive, nonconsecutive, \
                    kropki, skyscrapers";
        let found = format!(
            "found none: a drawing states no rules ({reason}); `# drawing: sudoku` above the link names \
             its kind"
        );
        Err(format!("1:1: expected a drawing with a tag of {tags}, {found}"))
    };
    let message = untold("expected thick edges around 4 regions, found 3");
    assert_eq!(read(&penpa_link(&open)).map(|_| ()), message);
    let bomb = penpa_link(&"a".repeat(5 << 20));
    let message = "1:1: expected a drawing of at most 2097152 bytes, found more";
    assert_eq!(read(&bomb).map(|_| ()), Err(message.to_owned()));
    let hexagons = penpa_link("hex,4,4\n\n\n{}\n{}\n[]\n");
    assert_eq!(read(&hexagons).map(|_| ()), untold("expected a square grid, found `hex`"));
    // Without cages and thermometers, the drawing must have the usual boxes, because other kinds of
    // puzzles have regions too.
    let bare = text.replace("killercages", "cages").replace("thermo", "lines");
    assert!(read(&penpa_link(&bare)).is_ok());
    let irregular = bare
        .replace(&edges[1], &format!("\"{},{}\":2", vertex(2, 0), vertex(1, 0)))
        .replace(&edges[0], &format!("\"{},{}\":2", vertex(1, 0), vertex(1, 1)));
    assert!(read(&penpa_link(&irregular)).is_err());
}

#[test]
fn a_note_lists_the_parts_of_a_penpa_drawing_without_a_meaning() {
    let lines = |layers: &str| penpa_text(layers, r#"["latin"]"#);
    let note = |text: &str| read(&penpa_link(text)).map(|variant| variant.note.unwrap_or_default());
    let plain = lines(r#""surface":{},"command_undo":{"__a":[]}"#);
    assert_eq!(note(&plain), Ok(String::new()));
    for (layers, expected) in [
        (r#""thermo":[[18]]"#, "a thermometer of 1 cells ([18])"),
        (r#""arrows":[[18]]"#, "an arrow without a shaft ([18])"),
        (r#""killercages":[[18]]"#, "a cage of 1 cells ([18])"),
        (r#""surface":{"18":3}"#, "surface"),
        (r#""zzz":{}"#, "`zzz` of the drawing (not known here: {})"),
        (r#""number":{"18":["zzz",1,"1"]}"#, r#"number at r1c1 (["zzz",1,"1"])"#),
        (r#""number":{"18":["1",1,"1",7]}"#, r#"number at r1c1 (["1",1,"1",7])"#),
        (r#""number":{"18":["1",9,"1"]}"#, "the color or style 9 in number"),
        (r#""numberS":{"328":["x",1]}"#, r#"numberS at point 328 (["x",1])"#),
        (r#""cage":{"328,329":10}"#, "cage at 328,329 (10)"),
        (r#""lineE":{"73,74":5}"#, "the edge 73,74, which is not thick (5)"),
        (r#""lineE":{"83,84":2}"#, "the edge 83,84, which separates no regions"),
    ] {
        assert_eq!(note(&lines(layers)), Ok(format!("not used: {expected}")), "{layers}");
    }
    for (from, to, expected) in [
        ("\n\n[\"latin\"]\n", "\nzzz\n[\"latin\"]\n", "line 17 of the drawing (zzz)"),
        ("[\"latin\"]\n", "[\"latin\"]\nwell done\n", "line 19 of the drawing (well done)"),
        ("\n{}\n{", "\n{\"qa\":\"pu_q\",\"zzz\":1}\n{", "`zzz` of the mode (not known here: 1)"),
        ("}\n{}\n[", "}\n{\"line\":{\"1,2\":3}}\n[", "line of the answer"),
    ] {
        let text = plain.replacen(from, to, 1);
        assert_eq!(note(&text), Ok(format!("not used: {expected}")), "{text}");
    }
    for (from, to) in [
        ("4,38,", "4,zzz,"),
        ("40,40\n", "40,40,0,0,0,0,Titel: \n"),
        ("{\"surf", "[\"surf"),
        ("{},\"com", "[],\"com"),
    ] {
        let text = plain.replacen(from, to, 1);
        assert!(note(&text).is_err(), "{text}");
    }
    let titled = plain.replacen("40,40\n", "40,40,0,0,0,0,Title: A%2C b,Author: c,,,ON,false,\n", 1);
    assert_eq!(note(&titled), Ok(String::new()));
    let link = penpa_link(&plain).replace("#m=edit", "#x=edit");
    let found = read(&link).map(|variant| variant.note.unwrap_or_default());
    assert_eq!(found, Ok("not used: `x=edit` of the address".to_owned()));
}

/// Builds the text of a drawing of an empty 4x4 square without regions, with these layers and tags.
fn penpa_text(layers: &str, tags: &str) -> String {
    let used = "[18,1,1,1,5,1,1,1,5,1,1,1,5,1,1,1]";
    let rest = "\n".repeat(12);
    format!(
        "square,4,4,38,0,1,1,190,190,40,40\n[0,0,0,0]\n{{}}\n{{{layers}}}\n{{}}\n{used}{rest}{tags}\n"
    )
}

#[test]
fn tags_determine_the_meaning_of_symbols_in_penpa_edit() {
    // The points below the first cell (point 18) and right of it.
    let (below, right) = (2 * 64 + 18, 3 * 64 + 18);
    let head = |layers: &str, tags: &str| {
        let variant = read(&penpa_link(&penpa_text(layers, tags))).unwrap();
        let head = variant.head(false).replace("# puzzle: variant\n# boxes: none\n", "");
        (head, variant.note)
    };
    let none = || (String::new(), None);
    assert_eq!(head("", r#"["latin"]"#), none());
    let untagged = format!("# drawing: latin\n{}", penpa_link(&penpa_text("", "[]")));
    assert_eq!(read(&untagged).map(|variant| variant.board.shape.is_jigsaw()), Ok(false));
    assert!(read(&untagged.replace("latin", "starbattle")).is_err());
    assert!(
        read(&format!("# drawing: kropki\n{}", penpa_link(&penpa_text("", r#"["latin"]"#)))).is_err()
    );
    let numbers = r#""number":{"10":[3,1,"1"],"17":["1",1,"1"],"18":[2,1,"1"],"53":["2",1,"1"]}"#;
    let (towers, note) = head(numbers, r#"["skyscrapers"]"#);
    let expected =
        "# skyscraper: column 1 = 3\n# skyscraper: row 1 = 1\n# skyscraper: column 4 bottom = 2\n";
    assert_eq!((&*towers, note), (expected, None));
    let bars = format!(r#""symbol":{{"{below}":[2,"bars_G",2],"{right}":[1,"circle_SS",2]}}"#);
    let pairs = "# difference: r1c1 r1c2\n# difference: r1c1 r2c1\n";
    assert_eq!(head(&bars, r#"["latin","consecutivepairs"]"#), (pairs.to_owned(), None));
    let (all, note) = head(&bars, r#"["latin","consecutive"]"#);
    assert_eq!((all.lines().count(), all.matches("no-difference").count(), note), (24, 22, None));
    assert_eq!(head("", r#"["latin","nonconsecutive"]"#).0, "# nonconsecutive:\n");
    let dots = format!(r#""symbol":{{"{below}":[2,"circle_SS",2],"{right}":[1,"circle_SS",2]}}"#);
    let (dotted, note) = head(&dots, r#"["kropki"]"#);
    assert!(dotted.starts_with("# difference: r1c1 r1c2\n# ratio: r1c1 r2c1\n"), "{dotted}");
    assert_eq!((dotted.lines().count(), note), (2 + 2 * 22, None));
    let shapes = r#""symbol":{"18":[3,"circle_M",1],"19":[3,"square_L",1],"20":[1,"star",1]}"#;
    let (shown, note) = head(shapes, r#"["latin","evenodd"]"#);
    assert_eq!(shown, "# odd: r1c1\n# even: r1c2\n");
    assert_eq!(note.as_deref(), Some("not used: symbol at r1c3 ([1,\"star\",1])"));
    // Without a tag the shapes have no meaning, and missing regions are an error.
    assert_eq!(head(shapes, r#"["latin"]"#).0, "");
    for (tags, message) in [
        (
            "[]",
            "expected a drawing with a tag of classic, latin, irregular, arrow, thermo, killer, evenodd, consecutivepairs, \
             consecutive, nonconsecutive, kropki, skyscrapers, found none: a drawing states no rules (expected thick edges \
             around 4 regions, found 1); `# drawing: sudoku` above the link names its kind",
        ),
        (
            r#"["starbattle"]"#,
            "expected a drawing with tags of classic, latin, irregular, arrow, thermo, killer, evenodd, consecutivepairs, \
             consecutive, nonconsecutive, kropki, skyscrapers, found the tag `starbattle`",
        ),
    ] {
        let found = read(&penpa_link(&penpa_text("", tags))).map(|_| ());
        assert_eq!(found, Err(format!("1:1: {message}")));
    }
}

#[test]
fn unsupported_clues_of_penpa_edit_and_puzz_link_are_named() {
    let own = |text: &str| crate::native::read(text).unwrap();
    for (form, text, message) in [
        (
            "penpa",
            "# renban: r1c1 r1c2\n....\n....\n....\n....\n",
            "penpa has no form for `renban: r1c1 r1c2`",
        ),
        (
            "penpa",
            "# arrow: r1c1 r1c2 / r2c1 r2c2\n....\n....\n....\n....\n",
            "penpa has no form for `arrow: r1c1 r1c2 / r2c1 r2c2`",
        ),
        (
            "penpa",
            "# difference: r1c1 r1c2\n# no-ratio: r1c1 r2c1\n....\n....\n....\n....\n",
            "penpa has no form for `no-ratio: r1c1 r2c1` together with the other clues of neighbors",
        ),
        (
            "penpa",
            "# killer: r1c1 r1c2 = 3\n# killer: r1c2 r1c1 = 4\n....\n....\n....\n....\n",
            "penpa has no form for `killer: r1c1 r1c2 = 3`",
        ),
        (
            "penpa",
            "# odd: r1c1\n# even: r1c1\n....\n....\n....\n....\n",
            "penpa has no form for `even: r1c1`",
        ),
        (
            "penpa",
            "# rules: anti-king\n# odd: r1c1\n....\n....\n....\n....\n",
            "penpa has no form for the rule anti-king",
        ),
        (
            "puzzlink",
            "# boxes: none\n# difference: r1c1 r1c2\n# ratio: r1c1 r2c1\n....\n....\n....\n....\n",
            "puzzlink holds dots where each pair is white, black or neither, which is not said of r1c2 and r1c3",
        ),
        (
            "puzzlink",
            "# boxes: none\n# greater: r1c1 r2c2\n....\n....\n....\n....\n",
            "puzzlink has no form for `greater: r1c1 r2c2`",
        ),
        (
            "puzzlink",
            "# boxes: none\n# greater: r1c1 r1c2\n# difference: r1c1 r1c2 = 2\n....\n....\n....\n....\n",
            "puzzlink has no form for `difference: r1c1 r1c2 = 2`",
        ),
        (
            "puzzlink",
            "# boxes: none\n# greater: r1c1 r1c2\n1...\n....\n....\n....\n",
            "puzzlink holds no digits in minarism",
        ),
        (
            "puzzlink",
            "# thermo: r1c1 r1c2\n....\n....\n....\n....\n",
            "puzzlink has no form for `thermo: r1c1 r1c2` in a grid with boxes",
        ),
    ] {
        assert_eq!(write(&own(text), form), Some(Err(message.to_owned())), "{form} {text}");
    }
}

/// Returns the clues of a random drawing: dots or bars of one kind between adjacent cells, or signs
/// and differences, and sometimes other clues.
fn random_drawing(random: &mut fastrand::Rng, board: &VariantBoard) -> (NamedClues, bool) {
    let sort = random.usize(..5);
    let mut clues = NamedClues::new();
    for (one, other) in board.sides() {
        let pair = if random.bool() { vec![one, other] } else { vec![other, one] };
        match (sort, random.usize(..3)) {
            (0, 0) | (1 | 2, 0) => clues.push(clue("difference", pair, vec![])),
            (0, 1) => clues.push(clue("ratio", pair, vec![2])),
            (0, _) => {
                clues
                    .extend(["no-ratio", "no-difference"].map(|name| clue(name, pair.clone(), vec![])));
            }
            (2, _) => clues.push(clue("no-difference", pair, vec![1])),
            (3, 0) => clues.push(clue("greater", pair, vec![])),
            (3, 1) => clues.push(clue("difference", pair, vec![random.i64(1..4)])),
            _ => {}
        }
    }
    let has_more = random.bool();
    let order = board.order();
    if has_more {
        let cell = random.usize(..order * (order - 1));
        clues.push(clue("killer", vec![cell, cell + order], vec![random.i64(3..8)]));
        clues.push(("arrow", Args { groups: vec![vec![cell], vec![cell + order]], ..Args::default() }));
        clues.push(clue("thermo", vec![cell + order, cell], vec![]));
        clues.push(clue("odd", vec![(cell + 1) % (order * order)], vec![]));
        clues.push(clue("skyscraper", board.row(random.usize(..order)), vec![random.i64(1..4)]));
        clues.push(clue("extra", vec![cell, (cell + order + 1) % (order * order)], vec![]));
    }
    (clues, has_more)
}

#[test]
fn written_drawings_with_every_supported_clue_are_read_as_the_same_puzzle() {
    let mut random = fastrand::Rng::with_seed(8);
    let boards: Vec<_> = tests::boards().into_iter().take(3).collect();
    let mut written = BTreeSet::new();
    for round in 0..1200 {
        let (board, all) = &boards[round % boards.len()];
        let (clues, has_more) = random_drawing(&mut random, board);
        let (_, mut grid) = empty(Arc::clone(&board.shape), 1);
        let has_digit = random.bool();
        if has_digit {
            grid.place(random.usize(..board.inside()), random.usize(..board.order()));
        }
        let variant = super::variant(board.clone(), grid, clues, Unused::default()).unwrap();
        for form in ["penpa", "puzzlink"] {
            let Ok(text) = write(&variant, form).expect("it is written") else { continue };
            let kind = text.split(['?', '/']).nth(4).unwrap_or("").to_owned();
            written.insert((
                form,
                if form == "penpa" { String::new() } else { kind },
                has_more,
                has_digit,
            ));
            let again = read(&text).unwrap_or_else(|error| panic!("{error}\n{text}"));
            assert!(
                again.note.as_ref().is_none_or(|note| !note.contains("not used")),
                "{:?}",
                again.note
            );
            assert_eq!(allowed(&again, all), allowed(&variant, all), "{}\n{text}", variant.head(false));
        }
    }
    // For each format, all expected kinds of links were written, with and without digits or other
    // clues.
    let kinds = |form: &str| written.iter().filter(|(name, ..)| *name == form).count();
    assert_eq!((kinds("penpa"), kinds("puzzlink")), (4, 6), "{written:?}");
}

#[test]
fn links_of_puzz_link_are_written_in_the_same_form_as_they_are_read() {
    for query in [
        "sudoku/4/4/1k3h4k2",
        "skyscrapers/4/4/k13h4j3g",
        "skyscrapers/4/4/k13h4j3g1k3h4k2",
        "kropki/4/4/aa7fioco",
        "minarism/4/4/hhhq21pgi",
        "minarism/9/9/zrg-12zzzzzzn",
    ] {
        let link = format!("https://puzz.link/p?{query}\n");
        let variant = read(&link).unwrap();
        assert_eq!(write(&variant, "puzzlink"), Some(Ok(link)));
    }
}

#[test]
fn no_text_makes_the_reader_of_a_form_panic() {
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
fn no_drawing_makes_the_reader_of_penpa_links_panic() {
    let mut random = fastrand::Rng::with_seed(4);
    let layers = r#""number":{"18":["3",1,"1"],"10":[2,1,"1"]},"numberS":{"344":["5",1]},"symbol":{"146":[2,"bars_G",2]},"killercages":[[26,27]],"thermo":[[42,34]],"arrows":[[18,19,20]],"lineE":{"91,99":2}"#;
    let text = penpa_text(layers, r#"["latin","consecutive","skyscrapers"]"#);
    assert!(read(&penpa_link(&text)).is_ok());
    let pool: Vec<char> = "0159-,[]{}\":\nzZ\u{e9}".chars().collect();
    for _ in 0..6000 {
        let mut text: Vec<char> = text.chars().collect();
        for _ in 0..random.usize(1..5) {
            let place = random.usize(..text.len());
            match random.usize(..3) {
                0 => drop(text.remove(place)),
                1 => text[place] = pool[random.usize(..pool.len())],
                _ => text.insert(place, pool[random.usize(..pool.len())]),
            }
        }
        let _ = read(&penpa_link(&text.into_iter().collect::<String>()));
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
