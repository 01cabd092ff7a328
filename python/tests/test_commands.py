"""Questions that commands of the program answer, in this process."""

from __future__ import annotations

import multiprocessing
import os
import pickle
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

import pytest

import farandole
from farandole import Problem, shards, sudoku

FOUR = "1...\n..3.\n.4..\n...2"
OPEN = "12..\n34..\n....\n...2"
NINE = "8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4.."
#: A Sudoku with a rule and a clue, and a puzzle that is no grid.
VARIANT = "# puzzle: variant\n# thermo: r1c1 r1c2 r1c3\n....\n....\n....\n...."


def readable(text: str) -> list[farandole.Puzzle]:
    """The puzzles of a text, without the invalid ones."""
    puzzles, found = farandole.read_text(text), []
    while True:
        try:
            found.append(next(puzzles))
        except StopIteration:
            return found
        except farandole.ParseError:
            continue


def test_a_command_reads_the_same_puzzle_as_a_query() -> None:
    text = "1...............\n..............12\n11..............\n................\n"
    cases: list[tuple[Any, int]] = [
        (Problem(["ab", "a", "b", "cd", "c", "d"]), 4),
        (Problem(["ab", "a", "b", "cd", "c", "d"]).with_given(["ab"]), 2),
        (Problem([{"p": None, "x": "red"}, {"q": None, "x": "red"}, {"q": None, "x": "blue"}], secondary=["x"]), 1),
        (farandole.puzzle("queens", 6), 4),
        (farandole.puzzle("sudoku", FOUR), 1),
        (farandole.puzzle("sudoku", [[1, 2, 0, 0], [3, 4, 0, 0], [0, 0, 0, 0], [0, 0, 0, 2]]), 3),
        (farandole.puzzle("latin", "3"), 12),
        *zip(readable(text), (72, 24, 0, 288)),
    ]
    for puzzle, count in cases:
        assert puzzle.count() == count, puzzle
        assert puzzle.check()["count"] == count, puzzle
        copied = pickle.loads(pickle.dumps(puzzle))
        assert copied.check()["count"] == count, puzzle


def test_a_command_reads_a_puzzle_with_clues_boxes_and_rules() -> None:
    for puzzle in [
        farandole.puzzle("variant", VARIANT),
        farandole.puzzle("sudoku", "1" + "." * 35, boxes=(3, 2), rules="diagonals"),
    ]:
        lines = puzzle.compare(["links"], limit=20, time=20)
        assert lines[0]["count"] == 20, puzzle


def test_a_command_reads_a_puzzle_of_a_file(tmp_path: Path) -> None:
    path = tmp_path / "grids.txt"
    path.write_text("1...............\nbad line\n..............12\n")
    puzzles = farandole.read_file(path)
    first = next(puzzles)
    with pytest.raises(farandole.ParseError):
        next(puzzles)
    second = next(puzzles)
    assert [first.check()["count"], second.check()["count"]] == [72, 24]


def test_a_parameter_names_no_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("6").write_text("not a puzzle")
    assert farandole.puzzle("queens", 6).check()["count"] == 4
    answer = farandole.ask({"question": "count", "options": {"puzzle": "queens"}, "arguments": ["6"]})
    assert answer["lines"][0]["count"] == "4"


def test_given_options_and_bounds_reach_a_command() -> None:
    options = {"x": ["a", "given1"], "y": ["a"], "z": ["given1"], "other": ["given1"]}
    problem = Problem(options, bounds={"a": (1, 2)})
    for given in (["y"], ["x"], ["y", "z"]):
        part = problem.with_given(given)
        assert part.check()["count"] == part.count(), given


def test_an_answer_explains_each_step() -> None:
    grid = farandole.puzzle("sudoku", NINE)
    rating = grid.rate()
    assert rating["score"] is not None and rating["score"] > 8
    easy = farandole.puzzle("sudoku", FOUR)
    step = easy.hint()
    assert step is not None and step["name"] == "hidden single"
    steps = easy.explain()["steps"]
    assert [each["step"] for each in steps] == list(range(1, len(steps) + 1))
    assert easy.hint(technique="hidden single") is not None
    solved = farandole.puzzle("sudoku", "1234\n3412\n2143\n4321")
    assert solved.hint() is None
    with pytest.raises(ValueError, match="technique"):
        easy.hint(technique="no such technique")


def test_a_check_says_why() -> None:
    clash = farandole.puzzle("sudoku", "1...\n1...\n....\n....").check(why=True)
    assert not clash["valid"] and clash["code"] == 2
    assert clash["cells"] == [[1, 1], [2, 1]]
    answer = farandole.puzzle("sudoku", OPEN).check(why=True)
    assert answer["count"] == 3 and "r1c3=3" in (answer["why"] or {})["adding"]


def test_a_limit_of_a_command_is_raised_with_the_answer_so_far() -> None:
    grid = farandole.puzzle("sudoku", "." * 256)
    with pytest.raises(farandole.LimitReached) as raised:
        grid.check(nodes=10)
    assert raised.value.limit == "nodes", raised.value
    assert raised.value.known["unique"] is None or raised.value.known["count"] >= 0


def test_an_event_cancels_a_command() -> None:
    cancel = threading.Event()
    threading.Timer(0.2, cancel.set).start()
    begun = time.monotonic()
    with pytest.raises(farandole.LimitReached) as raised:
        farandole.puzzle("queens", 20).count(up_to_symmetry=True, cancel=cancel)
    assert raised.value.limit == "cancel"
    assert time.monotonic() - begun < 5
    with pytest.raises(farandole.LimitReached):
        farandole.ask({"question": "count", "options": {"puzzle": "queens"}, "arguments": ["20"]}, cancel=cancel)


@pytest.mark.skipif(os.name == "nt", reason="signals are sent by Unix")
def test_ctrl_c_ends_a_command_and_the_handler_stays() -> None:
    handler = signal.getsignal(signal.SIGINT)
    threading.Timer(0.2, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
    with pytest.raises(farandole.Interrupted):
        farandole.ask({"question": "count", "options": {"puzzle": "queens"}, "arguments": ["20"]})
    assert signal.getsignal(signal.SIGINT) is handler


def test_progress_is_reported_and_its_exception_ends_a_command() -> None:
    told: list[farandole.Progress] = []

    def progress(each: farandole.Progress) -> None:
        told.append(each)
        if len(told) == 5:
            raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough"):
        farandole.ask({"question": "count", "options": {"puzzle": "queens"}, "arguments": ["20"]}, progress=progress)
    assert told[-1].nodes > 0


def test_commands_run_at_the_same_time() -> None:
    counts: dict[int, str] = {}

    def count(size: int) -> None:
        request = {"question": "count", "options": {"puzzle": "queens"}, "arguments": [str(size)]}
        counts[size] = farandole.ask(request)["lines"][0]["count"]

    threads = [threading.Thread(target=count, args=(size,)) for size in range(4, 12)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [counts[size] for size in range(4, 12)] == ["2", "10", "4", "40", "92", "352", "724", "2680"]


REFUSED: list[tuple[Any, type[Exception], str]] = [
    ({"question": "cuont"}, ValueError, "expected a question"),
    ({"question": "count", "options": {"speed": 1}}, ValueError, "expected an option of `count`"),
    ({"question": "count", "options": {"puzzle": "quens"}, "arguments": ["8"]}, ValueError, "quens"),
    ({"question": "count", "options": {"journal": "x"}}, ValueError, "names a file"),
    ({"question": "count", "input": "x"}, farandole.ParseError, "expected"),
    ({"question": "count", "options": {"puzzle": object()}}, TypeError, "expected a request"),
    ("count", TypeError, "expected a dictionary"),
    ({}, ValueError, "question"),
]


@pytest.mark.parametrize(("request_", "kind", "message"), REFUSED)
def test_an_invalid_request_is_refused(request_: Any, kind: type[Exception], message: str) -> None:
    with pytest.raises(kind, match=message):
        farandole.ask(request_)


def test_an_invalid_puzzle_among_others_is_a_line_of_the_answer() -> None:
    answer = farandole.ask({"question": "count", "input": f"{NINE}\n{NINE[:80]}O\n"})
    assert [("error" in line, line["puzzle"]) for line in answer["lines"]] == [(False, 1), (True, 2)]
    assert answer["code"] == 2


def test_a_text_is_an_answer() -> None:
    answer = farandole.ask({"question": "draw", "options": {"puzzle": "queens"}, "arguments": ["6"]})
    assert answer["text"].startswith("<svg") and answer["lines"] == []
    assert "queens" in farandole.ask({"question": "puzzles"})["text"]


def test_engines_agree() -> None:
    queens = farandole.puzzle("queens", 8)
    for engine in ("auto", "links", "cells", "masks"):
        assert queens.count(engine=engine) == 92, engine
        assert queens.solve(engine=engine) is not None
        assert len(list(queens.solutions(engine=engine))) == 92
    rows = queens.compare(["links", "cells"], time=1)
    assert {row["count"] for row in rows} == {92}
    with pytest.raises(ValueError, match="expected an engine of auto, .*did you mean `links`"):
        queens.count(engine="link")
    with pytest.raises(ValueError, match="the engine lanes cannot search this puzzle"):
        queens.count(engine="lanes")
    with pytest.raises(ValueError, match="the engine lanes cannot search this puzzle"):
        list(queens.solutions(engine="lanes"))
    with pytest.raises(TypeError, match="engine"):
        queens.count(engine=1)  # type: ignore[arg-type]


def test_solutions_are_counted_up_to_symmetry() -> None:
    queens = farandole.puzzle("queens", 8)
    assert queens.count(up_to_symmetry=True) == 12
    assert queens.count(up_to_symmetry="rotations") == 24
    assert farandole.puzzle("latin", 5).count(up_to_symmetry="main-classes") == 2
    with pytest.raises(ValueError):
        queens.count(up_to_symmetry="mirrors")


def test_ranks_are_the_inverse_of_solutions() -> None:
    puzzles: list[Any] = [Problem(["ab", "a", "b", "cd", "c", "d"]), farandole.puzzle("queens", 6)]
    for puzzle in puzzles:
        found = list(puzzle)
        assert sorted(rank for rank in puzzle.rank(found) if rank is not None) == list(range(4))
        assert puzzle.rank(puzzle.unrank(range(4))) == [0, 1, 2, 3]
        with pytest.raises(IndexError, match="from 0 to 3, found 4"):
            puzzle.unrank([0, 4])
        with pytest.raises(IndexError):
            puzzle.unrank([-1])
    problem = Problem(["ab", "a", "b"])
    assert problem.rank([("a", "b"), ("a",), ("ab",)])[1] is None
    with pytest.raises(ValueError, match="no option"):
        problem.rank([("x",)])


def test_a_histogram_adds_up_to_the_count() -> None:
    rows = {f"{r}{c}": (f"r{r}", f"c{c}") for r in range(4) for c in range(4)}
    problem = Problem(rows, costs={name: int(name[0]) * int(name[1]) for name in rows})
    costs = problem.histogram()
    assert sum(costs.values()) == 24 and list(costs) == sorted(costs)
    assert problem.cheapest()[0].cost == next(iter(costs))


def test_new_puzzles_have_one_solution() -> None:
    made = [
        *farandole.generate(count=2, seed=1, clues=(24, 30)),
        *farandole.generate("sudoku", "2x2", seed=1, rules=["diagonals"]),
        *farandole.generate("latin", 5, seed=1, jigsaw=True),
        *farandole.generate("sudoku", "2x2", seed=1, killer=True),
        *farandole.generate("polyomino", "pentominoes", pieces=4, seed=1),
        *farandole.generate(farandole.puzzle("sudoku", "1..............."), seed=1),
        *farandole.generate(farandole.puzzle("queens", 6), seed=1),
        *farandole.generate("sudoku", seed=2, rating=(1.0, 3.0), technique="hidden single"),
    ]
    assert len(made) == 9
    assert all(puzzle.is_unique() for puzzle in made)
    again = farandole.generate(count=2, seed=1, clues=(24, 30))
    assert again == made[:2]
    with pytest.raises(ValueError):
        farandole.generate("soduku")
    with pytest.raises(TypeError, match="clues"):
        farandole.generate(clues="many")  # type: ignore[arg-type]


def test_puzzles_are_written_in_other_formats() -> None:
    grid = farandole.puzzle("sudoku", FOUR)
    assert grid.to_text("line") == "1.....3..4.....2\n"
    assert Problem.from_text(grid.to_text("dlx")).count() == 1
    assert "p cnf" in grid.to_text("cnf")
    with pytest.raises(ValueError, match="postcard"):
        grid.to_text("postcard")


def test_canonical_forms_are_equal_up_to_symmetry() -> None:
    swapped = NINE.translate(str.maketrans("123456789", "987654321"))
    assert sudoku.canonical(NINE) == sudoku.canonical(swapped)
    rows = [[int(cell) if cell != "." else 0 for cell in NINE[start : start + 9]] for start in range(0, 81, 9)]
    assert sudoku.canonical(rows) == sudoku.canonical(NINE)
    with pytest.raises(ValueError):
        sudoku.canonical("1...............")


@pytest.mark.parametrize("ending", ["cpog", "lrat", "pbp"])
def test_proofs_are_written_and_verified(tmp_path: Path, ending: str) -> None:
    for puzzle in (Problem(["ab", "a", "b", "cd", "c", "d"]), farandole.puzzle("queens", 6)):
        path = tmp_path / f"proof.{ending}"
        proof = puzzle.prove_count(path)
        assert proof["count"] == 4 and Path(proof["proof"]["formula"]).exists()
        assert puzzle.verify_proof(path)["count"] == 4
        lines = path.read_text().splitlines()
        path.write_text("\n".join(lines[: len(lines) // 2]) + "\n")
        with pytest.raises(ValueError):
            puzzle.verify_proof(path)


def test_a_proof_says_that_a_solution_is_the_only_one(tmp_path: Path) -> None:
    grid = farandole.puzzle("sudoku", FOUR)
    assert grid.prove_unique(tmp_path / "one.lrat")["proof"]
    assert grid.verify_proof(tmp_path / "one.lrat").get("count") == 1


def test_a_count_with_a_journal_is_resumed(tmp_path: Path) -> None:
    queens = farandole.puzzle("queens", 11)
    journal = tmp_path / "queens.journal"
    assert queens.count(journal=journal) == 2680
    size = journal.stat().st_size
    assert queens.count(journal=journal) == 2680
    assert journal.stat().st_size == size
    with pytest.raises(ValueError):
        farandole.puzzle("queens", 10).count(journal=journal)


def test_a_count_keeps_its_states_in_a_folder(tmp_path: Path) -> None:
    dominoes = farandole.puzzle("polyomino", "dominoes:8x8")
    assert dominoes.count(scratch=tmp_path / "states") == 12988816


def test_covers_and_problems_are_drawn() -> None:
    problem = Problem({"<x>": "ab", "y": "cd", "z": "a"})
    cover = problem.solve()
    assert cover is not None
    assert cover._repr_html_().startswith("<table><tr><td>0</td><td style=\"text-align:left\">&lt;x&gt;</td></tr>")
    assert (problem.to_svg(cover) or "").startswith("<svg")
    assert (problem._repr_svg_() or "").startswith("<svg")
    assert problem.to_svg(cover) != problem.to_svg()
    large = Problem([[number] for number in range(5000)])
    assert large._repr_svg_() is None
    html = Problem([[number] for number in range(500)]).solve()._repr_html_()  # type: ignore[union-attr]
    assert "... and 300 more" in html


def test_a_count_is_made_with_the_map_of_any_library() -> None:
    queens = farandole.puzzle("queens", 9)
    told: list[float] = []
    assert shards.count(queens, map, shards=10, progress=told.append) == 352
    assert told[-1] == 1
    # Without time each shard is split further, until it is trivial.
    assert shards.count(farandole.puzzle("queens", 5), map, shards=3, time=0.01) == 10


def test_the_map_of_joblib_counts() -> None:
    joblib = pytest.importorskip("joblib")

    def joblib_map(task: Any, parts: list[shards.Shard]) -> Any:
        return joblib.Parallel(n_jobs=2)(joblib.delayed(task)(part) for part in parts)

    assert shards.count(farandole.puzzle("queens", 9), joblib_map, shards=4) == 352


def test_the_map_of_multiprocessing_counts() -> None:
    with multiprocessing.get_context("spawn").Pool(2) as pool:
        assert shards.count(farandole.puzzle("queens", 9), pool.imap_unordered, shards=4) == 352


def test_the_program_runs_from_the_package(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "farandole", "count", "--puzzle", "queens", "6"]
    ran = subprocess.run(command, capture_output=True, text=True, check=False, cwd=tmp_path)
    assert (ran.returncode, ran.stdout, ran.stderr) == (0, "4\n", "")
    command = [sys.executable, "-m", "farandole", "solve", "--nothing"]
    ran = subprocess.run(command, capture_output=True, text=True, check=False, cwd=tmp_path)
    assert ran.returncode == 2 and "--nothing" in ran.stderr


@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="the system does not tell the memory in use")
def test_repeated_questions_keep_no_memory() -> None:
    def pages() -> int:
        return int(Path("/proc/self/statm").read_text().split()[1])

    requests: list[Any] = [
        {"question": "hint", "input": "1.....3..4.....2"},
        {"question": "count", "options": {"puzzle": "queens"}, "arguments": ["4"]},
    ]
    for request in requests:
        for _ in range(100):
            farandole.ask(request)
        before = pages()
        for _ in range(500):
            farandole.ask(request)
        # A worker that is not freed takes 16 KiB or more in each run.
        assert pages() - before < 1000, request["question"]
