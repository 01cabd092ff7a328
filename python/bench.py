"""How fast the package is beside others that are installed: exact-cover, xcover, and the program.

Each measure is the least processor time of several runs in turns, on one thread, with the answer beside it; the first
run of each, in which numba compiles, does not count. A package that takes longer than the limit is not run again.

    python bench.py [--seconds 20] [PROBLEM...]
    python bench.py --grids FILE [--program PATH]
"""

from __future__ import annotations

import argparse
import importlib
import os
import subprocess
import time
from collections.abc import Callable
from typing import Any

import farandole
from farandole import Problem, sudoku

Options = list[list[Any]]


def queens(size: int) -> tuple[Options, list[Any]]:
    options = [
        [f"r{row}", f"c{column}", f"a{row + column}", f"d{row - column}"]
        for row in range(size)
        for column in range(size)
    ]
    return options, [f"{line}{place}" for line in "rc" for place in range(size)]


def pentominoes(board: str) -> tuple[Options, list[Any]]:
    labels = farandole.puzzle("polyomino", board).problem.options
    options = [label.split() for label in labels]
    return options, sorted({item for option in options for item in option})


def dominoes(rows: int, columns: int) -> tuple[Options, list[Any]]:
    across = [[f"{r}.{c}", f"{r}.{c + 1}"] for r in range(rows) for c in range(columns - 1)]
    down = [[f"{r}.{c}", f"{r + 1}.{c}"] for r in range(rows - 1) for c in range(columns)]
    return across + down, [f"{r}.{c}" for r in range(rows) for c in range(columns)]


def langford(most: int) -> tuple[Options, list[Any]]:
    labels = farandole.puzzle("langford", most).problem.options
    options = [label.split() for label in labels]
    return options, sorted({item for option in options for item in option})


PROBLEMS: dict[str, Callable[[], tuple[Options, list[Any]]]] = {
    "queens 8": lambda: queens(8),
    "queens 10": lambda: queens(10),
    "queens 12": lambda: queens(12),
    "pentominoes 3x20": lambda: pentominoes("3x20"),
    "pentominoes 6x10": lambda: pentominoes("6x10"),
    "dominoes 6x6": lambda: dominoes(6, 6),
    "dominoes 8x8": lambda: dominoes(8, 8),
    "langford 8": lambda: langford(8),
    "langford 11": lambda: langford(11),
}


def optional(name: str) -> Any:
    try:
        return importlib.import_module(name)
    except ImportError:
        return None


def contenders(options: Options, primary: list[Any]) -> dict[str, Callable[[], int]]:
    """All ways to count, the making of the problem included."""
    secondary = sorted({item for option in options for item in option} - set(primary))
    all_ways: dict[str, Callable[[], int]] = {
        "farandole count": lambda: Problem(options, primary=primary).count(threads=1),
        "farandole list": lambda: sum(1 for _ in Problem(options, primary=primary).solutions(threads=1)),
    }
    xcover, exact_cover, np = optional("xcover"), optional("exact_cover"), optional("numpy")
    if xcover is not None:
        all_ways["xcover list"] = lambda: sum(1 for _ in xcover.covers(options, primary=primary, secondary=secondary))
    if exact_cover is not None and np is not None:
        # It has no secondary items: each may be covered by an option of its own.
        items = {item: number for number, item in enumerate(primary + secondary)}
        matrix = np.zeros((len(options) + len(secondary), len(items)), dtype=bool)
        for row, option in enumerate(options + [[item] for item in secondary]):
            matrix[row, [items[item] for item in option]] = True
        all_ways["exact-cover count"] = lambda: int(exact_cover.get_solution_count(matrix))
    return all_ways


def processor_time() -> float:
    """The processor time of this process and of those that it waited for, in seconds."""
    times = os.times()
    return times.children_user + times.children_system + time.process_time()


def measure(all_ways: dict[str, Callable[[], Any]], seconds: float) -> dict[str, tuple[float, Any]]:
    """Returns for each way the least time and the answer."""
    best: dict[str, tuple[float, Any]] = {}
    begun = time.perf_counter()
    rounds = 0
    while rounds < 2 or (time.perf_counter() - begun < seconds and rounds < 7):
        for name, way in all_ways.items():
            if rounds and best[name][0] > seconds:
                continue
            start = processor_time()
            answer = way()
            taken = processor_time() - start
            # The first round warms up, unless it is all there will be.
            if not rounds or rounds == 1 and best[name][0] <= seconds or taken < best[name][0]:
                best[name] = (taken, answer)
        rounds += 1
    return best


def shown(seconds: float) -> str:
    for factor, unit in [(1, "s"), (1e3, "ms")]:
        if seconds * factor >= 1:
            return f"{seconds * factor:.3g} {unit}"
    return f"{seconds * 1e6:.0f} µs"


def head(names: list[str]) -> None:
    line(names)
    print("|---" + "|---:" * (len(names) - 1) + "|", flush=True)


def line(cells: list[str]) -> None:
    print("| " + " | ".join(cells) + " |", flush=True)


def compare_covers(names: list[str], seconds: float) -> None:
    is_first = True
    for name in names:
        best = measure(contenders(*PROBLEMS[name]()), seconds)
        answers = {answer for _, answer in best.values()}
        if is_first:
            head(["problem", "covers", *best])
            is_first = False
        count = f"{best['farandole count'][1]:,}" if len(answers) == 1 else f"DIFFERENT: {answers}"
        line([name, count, *(shown(taken) for taken, _ in best.values())])


def compare_sudoku(path: str, program: str | None, seconds: float) -> None:
    with open(path, "rb") as file:
        data = file.read()
    text = data.decode()
    grids = text.split()
    ways: dict[str, Callable[[], Any]] = {
        "solve_many, bytes": lambda: sudoku.solve_many(data, threads=1),
        "solve_many, str": lambda: sudoku.solve_many(text, threads=1).encode(),
        "solve_many, list": lambda: ("\n".join(line or "" for line in sudoku.solve_many(grids, threads=1)) + "\n").encode(),
        "count_many, bytes": lambda: sum(sudoku.count_many(data, limit=2, threads=1)),
    }
    np = optional("numpy")
    if np is not None:
        cells = np.frombuffer(data, dtype=np.uint8).reshape(-1, 82)[:, :81]
        cells = np.where((cells < 49) | (cells > 57), 0, cells - 48).astype(np.uint8)
        ways["solve_many, array"] = lambda: bytes(
            np.pad(sudoku.solve_many(cells, threads=1) + 48, ((0, 0), (0, 1)), constant_values=10).tobytes()
        )
    if program is not None:
        command = [program, "solve", "--threads", "1", path]
        ways["the program"] = lambda: subprocess.run(command, capture_output=True, check=False).stdout
    best = measure(ways, seconds)
    solved = best["solve_many, bytes"][1]
    print(f"{len(grids):,} grids of {path}\n")
    head(["", "grids a second", "time", "answer"])
    for name, (taken, answer) in best.items():
        if isinstance(answer, bytes):
            said = "the same" if answer == solved else "OTHERS"
        else:
            said = f"{answer:,} solutions"
        line([name, f"{len(grids) / taken / 1e6:.2f} million", shown(taken), said])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("problems", nargs="*", help=f"which problems: {', '.join(PROBLEMS)}; all by default")
    parser.add_argument("--seconds", type=float, default=20, help="about how long each row may take")
    parser.add_argument("--program", help="the program farandole, to solve the same grids")
    parser.add_argument("--grids", help="a file of 9x9 grids, a line each, all with a solution")
    asked = parser.parse_args()
    if asked.grids:
        compare_sudoku(asked.grids, asked.program, asked.seconds)
    else:
        compare_covers(asked.problems or list(PROBLEMS), asked.seconds)


if __name__ == "__main__":
    main()
