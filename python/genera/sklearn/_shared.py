"""What the drop-ins ask of the core."""

from __future__ import annotations

import functools
from typing import Any

import numpy as np

from .. import _genera, _input


def is_array(X: Any) -> bool:
    """Rows that the core can take: an array of NumPy."""
    return isinstance(X, np.ndarray)


def laid_out(X: Any) -> Any:
    """Rows of a sparse matrix with their zeros: a full covariance needs them."""
    return X.toarray() if _input.is_sparse(X) else X


def require_labels(estimator: Any, y: Any) -> None:
    """Refuse None as scikit-learn does."""
    if y is None:
        raise ValueError(
            f"{type(estimator).__name__} requires y to be passed, but the target y is None"
        )


def names_of_classes(count: int) -> list[str]:
    return [str(k) for k in range(count)]


def data_of(X: Any, codes: np.ndarray, classes: int, weights: Any, kind: str) -> _genera.Data:
    """Rows, dense or sparse, with places of classes as labels."""
    data = _genera.Data(X.shape[0])
    names = _input.default_names(X.shape[1])
    if _input.is_sparse(X):
        data.add_sparse(_input.sparse_rows(X), names, "counts" if kind == "count" else "numbers")
    else:
        data.add_numbers(np.require(X, requirements="A"), names, kind)
    data.set_labels(np.ascontiguousarray(codes), names_of_classes(classes))
    if weights is not None:
        data.set_weights(np.ascontiguousarray(weights, dtype=np.float64))
    return data


def class_statistics(
    X: np.ndarray, codes: np.ndarray, classes: int, weights: Any = None, model: str = "qda"
) -> _genera.Statistics:
    return _genera.collect(data_of(X, codes, classes, weights, "numeric"), {"model": model})


def moments(
    statistics: _genera.Statistics, classes: int, columns: int, full: bool = True
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Weights (K), means (K x d) and scatters (K x d x d, or K x d) of the classes."""
    weights, means = np.zeros(classes), np.zeros((classes, columns))
    scatters = np.zeros((classes, columns, columns) if full else (classes, columns))
    for name, (mean, scatter, weight) in statistics.moments().items():
        k = int(name)
        weights[k], means[k], scatters[k] = weight, mean, scatter if full else scatter[0]
    return weights, means, scatters


def class_sums(X: Any, codes: np.ndarray, classes: int, weights: Any) -> np.ndarray:
    """Sums of the columns over the rows of each class, K x d."""
    found = _genera.collect(data_of(X, codes, classes, weights, "count"), {"model": "multinomial"})
    sums = np.zeros((classes, X.shape[1]))
    places: Any = slice(None)
    if _input.is_sparse(X):
        places = np.array([int(term[1:]) for term in found.terms], dtype=np.intp)
    for name, values in found.count_sums().items():
        sums[int(name), places[: len(values)] if _input.is_sparse(X) else places] = values
    return sums


def _codes(X: np.ndarray, levels: np.ndarray) -> _genera.Data:
    """Columns of codes 0, 1, ..., of which each has so many."""
    data = _genera.Data(X.shape[0])
    names = _names_of_levels(int(levels.max()))
    if X.dtype.kind not in "iu" or not X.dtype.isnative or not X.flags.aligned:
        X = X.astype(np.int64)
    data.add_code_columns(X, _input.default_names(X.shape[1]), names, "categorical")
    return data


@functools.lru_cache(maxsize=16)
def _names_of_levels(count: int) -> list[str]:
    return [str(level) for level in range(count)]


def level_sums(
    X: np.ndarray, codes: np.ndarray, classes: int, weights: Any, levels: np.ndarray
) -> list[np.ndarray]:
    """Weights of the levels of each column in each class, K x levels."""
    data = _codes(X, levels)
    data.set_labels(np.ascontiguousarray(codes), names_of_classes(classes))
    if weights is not None:
        data.set_weights(np.ascontiguousarray(weights, dtype=np.float64))
    names, sums = _genera.collect(data, {"model": "categorical"}).level_sums()
    found = [np.zeros((classes, int(count))) for count in levels]
    for j, table in enumerate(found):
        places = np.array([int(name) for name in names[j]], dtype=np.intp)
        for label, columns in sums.items():
            table[int(label), places[: len(columns[j])]] = columns[j]
    return found


def scores_of(model: _genera.Model, X: Any) -> np.ndarray:
    """Log joint densities or linear scores of rows, dense or sparse."""
    if not _input.is_sparse(X):
        return model.scores(np.require(X, requirements="A"))
    data = _genera.Data(X.shape[0])
    data.add_sparse(_input.sparse_rows(X), _input.default_names(X.shape[1]), "numbers")
    return model.scores(data)


@functools.lru_cache(maxsize=1)
def finite_keyword() -> str:
    """What scikit-learn calls the wish that NaN be allowed, in this version."""
    return "force_all_finite" if _input._old_sklearn() else "ensure_all_finite"


def validated(estimator: Any, X: Any, y: Any = None, **how: Any) -> Any:
    """As scikit-learn checks rows, but for NaN."""
    how[finite_keyword()] = "allow-nan"
    try:
        from sklearn.utils.validation import validate_data
    except ImportError:  # before scikit-learn 1.6
        return estimator._validate_data(X, **({} if y is None else {"y": y}), **how)
    return validate_data(estimator, X, **({} if y is None else {"y": y}), **how)


def has_nan(X: Any) -> bool:
    if not isinstance(X, np.ndarray) or X.dtype.kind != "f":
        return False
    with np.errstate(all="ignore"):  # a sum shows it without another array
        return bool(np.isnan(X.sum()) and np.isnan(X).any())
