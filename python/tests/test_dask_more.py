"""Lists, files and frontiers on a cluster."""

from __future__ import annotations

import itertools
import os
import signal
import zipfile
from pathlib import Path
from typing import Any

import pytest
from clusters import queens, run

dask = pytest.importorskip("dask")
distributed = pytest.importorskip("distributed")
fsspec = pytest.importorskip("fsspec")

from fsspec.implementations.memory import MemoryFileSystem  # type: ignore[import-untyped]  # noqa: E402

import farandole.dask  # noqa: E402
from farandole import Problem, Progress  # noqa: E402
from farandole.dask import _crew, _exchange  # noqa: E402
from farandole.shards import ShardError  # noqa: E402


def dominoes(rows: int, columns: int) -> Problem[Any]:
    board = list(itertools.product(range(rows), range(columns)))
    across = [((r, c), (r, c + 1)) for r, c in board if c < columns - 1]
    down = [((r, c), (r + 1, c)) for r, c in board if r < rows - 1]
    return Problem(across + down)


def test_a_list_has_every_solution_once_in_a_fixed_order(client: Any) -> None:
    problem = queens(8)

    def numbers(**arguments: Any) -> list[tuple[int, ...]]:
        return [solution.numbers for solution in farandole.dask.list(problem, client, **arguments)]

    one = numbers(shards=30)
    assert len(one) == len(set(one)) == 92
    assert one == numbers(shards=30)
    assert set(numbers(in_order=False, shards=30)) == set(one)
    assert list(farandole.dask.list(queens(3), client, shards=3)) == []
    # The consumer may stop early.
    assert len(list(itertools.islice(farandole.dask.list(problem, client, shards=30), 5))) == 5


def test_a_list_is_complete_after_a_worker_is_killed(client: Any) -> None:
    found: list[Any] = []
    for solution in farandole.dask.list(queens(10), client, shards=60):
        if len(found) == 100:
            os.kill(next(iter(client.run(os.getpid).values())), signal.SIGKILL)
        found.append(solution.numbers)
    assert len(found) == len(set(found)) == 724


def test_a_frontier_is_distributed_over_the_workers(client: Any, monkeypatch: Any) -> None:
    monkeypatch.setattr(_exchange, "FEW", 4)
    monkeypatch.setattr(_exchange, "HERE_SECONDS", 0)
    assert farandole.dask.frontier_count(dominoes(4, 4), client) == 36
    assert farandole.dask.frontier_count(dominoes(4, 4), client, owners=1) == 36
    assert farandole.dask.frontier_count(dominoes(3, 3), client) == 0
    monkeypatch.undo()
    assert farandole.dask.frontier_count(dominoes(8, 8), client) == 12988816


def test_frontier_states_of_a_killed_worker_are_computed_again(client: Any, monkeypatch: Any) -> None:
    monkeypatch.setattr(_exchange, "FEW", 4)
    monkeypatch.setattr(_exchange, "HERE_SECONDS", 0)
    killed: list[int] = []

    def kill(progress: Progress) -> None:
        if progress.fraction > 0.4 and not killed:
            killed.append(next(iter(client.run(os.getpid).values())))
            os.kill(killed[0], signal.SIGKILL)

    assert farandole.dask.frontier_count(dominoes(4, 6), client, owners=2, progress=kill) == 281
    assert killed


def test_a_list_with_a_journal_can_be_resumed_by_package_and_program(client: Any, tmp_path: Path) -> None:
    journal, problem = tmp_path / "list.journal", queens(8)
    expected = [solution.numbers for solution in farandole.dask.list(problem, client, shards=30)]

    def numbers(**arguments: Any) -> list[tuple[int, ...]]:
        return [solution.numbers for solution in farandole.dask.list(problem, client, journal=journal, **arguments)]

    # A consumer that stops early leaves the finished shards in the journal.
    some = farandole.dask.list(problem, client, journal=journal, shards=30)
    assert [solution.numbers for solution in itertools.islice(some, 40)] == expected[:40]
    some.close()  # type: ignore[attr-defined]
    begun = journal.read_text()
    assert 1 < begun.count("covers_digest") < 31
    assert numbers() == expected
    whole = journal.read_text()
    assert whole.startswith(begun)
    assert numbers() == expected and set(numbers(in_order=False)) == set(expected)
    assert journal.read_text() == whole, "there is nothing left to do"
    # The program resumes the journal too, and vice versa.
    text = tmp_path / "queens.dlx"
    text.write_text(problem.to_text())
    lines = whole.splitlines(keepends=True)
    journal.write_text("".join(lines[: len(lines) // 2])[:-5])
    assert run("list", "--journal", journal, text).count("\n") >= 92
    assert sorted(numbers()) == sorted(expected)
    with pytest.raises(ShardError, match="list.journal:1: expected 30 shards, as many as this journal was begun with"):
        numbers(shards=31)
    with pytest.raises(ShardError, match="list.journal:1: expected the journal of this puzzle"):
        next(farandole.dask.list(queens(7), client, journal=journal))


def test_a_frontier_with_a_journal_resumes_from_a_saved_step(
    client: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(_exchange, "FEW", 10)
    monkeypatch.setattr(_exchange, "HERE_SECONDS", 0)
    monkeypatch.setattr(_exchange, "KEEP_SHARE", 0)
    journal, problem, count = tmp_path / "frontier.journal", dominoes(4, 6), 281
    kept: list[bytes] = []

    class Ended(Exception):
        pass

    def end(progress: Progress) -> None:
        kept.append(journal.read_bytes())
        if len(kept) % 6 == 0:
            raise Ended

    for _ in range(2):
        with pytest.raises(Ended):
            farandole.dask.frontier_count(problem, client, journal=journal, owners=2, progress=end)
    assert len(set(kept)) > 10
    assert farandole.dask.frontier_count(problem, client, journal=journal) == count
    done = journal.read_bytes()
    assert farandole.dask.frontier_count(problem, client, journal=journal) == count
    for step in kept:
        journal.write_bytes(step)
        assert farandole.dask.frontier_count(problem, client, journal=journal) == count
    head, _, blocks = kept[5].partition(b"\n")
    changed = blocks[:90] + bytes([blocks[90] ^ 1]) + blocks[91:]
    for torn in [head + b"\n" + blocks[:-1], head + b"\n" + changed, head.replace(b'"step": ', b'"step": 1') + b"\n" + blocks, blocks, b""]:
        journal.write_bytes(torn)
        with pytest.raises(ShardError, match="frontier.journal"):
            farandole.dask.frontier_count(problem, client, journal=journal)
    journal.write_bytes(done)
    with pytest.raises(ShardError, match="expected the journal of this puzzle"):
        farandole.dask.frontier_count(dominoes(4, 5), client, journal=journal)
    with pytest.raises(ShardError, match="with 3 owners, found one of 2 owners"):
        farandole.dask.frontier_count(problem, client, journal=journal, owners=3)


def test_a_frontier_without_workers_ends_with_a_message(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_crew, "ALONE", 1.0)
    monkeypatch.setattr(_crew, "LOOK", 0.1)
    monkeypatch.setattr(_exchange, "FEW", 10)
    monkeypatch.setattr(_exchange, "HERE_SECONDS", 0)
    start: Any = distributed.LocalCluster
    connect: Any = distributed.Client
    with start(n_workers=0, processes=True, dashboard_address=None, silence_logs=50) as cluster, connect(cluster) as client:
        with pytest.raises(farandole.dask.ClusterLost, match="the cluster has no workers"):
            farandole.dask.frontier_count(dominoes(4, 6), client)
        # The same if the workers leave in the middle.
        cluster.scale(1)
        client.wait_for_workers(1)

        def leave(_: Progress) -> None:
            cluster.scale(0)

        with pytest.raises(farandole.dask.ClusterLost, match="the cluster has no workers"):
            farandole.dask.frontier_count(dominoes(6, 8), client, progress=leave)


def test_lost_workers_of_a_local_cluster_are_replaced(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(_crew, "REPLACE", 1.0)
    start: Any = distributed.LocalCluster
    connect: Any = distributed.Client
    lost = {"distributed.deploy.lost-worker-timeout": "100ms"}
    with dask.config.set(lost), start(
        n_workers=2, threads_per_worker=1, dashboard_address=None, silence_logs=50
    ) as cluster, connect(cluster) as client:
        closed: list[int] = []

        def close(progress: Progress) -> None:
            if progress.fraction > 0.2 and not closed:
                closed.append(1)
                client.retire_workers(list(client.scheduler_info()["workers"]), close_workers=True)

        journal = tmp_path / "journal"
        assert farandole.dask.count(queens(12), client, journal=journal, shards=300, progress=close) == 14200
        assert closed


EASY = "..3.2.6..9..3.5..1..18.64....81.29..7.......8..67.82....26.95..8..2.3..9..5.1.3.."
SOLVED = "483921657967345821251876493548132976729564138136798245372689514814253769695417382"
WRONG = "88" + EASY[2:]


def test_files_are_solved_in_blocks_and_resumed(client: Any, tmp_path: Path) -> None:
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


def test_files_within_an_archive_and_in_memory_are_read_and_written(client: Any, tmp_path: Path) -> None:
    text = f"{EASY}\n{WRONG}\n" * 30
    archive = tmp_path / "grids.zip"
    with zipfile.ZipFile(archive, "w") as file:
        file.writestr("a.txt", text)
        file.writestr("b.txt", text[: 82 * 7 - 1])
    expected = [SOLVED, ""] * 33 + [SOLVED]
    solved = farandole.dask.solve_files(f"zip://*.txt::{archive}", str(tmp_path / "out"), client, block=1000)
    assert "".join(Path(part.removeprefix("file://")).read_text() for part in solved.parts).split("\n")[:-1] == expected
    with zipfile.ZipFile(archive, "a") as file:
        file.writestr("c.txt", f"{EASY}\nhere\n")
    with pytest.raises(ValueError, match=r"zip://c.txt::.*grids.zip:2:1: expected"):
        farandole.dask.solve_files(f"zip://c.txt::{archive}", str(tmp_path / "other"), client, strict=True)
    # A file system in memory needs workers in the same process.
    memory = fsspec.filesystem("memory")
    memory.pipe_file("/grids/a.txt", text.encode())
    with distributed.LocalCluster(
        n_workers=1, processes=False, dashboard_address=None
    ) as cluster, distributed.Client(cluster) as near:
        solved = farandole.dask.solve_files("memory://grids/*.txt", "memory://solved", near, block=1000)
    assert solved.parts[0] == "memory:///solved/part-000000.txt"
    assert b"".join(memory.cat_file(part) for part in solved.parts).decode().split("\n")[:-1] == [SOLVED, ""] * 30


class RememberedListings(MemoryFileSystem):  # type: ignore[misc]
    """A file system that caches its listings, like web stores."""

    protocol = "remembered"
    listings: dict[str, Any] = {}

    @classmethod
    def _strip_protocol(cls, path: str) -> str:
        return str(super()._strip_protocol(path.replace("remembered://", "memory://")))

    def ls(self, path: str, detail: bool = True, **kwargs: Any) -> Any:
        key = f"{path} {detail}"
        if key not in self.listings:
            self.listings[key] = super().ls(path, detail, **kwargs)
        return self.listings[key]

    def invalidate_cache(self, path: str | None = None) -> None:
        self.listings.clear()


def test_finished_parts_are_reused_and_files_of_dead_workers_are_removed() -> None:
    fsspec.register_implementation("remembered", RememberedListings, clobber=True)
    files = fsspec.filesystem("remembered")
    files.pipe_file("/many/a.txt", f"{EASY}\n".encode() * 30)
    with distributed.LocalCluster(
        n_workers=1, processes=False, dashboard_address=None
    ) as cluster, distributed.Client(cluster) as near:

        def solve() -> Any:
            return farandole.dask.solve_files("remembered://many/*.txt", "remembered://done", near, block=1000)

        assert (solve().done_before, solve().done_before) == (0, 3)
        files.rm_file("/done/part-000001.txt")
        files.pipe_file("/done/part-000001.txt.01234567.tmp", b"half")
        solved = solve()
        assert (solved.grids, solved.done_before) == (12, 2)
        files.pipe_file("/many/b.txt", f"{EASY}\n".encode())
        with pytest.raises(ValueError, match="expected the plan of these files and blocks"):
            solve()
    assert b"".join(files.cat_file(part) for part in solved.parts).decode().split() == [SOLVED] * 30
    assert sorted(path.rsplit("/")[-1] for path in files.find("/done")) == [
        "part-000000.txt",
        "part-000001.txt",
        "part-000002.txt",
        "plan.json",
    ]


class FakeStore(MemoryFileSystem):  # type: ignore[misc]
    """A store that creates a bucket for a new folder and refuses unknown buckets, like S3."""

    protocol = ("fakestore", "s3")
    buckets = {"there", "locked"}
    #: Read-only buckets.
    locked: set[str] = set()

    @classmethod
    def _strip_protocol(cls, path: str) -> str:
        return str(super()._strip_protocol(path.replace("fakestore://", "memory://")))

    def makedirs(self, path: str, exist_ok: bool = False) -> None:
        self.buckets.add(path.strip("/").split("/")[0])

    def pipe_file(self, path: str, value: bytes, **kwargs: Any) -> None:
        bucket = self._strip_protocol(path).strip("/").split("/")[0]
        if bucket not in self.buckets:
            raise FileNotFoundError("The specified bucket does not exist")
        if bucket in self.locked:
            raise PermissionError("Access Denied")
        super().pipe_file(path, value, **kwargs)


def test_an_unwritable_folder_is_refused_before_solving_begins(tmp_path: Path) -> None:
    fsspec.register_implementation("fakestore", FakeStore, clobber=True)
    (tmp_path / "a.txt").write_text(f"{EASY}\n" * 30)

    def solve(out: str, client: Any = None) -> Any:
        return farandole.dask.solve_files(str(tmp_path / "a.txt"), out, client, block=1000)

    # The cluster is not used.
    with pytest.raises(FileNotFoundError, match="fakestore://their/out: expected a place that can be written to, found: The spec"):
        solve("fakestore://their/out", "no client")
    assert FakeStore.buckets == {"there", "locked"}
    with distributed.LocalCluster(
        n_workers=1, processes=False, dashboard_address=None
    ) as cluster, distributed.Client(cluster) as near:
        assert solve("fakestore://there/out", near).grids == 30
        solve("fakestore://locked/out", near)
    # Finished work can be read from a read-only folder; missing work is not started.
    FakeStore.locked = {"locked"}
    assert solve("fakestore://locked/out", "no client").done_before == 3
    fsspec.filesystem("fakestore").rm_file("/locked/out/part-000001.txt")
    with pytest.raises(PermissionError, match="fakestore://locked/out: expected .* found: Access Denied"):
        solve("fakestore://locked/out", "no client")
    (tmp_path / "file").write_text("no folder")
    with pytest.raises(OSError, match="file"):
        solve(str(tmp_path / "file" / "out"), "no client")


def test_an_invalid_grid_is_named_with_its_file_and_line(client: Any, tmp_path: Path) -> None:
    file = tmp_path / "grids.txt"
    file.write_text(f"{EASY}\n" * 30 + EASY[:80] + "\n")
    with pytest.raises(ValueError, match=r"grids.txt:31:81: expected the 81 cells"):
        farandole.dask.solve_files(str(file), str(tmp_path / "out"), client, block=500, strict=True)
    with pytest.raises(FileNotFoundError, match="expected files like"):
        farandole.dask.solve_files(str(tmp_path / "none-*.txt"), str(tmp_path / "out"), client)


def test_a_local_cluster_without_workers_ends_the_work(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_crew, "ALONE", 0.2)
    monkeypatch.setattr(_crew, "LOOK", 0.1)
    start: Any = distributed.LocalCluster
    connect: Any = distributed.Client
    with start(n_workers=0, processes=True, dashboard_address=None, silence_logs=50) as cluster, connect(cluster) as client:
        with _crew.Crew(client, len, is_own=True) as crew:
            with pytest.raises(farandole.dask.ClusterLost, match="none is left"):
                for _ in range(100):
                    crew.take(0.1)
        # With the caller's own cluster the work waits for new workers.
        with _crew.Crew(client, len) as crew, pytest.warns(UserWarning, match="the cluster has no workers"):
            for _ in range(10):
                crew.take(0.1)
