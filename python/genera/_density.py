"""What only a joint distribution can answer, and what its Gaussians are."""

from __future__ import annotations

import copy
from typing import TYPE_CHECKING, Any

import numpy as np
from sklearn.base import ClassNamePrefixFeaturesOutMixin, TransformerMixin

from . import _genera, _input, _labels
from ._base import _Classifier, labelled_rows, seed_of
from ._decisions import with_priors
from ._errors import Error
from ._report import ClassProbability, Probability
from ._tables import columns_of, texts_of
from ._typing import available_if

if TYPE_CHECKING:
    from typing_extensions import Self

_SCORERS = frozenset(_genera.scorers())


def _has_density(estimator: Any) -> bool:
    """Whether the model is a joint distribution, as far as that is known before ``fit``."""
    model = estimator.__dict__.get("model_")
    is_density = estimator._declares_density() if model is None else model.is_density
    if not is_density:
        raise AttributeError(
            "a linear scorer has no density: it gives labels and posteriors only"
        )
    return True


class _Density(_Classifier):
    """What only a joint distribution can answer."""

    def _declares_density(self) -> bool:
        return self._model_name() not in _SCORERS

    @available_if(_has_density)
    def predict_joint_log_proba(self, X: Any) -> np.ndarray:
        """log p(x, class) with all constants: a density, which may be positive."""
        return self._by_class(self._fitted().log_joint(self._rows(X), self._threads()), 1, -np.inf)

    @available_if(_has_density)
    def score_samples(self, X: Any) -> np.ndarray:
        """log p(x): how usual each row is."""
        return self._fitted().log_density(self._rows(X), self._threads())

    @available_if(_has_density)
    def outlier_tail(self, X: Any, random_state: Any = 1) -> np.ndarray:
        """The probability that a row of the best-fitting class lies at least as far out."""
        return self._fitted().tail(self._rows(X), seed_of(random_state), self._threads())

    @available_if(_has_density)
    def with_priors(self, priors: Any) -> Self:
        """A copy of this classifier with other probabilities of the classes.

        Parameters
        ----------
        priors : "uniform", dict or array
            In the order of ``classes_``; ``estimate_priors`` finds those of other rows.
        """
        changed = copy.copy(self)
        changed.model_ = with_priors(self, self._fitted(), None, priors, self._threads())
        changed.statistics_ = None  # they tell the priors of the fit
        return changed

    @available_if(_has_density)
    def estimate_priors(self, X: Any) -> np.ndarray:
        """The probabilities of the classes that make these rows likeliest, in the order of
        ``classes_``, if nothing but these has changed since the fit (label shift; Saerens, Latinne
        and Decaestecker 2002). Rows need no labels."""
        model = with_priors(self, self._fitted(), self._as_data(X), "estimate", self._threads())
        return self._by_class(model.priors, unseen=0.0)

    @available_if(_has_density)
    def sample(
        self,
        n_samples: int = 1,
        random_state: Any = None,
        *,
        of_class: Any = None,
        given: dict[Any, Any] | None = None,
        length: int | None = None,
    ) -> tuple[Any, np.ndarray]:
        """New rows and their classes.

        Parameters
        ----------
        n_samples : int
        random_state : int, RandomState or None
            An int repeats; None draws a fresh seed.
        of_class : label, optional
            Only rows of this class.
        given : dict of column, by name or place, to value, optional
            Rows are drawn from the distribution given these cells.
        length : int, optional
            Sum of the counts of a row.

        Returns
        -------
        X : frame of the kind that was fitted, or array of shape (n_samples, n_features)
            Columns have the types of the fit; of texts a dict of their counts.
        y : array of shape (n_samples,)
        """
        if not isinstance(n_samples, (int, np.integer)):
            raise TypeError(f"n_samples is {n_samples!r}, expected a whole number")
        if n_samples < 1:
            raise ValueError(f"n_samples is {n_samples}, expected at least 1")
        name = None if of_class is None else _labels.name_of(of_class)
        model = self._fitted()
        table = model.sample(
            n_samples, seed_of(random_state), name, self._cells(given), length, self._threads()
        )
        labels = [self._label_of[name] for name in table["classes"]]
        return self._sampled_columns(table), np.array(labels, self.classes_.dtype).take(table["labels"])

    @available_if(_has_density)
    def probability(
        self,
        between: dict[Any, tuple[float | None, float | None]] | None = None,
        *,
        equal: dict[Any, Any] | None = None,
        given: dict[Any, Any] | None = None,
        of_class: Any = None,
        precision: float | None = None,
        random_state: Any = 1,
    ) -> Probability:
        """The probability that columns lie in intervals and have certain values.

        Parameters
        ----------
        between : dict of column, by name or place, to (low, high)
            Intervals of numbers or counts, which all hold; None is an open end.
        equal : dict of column to value
            Categories or flags.
        given : dict of column to value, optional
            Condition on these cells.
        of_class : label, optional
            Condition on this class.
        precision : float, optional
            Absolute error to reach for several correlated columns (default: that of about a
            millisecond of work).
        random_state : int, RandomState or None
            Seed of the numerical integration.

        Returns
        -------
        Probability
            ``value``, ``error`` and ``by_class``; ``float`` makes it a number.

        Examples
        --------
        >>> from genera import QDA, datasets
        >>> X, y = datasets.load_iris(return_X_y=True)
        >>> round(float(QDA().fit(X, y).probability({0: (5, 6)}, given={2: 1.5})), 4)
        0.5296
        """
        model = self._fitted()
        intervals = {
            self._name_of_column(column, "between"): ends for column, ends in (between or {}).items()
        }
        of_name = None if of_class is None else _labels.name_of(of_class)
        facts = _genera.probability(
            model,
            intervals,
            self._cells(equal, "equal"),
            self._cells(given),
            of_name,
            precision,
            seed_of(random_state),
            self._threads(),
        )
        by_class = {
            self._label_of[one["name"]]: ClassProbability(one["share"], one["probability"])
            for one in facts["classes"]
        }
        return Probability(
            facts["probability"], facts["log_probability"], facts["error"], by_class
        )

    @available_if(_has_density)
    def impute(self, X: Any, y: Any = None, *, draw: bool = False, random_state: Any = None) -> Any:
        """The rows with their missing cells filled: numbers and counts by their expectation given
        the rest of the row, categories by the most probable one.

        Parameters
        ----------
        X : rows as in ``predict``
        y : labels, optional
            Rows are filled as rows of their class; without a label the classes are weighted by their
            posterior.
        draw : bool
            Draw each missing cell from its distribution instead.
        random_state : int, RandomState or None
            Seed of the draws.

        Returns
        -------
        array of shape (n_samples, n_features), or a frame of the kind of X
        """
        rows = labelled_rows(self, X, None if y is None else _labels.encode(y, "impute"))
        return self._imputed(X, rows, seed_of(random_state) if draw else None)

    def _cells(self, given: dict[Any, Any] | None, parameter: str = "given") -> dict[str, Any]:
        """By the names of the columns; categories by theirs."""
        kinds = dict(self.model_.features)
        cells = {}
        for column, value in (given or {}).items():
            name = self._name_of_column(column, parameter)
            cells[name] = self._level(value) if kinds.get(name) in ("categorical", "binary") else value
        return cells

    def _level(self, value: Any) -> str:
        """As it is called; flags of arrays are 0 and 1."""
        if isinstance(value, (bool, np.bool_)) and "feature_names_in_" not in self.__dict__:
            value = int(value)
        is_number = isinstance(value, (float, np.floating))
        return _input.number_name(float(value)) if is_number else str(value)

    def _sampled_columns(self, table: dict[str, Any]) -> Any:
        if self._frame is None and not table["codes"].shape[1] and not table["sparse"]:
            names = [name for name, _ in table["columns"]]
            return self._by_column(table["numbers"], names, self._constant_values())
        columns = columns_of(table)
        if table["sparse"]:
            if self._frame is None:
                return columns
            columns.update(texts_of(table))
        known = self._known_names()
        filled = dict(zip(known, self._filled(columns, len(table["labels"]))))
        if self._frame is not None:
            return self._frame.frame(filled)
        try:
            return np.column_stack([column.astype(np.float64) for column in filled.values()])
        except ValueError:  # a model from a file, whose frame is not known
            return filled

    def _filled(self, columns: dict[str, np.ndarray], rows: int) -> list[np.ndarray]:
        """All columns of the fit; those that do not vary have their value."""
        constants = np.broadcast_to(self._constant_values(), self.n_features_in_)
        found = []
        for name, constant in zip(self._known_names(), constants):
            level = None if self._frame is None else self._frame.only_level(name)
            otherwise: Any = constant if level is None else level
            dtype = np.float64 if level is None else object
            found.append(columns[name] if name in columns else np.full(rows, otherwise, dtype))
        return found


class _Gaussian(_Density):
    """Means and covariances."""

    def _gaussian_block(self) -> dict[str, Any]:
        self._attribute_model()
        for block in self._description()["blocks"]:
            if "means" in block:
                return block
        raise AttributeError("the model has no Gaussian columns")

    @property
    def means_(self) -> np.ndarray:
        """Of the columns that are numbers in each class, n_classes x columns."""
        return self._numbers_by_column(self._by_class(self._gaussian_block()["means"]))

    @property
    def covariances_(self) -> np.ndarray:
        """n_classes x columns x columns, or columns x columns if all classes share it."""
        found = self._covariances_by_column(np.stack(self._gaussian_block()["covariances"]))
        return found[0] if len(found) == 1 else self._by_class(found)

    @property
    def coef_(self) -> np.ndarray:
        """Of models with linear scores, log prior included: n_classes x columns; of two classes the
        difference, 1 x columns."""
        coefficients = self._linear()[1]
        return coefficients[1:] - coefficients[:1] if len(coefficients) == 2 else coefficients

    @property
    def intercept_(self) -> np.ndarray:
        intercepts = self._linear()[0]
        return intercepts[1:] - intercepts[:1] if len(intercepts) == 2 else intercepts

    def _linear(self) -> tuple[np.ndarray, np.ndarray]:
        self._attribute_model()
        found = self._description()["discriminants"]
        if found is None:
            raise AttributeError("the scores of this model are not linear")
        intercepts, coefficients = found
        names = self._feature_names()
        if coefficients.shape[1] == len(names) and self._all_numbers():
            coefficients = self._by_column(coefficients, names)
        return self._by_class(intercepts), self._by_class(coefficients)


class _Canonical(ClassNamePrefixFeaturesOutMixin, TransformerMixin, _Gaussian):
    """Rows in the few directions in which the classes lie apart."""

    n_components: int | None

    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> Self:
        """Learn from rows and their labels; see ``GenerativeClassifier.fit``."""
        super().fit(X, y, sample_weight)
        if self.n_components is not None:
            self._n_features_out  # refuses what cannot be
        return self

    def transform(self, X: Any) -> np.ndarray:
        """Canonical variates: coordinates along which the means of the classes differ most, the
        first most of all, with a variance within classes of 1.

        Of a row that lacks numbers they are what is to be expected given the others.

        Returns
        -------
        array of shape (n_samples, n_components)
            At most as many as columns, and one less than classes.
        """
        model = self._fitted()
        count = self._n_features_out
        variates = model.canonical_variates(self._rows(X), self._threads())
        return variates if variates.shape[1] == count else np.ascontiguousarray(variates[:, :count])

    @property
    def _n_features_out(self) -> int:
        features, classes = self._attribute_model().feature_count, len(self.classes_)
        most = min(features, classes - 1)
        if self.n_components is None:
            return most
        if not 1 <= self.n_components <= most:
            raise Error(
                f"n_components is {self.n_components}, but {features} features of {classes} classes "
                f"have {most} canonical variates: n_components cannot be larger than "
                "min(n_features, n_classes - 1)",
                "use a smaller number, or None for all of them",
            )
        return self.n_components

    def _axes(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Centre, coefficients and shares, over all columns."""
        names, centre, coefficients, shares = self._attribute_model().canonical_axes()
        count = self._n_features_out
        centre = self._by_column(centre, names, self._constant_values())
        coefficients = self._by_column(coefficients, names)
        return centre, coefficients[:count], shares[:count]

    @property
    def xbar_(self) -> np.ndarray:
        """Where the variates are 0: the mean of all classes, weighted by their priors."""
        return self._axes()[0]

    @property
    def scalings_(self) -> np.ndarray:
        """By which columns are multiplied, n_features x n_components: ``transform`` is
        ``(X - xbar_) @ scalings_``. The largest of each, in deviations, is positive."""
        return np.ascontiguousarray(self._axes()[1].T)

    @property
    def explained_variance_ratio_(self) -> np.ndarray:
        """How much of the differences between the means each of them holds."""
        return self._axes()[2]
