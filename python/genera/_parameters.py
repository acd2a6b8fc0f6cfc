"""Models of given means, covariances and priors."""

from __future__ import annotations

from typing import Any, Sequence

import numpy as np

from . import _genera, _labels
from ._decisions import priors_of
from ._errors import Error


def model_from_parameters(
    means: Any,
    covariances: Any = None,
    *,
    variances: Any = None,
    priors: Any = None,
    classes: Any = None,
    columns: Sequence[str] | None = None,
) -> _genera.Model:
    """A Gaussian in each class, as you state it.

    Parameters
    ----------
    means : array of shape (n_classes, n_features), or (n_classes,) for one feature
    covariances : array, optional
        Of shape (n_features, n_features), shared by all classes, or (n_classes, n_features,
        n_features).
    variances : array of the shape of ``means``, optional
        Instead of covariances: the features are independent within a class.
    priors : array, dict or None
        Probabilities of the classes, which sum to one; None: all the same.
    classes : sequence of labels, optional
        Default: 0, 1, 2, ...
    columns : sequence of str, optional
        Names of the features; default: x0, x1, x2, ...

    Returns
    -------
    Model
        ``GenerativeClassifier.from_parameters`` gives a classifier instead.

    Examples
    --------
    >>> import genera
    >>> model = genera.Model.from_parameters([[0, 0], [2, 1]], [[1, 0.5], [0.5, 1]], priors=[0.7, 0.3])
    >>> model
    <genera.Model lda: 2 features, 2 classes>
    >>> model.posterior([[1.0, 0.5]]).round(3)
    array([[0.7, 0.3]])
    """
    centres = _by_class(means)
    count = len(centres)
    labels = np.asarray(range(count) if classes is None else classes)
    if labels.shape != (count,):
        raise Error(
            f"classes has the shape {labels.shape}, but means are of {count} classes",
            "give a label for each row of means",
        )
    names = [_labels.name_of(label) for label in labels.tolist()]
    if (covariances is None) == (variances is None):
        raise Error("a model needs either covariances or variances", "give one of them")
    shares = [1.0] * count
    if priors is not None and not (isinstance(priors, str) and priors == "uniform"):
        shares = _genera.given_priors(priors_of(priors, names), names).tolist()
    spreads = None if covariances is None else _matrices(covariances, centres.shape[1])
    free = None if variances is None else _by_class(variances)
    given = None if columns is None else list(columns)
    return _genera.gaussian_model(names, shares, centres, spreads, free, given)


def _by_class(values: Any) -> np.ndarray:
    array = np.asarray(values, dtype=np.float64)
    return np.ascontiguousarray(array[:, None] if array.ndim == 1 else array)


def _matrices(covariances: Any, columns: int) -> list[np.ndarray]:
    array = np.asarray(covariances, dtype=np.float64)
    if array.ndim == 1 and columns == 1:
        array = array[:, None, None]
    if array.ndim not in (2, 3) or array.shape[-2:] != (columns, columns):
        raise Error(
            f"covariances has the shape {array.shape}, but there are {columns} columns",
            f"give one of shape ({columns}, {columns}), or one for each class; variances of "
            "independent columns are variances=",
        )
    return [np.ascontiguousarray(one) for one in (array[None] if array.ndim == 2 else array)]


_genera.Model.from_parameters = staticmethod(model_from_parameters)  # type: ignore[method-assign]
