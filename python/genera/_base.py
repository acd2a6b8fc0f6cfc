"""What all estimators have in common."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.exceptions import NotFittedError
from sklearn.utils import check_random_state
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import _check_sample_weight, _num_samples

from . import _genera, _input, _labels
from ._errors import Error, FitWarning
from ._progress import teller


class FitReport:
    """How a fit went. Every figure of the core is an attribute; ``notes`` and ``warnings`` are
    sentences for people."""

    def __init__(self, facts: dict[str, Any]) -> None:
        self.__dict__.update(facts)

    def __repr__(self) -> str:
        lines = [f"{self.outcome}, {self.rows} rows"]
        lines += [f"warning: {text}" for text in self.warnings] + list(self.notes)
        return "\n".join(lines)

    outcome: str
    rows: int
    warnings: list[str]
    notes: list[str]


@dataclass
class Evidence:
    """What one feature says for the best class against the second, in nats."""

    feature: str
    log_odds: float


@dataclass
class Explanation:
    """Why a row was given to its class: ``base`` + all evidence + ``rest`` = ``log_odds``."""

    best: Any
    second: Any
    log_odds: float
    base: float
    evidence: list[Evidence]
    rest: float

    def __str__(self) -> str:
        lines = [f"{self.best} against {self.second}: log odds {self.log_odds:.4g}"]
        lines += [f"  {one.log_odds:+10.4g}  {one.feature}" for one in self.evidence]
        lines += [f"  {self.rest:+10.4g}  other features", f"  {self.base:+10.4g}  prior and constants"]
        return "\n".join(lines)


def seed_of(random_state: Any) -> int:
    """The same seed, the same answer; None is a fixed one."""
    if random_state is None:
        return 1
    if isinstance(random_state, (int, np.integer)):
        return int(random_state) & 0xFFFFFFFFFFFFFFFF
    return int(check_random_state(random_state).randint(np.iinfo(np.int32).max))


class _Rows(BaseEstimator):
    """Rows in: what columns there are, and whether they are those of the fit."""

    _count_columns = False  # numbers are counts
    _takes_sparse = False

    def _column_type(self) -> str:
        return "count" if self._count_columns else "numeric"

    # -- columns ---------------------------------------------------------------------------------

    def _remember_columns(self, X: Any, count: int) -> list[str]:
        names = _input.feature_names(X)
        self.n_features_in_ = count
        if names is not None:
            self.feature_names_in_ = names
            return names.tolist()
        if hasattr(self, "feature_names_in_"):
            del self.feature_names_in_
        return _input.default_names(count)

    def _known_names(self) -> list[str]:
        names = self.__dict__.get("feature_names_in_")
        return _input.default_names(self.n_features_in_) if names is None else names.tolist()

    def _check_columns(self, X: Any, count: int) -> None:
        fitted = self.__dict__.get("feature_names_in_")
        names = _input.feature_names(X)
        if fitted is None and names is not None:
            warnings.warn(
                f"X has feature names, but {type(self).__name__} was fitted without feature names",
                stacklevel=4,
            )
        elif fitted is not None and names is None:
            self._warn_without_names()
        elif fitted is not None and names is not None and (len(fitted) != len(names) or (fitted != names).any()):
            raise ValueError(_other_names(fitted, names))
        if count != self.n_features_in_:
            self._refuse_count(count)

    def _warn_without_names(self) -> None:
        warnings.warn(
            f"X does not have valid feature names, but {type(self).__name__} was fitted with "
            "feature names",
            stacklevel=5,
        )

    def _refuse_count(self, count: int) -> None:
        raise ValueError(
            f"X has {count} features, but {type(self).__name__} is expecting "
            f"{self.n_features_in_} features as input"
        )

    # -- rows ------------------------------------------------------------------------------------

    def _training_data(self, X: Any) -> _genera.Data:
        """The rows of a fit: their columns are remembered."""
        return self._data(X, self._remember_columns)

    def _rows(self, X: Any) -> Any:
        """Rows of the same columns: an array that the core reads as it is, or Data."""
        if _input.is_plain(X) and self._reads_arrays():
            if X.shape[1] != self.n_features_in_:
                self._refuse_count(X.shape[1])
            if "feature_names_in_" in self.__dict__:
                self._warn_without_names()
            return X

        def check(rows: Any, count: int) -> list[str]:
            self._check_columns(rows, count)
            return self._known_names()

        return self._data(X, check)

    def _reads_arrays(self) -> bool:
        return self._allows_nan() or not self._count_columns

    def _allows_nan(self) -> bool:
        return True

    def _data(self, X: Any, see_columns: Any) -> _genera.Data:
        if _input.is_plain(X):
            return self._data_of_array(X, see_columns(X, X.shape[1]))
        if _input.is_sparse(X):
            return self._data_of_sparse(X, see_columns)
        if _input.is_frame(X):
            return self._data_of_frame(X, see_columns)
        array = _input.numbers(X, self, accept_sparse="csr")
        return self._data_of_array(array, see_columns(array, array.shape[1]))

    def _check_counts(self, values: np.ndarray) -> None:
        if not self._count_columns or not values.size:
            return
        if not self._allows_nan() and np.isnan(values).any():
            raise ValueError(f"Input X contains NaN, and {type(self).__name__} cannot do without.")
        if np.fmin.reduce(values, axis=None) < 0:
            raise ValueError(
                f"Negative values in data passed to {type(self).__name__}: counts are at least 0."
            )

    def _data_of_array(self, X: np.ndarray, names: list[str]) -> _genera.Data:
        self._check_counts(X)
        data = _genera.Data(X.shape[0])
        data.add_numbers(X, names, self._column_type())
        return data

    def _data_of_frame(self, X: Any, see_columns: Any) -> _genera.Data:
        columns = _input.columns_of(X)
        if not columns or len(columns[0].values) == 0:
            _input.numbers(X, self)  # says what is wrong as scikit-learn does
        names = see_columns(X, len(columns))
        wanted = self._told_types(names)
        for j, column in enumerate(columns):
            column.name = names[j]
            if names[j] in wanted:
                columns[j] = _input.retyped(column, wanted[names[j]])
            elif self._count_columns and column.type == "numeric":
                columns[j] = _input.retyped(column, "count")
        return _input.data_of_columns(columns, len(columns[0].values))

    def _told_types(self, names: list[str]) -> dict[str, str]:
        types = getattr(self, "types", None) or {}
        told = {}
        for column, kind in types.items():
            name = names[column] if isinstance(column, (int, np.integer)) else str(column)
            if name not in names:
                raise Error(f"types speaks of '{name}', which is not a column", "use names of columns")
            told[name] = kind
        return told

    def _data_of_sparse(self, X: Any, see_columns: Any) -> _genera.Data:
        if not self._takes_sparse:
            _input.numbers(X, self)  # says that sparse matrices are refused
        X = _input.numbers(X, self, accept_sparse="csr")
        self._check_counts(X.data)
        names = see_columns(X, X.shape[1])
        data = _genera.Data(X.shape[0])
        data.add_sparse(*_input.csr_parts(X), names, "counts" if self._count_columns else "numbers")
        return data

    # -- the model -------------------------------------------------------------------------------

    def _fitted(self) -> _genera.Model:
        model = self.__dict__.get("model_")
        if model is None:
            raise NotFittedError(
                f"This {type(self).__name__} instance is not fitted yet. Call 'fit' with "
                "appropriate arguments before using this estimator."
            )
        return model

    def _take_report(self, facts: dict[str, Any]) -> None:
        self.report_ = FitReport(facts)
        for text in self.report_.warnings:
            warnings.warn(text, FitWarning, stacklevel=4)

    def _threads(self) -> int | None:
        return getattr(self, "threads", None)

    def _tell(self) -> Any:
        return teller() if getattr(self, "verbose", 0) else None

    def _description(self) -> dict[str, Any]:
        return self._fitted().describe()

    def _places(self) -> np.ndarray:
        """Of the features of the model among the columns."""
        places = {name: j for j, name in enumerate(self._known_names())}
        return np.array([places[name] for name, _ in self._fitted().features])


def _other_names(fitted: np.ndarray, names: np.ndarray) -> str:
    message = "The feature names should match those that were passed during fit.\n"
    unexpected = sorted(set(names) - set(fitted))
    missing = sorted(set(fitted) - set(names))

    def listed(some: list[str]) -> str:
        return "".join(f"- {name}\n" for name in some[:5]) + ("- ...\n" if len(some) > 5 else "")

    if unexpected:
        message += "Feature names unseen at fit time:\n" + listed(unexpected)
    if missing:
        message += "Feature names seen at fit time, yet now missing:\n" + listed(missing)
    if not missing and not unexpected:
        message += "Feature names must be in the same order as they were in fit.\n"
    return message


class _Classifier(ClassifierMixin, _Rows):
    """Labels in and out."""

    def _model_name(self) -> str:
        raise NotImplementedError

    def _options(self, labels: _labels.Labels | None = None) -> dict[str, Any]:
        """The parameters by the names of the core."""
        raise NotImplementedError

    # -- learning --------------------------------------------------------------------------------

    def _labelled_data(
        self, X: Any, y: Any, sample_weight: Any, data: _genera.Data
    ) -> _labels.Labels:
        labels = _labels.encode(y, type(self).__name__)
        if data.rows != len(labels.codes):
            raise ValueError(
                "Found input variables with inconsistent numbers of samples: "
                f"[{data.rows}, {len(labels.codes)}]"
            )
        data.set_labels(labels.codes, labels.names)
        if sample_weight is not None:
            weights = _check_sample_weight(sample_weight, np.empty((data.rows, 1)), dtype=np.float64)
            data.set_weights(np.ascontiguousarray(weights))
        return labels

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Any:
        """Learn from rows and their labels.

        Parameters
        ----------
        X : array, frame or sparse matrix of shape (n_samples, n_features)
            NaN is missing, and is marginalised.
        y : array of shape (n_samples,)
            Labels of any kind; None or NaN: the label is missing.
        sample_weight : array of shape (n_samples,), optional

        Returns
        -------
        self
        """
        if y is None:
            _labels.encode(y, type(self).__name__)
        data = self._training_data(X)
        labels = self._labelled_data(X, y, sample_weight, data)
        try:
            model, statistics, report, choice = _genera.fit(
                data, self._options(labels), self._threads(), self._tell()
            )
        except Error as error:
            if data.rows == 1:
                raise Error(f"{error.what} (there is only 1 sample)", error.hint, error.code) from None
            raise self._about_nan(error) from None
        self._take_model(model, dict(zip(labels.names, labels.classes.tolist())), labels.classes)
        self.statistics_ = statistics
        if choice:
            self.choice_ = choice
        self._remember_constants(X, model)
        if hasattr(self, "max_iter"):
            self.n_iter_ = max(1, report["iterations"])
        self._take_report(report)
        return self

    def _about_nan(self, error: Error) -> Error:
        """Where NaN is refused, scikit-learn's users look for the word."""
        if self._allows_nan() or "missing" not in error.what:
            return error
        return Error(f"Input X contains NaN: {error.what}", error.hint, error.code)

    def _take_model(
        self, model: _genera.Model, label_of: dict[str, Any], classes: np.ndarray
    ) -> None:
        self.model_ = model
        self._label_of = label_of
        names = model.classes
        if len(names) == len(classes) and all(
            _labels.name_of(label) == name for label, name in zip(classes.tolist(), names)
        ):
            self.classes_ = classes
        else:
            self.classes_ = np.array([label_of[name] for name in names], dtype=classes.dtype)

    def _remember_constants(self, X: Any, model: _genera.Model) -> None:
        """Values of the columns that the model does not use, because they do not vary."""
        self._constants = None
        if not isinstance(X, np.ndarray) or model.feature_count == self.n_features_in_:
            return
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", RuntimeWarning)  # a column without a value
            self._constants = np.nanmin(X, axis=0).astype(np.float64)

    # -- asking ----------------------------------------------------------------------------------

    def predict(self, X: Any) -> np.ndarray:
        """The most probable class of each row; ties go to the first."""
        model = self._fitted()
        try:
            return self.classes_.take(model.predict(self._rows(X), self._threads()))
        except Error as error:
            raise self._about_nan(error) from None

    def predict_proba(self, X: Any) -> np.ndarray:
        """Posterior probabilities, n_samples x n_classes."""
        model = self._fitted()
        try:
            return model.posterior(self._rows(X), self._threads())
        except Error as error:
            raise self._about_nan(error) from None

    def predict_log_proba(self, X: Any) -> np.ndarray:
        """Their logarithms, which tell apart what is too small for a double."""
        model = self._fitted()
        try:
            return model.log_posterior(self._rows(X), self._threads())
        except Error as error:
            raise self._about_nan(error) from None

    def decision_function(self, X: Any) -> np.ndarray:
        """Log posterior odds of the second of two classes; of more classes log posteriors."""
        logs = self.predict_log_proba(X)
        return logs[:, 1] - logs[:, 0] if logs.shape[1] == 2 else logs

    def explain(self, X: Any, most: int = 5) -> list[Explanation]:
        """Why each row was given to its class and not to the next best: the features that count
        most."""
        found = self._fitted().explain(self._rows(X), most, self._threads())
        label = self.classes_.tolist()
        return [
            Explanation(
                label[best],
                label[second] if second >= 0 else None,
                odds,
                base,
                [Evidence(name, share) for name, share in evidence],
                rest,
            )
            for best, second, odds, base, evidence, rest in found
        ]

    def save(self, path: Any) -> None:
        """Write the model as a file that the command line and ``genera.load`` read: JSON, or CBOR
        if the name ends in ``.cbor``."""
        self._fitted().save(str(path))

    @property
    def priors_(self) -> np.ndarray:
        """Probabilities of the classes."""
        return self._attribute_model().priors

    def _attribute_model(self) -> _genera.Model:
        if "model_" not in self.__dict__:
            raise AttributeError(f"{type(self).__name__} has no such attribute before fit")
        return self.model_

    # -- what scikit-learn asks ------------------------------------------------------------------

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = self._allows_nan()
        tags.input_tags.sparse = self._takes_sparse
        tags.input_tags.positive_only = self._positive_only()
        tags.classifier_tags.poor_score = self._poor_score()
        return tags

    def _more_tags(self) -> dict[str, Any]:
        return {
            "allow_nan": self._allows_nan(),
            "requires_positive_X": self._positive_only(),
            "poor_score": self._poor_score(),
        }

    def _positive_only(self) -> bool:
        return self._count_columns

    def _poor_score(self) -> bool:
        return False


def _are_objects(estimator: Any, labels: _labels.Labels | None) -> bool:
    known = estimator.__dict__.get("classes_")
    return (labels is not None and labels.classes.dtype == object) or (
        known is not None and known.dtype == object
    )


def _adds_up(estimator: Any) -> bool:
    """Whether the model is a function of statistics that add up."""
    return estimator._is_additive()


class _Additive(_Classifier):
    """Statistics that add up: more rows, other rows, fewer rows, exactly."""

    def _is_additive(self) -> bool:
        return getattr(self, "shrinkage", None) != "lw"

    @available_if(_adds_up)
    def partial_fit(
        self, X: Any, y: Any, classes: Any = None, sample_weight: Any = None
    ) -> Any:
        """Learn from more rows, exactly as if they had been there from the beginning.

        Classes may appear at any time; ``classes`` is accepted and not needed.
        """
        statistics = self.__dict__.get("statistics_")
        first = statistics is None
        if first and "model_" in self.__dict__:
            raise Error(
                "this model was learned from rows, of which no statistics are kept",
                "begin with partial_fit, or fit again with all rows",
            )
        new, labels = self._collect(X, y, sample_weight, first)
        if statistics is not None:
            total = statistics.copy()
            total.merge(new)
            new = total
        self._estimate(new, labels)
        return self

    def _collect(self, X: Any, y: Any, sample_weight: Any, first: bool) -> tuple[Any, Any]:
        if first:
            if y is None:
                _labels.encode(y, type(self).__name__)
            data = self._training_data(X)
        else:
            data = self._rows(X)
            if isinstance(data, np.ndarray):
                data = self._data_of_array(data, self._known_names())
        labels = self._labelled_data(X, y, sample_weight, data)
        return _genera.collect(data, self._options(labels), self._threads()), labels

    def _estimate(self, statistics: Any, labels: _labels.Labels | None) -> None:
        label_of = dict(self.__dict__.get("_label_of", {}))
        if labels is not None:
            for name, label in zip(labels.names, labels.classes.tolist()):
                label_of.setdefault(name, label)
        inputs = self.__dict__.get("_inputs") or self._inputs_of_fit()
        model, report = _genera.estimate(statistics, self._options(labels), inputs, self._threads())
        known = [label_of[name] for name in model.classes]
        classes = np.array(known, dtype=object if _are_objects(self, labels) else None)
        self._take_model(model, label_of, classes)
        self.statistics_ = statistics
        self._constants = None
        self._take_report(report)

    def _inputs_of_fit(self) -> list[tuple[str, str]]:
        if "model_" in self.__dict__:
            return self.model_.inputs
        return [(name, self._column_type()) for name in self._known_names()]

    @available_if(_adds_up)
    def forget(self, X: Any, y: Any, sample_weight: Any = None) -> Any:
        """Undo that these rows were learned from, exactly."""
        self._fitted()
        statistics = self._kept_statistics("forget")
        rows, labels = self._collect(X, y, sample_weight, False)
        rest = statistics.copy()
        for note in rest.subtract(rows):
            warnings.warn(note, FitWarning, stacklevel=2)
        self._estimate(rest.without_unused_names(), labels)
        return self

    @available_if(_adds_up)
    def merge(self, other: Any) -> Any:
        """Learn what another estimator with the same columns has learned from other rows."""
        self._fitted()
        total = self._kept_statistics("merge").copy()
        total.merge(other._kept_statistics("merge"))
        self._label_of = {**other._label_of, **self._label_of}
        self._estimate(total, None)
        return self

    def _kept_statistics(self, wish: str) -> Any:
        statistics = self.__dict__.get("statistics_")
        if statistics is None:
            raise Error(
                f"cannot {wish}: the model was learned from rows, of which no statistics are kept",
                "models in closed form of complete rows have them (not auto, mda, softmax "
                "regression, shrinkage=\"lw\", nor what EM has learned)",
            )
        return statistics


class _Density(_Classifier):
    """What only a joint distribution can answer."""

    def predict_joint_log_proba(self, X: Any) -> np.ndarray:
        """log p(x, class) with all constants: a density, which may be positive."""
        return self._fitted().log_joint(self._rows(X), self._threads())

    def score_samples(self, X: Any) -> np.ndarray:
        """log p(x): how usual each row is."""
        return self._fitted().log_density(self._rows(X), self._threads())

    def outlier_tail(self, X: Any, random_state: Any = None) -> np.ndarray:
        """The probability that a row of the best-fitting class lies at least as far out."""
        return self._fitted().tail(self._rows(X), seed_of(random_state), self._threads())

    def sample(
        self,
        n_samples: int = 1,
        random_state: Any = None,
        *,
        of_class: Any = None,
        given: dict[str, Any] | None = None,
        length: int | None = None,
    ) -> tuple[Any, np.ndarray]:
        """New rows and their classes.

        Parameters
        ----------
        n_samples : int
        random_state : int, RandomState or None
            None is a fixed seed.
        of_class : label, optional
            Only rows of this class.
        given : dict of column to value, optional
            Rows are drawn from the distribution given these cells.
        length : int, optional
            Sum of the counts of a row.

        Returns
        -------
        X : array of shape (n_samples, n_features), or a dict of columns where some are categories
        y : array of shape (n_samples,)
        """
        if n_samples < 1:
            raise ValueError(f"n_samples is {n_samples}, expected at least 1")
        name = None if of_class is None else _labels.name_of(of_class)
        table = self._fitted().sample(
            n_samples, seed_of(random_state), name, given or {}, length, self._threads()
        )
        labels = np.array([self._label_of[name] for name in table["classes"]])
        return self._sampled_columns(table), labels.take(table["labels"])

    def _sampled_columns(self, table: dict[str, Any]) -> Any:
        if table["codes"].shape[1] or table["sparse"]:
            from ._tables import columns_of

            return columns_of(table)
        if table["numbers"].shape[1] == self.n_features_in_:
            return table["numbers"]
        X = np.full((table["rows"], self.n_features_in_), np.nan)
        if self.__dict__.get("_constants") is not None:
            X[:] = self._constants
        places = {name: j for j, name in enumerate(self._known_names())}
        X[:, [places[name] for name, _ in table["columns"]]] = table["numbers"]
        return X


class _Gaussian(_Density):
    """Means and covariances."""

    def _gaussian_block(self) -> dict[str, Any]:
        self._attribute_model()
        for block in self._description()["blocks"]:
            if "means" in block:
                return block
        raise AttributeError("the model has no Gaussian columns")

    def _all_columns(self) -> bool:
        """Whether every column is a feature of the model, all of them numbers, or could be: a
        column that does not vary has its value as mean and no variance."""
        return all(kind == "numeric" for _, kind in self.model_.inputs)

    @property
    def means_(self) -> np.ndarray:
        """Of the columns that are numbers in each class, n_classes x columns."""
        means = self._gaussian_block()["means"]
        if means.shape[1] == self.n_features_in_ or not self._all_columns():
            return means
        full = np.full((len(means), self.n_features_in_), np.nan)
        if self.__dict__.get("_constants") is not None:
            full[:] = self._constants
        full[:, self._places()] = means
        return full

    @property
    def covariances_(self) -> np.ndarray:
        """n_classes x columns x columns, or columns x columns if all classes share it."""
        found = np.stack(self._gaussian_block()["covariances"])
        if found.shape[1] != self.n_features_in_ and self._all_columns():
            full = np.zeros((len(found), self.n_features_in_, self.n_features_in_))
            places = self._places()
            full[:, places[:, None], places] = found
            found = full
        return found[0] if len(found) == 1 else found

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
        if coefficients.shape[1] != self.n_features_in_ and self._all_columns():
            full = np.zeros((len(coefficients), self.n_features_in_))
            full[:, self._places()] = coefficients
            coefficients = full
        return intercepts, coefficients
