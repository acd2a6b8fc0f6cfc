"""Answers of a model about partitions, computed when they are asked for."""

from __future__ import annotations

from typing import Any

import numpy as np
from dask.delayed import delayed

from .._partitions.parts import Part, row_count
from ._collections import blocks_of, is_collection, parts_of


def lazily(local: Any, method: str, X: Any, width: int | None, dtype: np.dtype) -> Any:
    """``method`` of a fitted estimator on each partition: a series for a dataframe and values by
    row, otherwise an array of Dask. ``width``: columns of the answer; None: one value per row."""
    if _is_dataframe(X) and width is None:
        import pandas

        meta = pandas.Series([], dtype=dtype, name=method)
        return X.map_partitions(_series, local, method, dtype, meta=meta)
    if hasattr(X, "numblocks"):
        return _of_array(local, method, X, width, dtype)
    import dask.array

    if isinstance(X, (list, tuple)) and isinstance(X[0], str):
        blocks = [delayed(one) for one in parts_of(X, None, None, getattr(local, "types", None))]
    else:
        blocks = blocks_of(X)
    model = delayed(local)
    ask = delayed(_answer, pure=False)
    shape = (np.nan,) if width is None else (np.nan, width)
    arrays = [
        dask.array.from_delayed(
            ask(block, model, method, width, dtype), shape, dtype, meta=_nothing(width, dtype)
        )
        for block in blocks
    ]
    return dask.array.concatenate(arrays, allow_unknown_chunksizes=True)


def _of_array(local: Any, method: str, X: Any, width: int | None, dtype: np.dtype) -> Any:
    if X.numblocks[1] > 1:
        X = X.rechunk({1: -1})
    how: dict[str, Any] = (
        {"drop_axis": 1} if width is None else {"chunks": (X.chunks[0], (width,))}
    )
    return X.map_blocks(
        _answer, local, method, width, dtype, dtype=dtype, meta=_nothing(width, dtype), **how
    )


def _is_dataframe(X: Any) -> bool:
    return is_collection(X) and hasattr(X, "map_partitions") and hasattr(X, "columns")


def _nothing(width: int | None, dtype: np.dtype) -> np.ndarray:
    return np.empty(0 if width is None else (0, width), dtype)


def _answer(X: Any, local: Any, method: str, width: int | None, dtype: np.dtype) -> np.ndarray:
    if isinstance(X, Part):
        X = X.load()[0]
    X = _known_columns(X, local)
    if row_count(X) == 0:
        return _nothing(width, dtype)
    return np.asarray(getattr(local, method)(X), dtype=dtype)


def _known_columns(X: Any, local: Any) -> Any:
    """A frame without columns that the fit did not have, such as the labels."""
    from .. import _input
    from .._partitions.parts import select

    names = local.__dict__.get("feature_names_in_")
    if names is None or not _input.is_frame(X):
        return X
    known = _input.feature_names(X)
    if known is None or not set(names) <= set(known):
        return X  # the estimator says what is wrong
    return select(X, names.tolist())


def _series(X: Any, local: Any, method: str, dtype: np.dtype) -> Any:
    import pandas

    return pandas.Series(_answer(X, local, method, None, dtype), index=X.index, name=method)
