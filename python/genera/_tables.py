"""Tables of the core as arrays and frames."""

from __future__ import annotations

from typing import Any

import numpy as np


def columns_of(table: dict[str, Any]) -> dict[str, Any]:
    """The columns by name: numbers as arrays, categories as arrays of strings (None: missing),
    texts as sparse matrices of counts."""
    columns: dict[str, Any] = {}
    numbers = codes = texts = 0
    for name, kind in table["columns"]:
        if kind in ("numeric", "count"):
            columns[name] = np.ascontiguousarray(table["numbers"][:, numbers])
            numbers += 1
        elif kind == "text":
            columns[name] = _sparse(table["sparse"][texts])
            texts += 1
        else:
            levels = np.array([*table["levels"][codes], None], dtype=object)
            columns[name] = levels[table["codes"][:, codes]]
            codes += 1
    if not table["columns"] and table["sparse"]:
        columns[""] = _sparse(table["sparse"][0])
    return columns


def texts_of(table: dict[str, Any]) -> dict[str, np.ndarray]:
    """The columns of texts as strings: the terms of each row, as often as they occur."""
    found = {}
    for name, begins, places, counts, terms in table["sparse"]:
        known = np.array(terms, dtype=object)
        words = np.repeat(known[places], counts.astype(np.intp))
        ends = np.concatenate([[0], np.cumsum(counts.astype(np.intp))])[begins]
        rows = [" ".join(words[begin:end]) for begin, end in zip(ends[:-1], ends[1:])]
        found[name] = np.array(rows, dtype=object)
    return found


def _sparse(parts: Any) -> Any:
    from scipy.sparse import csr_matrix

    _, indptr, indices, data, terms = parts
    return csr_matrix((data, indices, indptr), shape=(len(indptr) - 1, len(terms)))


def labels_of(table: dict[str, Any]) -> np.ndarray | None:
    """The labels: whole numbers if all of them are, else strings; None: missing."""
    if not len(table["labels"]):
        return None
    classes = label_values(table["classes"])
    if (table["labels"] < 0).any():
        return np.array([*classes.tolist(), None], dtype=object)[table["labels"]]
    return classes[table["labels"]]


def _integers(names: list[str]) -> np.ndarray:
    """Unsigned only if they are too large for others."""
    values = [int(name) for name in names]
    return np.array(values, np.uint64 if max(values) > np.iinfo(np.int64).max else np.int64)


def label_values(names: list[str], kind: str = "unknown") -> np.ndarray:
    """Names of classes as labels of their type; if it is unknown, as whole numbers if all of them
    are written as such."""
    if kind == "integer":
        return _integers(names)
    if kind == "real":
        return np.array([float(name) for name in names])
    if kind == "boolean":
        return np.array([name == "True" for name in names])
    if kind == "unknown" and names and all(_is_whole(name) for name in names):
        return _integers(names)
    return np.array(names)


def _is_whole(name: str) -> bool:
    return name.lstrip("-").isdigit() and str(int(name)) == name
