"""Exact covers and puzzles: solved, listed, counted and sampled by the engines of Farandole.

>>> import farandole
>>> problem = farandole.Problem({"A": [1, 4, 7], "B": [1, 4], "C": [4, 5, 7], "D": [3, 5, 6], "E": [2, 3, 6, 7], "F": [2, 7]})
>>> problem.solve()
('B', 'D', 'F')
>>> problem.count()
1
"""

import importlib
from typing import Any

from . import answers, shards, sudoku
from ._commands import ask, questions
from ._farandole import __version__
from ._generate import generate
from ._questions import Candidate, Candidates, Estimate
from .errors import Interrupted, LimitReached, ParseError
from .problem import Cover, Problem
from .progress import Progress
from .puzzles import Puzzle, Solution, puzzle, read_file, read_text

__all__ = [
    "Candidate",
    "Candidates",
    "Cover",
    "Estimate",
    "Interrupted",
    "LimitReached",
    "ParseError",
    "Problem",
    "Progress",
    "Puzzle",
    "Solution",
    "__version__",
    "answers",
    "ask",
    "generate",
    "puzzle",
    "questions",
    "read_file",
    "read_text",
    "shards",
    "sudoku",
]


def __getattr__(name: str) -> Any:
    """Imports :mod:`farandole.dask` on first use, because that module needs additional packages."""
    if name != "dask":
        raise AttributeError(f"module 'farandole' has no attribute {name!r}")
    try:
        return importlib.import_module("farandole.dask")
    except ImportError as error:
        message = f"farandole.dask needs the packages distributed and fsspec ({error}): pip install 'farandole[dask]'"
        raise AttributeError(message) from error


def __dir__() -> list[str]:
    return sorted({*globals(), "dask"})
