"""Collections of Dask as partitions."""

from __future__ import annotations

from typing import Any

import numpy as np
from dask.base import is_dask_collection
from dask.delayed import Delayed, delayed

from .._errors import Error, counted
from .._partitions.parts import Part, is_parquet


def is_collection(X: Any) -> bool:
    """Whether rows are Dask's, or a list of files or of delayed tables."""
    return is_dask_collection(X) or _are_files(X) or _are_delayed(X)


def _are_files(X: Any) -> bool:
    names = (".csv", ".csv.gz", ".tsv", ".tsv.gz", ".svm", ".svmlight", ".parquet", ".pq")
    return (
        isinstance(X, (list, tuple))
        and len(X) > 0
        and all(isinstance(one, str) and one.endswith(names) for one in X)
    )


def _are_delayed(X: Any) -> bool:
    return isinstance(X, (list, tuple)) and len(X) > 0 and isinstance(X[0], Delayed)


def blocks_of(X: Any) -> list[Any]:
    """The partitions of one collection, in order, as delayed objects."""
    if _are_delayed(X):
        return list(X)
    if isinstance(X, Delayed):
        return [X]
    if hasattr(X, "numblocks"):  # an array: all columns of a row in one block
        if X.ndim == 2 and X.numblocks[1] > 1:
            X = X.rechunk({1: -1})
        return list(X.to_delayed().ravel())
    return list(X.to_delayed())


def parts_of(
    X: Any, y: Any, weight: Any, types: dict[Any, str] | None = None
) -> list[Any]:
    """Partitions of rows, labels and weights that belong together."""
    if _are_files(X):
        _require_names(y, weight)
        known = {str(name): kind for name, kind in (types or {}).items()}
        return [
            Part(None, y, weight, f"partition {i} ({file})", file, {} if is_parquet(file) else known)
            for i, file in enumerate(X)
        ]
    rows = blocks_of(X)
    labels = _beside(X, y, len(rows), "y")
    weights = _beside(X, weight, len(rows), "sample_weight")
    make = delayed(Part, pure=False)
    return [
        make(block, labels[i], weights[i], f"partition {i}")
        for i, block in enumerate(rows)
    ]


def _require_names(y: Any, weight: Any) -> None:
    for what, value in (("y", y), ("sample_weight", weight)):
        if value is not None and not isinstance(value, str):
            raise Error(
                f"X is a list of files, but {what} is a {type(value).__name__}",
                f'give the name of a column of the files, such as {what}="label"',
            )


def _beside(X: Any, values: Any, count: int, what: str) -> list[Any]:
    """Labels or weights, a piece for each partition of the rows."""
    if values is None or isinstance(values, str):
        return [values] * count
    if not is_dask_collection(values) and not _are_delayed(values):
        values = _divided(X, np.asarray(values), what)
    elif hasattr(values, "numblocks"):
        values = _as_divided(X, values)
    blocks = values if isinstance(values, list) and not _are_delayed(values) else blocks_of(values)
    if len(blocks) != count:
        raise Error(
            f"X has {counted(count, 'partition')}, but {what} has {len(blocks)}",
            f"divide {what} like X, for example by rechunk or repartition",
            "bad_data",
        )
    return list(blocks)


def _lengths(X: Any) -> list[int] | None:
    """Rows of each partition, where Dask knows them."""
    chunks = getattr(X, "chunks", None)
    if chunks is None or any(np.isnan(length) for length in chunks[0]):
        return None
    return [int(length) for length in chunks[0]]


def _divided(X: Any, values: np.ndarray, what: str) -> list[Any]:
    lengths = _lengths(X)
    if lengths is None:
        raise Error(
            f"{what} is an array of this machine, and the lengths of the partitions of X are not known",
            f"give {what} as a collection of Dask, or call X.compute_chunk_sizes() first",
        )
    if sum(lengths) != len(values):
        raise ValueError(
            "Found input variables with inconsistent numbers of samples: "
            f"[{sum(lengths)}, {len(values)}]"
        )
    return list(np.split(values, np.cumsum(lengths)[:-1]))


def _as_divided(X: Any, values: Any) -> Any:
    """An array of Dask with the chunks of the rows, where both are known."""
    lengths = _lengths(X)
    own = _lengths(values)
    if lengths is None or own is None or lengths == own or sum(lengths) != sum(own):
        return values
    return values.rechunk({0: tuple(lengths)})

