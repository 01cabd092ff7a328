//! Files of BurrTools, packed and not.

use std::fs;
use std::io::Write as _;

use crate::command::run;

/// The two trominoes and a domino in a box of nine places.
const BOX: &str = "<?xml version=\"1.0\"?>\n<puzzle version=\"2\">\n<gridType type=\"0\"/>\n<colors/>\n<shapes>\n\
    <voxel x=\"3\" y=\"1\" z=\"1\" type=\"0\">###</voxel>\n<voxel x=\"2\" y=\"2\" z=\"1\" type=\"0\">###_</voxel>\n\
    <voxel x=\"2\" y=\"1\" z=\"1\" type=\"0\">##</voxel>\n<voxel x=\"3\" y=\"3\" z=\"1\" name=\"box\">+++++++++</voxel>\n\
    </shapes>\n<problems><problem name=\"box\" state=\"0\"><shapes><shape id=\"0\" count=\"1\"/>\
    <shape id=\"1\" count=\"1\"/><shape id=\"2\" min=\"1\" max=\"1\"/></shapes><result id=\"3\"/><bitmap/>\
    </problem></problems></puzzle>\n";

#[test]
fn files_of_burrtools_are_read_packed_or_not() {
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
    // Also without a name that speaks for it.
    assert_eq!(run("count", BOX).out, "48\n");
    let ran = run("count", &BOX.replace("gridType type=\"0\"", "gridType type=\"3\""));
    assert_eq!(ran.code, 2);
    assert!(
        ran.err.contains(":3:1: expected the grid type 0 (cubes) or 1 (triangles), found `3`"),
        "{}",
        ran.err
    );
}
