"""Discriminant analysis: moments and scores from the core."""

from __future__ import annotations

import functools
from typing import Any

import numpy as np
from scipy import linalg
from sklearn import discriminant_analysis as peer
from sklearn.utils.multiclass import check_classification_targets, unique_labels
from sklearn.utils.validation import check_is_fitted

from .. import _genera
from .._options import ON_SINGULAR
from ._shared import (
    class_statistics,
    data_of,
    has_nan,
    is_array,
    laid_out,
    moments,
    names_of_classes,
    require_labels,
    scores_of,
    validated,
)


@functools.lru_cache(maxsize=1)
def _divides_by_rows() -> bool:
    """Whether this version of scikit-learn divides scatters by n, or by the degrees of freedom."""
    X = np.array([[0.0], [2.0], [10.0], [12.0]])
    found = peer.QuadraticDiscriminantAnalysis(store_covariance=True).fit(X, [0, 0, 1, 1])
    return bool(found.covariance_[0][0, 0] < 1.5)


def _learned(X: np.ndarray, codes: np.ndarray, classes: int, model: str) -> Any:
    """Means and covariances of rows with holes, by EM; columns that do not vary have none."""
    divisor = "mle" if _divides_by_rows() else "unbiased"
    data = data_of(X, codes, classes, None, "numeric")
    found = _genera.fit(data, {"model": model, "divisor": divisor, "on_singular": ON_SINGULAR})[0]
    used = np.array([int(name[1:]) for name, _ in found.features])
    block = found.describe()["blocks"][0]
    means = np.tile(np.nanmin(X, axis=0), (classes, 1))
    means[:, used] = block["means"]
    covariances = np.zeros((len(block["covariances"]), X.shape[1], X.shape[1]))
    covariances[:, used[:, None], used] = block["covariances"]
    return means, covariances


def _shrunk(covariance: np.ndarray, shrinkage: Any) -> np.ndarray:
    """Towards a multiple of the identity, in raw units."""
    amount, columns = float(shrinkage or 0.0), len(covariance)
    return (1 - amount) * covariance + amount * np.trace(covariance) / columns * np.eye(columns)


class LinearDiscriminantAnalysis(peer.LinearDiscriminantAnalysis):
    """``sklearn.discriminant_analysis.LinearDiscriminantAnalysis`` over the core: the same
    parameters, attributes and numbers; columns of ``scalings_`` up to their sign.

    NaN is missing: learned from by EM, and marginalised in ``predict``. Sparse rows are laid out.

    Examples
    --------
    >>> from genera import datasets
    >>> from genera.sklearn import LinearDiscriminantAnalysis
    >>> X, y = datasets.load_iris(return_X_y=True)
    >>> LinearDiscriminantAnalysis(n_components=2).fit_transform(X, y).shape
    (150, 2)
    """

    def fit(self, X: Any, y: Any) -> LinearDiscriminantAnalysis:
        require_labels(self, y)
        self.__dict__.pop("_missing", None)
        X = laid_out(X)
        if is_array(X) and has_nan(X):
            return self._fit_missing(X, y)
        return super().fit(X, y)

    def transform(self, X: Any) -> Any:
        """As in scikit-learn; of a row with missing values it is what is expected given the others."""
        X = laid_out(X)
        if is_array(X) and has_nan(X):
            check_is_fitted(self)
            rows = validated(self, X, reset=False, dtype=[np.float64, np.float32])
            X = self._shared_model().impute(np.require(rows, requirements="A"))["numbers"]
        return super().transform(X)

    def _fit_missing(self, X: np.ndarray, y: Any) -> LinearDiscriminantAnalysis:
        """The same fit, of moments that EM has learned."""
        X, y = validated(self, X, y, dtype=[np.float64, np.float32], ensure_min_samples=2)
        check_classification_targets(y)
        self._missing = _learned(X, np.unique(y, return_inverse=True)[1], len(np.unique(y)), "lda")
        # Rows without holes lead scikit-learn's checks to the solver, which takes the moments.
        return super().fit(np.where(np.isnan(X), np.nanmean(X, axis=0), X), y)

    def _moments(self, X: np.ndarray, y: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Weights, means and scatters of the classes."""
        classes = unique_labels(y)
        codes = np.searchsorted(classes, y)
        if "_missing" in self.__dict__:
            means, covariances = self._missing
            weights = np.bincount(codes, minlength=len(classes)).astype(float)
            rows = len(y) if _divides_by_rows() else len(y) - len(classes)
            pooled = covariances[0] * rows
            return weights, means, pooled[None] * (weights / weights.sum())[:, None, None]
        found = class_statistics(X, codes, len(classes))
        return moments(found, len(classes), X.shape[1])

    def _solve_svd(self, X: Any, y: Any) -> None:
        if not is_array(X) or X.shape[1] > X.shape[0]:
            return super()._solve_svd(X, y)
        weights, means, scatters = self._moments(X, np.asarray(y))
        rows, classes = X.shape[0], len(self.classes_)
        scatter = scatters.sum(axis=0)
        self.means_ = means
        if self.store_covariance:
            self.covariance_ = self._pooled(weights, scatters)
        self.xbar_ = self.priors_ @ self.means_
        deviations = np.sqrt(np.diag(scatter) / rows)
        deviations[deviations <= 1e-15 * np.abs(means).max(axis=0, initial=0)] = 1.0
        divisor = rows if _divides_by_rows() else rows - classes
        values, vectors = linalg.eigh(scatter / np.outer(deviations, deviations) / divisor)
        spreads = np.sqrt(np.maximum(values[::-1], 0))
        kept = spreads > self.tol
        scalings = (vectors[:, ::-1] / deviations[:, None])[:, kept] / spreads[kept]
        self._solve_between(scalings, rows, classes)
        for name in ("means_", "xbar_", "scalings_", "coef_", "intercept_"):
            setattr(self, name, np.asarray(getattr(self, name)).astype(X.dtype, copy=False))
        return None

    def _solve_between(self, scalings: np.ndarray, rows: int, classes: int) -> None:
        factor = 1.0 if classes == 1 else 1.0 / (classes - 1)
        spread = np.sqrt(rows * self.priors_ * factor)[:, None] * (self.means_ - self.xbar_)
        _, values, vectors = linalg.svd(spread @ scalings, full_matrices=False)
        if self._max_components == 0:
            self.explained_variance_ratio_ = np.empty((0,), dtype=values.dtype)
        else:
            ratios = values**2 / np.sum(values**2)
            self.explained_variance_ratio_ = ratios[: self._max_components]
        rank = np.sum(values > self.tol * values[0])
        self.scalings_ = scalings @ vectors.T[:, :rank]
        coef = (self.means_ - self.xbar_) @ self.scalings_
        self.intercept_ = -0.5 * np.sum(coef**2, axis=1) + np.log(self.priors_)
        self.coef_ = coef @ self.scalings_.T
        self.intercept_ -= self.xbar_ @ self.coef_.T

    def _pooled(self, weights: np.ndarray, scatters: np.ndarray) -> np.ndarray:
        return np.tensordot(np.asarray(self.priors_) / weights, scatters, axes=1)

    def _takes_moments(self, X: Any, shrinkage: Any, covariance_estimator: Any) -> bool:
        return is_array(X) and covariance_estimator is None and not isinstance(shrinkage, str)

    def _solve_lstsq(self, X: Any, y: Any, shrinkage: Any, covariance_estimator: Any = None) -> None:
        if not self._takes_moments(X, shrinkage, covariance_estimator):
            return super()._solve_lstsq(X, y, shrinkage, covariance_estimator)
        weights, self.means_, scatters = self._moments(X, np.asarray(y))
        self.covariance_ = _shrunk(self._pooled(weights, scatters), shrinkage)
        self.coef_ = linalg.lstsq(self.covariance_, self.means_.T)[0].T
        self._intercepts()
        return None

    def _solve_eigen(self, X: Any, y: Any, shrinkage: Any, covariance_estimator: Any = None) -> None:
        if not self._takes_moments(X, shrinkage, covariance_estimator):
            return super()._solve_eigen(X, y, shrinkage, covariance_estimator)
        weights, self.means_, scatters = self._moments(X, np.asarray(y))
        self.covariance_ = _shrunk(self._pooled(weights, scatters), shrinkage)
        far = self.means_ - weights @ self.means_ / weights.sum()
        total = scatters.sum(axis=0) + (far * weights[:, None]).T @ far
        between = _shrunk(total / weights.sum(), shrinkage) - self.covariance_
        values, vectors = linalg.eigh(between, self.covariance_)
        order = np.argsort(values)[::-1]
        ratios = np.sort(values / np.sum(values))[::-1]
        self.explained_variance_ratio_ = ratios[: self._max_components]
        self.scalings_ = vectors[:, order]
        self.coef_ = (self.means_ @ self.scalings_) @ self.scalings_.T
        self._intercepts()
        return None

    def _intercepts(self) -> None:
        self.intercept_ = -0.5 * np.sum(self.means_ * self.coef_, axis=1) + np.log(self.priors_)

    def predict_proba(self, X: Any) -> Any:
        if len(getattr(self, "classes_", ())) == 1:  # scikit-learn takes two at least
            return np.ones((len(self.predict(X)), 1))
        return super().predict_proba(X)

    def decision_function(self, X: Any) -> Any:
        # One product of matrices, which BLAS does as well as can be, unless something is missing.
        X = laid_out(X)
        try:
            return super().decision_function(X)
        except ValueError:
            if not is_array(X) or not has_nan(X):
                raise
        return self._scores_with_missing(validated(self, X, reset=False))

    def _scores_with_missing(self, X: np.ndarray) -> np.ndarray:
        """Log joint densities over the columns that are there, under the shared covariance."""
        scores = scores_of(self._shared_model(), X)
        return scores[:, 1] - scores[:, 0] if len(self.classes_) == 2 else scores

    def _shared_model(self) -> _genera.Model:
        """The classes as Gaussians with the shared covariance."""
        if "_missing" in self.__dict__:
            means, covariance = self._missing[0], self._missing[1][0]
        else:
            means, covariance = self.means_, self._covariance_of_scalings()
        return _genera.gaussian_model(
            names_of_classes(len(self.classes_)), np.asarray(self.priors_).tolist(), means, [covariance]
        )

    def _covariance_of_scalings(self) -> np.ndarray:
        if hasattr(self, "covariance_"):
            return self.covariance_
        raise ValueError(
            "Input X contains NaN, and the covariance was not kept.\n"
            "fit with store_covariance=True, or with rows that have NaN"
        )

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.array_api_support = False
        tags.input_tags.allow_nan = True
        tags.input_tags.sparse = True
        return tags


class QuadraticDiscriminantAnalysis(peer.QuadraticDiscriminantAnalysis):
    """``sklearn.discriminant_analysis.QuadraticDiscriminantAnalysis`` over the core: the same
    parameters, attributes and numbers; columns of ``rotations_`` up to their sign.

    NaN is missing: learned from by EM, and marginalised in ``predict``. Sparse rows are laid out.
    """

    def fit(self, X: Any, y: Any) -> QuadraticDiscriminantAnalysis:
        require_labels(self, y)
        X = laid_out(X)
        plain = getattr(self, "solver", "svd") == "svd" and getattr(self, "shrinkage", None) is None
        if not plain or getattr(self, "covariance_estimator", None) is not None or _is_old():
            return super().fit(X, y)
        if hasattr(self, "_validate_params"):
            self._validate_params()
        X, y = validated(self, X, y, dtype=[np.float64, np.float32])
        check_classification_targets(y)
        self.classes_, codes = np.unique(y, return_inverse=True)
        if len(self.classes_) < 2:
            raise ValueError(
                "The number of classes has to be greater than one. Got "
                f"{len(self.classes_)} class."
            )
        counts = np.bincount(codes)
        if (counts == 1).any():
            lonely = self.classes_[np.argmax(counts == 1)]
            raise ValueError(f"y has only 1 sample in class {lonely}, covariance is ill defined.")
        self.priors_ = counts / len(y) if self.priors is None else np.array(self.priors)
        self._take(*self._covariances(X, codes), counts)
        return self

    def _covariances(self, X: np.ndarray, codes: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        classes = len(self.classes_)
        if has_nan(X):
            return _learned(X, codes, classes, "qda")
        weights, means, scatters = moments(
            class_statistics(X, codes, classes), classes, X.shape[1]
        )
        return means, scatters / weights[:, None, None]

    def _take(self, means: np.ndarray, covariances: np.ndarray, counts: np.ndarray) -> None:
        scalings, rotations, kept = [], [], []
        for k, covariance in enumerate(covariances):
            values, vectors = linalg.eigh(covariance)
            scaling = (1 - self.reg_param) * np.maximum(values[::-1], 0) + self.reg_param
            rotation = vectors[:, ::-1]
            seen = scaling[: counts[k]]  # rows have no more singular values
            if np.sum(seen > self.tol) < len(scaling):
                raise linalg.LinAlgError(self._not_full_rank(k, int(counts[k]), len(scaling)))
            scalings.append(scaling)
            rotations.append(rotation)
            kept.append((rotation * scaling) @ rotation.T)
        self.means_, self.scalings_, self.rotations_ = means, scalings, rotations
        if self.store_covariance:
            self.covariance_ = kept

    def _not_full_rank(self, k: int, rows: int, columns: int) -> str:
        label = self.classes_[k]
        if rows <= columns:
            return (
                f"The covariance matrix of class {label} is not full rank. When using "
                f"`solver='svd'` the number of samples in each class should be more than the number "
                f"of features, but class {label} has {rows} samples and {columns} features. Try "
                "using `solver='eigen'` and setting the parameter `shrinkage` for regularization."
            )
        return (
            f"The covariance matrix of class {label} is not full rank. Increase the value of "
            "`reg_param` to reduce the collinearity."
        )

    def _decision_function(self, X: Any) -> np.ndarray:
        check_is_fitted(self)
        X = validated(self, laid_out(X), reset=False, dtype=[np.float64, np.float32])
        model = self._model()
        if model is None:
            return super()._decision_function(X)
        constant = 0.5 * X.shape[1] * np.log(2 * np.pi) + np.log(np.sum(self.priors_))
        return scores_of(model, X) + constant

    def _model(self) -> Any:
        """The core's model of these attributes; None if there is none."""
        covariances = []
        for scaling, rotation in zip(self.scalings_, self.rotations_):
            covariance = (rotation * scaling) @ rotation.T
            covariances.append((covariance + covariance.T) / 2)
        try:
            return _genera.gaussian_model(
                names_of_classes(len(self.classes_)), self.priors_.tolist(), self.means_, covariances
            )
        except ValueError:  # not of full rank
            return None

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.input_tags.sparse = True
        return tags


def _is_old() -> bool:
    """Whether scikit-learn only warns of covariances that are not of full rank."""
    return not hasattr(peer.QuadraticDiscriminantAnalysis, "_solve_svd")
