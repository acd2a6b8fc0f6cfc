"""The kind of a frame and the types of its columns, to make other frames like it."""

from __future__ import annotations

from typing import Any

import numpy as np

from ._input import Column


class FrameKind:
    """What frames made of answers have in common with the frame of a fit.

    ``columns`` are those of the frame as the core reads them.
    """

    def __init__(self, X: Any, columns: list[Column]) -> None:
        module = type(X).__module__.partition(".")[0]
        self._library = module if module in ("pandas", "polars", "numpy") else "pyarrow"
        self._types = {column.name: column.source for column in columns}
        self._originals = {
            column.name: dict(zip(column.levels, column.originals)) for column in columns
        }

    @property
    def is_array(self) -> bool:
        """Whether it was an array of objects."""
        return self._library == "numpy"

    def frame(self, values: dict[str, np.ndarray]) -> Any:
        """Columns by name: numbers, or names of levels with None where they are missing."""
        made = {name: self._column(name, column) for name, column in values.items()}
        if self._library == "numpy":
            return np.column_stack([column.astype(object) for column in made.values()])
        if self._library == "pandas":
            import pandas

            return pandas.DataFrame(made)
        if self._library == "polars":
            import polars

            return polars.DataFrame(list(made.values()))
        import pyarrow

        return pyarrow.table(made)

    def has_flags(self, name: str) -> bool:
        """Whether a column holds True and False."""
        return list(self._originals.get(name, ())) == ["False", "True"]

    def has_texts_alone(self, name: str) -> bool:
        """Whether all levels of a column are strings."""
        originals = self._originals.get(name, {}).values()
        return bool(originals) and all(isinstance(one, str) for one in originals)

    def only_level(self, name: str) -> str | None:
        """The level of a column that has but one."""
        levels = list(self._originals[name])
        return levels[0] if len(levels) == 1 else None

    def _column(self, name: str, values: np.ndarray) -> Any:
        if values.dtype == object:
            originals = self._originals[name]
            values = np.fromiter((originals.get(v, v) for v in values), object, len(values))
        return getattr(self, f"_{self._library}_column")(name, values)

    def _numpy_column(self, name: str, values: np.ndarray) -> np.ndarray:
        return values

    def _pandas_column(self, name: str, values: np.ndarray) -> Any:
        import pandas

        dtype = self._types[name]
        column = pandas.Series(values)
        kind = getattr(dtype, "kind", "O")
        if values.dtype != object:
            return column.astype(dtype) if kind == "f" or _are_whole(values, kind) else column
        if kind == "b" and not isinstance(dtype, np.dtype):
            return column.astype(dtype)  # nullable
        if kind in "biufc" and column.isna().any():  # no such array has missing values
            return column
        return column.astype(dtype)

    def _polars_column(self, name: str, values: np.ndarray) -> Any:
        import polars

        dtype = self._types[name]
        if values.dtype == object:
            return polars.Series(name, values.tolist(), dtype=dtype)
        column = polars.Series(name, values)
        return column.cast(dtype) if dtype.is_float() or _are_whole(values, "i") else column

    def _pyarrow_column(self, name: str, values: np.ndarray) -> Any:
        import pyarrow

        kind = self._types[name]
        if values.dtype == object:
            if pyarrow.types.is_dictionary(kind):
                return pyarrow.array(values.tolist(), kind.value_type).dictionary_encode()
            return pyarrow.array(values.tolist(), kind)
        whole = pyarrow.types.is_integer(kind) and _are_whole(values, "i")
        fits = whole or pyarrow.types.is_floating(kind)
        return pyarrow.array(values).cast(kind) if fits else pyarrow.array(values)


def _are_whole(values: np.ndarray, kind: str) -> bool:
    return kind in "iu" and bool((values == np.floor(values)).all())
