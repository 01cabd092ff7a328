"""Counts in parts, and their files."""

from __future__ import annotations

import pickle
from pathlib import Path
from typing import Any

import pytest
from clusters import queens, run

from farandole import Problem
from farandole.shards import Shard, ShardCount, ShardError, Tally, count_shard, read, split, write


def counted(shards: list[Shard]) -> list[ShardCount]:
    counts = [count_shard(shard) for shard in shards]
    assert all(isinstance(count, ShardCount) for count in counts)
    return counts  # type: ignore[return-value]


def test_the_counts_of_all_shards_add_up() -> None:
    problem = queens(8)
    shards = split(problem, 20)
    assert len(shards) >= 20
    assert shards == split(problem, 20)
    tally = Tally(problem)
    for count in reversed(counted(shards)):
        assert tally.add(count)
        assert not tally.add(count)
    assert tally.total() == tally.known == 92
    assert len(tally) == len(shards)


def test_a_shard_without_time_is_replaced_by_its_parts() -> None:
    problem = queens(9)
    tally = Tally(problem)
    open_shards = split(problem, 2)
    splits = 0
    while open_shards:
        shard = open_shards.pop()
        done = count_shard(shard, time=0 if splits < 10 else None)
        if isinstance(done, list):
            splits += 1
            open_shards += done
            assert all(part.path.startswith(shard.path) for part in done)
        else:
            tally.add(done)
    assert splits == 10
    assert tally.total() == 352


def test_missing_foreign_overlapping_and_contradictory_counts_are_named() -> None:
    problem = queens(6)
    shards = split(problem, 5)
    counts = counted(shards)
    tally = Tally(problem)
    for count in counts[1:]:
        tally.add(count)
    with pytest.raises(ShardError, match="the part `0/3` is missing"):
        tally.total()
    with pytest.raises(ShardError, match=f"shard {counts[0].id} is not one of this problem"):
        Tally(queens(5)).add(counts[0])
    with pytest.raises(ShardError, match="expected the check .* the line was changed"):
        tally.add(counts[0].line.replace('"count":"', '"count":"1'))
    tally.add(counts[0])
    whole = split(problem, 1)
    for count in counted(whole):
        tally.add(count)
    with pytest.raises(ShardError, match=r"the shards \w+ and \w+ overlap"):
        tally.total()


def test_shards_counts_and_tallies_can_be_pickled() -> None:
    problem = Problem(["ab", "cd", "bc", "ad", "a", "b"], secondary=["d"])
    shards = pickle.loads(pickle.dumps(split(problem, 3)))
    assert shards == split(problem, 3)
    assert all(shard.whole is shards[0].whole for shard in shards)
    tally = Tally(problem)
    for count in pickle.loads(pickle.dumps(counted(shards))):
        tally.add(count)
    again = pickle.loads(pickle.dumps(tally))
    assert again.total() == tally.total() == problem.count()
    assert all(shard in again for shard in shards)


def test_the_program_and_the_package_exchange_their_files(tmp_path: Path) -> None:
    file = tmp_path / "shards.jsonl"
    problem = queens(8)
    write(file, split(problem, 20))
    assert run("merge", text=run("work", file)) == "92\n"
    # And the other way round, with a few counted here and the others there.
    file.write_text(run("split", "--shards", "20", "--puzzle", "queens", "8"))
    whole, shards, counts = read(file)
    assert len(shards) >= 20 and counts == []
    results = tmp_path / "results.jsonl"
    write(results, counted(shards[:7]), whole)
    assert read(results) == (whole, [], counted(shards[:7])) or len(read(results)[2]) == 7
    rest = tmp_path / "rest.jsonl"
    rest.write_text(run("work", file, results))
    assert run("merge", results, rest) == "92\n"
    tally = Tally(whole)
    for count in read(results)[2] + read(rest)[2]:
        tally.add(count)
    assert tally.total() == 92


def test_arguments_other_than_shards_are_refused(tmp_path: Path) -> None:
    problem = queens(6)
    wrong: list[Any] = [
        lambda: split([["a"]], 3),  # type: ignore[arg-type]
        lambda: Tally(problem).add(split(problem, 3)),  # type: ignore[arg-type]
        lambda: write(tmp_path / "shards", [split(problem, 3)]),  # type: ignore[list-item]
        lambda: write(tmp_path / "shards", "shards"),  # type: ignore[arg-type]
    ]
    for call in wrong:
        with pytest.raises(TypeError, match="expected"):
            call()
    assert list(tmp_path.iterdir()) == []


def test_changed_and_torn_files_are_detected(tmp_path: Path) -> None:
    file = tmp_path / "shards.jsonl"
    problem = queens(6)
    shards = split(problem, 5)
    write(file, shards)
    text = file.read_text()
    file.write_text(text[:-10])
    assert len(read(file)[1]) == len(shards) - 1
    file.write_text(text.replace(shards[1].path, "9/9", 1))
    with pytest.raises(ShardError, match=r"shards.jsonl:3: expected the check"):
        read(file)
    with pytest.raises(ShardError, match="is not one of this problem"):
        write(file, shards, queens(7))
