"""Estimators whose rows are in partitions."""

from __future__ import annotations

from typing import Any

import numpy as np
from dask.base import compute
from dask.delayed import delayed

from .. import _classifiers, _discrete, _mixture, _numbers, _text
from .._errors import Error
from .._partitions.driver import Driver
from ._collections import is_collection, parts_of
from ._engine import DaskEngine, client_of
from ._lazy import lazily


class _Distributed:
    """Fits and predicts collections of Dask; rows of this machine as the estimator of genera does."""

    _local: Any = None
    client: Any = None

    def fit(self, X: Any, y: Any = None, sample_weight: Any = None, *, client: Any = None) -> Any:
        """Learn from rows in partitions.

        Parameters
        ----------
        X : array, dataframe or bag of Dask, or a list
            A list of delayed tables (pandas, polars, pyarrow), or of files that every worker reads
            (CSV, svmlight, Parquet; paths or URLs of fsspec).
        y : array or series of Dask, or str
            Labels, divided like X; or the name of a column of X.
        sample_weight : array or series of Dask, or str, optional
        client : distributed.Client, optional
            None: the client of this process.

        Returns
        -------
        self
        """
        if not is_collection(X):
            return super().fit(X, y, sample_weight)  # type: ignore[misc]
        if y is None:
            raise ValueError(
                f"This {type(self).__name__} estimator requires y to be passed, but the target y "
                "is None."
            )
        client = client_of(self.client if client is None else client)
        for name in ("_declared", "_inputs", "_why_no_model", "model_", "statistics_", "classes_"):
            self.__dict__.pop(name, None)
        parts = parts_of(X, y, sample_weight, getattr(self, "types", None))
        driver = Driver(self, self._unfitted(), DaskEngine(parts, client))
        driver.fit()
        self.rounds_ = driver.rounds
        return self

    def _unfitted(self) -> Any:
        return self._local(**self.get_params(deep=False))  # type: ignore[attr-defined]

    def to_local(self) -> Any:
        """The estimator of genera with the same model, for rows of this machine."""
        local = self._unfitted()
        fitted = {name: value for name, value in self.__dict__.items() if name != "client"}
        local.__dict__.update(fitted)
        return local

    def predict(self, X: Any) -> Any:
        """The most probable class of each row; lazy if X is a collection of Dask."""
        if not is_collection(X):
            return super().predict(X)  # type: ignore[misc]
        classes = self.classes_  # type: ignore[attr-defined]
        return lazily(self.to_local(), "predict", X, None, classes.dtype)

    def predict_proba(self, X: Any) -> Any:
        """Posterior probabilities, n_samples x n_classes; lazy if X is a collection of Dask."""
        return self._by_classes("predict_proba", X)

    def predict_log_proba(self, X: Any) -> Any:
        """Their logarithms; lazy if X is a collection of Dask."""
        return self._by_classes("predict_log_proba", X)

    def _by_classes(self, method: str, X: Any) -> Any:
        if not is_collection(X):
            return getattr(super(), method)(X)
        classes = len(self.classes_)  # type: ignore[attr-defined]
        return lazily(self.to_local(), method, X, classes, np.dtype(np.float64))

    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """The share of the rows, or of their weight, that is given to its class."""
        if not is_collection(X):
            return super().score(X, y, sample_weight)  # type: ignore[misc]
        parts = parts_of(X, y, sample_weight, getattr(self, "types", None))
        scored = [delayed(_hits)(self.to_local(), part) for part in parts]
        found = np.sum(compute(*scored), axis=0)
        return float(found[0] / found[1])


def _hits(local: Any, part: Any) -> tuple[float, float]:
    from .._partitions.parts import row_count

    X, y, weight = part.load()
    if row_count(X) == 0:
        return 0.0, 0.0
    weights = np.ones(row_count(X)) if weight is None else np.asarray(weight, dtype=np.float64)
    return float((weights * (local.predict(X) == np.asarray(y))).sum()), float(weights.sum())


class _Dense(_Distributed):
    """Those with a density."""

    def score_samples(self, X: Any) -> Any:
        """log p(x) of each row; lazy if X is a collection of Dask."""
        return self._of_rows("score_samples", X)

    def outlier_tail(self, X: Any, random_state: Any = 1) -> Any:
        """The probability that a row of the best-fitting class lies at least as far out; lazy if X
        is a collection of Dask."""
        if not is_collection(X):
            return super().outlier_tail(X, random_state)  # type: ignore[misc]
        return self._of_rows("outlier_tail", X)

    def _of_rows(self, method: str, X: Any) -> Any:
        if not is_collection(X):
            return getattr(super(), method)(X)
        return lazily(self.to_local(), method, X, None, np.dtype(np.float64))


def _on_dask(local: Any) -> str:
    return f"``genera.{local.__name__}`` of rows in partitions; the parameters are the same."


class QDA(_Dense, _numbers.QDA):
    __doc__ = _on_dask(_numbers.QDA)
    _local = _numbers.QDA


class LDA(_Dense, _numbers.LDA):
    __doc__ = _on_dask(_numbers.LDA)
    _local = _numbers.LDA


class RDA(_Dense, _numbers.RDA):
    __doc__ = _on_dask(_numbers.RDA)
    _local = _numbers.RDA


class BayesianQDA(_Dense, _numbers.BayesianQDA):
    __doc__ = _on_dask(_numbers.BayesianQDA)
    _local = _numbers.BayesianQDA


class GaussianNB(_Dense, _numbers.GaussianNB):
    __doc__ = _on_dask(_numbers.GaussianNB)
    _local = _numbers.GaussianNB


class MixedNB(_Dense, _numbers.MixedNB):
    __doc__ = _on_dask(_numbers.MixedNB)
    _local = _numbers.MixedNB


class BernoulliNB(_Dense, _discrete.BernoulliNB):
    __doc__ = _on_dask(_discrete.BernoulliNB)
    _local = _discrete.BernoulliNB


class CategoricalNB(_Dense, _discrete.CategoricalNB):
    __doc__ = _on_dask(_discrete.CategoricalNB)
    _local = _discrete.CategoricalNB


class MultinomialNB(_Dense, _discrete.MultinomialNB):
    __doc__ = _on_dask(_discrete.MultinomialNB)
    _local = _discrete.MultinomialNB


class PoissonNB(_Dense, _discrete.PoissonNB):
    __doc__ = _on_dask(_discrete.PoissonNB)
    _local = _discrete.PoissonNB


class TextClassifier(_Dense, _text.TextClassifier):
    __doc__ = _on_dask(_text.TextClassifier)
    _local = _text.TextClassifier


class GenerativeClassifier(_Dense, _classifiers.GenerativeClassifier):
    __doc__ = _on_dask(_classifiers.GenerativeClassifier)
    _local = _classifiers.GenerativeClassifier


class ComplementNB(_Distributed, _discrete.ComplementNB):
    __doc__ = _on_dask(_discrete.ComplementNB)
    _local = _discrete.ComplementNB


class SoftmaxRegression(_Distributed, _classifiers.SoftmaxRegression):
    __doc__ = _on_dask(_classifiers.SoftmaxRegression)
    _local = _classifiers.SoftmaxRegression


class GaussianMixture(_mixture.GaussianMixture):
    """``genera.GaussianMixture`` of rows in partitions. ``starts`` is 5 if it is None, and the starts
    are k-means++ with Lloyd's algorithm; the structures are "full", "tied", "diag", "tied_diag" and
    "spherical". A component that collapses makes its candidate unusable. There is no ``labels_``:
    use ``predict``."""

    client: Any = None
    to_local = _Distributed.to_local
    _unfitted = _Distributed._unfitted
    _local = _mixture.GaussianMixture

    def fit(self, X: Any, y: Any = None, sample_weight: Any = None, *, client: Any = None) -> Any:
        """Find the groups of the rows; ``y`` is not used. Rows in partitions have no weights."""
        if not is_collection(X):
            return super().fit(X, y, sample_weight)
        if sample_weight is not None:
            raise Error("mixtures of rows in partitions take no weights", "fit on one machine")
        client = client_of(self.client if client is None else client)
        driver = Driver(self, self._unfitted(), DaskEngine(parts_of(X, None, None), client))
        driver.fit()
        self.rounds_ = driver.rounds
        return self

    def predict(self, X: Any) -> Any:
        """The likeliest component of each row; lazy if X is a collection of Dask."""
        if not is_collection(X):
            return super().predict(X)
        return lazily(self.to_local(), "predict", X, None, np.dtype(np.int32))

    def predict_proba(self, X: Any) -> Any:
        """How much each component accounts for each row; lazy if X is a collection of Dask."""
        if not is_collection(X):
            return super().predict_proba(X)
        count = self.n_components_
        return lazily(self.to_local(), "predict_proba", X, count, np.dtype(np.float64))

    def score_samples(self, X: Any) -> Any:
        """Log density of each row; lazy if X is a collection of Dask."""
        if not is_collection(X):
            return super().score_samples(X)
        return lazily(self.to_local(), "score_samples", X, None, np.dtype(np.float64))
