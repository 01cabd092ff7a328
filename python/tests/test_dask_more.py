"""Lists, files and frontiers on a cluster."""

from __future__ import annotations

import itertools
import os
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from clusters import queens

distributed = pytest.importorskip("distributed")

import farandole.dask  # noqa: E402
from farandole import Problem, Progress  # noqa: E402
from farandole.dask import _crew  # noqa: E402


@pytest.fixture(scope="module")
def client() -> Iterator[Any]:
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, dashboard_address=None, silence_logs=50
    ) as cluster, distributed.Client(cluster) as client:
        yield client


def dominoes(rows: int, columns: int) -> Problem[Any]:
    board = list(itertools.product(range(rows), range(columns)))
    across = [((r, c), (r, c + 1)) for r, c in board if c < columns - 1]
    down = [((r, c), (r + 1, c)) for r, c in board if r < rows - 1]
    return Problem(across + down)


def test_a_list_has_every_solution_once_and_always_in_the_same_order(client: Any) -> None:
    problem = queens(8)

    def numbers(**arguments: Any) -> list[tuple[int, ...]]:
        return [solution.numbers for solution in farandole.dask.list(problem, client, **arguments)]

    one = numbers(shards=30)
    assert len(one) == len(set(one)) == 92
    assert one == numbers(shards=30)
    assert set(numbers(in_order=False, shards=30)) == set(one)
    assert list(farandole.dask.list(queens(3), client, shards=3)) == []
    # Who needs no more, stops.
    assert len(list(itertools.islice(farandole.dask.list(problem, client, shards=30), 5))) == 5


def test_a_list_is_whole_when_a_worker_is_killed(client: Any) -> None:
    found: list[Any] = []
    for solution in farandole.dask.list(queens(10), client, shards=60):
        if len(found) == 100:
            os.kill(next(iter(client.run(os.getpid).values())), signal.SIGKILL)
        found.append(solution.numbers)
    assert len(found) == len(set(found)) == 724


def test_a_frontier_is_spread_over_the_workers(client: Any, monkeypatch: Any) -> None:
    monkeypatch.setattr("farandole.dask._frontier.FEW", 4)
    assert farandole.dask.frontier_count(dominoes(4, 4), client) == 36
    assert farandole.dask.frontier_count(dominoes(4, 4), client, owners=1) == 36
    assert farandole.dask.frontier_count(dominoes(3, 3), client) == 0
    monkeypatch.undo()
    assert farandole.dask.frontier_count(dominoes(8, 8), client) == 12988816


def test_what_a_killed_worker_held_of_a_frontier_is_made_again(client: Any, monkeypatch: Any) -> None:
    monkeypatch.setattr("farandole.dask._frontier.FEW", 4)
    killed: list[int] = []

    def kill(progress: Progress) -> None:
        if progress.fraction > 0.4 and not killed:
            killed.append(next(iter(client.run(os.getpid).values())))
            os.kill(killed[0], signal.SIGKILL)

    assert farandole.dask.frontier_count(dominoes(4, 6), client, owners=2, progress=kill) == 281
    assert killed


EASY = "..3.2.6..9..3.5..1..18.64....81.29..7.......8..67.82....26.95..8..2.3..9..5.1.3.."
SOLVED = "483921657967345821251876493548132976729564138136798245372689514814253769695417382"
WRONG = "88" + EASY[2:]


def test_files_are_solved_block_by_block_in_order_and_gone_on_with(client: Any, tmp_path: Path) -> None:
    grids = [EASY, WRONG, SOLVED] * 40
    (tmp_path / "a.txt").write_text("\n".join(grids) + "\n")
    (tmp_path / "b.txt").write_text("\r\n".join(grids[:50]))
    (tmp_path / "c.txt").write_text("")
    expected = ["" if grid == WRONG else SOLVED for grid in grids + grids[:50]]
    out = tmp_path / "out"

    def solve(block: int = 1000) -> Any:
        return farandole.dask.solve_files(str(tmp_path / "*.txt"), str(out), client, block=block)

    def answer(solved: Any) -> list[str]:
        paths = [Path(part.removeprefix("file://")) for part in solved.parts]
        return "".join(path.read_text() for path in paths).split("\n")[:-1]

    solved = solve()
    assert answer(solved) == expected
    assert (solved.grids, solved.unsolvable, solved.done_before) == (170, 57, 0)
    assert len(solved.parts) == 10 + 5
    for part in solved.parts[3:6]:
        Path(part.removeprefix("file://")).unlink()
    again = solve()
    assert again.done_before == 12 and answer(again) == expected
    with pytest.raises(ValueError, match="expected the plan of these files and blocks"):
        solve(block=999)
    assert sorted(path.name for path in out.iterdir())[-1] == "plan.json"


def test_a_grid_that_is_none_is_named_with_its_file_and_line(client: Any, tmp_path: Path) -> None:
    file = tmp_path / "grids.txt"
    file.write_text(f"{EASY}\n" * 30 + EASY[:80] + "\n")
    with pytest.raises(ValueError, match=r"grids.txt:31:81: expected the 81 cells"):
        farandole.dask.solve_files(str(file), str(tmp_path / "out"), client, block=500)
    with pytest.raises(FileNotFoundError, match="expected files like"):
        farandole.dask.solve_files(str(tmp_path / "none-*.txt"), str(tmp_path / "out"), client)


def test_a_cluster_of_our_own_whose_workers_are_gone_ends_the_work(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_crew, "ALONE", 0.2)
    monkeypatch.setattr(_crew, "LOOK", 0.1)
    start: Any = distributed.LocalCluster
    connect: Any = distributed.Client
    with start(n_workers=0, processes=True, dashboard_address=None, silence_logs=50) as cluster, connect(cluster) as client:
        with _crew.Crew(client, len, is_own=True) as crew:
            with pytest.raises(farandole.dask.ClusterLost, match="none is left"):
                for _ in range(100):
                    crew.take(0.1)
        # Who has a cluster of his own is waited for.
        with _crew.Crew(client, len) as crew, pytest.warns(UserWarning, match="the cluster has no workers"):
            for _ in range(10):
                crew.take(0.1)
