"""Files of grids in real-world formats: compressed, tables, Parquet, with comments and with invalid lines."""

from __future__ import annotations

import bz2
import gzip
import warnings
from pathlib import Path
from typing import Any

import pytest

import farandole

pytest.importorskip("distributed")
EASY = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
SOLVED = "534678912672195348198342567859761423426853791713924856961537284287419635345286179"
WRONG = "11" + "." * 79
TEXT = f"{EASY}\n{WRONG}\n" * 20


@pytest.fixture(scope="module")
def near() -> Any:
    """A cluster within this process."""
    distributed: Any = pytest.importorskip("distributed")
    with distributed.LocalCluster(
        n_workers=1, threads_per_worker=2, processes=False, dashboard_address=None
    ) as cluster, distributed.Client(cluster) as client:
        yield client


def solve(path: Path, near: Any, **named: Any) -> tuple[list[str], farandole.dask.SolvedFiles]:
    named.setdefault("block", 500)
    solved = farandole.dask.solve_files(path, Path(path).parent / "out", near, **named)
    lines = [line for part in solved.parts for line in Path(part.removeprefix("file://")).read_text().split("\n")[:-1]]
    return lines, solved


def test_compressed_files_are_read(tmp_path: Path, near: Any) -> None:
    for name, data in [("a.txt.gz", gzip.compress(TEXT.encode())), ("b.txt.bz2", bz2.compress(TEXT.encode()))]:
        path = tmp_path / name / name
        path.parent.mkdir()
        path.write_bytes(data)
        lines, solved = solve(path, near)
        assert lines == [SOLVED, ""] * 20
        assert (solved.grids, solved.unsolvable, solved.wrong, len(solved.parts)) == (40, 20, 0, 1)
    hidden = tmp_path / "hidden" / "grids.txt"
    hidden.parent.mkdir()
    hidden.write_bytes(gzip.compress(TEXT.encode()))
    with pytest.raises(ValueError, match="found a file compressed by gzip: `compression='gzip'` reads it"):
        solve(hidden, near)
    assert solve(hidden, near, compression="gzip")[0] == [SOLVED, ""] * 20
    with pytest.raises(ValueError, match="expected the name of a file in the archive, as in `zip://"):
        solve(tmp_path / "x.zip", near) if (tmp_path / "x.zip").write_bytes(b"PK\x03\x04") else None


@pytest.mark.parametrize("is_compressed", [False, True])
@pytest.mark.parametrize(
    ("head", "row", "column"),
    [
        ("quizzes,solutions\n", "{},{}\n", "quizzes"),
        ("# from a page\nid;puzzle;rating\n", "7;{}\n", "puzzle"),
        ("#\tquiz\n", '1\t"{}"\n', "quiz"),
        ("puzzle\r\n", "{}\r\n", "puzzle"),
        ("", "x,{}\n", 1),
    ],
)
def test_a_column_of_a_table_can_be_selected(head: str, row: str, column: Any, is_compressed: bool, tmp_path: Path, near: Any) -> None:
    text = head + "".join(row.format(grid, SOLVED) for grid in [EASY, WRONG] * 10)
    path = tmp_path / ("grids.csv.gz" if is_compressed else "grids.csv")
    path.write_bytes(gzip.compress(text.encode()) if is_compressed else text.encode())
    assert solve(path, near, column=column)[0] == [SOLVED, ""] * 10
    if head:
        with pytest.raises(ValueError, match="expected a grid a line, found a table: `column` names one of "):
            farandole.dask.solve_files(str(path), str(tmp_path / "other"), near)
        with pytest.raises(ValueError, match="expected one column 'nonsense' of .*, found none"):
            farandole.dask.solve_files(str(path), str(tmp_path / "another"), near, column="nonsense")
        with pytest.raises(ValueError, match="expected the plan of these files and blocks"):
            solve(path, near, column=0)


def test_row_groups_of_parquet_files_are_solved_as_blocks(tmp_path: Path, near: Any) -> None:
    arrow = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    path = tmp_path / "grids.parquet"
    cells = [[0] * 81, None]
    table = arrow.table({"quizzes": [EASY, WRONG, None] * 10, "cells": cells * 15})
    parquet.write_table(table, path, row_group_size=7)
    with pytest.warns(UserWarning, match="10 lines are no grids"):
        lines, solved = solve(path, near, column="quizzes")
    assert lines == [SOLVED, "", "error"] * 10
    assert (len(solved.parts), solved.grids, solved.unsolvable, solved.wrong) == (5, 20, 10, 10)
    assert solved.errors[3] == f"{path}:12:1: expected a grid in every row, found None: a grid is a text, a list or an array of 81 cells or 9 rows"
    with pytest.raises(ValueError, match="found a table: `column` names one of quizzes, cells"):
        farandole.dask.solve_files(str(path), str(tmp_path / "other"), near)


def test_invalid_lines_are_reported_and_the_rest_is_solved(tmp_path: Path, near: Any) -> None:
    path = tmp_path / "grids.txt"
    path.write_text(f"# made by hand\n{EASY}\n\nO{EASY[1:]}\n{WRONG}\n" * 10 + EASY[:80])
    with pytest.warns(UserWarning, match="11 lines are no grids, the first: .*grids.txt:4:1: expected a digit 1-9"):
        lines, solved = solve(path, near)
    assert lines == [SOLVED, "error", ""] * 10 + ["error"]
    assert (solved.grids, solved.unsolvable, solved.wrong) == (20, 10, 11)
    assert [int(error.split(":")[-3]) for error in solved.errors] == [4 + 5 * number for number in range(10)] + [51]
    assert solved.errors[-1] == f"{path}:51:81: expected the 81 cells of a grid, found 80"
    # The report of earlier runs is kept.
    with pytest.warns(UserWarning, match="11 lines are no grids"):
        again = solve(path, near)[1]
    assert (again.done_before, again.wrong, again.errors) == (len(again.parts), 11, solved.errors)
    with pytest.raises(ValueError, match="grids.txt:4:1: expected a digit 1-9"):
        farandole.dask.solve_files(str(path), str(tmp_path / "strict"), near, strict=True)


def test_a_comment_with_rules_is_an_error(tmp_path: Path, near: Any) -> None:
    path = tmp_path / "grids.txt"
    path.write_text(f"{EASY}\n" * 20 + "# rules: diagonals\n" + f"{EASY}\n" * 20)
    with pytest.raises(ValueError, match="grids.txt:21:1: expected a comment, found `# rules: diagonals`, which changes the puzzle"):
        solve(path, near)


def test_large_parts_are_buffered_on_disk(tmp_path: Path, near: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    from farandole.dask import _files, _sources

    monkeypatch.setattr(_files, "HELD", 100)
    monkeypatch.setattr(_sources, "PIECE", 1000)
    path = tmp_path / "a.txt.gz"
    path.write_bytes(gzip.compress(f"{TEXT}x\n{TEXT}".encode()))
    with pytest.warns(UserWarning, match="a.txt.gz:41:2: expected the 81 cells of a grid, found 1"):
        lines, _ = solve(path, near)
    assert lines == [SOLVED, ""] * 20 + ["error"] + [SOLVED, ""] * 20
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == ["part-000000.errors.txt", "part-000000.txt", "plan.json"]


def test_another_thread_can_cancel_the_work_of_a_cluster(tmp_path: Path, near: Any) -> None:
    import threading

    path = tmp_path / "grids.txt"
    path.write_text(TEXT)
    cancel = threading.Event()
    cancel.set()
    problem = farandole.puzzle("queens", 6)
    asks: list[Any] = [
        lambda: solve(path, near, cancel=cancel),
        lambda: farandole.dask.count(problem, near, shards=5, cancel=cancel),
        lambda: farandole.dask.count(problem, near, cancel=cancel),
        lambda: farandole.dask.frontier_count(farandole.puzzle("polyomino", "dominoes:6x6"), near, cancel=cancel),
        lambda: list(farandole.dask.list(problem, near, shards=5, cancel=cancel)),
    ]
    for ask in asks:
        with pytest.raises(farandole.LimitReached, match="`cancel`") as raised:
            ask()
        assert raised.value.limit == "cancel"
    with warnings.catch_warnings():
        warnings.simplefilter("error", UserWarning)
        assert solve(path, near)[0] == [SOLVED, ""] * 20
