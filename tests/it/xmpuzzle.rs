//! Files of BurrTools, compressed and uncompressed.

use std::fs;
use std::io::Write as _;

use crate::command::run;

/// The two trominoes and a domino in a box of nine cells.
const BOX: &str = "<?xml version=\"1.0\"?>\n<puzzle version=\"2\">\n<gridType type=\"0\"/>\n<colors/>\n<shapes>\n\
    <voxel x=\"3\" y=\"1\" z=\"1\" type=\"0\">###</voxel>\n<voxel x=\"2\" y=\"2\" z=\"1\" type=\"0\">###_</voxel>\n\
    <voxel x=\"2\" y=\"1\" z=\"1\" type=\"0\">##</voxel>\n<voxel x=\"3\" y=\"3\" z=\"1\" name=\"box\">+++++++++</voxel>\n\
    </shapes>\n<problems><problem name=\"box\" state=\"0\"><shapes><shape id=\"0\" count=\"1\"/>\
    <shape id=\"1\" count=\"1\"/><shape id=\"2\" min=\"1\" max=\"1\"/></shapes><result id=\"3\"/><bitmap/>\
    </problem></problems></puzzle>\n";

#[test]
fn compressed_and_plain_files_of_burrtools_are_read() {
    let folder = tempfile::tempdir().expect("a folder");
    let plain = folder.path().join("box.xmpuzzle");
    fs::write(&plain, BOX).expect("written");
    let packed = folder.path().join("packed.xmpuzzle");
    let file = fs::File::create(&packed).expect("a file");
    let mut encoder = flate2::write::GzEncoder::new(file, flate2::Compression::default());
    encoder.write_all(BOX.as_bytes()).and_then(|()| encoder.finish().map(drop)).expect("written");
    for path in [&plain, &packed] {
        let path = path.to_str().expect("UTF-8");
        assert_eq!(run(&format!("count {path}"), "").out, "48\n");
        assert_eq!(run(&format!("count --up-to-symmetry {path}"), "").out, "6\n");
        let solved = run(&format!("solve {path}"), "").out;
        assert_eq!(run("count", &solved).out, "1\n", "{solved}");
    }
    // The format is recognized without the file extension.
    assert_eq!(run("count", BOX).out, "48\n");
    let ran = run("count", &BOX.replace("gridType type=\"0\"", "gridType type=\"5\""));
    assert_eq!(ran.code, 2);
    let message = ":3:1: expected a grid type (0 square, 1 triangular, 2 spheres, 3 rhombic, 4 tetrahedral), found `5`";
    assert!(ran.err.contains(message), "{}", ran.err);
    let ran = run("count", &BOX.replace("gridType type=\"0\"", "gridType type=\"3\""));
    assert_eq!(ran.code, 2);
    let message = "expected voxels where the grid has cells, found one at 0 0 0";
    assert!(ran.err.contains(message), "{}", ran.err);
}

#[test]
fn duplicate_parts_and_stray_text_in_a_file_of_burrtools_are_refused() {
    for (old, new, message) in [
        (
            "<colors/>",
            "<gridType type=\"1\"/>",
            ":4:1: expected one `gridType` in `puzzle`, found a second",
        ),
        ("<colors/>", "<colors/>\nzzz", "expected elements in `puzzle`, found `zzz`"),
        ("<problems>", "<problems/><problems>", "expected one `problems` in `puzzle`, found a second"),
        ("<bitmap/>", "<bitmap/><bitmap/>", "expected one `bitmap` in `problem`, found a second"),
    ] {
        let ran = run("count", &BOX.replace(old, new));
        assert_eq!((ran.code, &*ran.out), (2, ""), "{new}");
        assert!(ran.err.contains(message), "{new}: {}", ran.err);
    }
}

#[test]
fn puzzles_are_written_as_files_of_burrtools() {
    for puzzle in [
        "--puzzle polyomino soma",
        "--puzzle polyomino 4x15",
        "--puzzle polyomino hexiamonds:rhombus-6x6",
    ] {
        let written = run(&format!("convert --to xmpuzzle {puzzle}"), "");
        assert!(written.out.starts_with("<?xml version"), "{puzzle}: {}", written.err);
        let count = run(&format!("count {puzzle}"), "").out;
        assert_eq!(run("count", &written.out).out, count, "{puzzle}");
        assert_eq!(run("convert --to xmpuzzle", &written.out).out, written.out, "{puzzle}");
    }
    for (args, input, message) in [
        (
            "--puzzle polyomino tetrahexes:rhombus-4x7",
            "",
            "xmpuzzle has no form for the lattice hexagonal",
        ),
        ("--puzzle polyomino one-sided-tetrominoes:4x7", "", "which is not so with `I`"),
        ("", "tiling\nAAB\nABB\n", "xmpuzzle holds no finished tilings"),
        ("--puzzle queens 8", "", "the format xmpuzzle is for polyominoes only"),
    ] {
        let ran = run(&format!("convert --to xmpuzzle {args}"), input);
        assert_eq!((ran.code, &*ran.out), (2, ""), "{args}");
        assert!(ran.err.contains(message), "{args}: {}", ran.err);
    }
}

#[test]
fn the_maximum_number_of_holes_in_a_burrtools_file_is_enforced() {
    let any = BOX.replace("min=\"1\" max=\"1\"", "min=\"0\" max=\"1\"");
    let at_most = |holes: u32| any.replace("state=\"0\"", &format!("maxHoles=\"{holes}\""));
    let count = |args: &str, text: &str| run(args, text).out;
    // With the domino one hole remains in the box, without it three holes.
    assert_eq!(count("count", &at_most(0)), "0\n");
    assert_eq!(count("count", &at_most(2)), "48\n");
    assert_eq!(count("count --up-to-symmetry", &at_most(2)), "6\n");
    assert_eq!(count("count", &at_most(3)), count("count", &any));
    assert_eq!(count("count --up-to-symmetry", &at_most(3)), count("count --up-to-symmetry", &any));
    let solved = count("solve", &at_most(2));
    assert_eq!(solved.matches('?').count(), 1, "{solved}");
    assert_eq!(run("count", &solved).out, "1\n", "{solved}");
    // If the number of pieces determines the number of holes, a different limit only gives a note.
    let ran = run("count", &BOX.replace("state=\"0\"", "maxHoles=\"0\""));
    assert_eq!(ran.out, "48\n");
    assert!(
        ran.err.contains("maxHoles is 0, and the pieces leave 1, as their number says"),
        "{}",
        ran.err
    );
}

#[test]
fn sphere_and_tetrahedron_puzzles_are_solved_and_drawn_layer_by_layer() {
    let check = |lattice: &str, grid: u32, shapes: &str, count: u32, expected: &str| {
        let file = format!(
            "<puzzle version=\"2\"><gridType type=\"{grid}\"/><colors/><shapes>{shapes}</shapes><problems><problem>\
             <shapes><shape id=\"0\" count=\"{count}\"/></shapes><result id=\"1\"/></problem></problems></puzzle>\n"
        );
        let ran = run("count", &file);
        assert_eq!((&*ran.out, ran.code), (expected, 0), "{}", ran.err);
        let solved = run("solve", &file).out;
        assert!(solved.starts_with(&format!("lattice {lattice}\ntiling\n")), "{solved}");
        assert_eq!(run("count", &solved).out, "1\n", "{solved}");
        let picture = run("draw", &solved);
        assert!(picture.out.contains("<svg"), "{}", picture.err);
    };
    // Eight spheres in two layers are filled with four pairs of spheres.
    let pair = "<voxel x=\"2\" y=\"2\" z=\"1\">#__#</voxel>";
    let spheres = "<voxel x=\"4\" y=\"2\" z=\"2\">#_#__#_# _#_##_#_</voxel>";
    check("spheres", 2, &format!("{pair}{spheres}"), 4, "11\n");
    // A cube of 24 tetrahedra is divided into twelve pairs of neighbors. Each side of the cube has
    // four triangles, which are paired in two ways.
    let cube: String = (0..125)
        .map(|place| {
            let mut kinds = [place / 25, place / 5 % 5, place % 5].map(|at: i32| (at - 2).abs());
            kinds.sort_unstable();
            if kinds == [0, 1, 2] { '#' } else { '_' }
        })
        .collect();
    let pair = "<voxel x=\"3\" y=\"3\" z=\"1\">_____#_#_</voxel>";
    let cube = format!("{pair}<voxel x=\"5\" y=\"5\" z=\"5\">{cube}</voxel>");
    check("rhombic", 3, &cube, 12, "64\n");
    // Each of two cubes consists of a tetrahedron and a part of the octahedron between the cubes.
    let pair = "<voxel x=\"3\" y=\"3\" z=\"2\">__#______ ____#____</voxel>";
    let cubes = "<voxel x=\"6\" y=\"3\" z=\"2\">__##______________ _______#__#_______</voxel>";
    check("tetrahedral", 4, &format!("{pair}{cubes}"), 2, "1\n");
}
