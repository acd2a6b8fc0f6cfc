"""Labels of any kind as places in a sorted list of classes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.utils.validation import column_or_1d

from . import _genera


@dataclass
class Labels:
    """``codes`` are places in ``classes`` (negative: missing), ``names`` what the core calls them."""

    codes: np.ndarray
    classes: np.ndarray
    names: list[str]

    @property
    def type(self) -> str:
        return type_of(self.classes)


_TYPES = {"b": "boolean", "i": "integer", "u": "integer", "f": "real"}


def type_of(classes: np.ndarray) -> str:
    """What the core calls the type of labels."""
    return _TYPES.get(classes.dtype.kind, "text")


def require_same_type(known: np.ndarray, new: np.ndarray) -> None:
    """Labels of one model can be compared: whole numbers of any kind, or all of one type."""
    types = {type_of(known), type_of(new)}
    if len(types) > 1 and types != {"integer", "real"}:
        raise TypeError(
            f"The labels are of type {type_of(new)}, but those learned before are of type "
            f"{type_of(known)}. Give all labels the same type."
        )


def encode(y: Any, estimator: str) -> Labels:
    """Raises ValueError where scikit-learn's users expect it."""
    if y is None:
        raise ValueError(
            f"This {estimator} estimator requires y to be passed, but the target y is None."
        )
    array = _one_dimension(y)
    kind = array.dtype.kind
    if kind in "iub":
        return _of_integers(array)
    if kind == "f":
        return _of_floats(array)
    if kind in "US":
        return _of_items(array)
    if kind in "mM":
        raise TypeError(
            f"The labels must be either strings or numbers, but they are of type {array.dtype}"
        )
    return _of_objects(array)


def name_of(label: Any) -> str:
    """What the core calls a label: equal numbers have the same name."""
    if isinstance(label, (float, np.floating)) and float(label).is_integer():
        return str(int(label))
    if isinstance(label, bytes):
        return label.decode("latin-1")  # sorts as the bytes do
    return str(label)


def _one_dimension(y: Any) -> np.ndarray:
    if type(y) is np.ndarray and y.ndim == 1:
        return y
    if isinstance(y, np.ma.MaskedArray):
        y = y.tolist()  # None where it is masked
    if type(y).__module__.partition(".")[0] == "pyarrow":
        y = y.to_pylist()
    if hasattr(y, "to_numpy"):
        y = _whole_numbers(y, y.to_numpy())
    elif isinstance(y, (list, tuple)) and any(label is None for label in y):
        y = np.array(y, dtype=object)
    return np.asarray(column_or_1d(y, warn=True))


def _whole_numbers(y: Any, array: np.ndarray) -> np.ndarray:
    """Nullable whole numbers as they are: some are not floats."""
    whole = str(getattr(y, "dtype", "")).lower().startswith(("int", "uint"))
    return np.array(y.to_list(), dtype=object) if whole and array.dtype.kind == "f" else array


def _labels(codes: np.ndarray, classes: np.ndarray) -> Labels:
    return Labels(codes, classes, [name_of(label) for label in classes.tolist()])


def _of_integers(array: np.ndarray) -> Labels:
    found = _genera.encode_integers(array)
    if found is None:
        classes, codes = np.unique(array, return_inverse=True)
        return _labels(codes.reshape(-1), classes)
    return _labels(found[0], found[1].astype(array.dtype, copy=False))


def _of_floats(array: np.ndarray) -> Labels:
    missing = np.isnan(array)
    if np.isinf(array).any():
        raise ValueError("Input y contains infinity or a value too large for its dtype.")
    known = array[~missing]
    if known.size == 0:
        raise ValueError("y has no label: all of them are NaN, which means missing.")
    if (known != np.floor(known)).any():
        raise ValueError(
            "Unknown label type: continuous. Maybe you are trying to fit a classifier, which "
            "expects discrete classes on a regression target with continuous values."
        )
    classes, places = np.unique(known, return_inverse=True)
    return _labels(_scattered(places, missing), classes)


def _of_items(array: np.ndarray) -> Labels:
    array = np.ascontiguousarray(array)
    size = array.dtype.itemsize
    if array.size == 0 or size == 0:
        classes, codes = np.unique(array, return_inverse=True)
        return _labels(codes, classes)
    places, firsts = _genera.encode_items(array.view(np.uint8), size)
    return _in_order(places, array[firsts])


def _in_order(codes: np.ndarray, classes: np.ndarray) -> Labels:
    order = np.argsort(classes, kind="stable")
    rank = np.empty(len(order), dtype=np.int32)
    rank[order] = np.arange(len(order), dtype=np.int32)
    return _labels(rank.take(codes), classes[order])


def is_missing(label: Any) -> bool:
    """None, NaN, and pandas' NA, which cannot be compared."""
    return label is None or type(label).__name__ in ("NAType", "NaTType") or bool(label != label)


def _of_objects(array: np.ndarray) -> Labels:
    values = array.tolist()
    missing = np.fromiter((is_missing(label) for label in values), bool, len(values))
    known = [label for label, lost in zip(values, missing) if not lost]
    if not known:
        raise ValueError("y has no label: all of them are missing.")
    if all(isinstance(label, (int, float, np.number, bool)) for label in known):
        numbers = np.asarray(known)
        if numbers.dtype == object:
            raise ValueError("Labels that are whole numbers must fit into 64 bits.")
        labels = encode(numbers, "")
        return _labels(_scattered(labels.codes, missing), labels.classes)
    if not all(isinstance(label, str) for label in known):
        raise TypeError(
            "The labels must be either strings or numbers, but they are of the types "
            f"{sorted({type(label).__name__ for label in known})}"
        )
    places: dict[str, int] = {}
    codes = np.fromiter((places.setdefault(str(label), len(places)) for label in known), np.int32)
    labels = _in_order(codes, np.array(list(places), dtype=object))
    return _labels(_scattered(labels.codes, missing), labels.classes)


def _scattered(known: np.ndarray, missing: np.ndarray) -> np.ndarray:
    if not missing.any():
        return known
    codes = np.full(len(missing), -1, dtype=np.int64)
    codes[~missing] = known
    return codes
