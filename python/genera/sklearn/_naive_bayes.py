"""Naive Bayes: counts and moments from the core."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn import naive_bayes as peer
from sklearn.utils.multiclass import _check_partial_fit_first_call, check_classification_targets
from sklearn.utils.validation import _check_sample_weight, check_is_fitted

from .. import _genera, _input, _labels
from .._errors import Error
from .._options import ON_SINGULAR
from ._shared import (
    class_statistics,
    class_sums,
    data_of,
    has_nan,
    level_sums,
    moments,
    names_of_classes,
    scores_of,
    validated,
)


def _total_variances(statistics: Any, classes: int, columns: int) -> np.ndarray:
    """Of the columns over all classes, without another pass over the rows."""
    weights, means, scatters = moments(statistics, classes, columns, full=False)
    far = means - weights @ means / weights.sum()
    return (scatters.sum(axis=0) + weights @ far**2) / weights.sum()


class GaussianNB(peer.GaussianNB):
    """``sklearn.naive_bayes.GaussianNB`` over the core: the same parameters, attributes and numbers.

    NaN is missing: in ``fit`` each column is learned from the rows that have it, in ``predict`` it is
    left out.

    Examples
    --------
    >>> from genera import datasets
    >>> from genera.sklearn import GaussianNB
    >>> X, y = datasets.load_iris(return_X_y=True)
    >>> GaussianNB().fit(X, y).score(X, y)
    0.96
    """

    classes_: Any
    _kept: Any

    def _check_X(self, X: Any) -> Any:
        return validated(self, X, reset=False)

    def _partial_fit(
        self,
        X: Any,
        y: Any,
        classes: Any = None,
        _refit: bool = False,
        sample_weight: Any = None,
    ) -> GaussianNB:
        if _refit:
            self.classes_ = None
        first = _check_partial_fit_first_call(self, classes)
        X, y = validated(self, X, y, reset=first)
        if sample_weight is not None:
            sample_weight = _check_sample_weight(sample_weight, X, dtype=np.float64)
        if first:
            self._begin(X.shape[1])
        codes = self._codes(y)
        if has_nan(X):
            self.epsilon_ = self.var_smoothing * np.nanvar(X, axis=0).max()
            return self._fit_missing(X, codes, sample_weight, first)
        new = class_statistics(X, codes, len(self.classes_), sample_weight, "gnb")
        if sample_weight is None:
            largest = _total_variances(new, len(self.classes_), X.shape[1]).max()
        else:
            largest = np.var(X, axis=0).max()  # whatever the weights are, as in scikit-learn
        self.epsilon_ = self.var_smoothing * largest
        if not first:
            total = self._statistics()
            total.merge(new)
            new = total
        self._take(new, X.shape[1])
        return self

    def _begin(self, columns: int) -> None:
        count = len(self.classes_)
        self.theta_, self.var_ = np.zeros((count, columns)), np.zeros((count, columns))
        self.class_count_ = np.zeros(count)
        self.class_prior_ = np.zeros(count)
        if self.priors is None:
            return
        priors = np.asarray(self.priors, dtype=np.float64)
        if len(priors) != count:
            raise ValueError("Number of priors must match number of classes.")
        if not np.isclose(priors.sum(), 1.0):
            raise ValueError("The sum of the priors should be 1.")
        if (priors < 0).any():
            raise ValueError("Priors must be non-negative.")
        self.class_prior_ = priors

    def _codes(self, y: np.ndarray) -> np.ndarray:
        unique = np.unique(y)
        unknown = unique[~np.isin(unique, self.classes_)]
        if len(unknown):
            raise ValueError(
                f"The target label(s) {unknown} in y do not exist in the initial classes "
                f"{self.classes_}"
            )
        return np.searchsorted(self.classes_, y)

    def _statistics(self) -> _genera.Statistics:
        kept = self.__dict__.get("_kept")
        if kept is None:
            raise Error(
                "the rows had missing numbers: no statistics are kept that could be added to",
                "fit all rows together",
            )
        return kept.copy()

    def _take(self, statistics: _genera.Statistics, columns: int) -> None:
        weights, means, scatters = moments(statistics, len(self.classes_), columns, full=False)
        self._kept = statistics
        self.theta_ = means
        self.var_ = scatters / np.where(weights > 0, weights, 1)[:, None] + self.epsilon_
        self._take_weights(weights)

    def _take_weights(self, weights: np.ndarray) -> None:
        self.class_count_ = weights
        if self.priors is None:
            self.class_prior_ = weights / weights.sum()

    def _fit_missing(
        self, X: np.ndarray, codes: np.ndarray, sample_weight: Any, first: bool
    ) -> GaussianNB:
        if not first:
            raise Error("partial_fit cannot add rows with missing numbers", "fit all rows together")
        data = data_of(X, codes, len(self.classes_), sample_weight, "numeric")
        options = {"model": "gnb", "variance_floor": 0.0, "on_singular": ON_SINGULAR}
        model = _genera.fit(data, options)[0]
        block = model.describe()["blocks"][0]
        used = [int(name[1:]) for name, _ in model.features]
        self.theta_ = np.tile(np.nanmin(X, axis=0), (len(self.classes_), 1))  # of constant columns
        self.theta_[:, used] = block["means"]
        self.var_[:, used] = [np.diag(one) for one in block["covariances"]]
        self.var_ += self.epsilon_
        self._kept = None
        weights = np.bincount(codes, sample_weight, minlength=len(self.classes_)).astype(float)
        self._take_weights(weights)
        return self

    def _joint_log_likelihood(self, X: Any) -> np.ndarray:
        seen = self.class_prior_ > 0
        if not isinstance(X, np.ndarray) or not seen.all() or not (self.var_ > 0).all():
            return super()._joint_log_likelihood(X)  # 0 / 0 and log 0 are its own affair
        classes = names_of_classes(len(self.classes_))
        model = _genera.gaussian_model(
            classes, self.class_prior_.tolist(), self.theta_, None, self.var_
        )
        return scores_of(model, X) + np.log(self.class_prior_.sum())

    def forget(self, X: Any, y: Any, sample_weight: Any = None) -> GaussianNB:
        """Undo that these rows were learned from; ``epsilon_`` stays as it is."""
        check_is_fitted(self)
        kept = self.epsilon_
        X, y = validated(self, X, y, reset=False)
        if sample_weight is not None:
            sample_weight = _check_sample_weight(sample_weight, X, dtype=np.float64)
        rest = self._statistics()
        rest.subtract(
            class_statistics(X, self._codes(y), len(self.classes_), sample_weight, "gnb")
        )
        self.epsilon_ = kept
        self._take(rest, X.shape[1])
        return self

    def merge(self, other: GaussianNB) -> GaussianNB:
        """Learn what another one, with the same classes, has learned from other rows; the larger
        ``epsilon_`` holds."""
        check_is_fitted(self)
        _require_same_classes(self, other)
        total = self._statistics()
        total.merge(other._statistics())
        self.epsilon_ = max(self.epsilon_, other.epsilon_)
        self._take(total, self.theta_.shape[1])
        return self

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.array_api_support = False
        return tags

    def _more_tags(self) -> dict[str, Any]:
        return {"allow_nan": True}


def _require_same_classes(one: Any, other: Any) -> None:
    check_is_fitted(other)
    if not np.array_equal(one.classes_, other.classes_):
        raise Error(
            f"the classes differ: {one.classes_} and {other.classes_}",
            "fit both with the same classes, or use partial_fit(classes=...)",
        )


def _places(Y: np.ndarray) -> tuple[np.ndarray, np.ndarray | None]:
    """Of a matrix of indicators, perhaps weighted: the place and the weight of each row."""
    places = Y.argmax(axis=1)
    weights = np.take_along_axis(Y, places[:, None], axis=1)[:, 0]
    return places, None if (weights == 1).all() else weights


class _Counts(peer._BaseDiscreteNB):
    """Sums over the rows of a class, and scores linear in the counts, from the core."""

    class_count_: Any
    feature_count_: Any
    category_count_: Any

    def _fit_counts(self, X: Any, y: Any, sample_weight: Any) -> Any:
        """As scikit-learn's fit, without a matrix of indicators."""
        self._validate_params()
        X, y = self._check_X_y(X, y)
        check_classification_targets(y)
        if sample_weight is not None:
            sample_weight = _check_sample_weight(sample_weight, X, dtype=np.float64)
        labels = _labels.encode(y, type(self).__name__)
        count = len(labels.classes)
        self.classes_ = labels.classes
        self._init_counters(count, X.shape[1])
        self._refuse_negative(X)
        self.feature_count_ += class_sums(X, labels.codes, count, sample_weight)
        self.class_count_ += np.bincount(labels.codes, sample_weight, minlength=count)
        self._after_counting()
        self._update_feature_log_prob(self._check_alpha())
        self._update_class_log_prior(class_prior=self.class_prior)
        return self

    def _refuse_negative(self, X: Any) -> None:
        _check_non_negative(X, f"{type(self).__name__} (input X)")

    def _after_counting(self) -> None:
        """What else is kept of the counts."""

    def _add_counts(self, X: Any, Y: np.ndarray) -> None:
        codes, weights = _places(Y)
        if weights is not None and (weights < 0).any():
            self.feature_count_ += _product(Y, X)
        else:
            self.feature_count_ += class_sums(X, codes, Y.shape[1], weights)
        self.class_count_ += Y.sum(axis=0)

    def _linear_scores(self, X: Any, weights: np.ndarray, intercepts: np.ndarray) -> np.ndarray:
        usable = np.isfinite(weights).all() and np.isfinite(intercepts).all()
        if _input.is_sparse(X) or not usable or len(weights) < 2 or X.dtype.kind not in "fiu":
            return _product_of_rows(X, weights) + intercepts  # SciPy's product is quick there; log 0
        classes = names_of_classes(len(weights))
        return scores_of(_genera.linear_model(classes, intercepts.tolist(), weights), X)

    def forget(self, X: Any, y: Any, sample_weight: Any = None) -> Any:
        """Undo that these rows were learned from, exactly."""
        check_is_fitted(self)
        other = self.__class__(**self.get_params())
        other.partial_fit(X, y, classes=self.classes_, sample_weight=sample_weight)
        if (other.class_count_ > self.class_count_ + 1e-9).any():
            raise Error("these rows hold more than was learned", "forget only what was learned")
        self._add_other(other, -1.0)
        return self

    def merge(self, other: Any) -> Any:
        """Learn what another one, with the same classes, has learned from other rows."""
        check_is_fitted(self)
        _require_same_classes(self, other)
        self._add_other(other, 1.0)
        return self

    def _add_other(self, other: Any, factor: float) -> None:
        self._add_features(other, factor)
        self.class_count_ = self.class_count_ + factor * other.class_count_
        self._update_feature_log_prob(self._check_alpha())
        self._update_class_log_prior(class_prior=self.class_prior)

    def _add_features(self, other: Any, factor: float) -> None:
        self.feature_count_ = self.feature_count_ + factor * other.feature_count_
        self._after_counting()


def _product(Y: np.ndarray, X: Any) -> np.ndarray:
    product = X.T @ Y if _input.is_sparse(X) else Y.T @ X
    return product.T if _input.is_sparse(X) else product


def _product_of_rows(X: Any, weights: np.ndarray) -> np.ndarray:
    product = X @ weights.T
    return product.toarray() if _input.is_sparse(product) else np.asarray(product)


class MultinomialNB(_Counts, peer.MultinomialNB):
    """``sklearn.naive_bayes.MultinomialNB`` over the core: the same parameters, attributes and
    numbers."""

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Any:
        if sample_weight is not None and (np.asarray(sample_weight) < 0).any():
            return super().fit(X, y, sample_weight)
        return self._fit_counts(X, y, sample_weight)

    def _count(self, X: Any, Y: np.ndarray) -> None:
        self._refuse_negative(X)
        self._add_counts(X, Y)

    def _joint_log_likelihood(self, X: Any) -> np.ndarray:
        return self._linear_scores(X, self.feature_log_prob_, self.class_log_prior_)


class ComplementNB(_Counts, peer.ComplementNB):
    """``sklearn.naive_bayes.ComplementNB`` over the core: the same parameters, attributes and
    numbers."""

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Any:
        if sample_weight is not None and (np.asarray(sample_weight) < 0).any():
            return super().fit(X, y, sample_weight)
        return self._fit_counts(X, y, sample_weight)

    def _count(self, X: Any, Y: np.ndarray) -> None:
        self._refuse_negative(X)
        self._add_counts(X, Y)
        self._after_counting()

    def _after_counting(self) -> None:
        self.feature_all_ = self.feature_count_.sum(axis=0)

    def _joint_log_likelihood(self, X: Any) -> np.ndarray:
        if len(self.classes_) == 1:
            return super()._joint_log_likelihood(X)
        return self._linear_scores(X, self.feature_log_prob_, np.zeros(len(self.classes_)))


class BernoulliNB(_Counts, peer.BernoulliNB):
    """``sklearn.naive_bayes.BernoulliNB`` over the core: the same parameters, attributes and
    numbers."""

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Any:
        if sample_weight is not None and (np.asarray(sample_weight) < 0).any():
            return super().fit(X, y, sample_weight)
        return self._fit_counts(X, y, sample_weight)

    def _count(self, X: Any, Y: np.ndarray) -> None:
        self._add_counts(X, Y)

    def _refuse_negative(self, X: Any) -> None:
        """They are flags by now, or what the user says they are."""

    def _joint_log_likelihood(self, X: Any) -> np.ndarray:
        if X.shape[1] != self.feature_log_prob_.shape[1]:
            return super()._joint_log_likelihood(X)  # says so
        without = np.log(1 - np.exp(self.feature_log_prob_))
        return self._linear_scores(
            X, self.feature_log_prob_ - without, self.class_log_prior_ + without.sum(axis=1)
        )


class CategoricalNB(_Counts, peer.CategoricalNB):
    """``sklearn.naive_bayes.CategoricalNB``, counted by the core: the same parameters, attributes
    and numbers."""

    def _count(self, X: Any, Y: np.ndarray) -> None:
        codes, weights = _places(Y)
        if weights is not None and (weights < 0).any():
            return super()._count(X, Y)
        self.class_count_ += Y.sum(axis=0)
        self.n_categories_ = self._validate_n_categories(X, self.min_categories)
        levels = [
            max(int(count), known.shape[1])
            for count, known in zip(self.n_categories_, self.category_count_)
        ]
        found = level_sums(X, codes, Y.shape[1], weights, np.array(levels))
        for new, known in zip(found, self.category_count_):
            new[:, : known.shape[1]] += known
        self.category_count_ = found
        return None

    def _add_features(self, other: Any, factor: float) -> None:
        counts = []
        for mine, theirs in zip(self.category_count_, other.category_count_):
            total = np.zeros((len(mine), max(mine.shape[1], theirs.shape[1])))
            total[:, : mine.shape[1]] += mine
            total[:, : theirs.shape[1]] += factor * theirs
            counts.append(total)
        self.category_count_ = counts
        self.n_categories_ = np.array([one.shape[1] for one in counts])


def _check_non_negative(X: Any, whom: str) -> None:
    from sklearn.utils.validation import check_non_negative

    check_non_negative(X, whom)
