"""The rows of one partition, wherever they are."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from .. import _input
from .._errors import Error


@dataclass
class Part:
    """``X``, ``y`` and ``weight`` as estimators take them; of frames and files ``y`` and ``weight``
    may be names of columns. ``file`` is a path or a URL that is read instead of ``X``."""

    X: Any
    y: Any = None
    weight: Any = None
    name: str = "partition 0"
    file: str | None = None
    types: dict[str, str] = field(default_factory=dict)

    def load(self) -> tuple[Any, Any, Any]:
        if self.file is not None:
            return self._from_file(self.file)
        X, y = self.X, self.y
        weight = self.weight
        taken = [name for name in (y, weight) if isinstance(name, str)]
        if taken:
            X, columns = without(X, taken)
            y = columns[y] if isinstance(y, str) else y
            weight = columns[weight] if isinstance(weight, str) else weight
        return X, y, weight

    def _from_file(self, file: str) -> tuple[Any, Any, Any]:
        path = local_path(file)
        if is_parquet(file):
            import pyarrow.parquet

            table = pyarrow.parquet.read_table(path)
            return Part(table, self.y, self.weight).load()
        from .._io import read_csv

        target = False if self.y is None else self.y
        X, y = read_csv(path, target=target, types=self.types, as_frame=True, threads=1)
        if self.weight is None:
            return X, y, None
        X, columns = without(X, [self.weight])
        return X, y, columns[self.weight]


def is_parquet(file: str) -> bool:
    return file.endswith((".parquet", ".pq"))


def local_path(file: str) -> str:
    """The file itself, or a local copy of what a URL names."""
    if "://" not in file:
        return file
    import fsspec

    return str(fsspec.open_local(f"simplecache::{file}"))


def without(X: Any, names: list[str]) -> tuple[Any, dict[str, Any]]:
    """A frame without some of its columns, and these."""
    known = _input.feature_names(X)
    lost = [name for name in names if known is None or name not in known]
    if lost or known is None:
        raise Error(
            f"there is no column '{lost[0]}'",
            "give the name of a column, or labels and weights of their own",
            "bad_data",
        )
    rest = [name for name in known.tolist() if name not in names]
    columns = {name: _column(X, name) for name in names}
    return select(X, rest), columns


def select(X: Any, names: list[str]) -> Any:
    return X.select(names) if hasattr(X, "select") else X[names]


def _column(X: Any, name: str) -> Any:
    column = X[name]
    return np.asarray(column.to_pylist(), dtype=object) if hasattr(column, "to_pylist") else column


def row_count(X: Any) -> int:
    shape = getattr(X, "shape", None)
    if shape:
        return int(shape[0])
    rows = getattr(X, "num_rows", None)
    return int(rows) if rows is not None else len(X)


def size_of(X: Any) -> int:
    """Bytes in memory, roughly."""
    if hasattr(X, "memory_usage"):
        return int(X.memory_usage(index=False).sum())
    if hasattr(X, "indptr"):
        return int(X.data.nbytes + X.indices.nbytes + X.indptr.nbytes)
    found = getattr(X, "nbytes", None)
    return int(found) if found is not None else 200 * row_count(X)
