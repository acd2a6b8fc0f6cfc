"""Whatever holds rows, column by column: arrays, frames of pandas, polars and pyarrow, sparse matrices."""

from __future__ import annotations

import functools
from collections import Counter
from dataclasses import dataclass, field, replace
from decimal import Decimal
from typing import Any, Hashable

import numpy as np
from scipy.sparse import csr_matrix
from sklearn.utils import check_array

from . import _genera
from ._errors import Error

_NUMBERS = (int, float, np.integer, np.floating, Decimal)  # what a column of objects may hold
_NATIVE_FLOATS = (np.dtype(np.float64), np.dtype(np.float32))


@dataclass
class Column:
    """One column of a frame. ``levels`` are the names of codes, ``originals`` what the frame has in
    their place, and ``source`` is the type of the column there; numbers have no levels."""

    name: str
    type: str
    values: np.ndarray
    levels: list[str] = field(default_factory=list)
    valid: np.ndarray | None = None
    originals: list[Any] = field(default_factory=list)
    source: Any = None

    @classmethod
    def of_levels(cls, name: str, codes: np.ndarray, originals: Any) -> Column:
        """Categories; ``codes`` are places among them."""
        values = list(originals)
        return cls(name, "categorical", codes, [str(v) for v in values], originals=values)

    @classmethod
    def of_nothing(cls, name: str, rows: int) -> Column:
        """Every value is missing."""
        return cls(name, "numeric", np.full(rows, np.nan))

    def is_empty(self) -> bool:
        """Whether every value is missing."""
        if self.levels or self.type in ("categorical", "binary"):
            return bool((self.values < 0).all())
        return self.values.dtype.kind == "f" and bool(np.isnan(numbers_of(self)).all())


@functools.lru_cache(maxsize=64)
def default_names(count: int) -> list[str]:
    """What columns without names are called: x0, x1, ..."""
    return [f"x{j}" for j in range(count)]


def is_plain(X: Any) -> bool:
    """An array that the core reads as it is."""
    return (
        type(X) is np.ndarray
        and X.dtype in _NATIVE_FLOATS
        and X.ndim == 2
        and X.shape[0] > 0
        and X.shape[1] > 0
        and X.flags.aligned
    )


def is_frame(X: Any) -> bool:
    if isinstance(X, np.ndarray):
        return False
    if type(X).__name__ in ("DataFrame", "LazyFrame", "Table"):
        return True
    return hasattr(X, "__arrow_c_stream__") and not hasattr(X, "to_frame")  # a series is none


def is_sparse(X: Any) -> bool:
    return hasattr(X, "tocsr")


def feature_names(X: Any) -> np.ndarray | None:
    """The names of the columns, if they have names, all of them strings."""
    if isinstance(X, np.ndarray) or is_sparse(X):
        return None
    if hasattr(X, "column_names"):  # pyarrow
        names = list(X.column_names)
    elif hasattr(X, "collect_schema"):  # polars, also if it is lazy
        names = list(X.collect_schema().names())
    elif hasattr(X, "columns"):
        names = list(X.columns)
    elif hasattr(X, "__arrow_c_stream__"):
        names = list(arrow_table(X).column_names)
    else:
        return None
    kinds = sorted({type(name).__name__ for name in names})
    if kinds == ["str"]:
        _refuse_twice(names)
        return np.asarray(names, dtype=object)
    if "str" in kinds:
        raise TypeError(
            "Feature names are only supported if all input features have string names, but your "
            f"input has {kinds} as feature name / column name types. If you want feature names to "
            "be stored and validated, you must convert them all to strings, by using X.columns = "
            "X.columns.astype(str) for example. Otherwise you can remove feature / column names "
            "from your input data, or convert them all to a non-string data type."
        )
    return None


def _refuse_twice(names: list[str]) -> None:
    if len(set(names)) == len(names):
        return
    twice = next(name for name, count in Counter(names).items() if count > 1)
    raise Error(
        f"{names.count(twice)} columns have the name '{twice}'",
        "give each column a name of its own, or leave one of them out",
        "bad_data",
    )


def numbers(X: Any, estimator: Any, accept_sparse: bool | str = False) -> Any:
    """A 2-D array of doubles or floats; NaN is missing. As scikit-learn checks it."""
    finite = "force_all_finite" if _old_sklearn() else "ensure_all_finite"
    X = unmasked(X)
    checked = check_array(
        X,
        accept_sparse=accept_sparse,
        dtype=[np.float64, np.float32],
        estimator=estimator,
        **{finite: False},
    )
    return np.require(checked, requirements="A") if isinstance(checked, np.ndarray) else checked


def unmasked(X: Any) -> Any:
    """Masked cells are missing."""
    if not isinstance(X, np.ma.MaskedArray):
        return X
    return np.ma.filled(X.astype(np.result_type(X.dtype, np.float32)), np.nan)


@functools.lru_cache(maxsize=1)
def _old_sklearn() -> bool:
    import inspect

    return "ensure_all_finite" not in inspect.signature(check_array).parameters


def refuse_infinite(values: np.ndarray) -> None:
    if np.isinf(values).any():
        raise ValueError("Input X contains infinity or a value too large for its dtype.")


def codes_of(values: np.ndarray) -> tuple[np.ndarray, list[str]]:
    """Codes and levels of the different values of a column; NaN is missing."""
    if values.dtype.kind == "f":
        known = ~np.isnan(values)
        levels, places = np.unique(values[known], return_inverse=True)
        codes = np.full(len(values), -1, dtype=np.int32)
        codes[known] = places
        return codes, [number_name(level) for level in levels.tolist()]
    levels, places = np.unique(values, return_inverse=True)
    return places.astype(np.int32), [str(level) for level in levels.tolist()]


def number_name(value: float) -> str:
    """As a level: whole numbers without a fraction."""
    return str(int(value)) if float(value).is_integer() else repr(value)


def arrow_table(X: Any) -> Any:
    import pyarrow

    return X if isinstance(X, pyarrow.Table) else pyarrow.table(X)


def mixed_array(X: Any) -> np.ndarray | None:
    """Rows of strings and numbers as an array of objects; None if they are something else."""
    if is_sparse(X) or isinstance(X, np.ma.MaskedArray):
        return None
    try:
        array = np.asarray(X if isinstance(X, np.ndarray) else list(X), dtype=object)
    except (TypeError, ValueError):
        return None
    if array.ndim != 2 or not array.size:
        return None
    known = (*_NUMBERS, str, bool, np.bool_, type(None))
    cells = array.ravel().tolist()
    are_known = all(isinstance(cell, known) for cell in cells)
    return array if are_known and any(isinstance(cell, str) for cell in cells) else None


def _object_column(name: str, values: np.ndarray) -> Column:
    """A column of an array of objects."""
    known = [v for v in values.tolist() if v is not None and v == v]
    if not known:
        return Column.of_nothing(name, len(values))
    if all(isinstance(v, _NUMBERS) and not isinstance(v, bool) for v in known):
        return Column(name, "numeric", np.array([np.nan if v is None else v for v in values], float))
    levels = sorted(set(known), key=str)
    place_of = {level: place for place, level in enumerate(levels)}
    codes = np.array([place_of.get(v, -1) for v in values.tolist()], dtype=np.int32)
    return Column.of_levels(name, codes, levels)


def columns_of(X: Any) -> list[Column]:
    """The columns of a frame, or of an array of objects."""
    module = type(X).__module__.partition(".")[0]
    columns = []
    if isinstance(X, np.ndarray):
        for j, name in enumerate(default_names(X.shape[1])):
            columns.append(_object_column(name, X[:, j]))
            columns[-1].source = X.dtype
        return columns
    if module == "pandas":
        for j, name in enumerate(X.columns):
            columns.append(_pandas_column(str(name), X.iloc[:, j]))
            columns[-1].source = X.dtypes.iloc[j]
        return columns
    if module == "polars":
        X = X.collect() if hasattr(X, "collect") else X
        for series in X.iter_columns():
            columns.append(_polars_column(series))
            columns[-1].source = series.dtype
        return columns
    table = arrow_table(X)
    for j, name in enumerate(table.column_names):
        columns.append(_arrow_column(name, table.column(j)))
        columns[-1].source = table.column(j).type
    return columns


def _refuse(name: str, kind: Any) -> Column:
    raise ValueError(
        f"column '{name}' is of type {kind}, which is neither numbers, categories nor texts; "
        "convert it or leave it out"
    )


def _flags(name: str, values: np.ndarray) -> Column:
    return Column(name, "binary", values.view(np.uint8), ["False", "True"], originals=[False, True])


def _pandas_column(name: str, series: Any) -> Column:
    dtype = series.dtype
    if isinstance(dtype, np.dtype):
        if dtype.kind in "fiu":
            return Column(name, "numeric", series.to_numpy())
        if dtype.kind == "b":
            return _flags(name, series.to_numpy())
        if dtype.kind == "O":
            return _pandas_objects(name, series)
        return _refuse(name, dtype)
    if hasattr(series, "cat"):
        categories = series.cat.categories
        return Column.of_levels(name, series.cat.codes.to_numpy(), categories)
    if type(dtype).__name__ == "ArrowDtype":
        return _arrow_column(name, series.array.__arrow_array__())
    kind = getattr(dtype, "kind", "O")
    if kind in "fiu":
        return Column(name, "numeric", series.to_numpy(dtype=np.float64, na_value=np.nan))
    if kind == "b":
        if series.isna().any():
            return _factorised_flags(name, series.to_numpy(dtype=object, na_value=None))
        return _flags(name, series.to_numpy(dtype=bool))
    if kind == "O":
        return _factorised(name, series)
    return _refuse(name, dtype)


def _factorised(name: str, series: Any) -> Column:
    codes, levels = series.factorize()
    return Column.of_levels(name, codes.astype(np.int32), levels)


def _pandas_objects(name: str, series: Any) -> Column:
    known = series.dropna()
    if not len(known):
        return Column.of_nothing(name, len(series))
    if all(isinstance(v, _NUMBERS) and not isinstance(v, bool) for v in known):
        return Column(name, "numeric", series.to_numpy(dtype=np.float64, na_value=np.nan))
    if not all(isinstance(value, Hashable) for value in known):
        return _refuse(name, sorted({type(value).__name__ for value in known}))
    return _factorised(name, series)


def _polars_column(series: Any) -> Column:
    import polars

    name, dtype = series.name, series.dtype
    if dtype == polars.Boolean:
        if series.null_count():
            return _factorised_flags(name, series.to_list())
        return _flags(name, series.to_numpy())
    if dtype.is_numeric():
        values = series.to_numpy()
        if series.null_count() or values.dtype.kind not in "fiu":  # decimals are objects
            values = series.cast(polars.Float64).to_numpy()
        return Column(name, "numeric", _contiguous(values))
    if dtype in (polars.String, polars.Categorical, polars.Enum):
        return _factorised_arrow(name, series.cast(polars.String).to_arrow())
    if dtype == polars.Null:
        return Column.of_nothing(name, len(series))
    return _refuse(name, dtype)


def _factorised_flags(name: str, values: Any) -> Column:
    codes = np.fromiter((-1 if v is None else int(v) for v in values), np.int8, len(values))
    return Column(name, "binary", codes, ["False", "True"], originals=[False, True])


def _factorised_arrow(name: str, array: Any) -> Column:
    encoded = array if hasattr(array, "indices") else array.dictionary_encode()
    codes = encoded.indices.to_numpy(zero_copy_only=False)
    if encoded.null_count:
        codes = np.where(np.isnan(codes), -1, codes).astype(np.int32)
    return Column.of_levels(name, codes, encoded.dictionary.to_pylist())


def _contiguous(values: np.ndarray) -> np.ndarray:
    return values if values.flags.aligned else values.copy()


def _arrow_column(name: str, chunks: Any) -> Column:
    import pyarrow

    array = chunks
    if isinstance(chunks, pyarrow.ChunkedArray):
        array = chunks.combine_chunks() if chunks.num_chunks != 1 else chunks.chunk(0)
    if isinstance(array, pyarrow.ChunkedArray):
        array = array.chunk(0) if array.num_chunks else pyarrow.array([], array.type)
    kind = array.type
    if pyarrow.types.is_null(kind):
        return Column.of_nothing(name, len(array))
    if str(kind) == "string_view":  # pyarrow.types has a test for it since version 16
        array, kind = array.cast(pyarrow.large_string()), pyarrow.large_string()
    if pyarrow.types.is_boolean(kind):
        if array.null_count:
            return _factorised_flags(name, array.to_pylist())
        return _flags(name, array.to_numpy(zero_copy_only=False))
    if pyarrow.types.is_decimal(kind):
        array, kind = array.cast(pyarrow.float64()), pyarrow.float64()
    if pyarrow.types.is_integer(kind) or pyarrow.types.is_floating(kind):
        return _arrow_numbers(name, array)
    text = pyarrow.types.is_string(kind) or pyarrow.types.is_large_string(kind)
    if text or pyarrow.types.is_dictionary(kind):
        return _factorised_arrow(name, array)
    return _refuse(name, kind)


def _arrow_numbers(name: str, array: Any) -> Column:
    bits, values = array.buffers()[0], array.buffers()[1]
    if array.null_count == 0 or bits is None:
        return Column(name, "numeric", array.to_numpy(zero_copy_only=False))
    if array.offset != 0:  # the bits do not begin with the first row
        return Column(name, "numeric", array.to_numpy(zero_copy_only=False).astype(np.float64))
    dtype = array.type.to_pandas_dtype()
    return Column(
        name,
        "numeric",
        np.frombuffer(values, dtype=dtype)[: len(array)],
        valid=np.frombuffer(bits, dtype=np.uint8),
    )


_TYPES = ("numeric", "categorical", "binary", "count", "text")


def retyped(column: Column, wanted: str) -> Column:
    """The same column as another type, given by the user."""
    if wanted not in _TYPES:
        raise Error(f"the type of column '{column.name}' is {wanted!r}", f"use one of {_TYPES}")
    if wanted == "text":
        return _texts(column)
    if column.type == wanted or (column.type != "numeric" and wanted in ("categorical", "binary")):
        return replace(column, type=wanted)
    if column.type == "numeric" and wanted == "count":
        return replace(column, type=wanted)
    if column.type == "numeric" and wanted in ("categorical", "binary"):
        codes, levels = codes_of(numbers_of(column))
        originals = [float(level) for level in levels]
        return replace(
            column, type=wanted, values=codes, levels=levels, valid=None, originals=originals
        )
    raise ValueError(f"column '{column.name}' is {column.type} and cannot be read as {wanted}")


def _texts(column: Column) -> Column:
    """Categories of strings as texts; None is missing."""
    if not column.levels or not all(isinstance(text, str) for text in column.originals):
        if not column.is_empty():
            raise Error(
                f"column '{column.name}' is {column.type} and cannot be read as text",
                "give strings, or another type",
                "bad_data",
            )
    texts = np.array([*column.originals, None], dtype=object)
    codes = column.values if column.levels else np.full(len(column.values), -1)
    return replace(column, type="text", values=texts[_codes_in(codes, column.valid)], valid=None)


def _codes_in(codes: np.ndarray, valid: np.ndarray | None) -> np.ndarray:
    """Places of levels; -1 is missing."""
    known = codes >= 0 if valid is None else _bits(valid, len(codes))
    return np.where(known, codes, -1)


def numbers_of(column: Column) -> np.ndarray:
    """Of a column of numbers; NaN where one is missing."""
    if column.valid is None:
        return column.values
    return np.where(_bits(column.valid, len(column.values)), column.values, np.nan)


def array_of(X: Any, estimator: Any) -> np.ndarray:
    """Rows as an array; the columns of a frame must be numbers or flags."""
    if not is_frame(X):
        return X if is_plain(X) else numbers(X, estimator)
    return np.column_stack([_numbers_or_flags(column) for column in columns_of(X)])


def _numbers_or_flags(column: Column) -> np.ndarray:
    if column.type == "numeric":
        return numbers_of(column).astype(np.float64)
    if column.levels != ["False", "True"]:
        _refuse(column.name, column.type)
    codes = column.values.astype(np.float64)
    return np.where(codes < 0, np.nan, codes)


def _bits(valid: np.ndarray, rows: int) -> np.ndarray:
    return np.unpackbits(valid, bitorder="little")[:rows].astype(bool)


def _native(values: np.ndarray) -> np.ndarray:
    """Numbers as the core reads them: other widths, byte orders and alignments are converted."""
    if values.dtype.kind == "f" and values.dtype not in _NATIVE_FLOATS:
        return values.astype(np.float64)
    values = values if values.dtype.isnative else values.astype(values.dtype.newbyteorder("="))
    return np.require(values, requirements="A")


def data_of_columns(columns: list[Column], rows: int) -> _genera.Data:
    data = _genera.Data(rows)
    for column in columns:
        if column.type == "text":
            data.add_texts(column.values.tolist(), column.name)
        elif column.levels or column.type in ("categorical", "binary"):
            values = _native(column.values)
            data.add_codes(values, column.name, column.levels, column.type, column.valid)
        else:
            data.add_number(_native(column.values), column.name, column.type, column.valid)
    return data


def typed_array(
    X: np.ndarray, names: list[str], given: dict[str, str], otherwise: str
) -> _genera.Data:
    """The columns of an array by their types."""
    columns = []
    for j, name in enumerate(names):
        column = Column(name, "numeric", X[:, j])
        columns.append(retyped(column, given.get(name, otherwise)))
    return data_of_columns(columns, X.shape[0])


def canonical(X: Any) -> tuple[Any, _genera.SparseArrays]:
    """A sparse matrix by rows, and its arrays as the core reads them: the places of each row in
    order, none of them twice, no value 0. It is copied only if it is not so."""
    matrix = X.tocsr()
    arrays = _arrays_of(matrix)
    if arrays.is_canonical:
        return matrix, arrays
    parts = (matrix.data, matrix.indices, matrix.indptr)
    own = csr_matrix(parts, shape=matrix.shape, copy=True)
    own.sum_duplicates()
    own.eliminate_zeros()
    return own, _arrays_of(own)


def sparse_rows(X: Any) -> _genera.SparseArrays:
    """The rows of a sparse matrix; see ``canonical``."""
    return canonical(X)[1]


def _arrays_of(matrix: Any) -> _genera.SparseArrays:
    parts = (matrix.indptr, matrix.indices, matrix.data)
    begins, places, values = (np.require(one, requirements=["C", "A"]) for one in parts)
    return _genera.SparseArrays(begins, places, values, matrix.shape[1])
