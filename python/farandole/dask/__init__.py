"""Counts, lists and solutions of files by all machines of a cluster, by way of Dask.

The client is a :class:`distributed.Client`, of any cluster that Dask knows: processes of this machine, machines that are
reached by ssh, Slurm, PBS or Kubernetes. All workers need this package. Without a client the cores of this machine work. A
script that does so is run by its workers as well, so what it does stands behind ``if __name__ == "__main__":``.
"""

from ._count import count
from ._crew import ClusterLost
from ._files import SolvedFiles, solve_files
from ._frontier import frontier_count
from ._list import list_solutions

#: ``list`` as the other questions are called; :func:`list_solutions` where that would hide Python's own.
list = list_solutions

__all__ = [
    "ClusterLost",
    "SolvedFiles",
    "count",
    "frontier_count",
    "list",
    "list_solutions",
    "solve_files",
]
