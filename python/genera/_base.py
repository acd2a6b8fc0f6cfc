"""What all classifiers have in common."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from sklearn.base import ClassifierMixin
from sklearn.utils import check_random_state
from sklearn.utils.validation import _check_sample_weight, _num_samples

from . import _genera, _labels
from ._decisions import rule_of
from ._errors import Error, listed, warn
from ._input import default_names, number_name
from ._report import Evidence, Explanation
from ._rows import _Rows
from ._words import speaking

if TYPE_CHECKING:
    from typing_extensions import Self


def seed_of(random_state: Any) -> int:
    """An int repeats; None draws a fresh seed from NumPy's global state, as in scikit-learn."""
    if isinstance(random_state, (int, np.integer)):
        return int(random_state) & 0xFFFFFFFFFFFFFFFF
    return int(check_random_state(random_state).randint(np.iinfo(np.int32).max))


def _weights(sample_weight: Any, rows: int) -> np.ndarray:
    """Finite and at least 0, one for each row."""
    weights = _check_sample_weight(sample_weight, np.empty((rows, 1)), dtype=np.float64)
    if (weights < 0).any():
        row = int(np.argmax(weights < 0))
        raise Error(  # as the core says it
            f"row {row + 1}: the weight is {number_name(float(weights[row]))}",
            "weights must be finite numbers of at least 0",
            "bad_data",
        )
    return np.require(weights, requirements=["C", "A"])


def weigh(data: _genera.Data, sample_weight: Any) -> None:
    """Give rows their weights, if there are any."""
    if sample_weight is not None:
        data.set_weights(_weights(sample_weight, data.rows))


def _warn_of_values(data: _genera.Data) -> None:
    """Say which columns hold what their type does not allow for."""
    if fractions := data.fractional_counts():
        names = listed([name for name, _ in fractions])
        verb = "hold" if len(fractions) > 1 else "holds"
        warn(
            [
                f"{names} {verb} fractions ({fractions[0][1]:g}), which are not counts: they are "
                "taken as parts of counts, and densities are not probabilities"
            ],
            6,
        )
    if crowded := data.crowded_flags():
        verb = "have" if len(crowded) > 1 else "has"
        warn(
            [
                f"{listed(crowded)} {verb} more than two values and no flags can be read from them: "
                "they are taken as categories; use BernoulliNB(binarize=...) to make flags of numbers"
            ],
            6,
        )


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
        data.set_labels(labels.codes, labels.names, type=labels.type)
        weigh(data, sample_weight)
        _warn_of_values(data)
        return labels

    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> Self:
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
        # Of partial_fit, and of load.
        for name in ("_declared", "_inputs", "_why_no_model", "_is_loaded"):
            self.__dict__.pop(name, None)
        data = self._training_data(X)
        labels = self._labelled_data(X, y, sample_weight, data)
        try:
            with speaking(self, X):
                model, statistics, report, (choice, coded) = _genera.fit(
                    data, self._options(labels), self._threads(), self._tell()
                )
        except Error as error:
            if data.rows == 1:
                raise Error(f"{error.what} (there is only 1 sample)", error.hint, error.code) from None
            raise self._about_nan(error, data) from None
        self._take_model(model, dict(zip(labels.names, labels.classes.tolist())), labels.classes)
        self.statistics_ = statistics
        self._coded = coded
        if choice:
            self.choice_ = choice
        self._remember_constants(data if statistics is None else None)
        if hasattr(self, "max_iter"):
            self.n_iter_ = max(1, report["iterations"])
        self._take_report(report)
        return self

    def _about_nan(self, error: Error, rows: Any) -> Error:
        """Where NaN is refused, scikit-learn's users look for the word."""
        if self._allows_nan():
            return error
        array = isinstance(rows, np.ndarray)
        if not (np.isnan(rows).any() if array else rows.lacks_numbers):
            return error
        return Error(f"Input X contains NaN: {error.what}", error.hint, error.code)

    def _take_model(
        self, model: _genera.Model, label_of: dict[str, Any], classes: np.ndarray
    ) -> None:
        """``classes``: in any order, of the type that the labels have."""
        self.model_ = model
        self._label_of = label_of
        labels = [label_of[name] for name in model.classes]
        self._core_classes = self.classes_ = np.array(labels, classes.dtype)
        self._class_order = None
        declared = self.__dict__.get("_declared")
        if declared is not None and len(declared) > len(labels):
            place_of = {label: place for place, label in enumerate(labels)}
            self.classes_ = declared
            self._class_order = np.array([place_of.get(label, -1) for label in declared.tolist()])
        elif labels != sorted(labels):
            self._class_order = np.argsort(self._core_classes, kind="stable")
            self.classes_ = self._core_classes[self._class_order]

    def _adopt(self, model: _genera.Model, labels: np.ndarray) -> Self:
        """Be a model that was not learned here; ``labels``: those of its classes."""
        self._take_model(model, dict(zip(model.classes, labels.tolist())), labels)
        self.statistics_ = None
        self._is_loaded = True
        names = [name for name, _ in model.inputs]
        self.n_features_in_ = len(names)
        if names != default_names(len(names)):
            self.feature_names_in_ = np.asarray(names, dtype=object)
        return self

    def _class_names(self) -> list[str]:
        """What the core calls ``classes_``, in their order."""
        return [_labels.name_of(label) for label in self.classes_.tolist()]

    def _by_class(
        self, values: np.ndarray, axis: int = 0, unseen: float = np.nan
    ) -> np.ndarray:
        """From the order of the core, which sorts numbers in strings as numbers, to that of
        ``classes_``; ``unseen`` are the values of classes without rows."""
        if self._class_order is None:
            return values
        found = values.take(self._class_order, axis)
        lost = self._class_order < 0
        if lost.any():
            np.moveaxis(found, axis, 0)[lost] = unseen
        return found

    # -- asking ----------------------------------------------------------------------------------

    def predict(self, X: Any) -> np.ndarray:
        """The most probable class of each row; ties go to the first."""
        model = self._fitted()
        if self._class_order is not None:  # ties go to another class than in the core
            return self.classes_[self.predict_log_proba(X).argmax(axis=1)]
        rows = self._rows(X)
        try:
            kind = self.classes_.dtype
            if kind.isnative and kind.char in "bBhHiIlLqQfd":
                return model.predict_labels(rows, self.classes_, self._threads())
            return self.classes_[model.predict(rows, self._threads())]
        except Error as error:
            raise self._about_nan(error, rows) from None

    def predict_proba(self, X: Any) -> np.ndarray:
        """Posterior probabilities, n_samples x n_classes."""
        model = self._fitted()
        rows = self._rows(X)
        try:
            return self._by_class(model.posterior(rows, self._threads()), 1, 0.0)
        except Error as error:
            raise self._about_nan(error, rows) from None

    def predict_log_proba(self, X: Any) -> np.ndarray:
        """Their logarithms, which tell apart what is too small for a double."""
        model = self._fitted()
        rows = self._rows(X)
        try:
            return self._by_class(model.log_posterior(rows, self._threads()), 1, -np.inf)
        except Error as error:
            raise self._about_nan(error, rows) from None

    def decision_function(self, X: Any) -> np.ndarray:
        """Log posterior odds of the second of two classes; of more classes log posteriors."""
        logs = self.predict_log_proba(X)
        return logs[:, 1] - logs[:, 0] if logs.shape[1] == 2 else logs

    def decide(
        self, X: Any, *, costs: Any = None, reject: float | None = None, outlier: float | None = None
    ) -> np.ndarray:
        """The decision of least expected cost for each row; None where it is left undecided.

        Parameters
        ----------
        X : rows as in ``predict``
        costs : dict of dicts, frame or array, optional
            ``costs[truth][decision]``, or rows by truth and columns by decision in the order of
            ``classes_``. One more decision, ``review``, is the price of leaving a row undecided.
            Without costs all errors cost the same.
        reject : float, optional
            Rows whose most probable class has a lower probability are left undecided.
        outlier : float, optional
            Rows whose ``outlier_tail`` is lower are left undecided.

        Returns
        -------
        array of shape (n_samples,)
            Labels; of objects if some rows may be undecided.

        Examples
        --------
        >>> from genera import LDA, datasets
        >>> X, y = datasets.load_iris(return_X_y=True)
        >>> decided = LDA().fit(X, y).decide(X, reject=0.9)
        >>> sum(label is None for label in decided)
        6
        """
        model = self._fitted()
        how = {**rule_of(costs, reject, self), "outlier": outlier}
        places = _genera.decide(model, self._rows(X), how, self._threads())
        if reject is None and outlier is None and not how["review"]:
            return self._core_classes[places]
        return np.array([*self._core_classes.tolist(), None], dtype=object)[places]

    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """The share of the rows, or of their weight, that is given to its class."""
        if sample_weight is not None:
            sample_weight = _weights(sample_weight, _num_samples(y))
        return super().score(X, y, sample_weight)

    def explain(self, X: Any, most: int = 5) -> list[Explanation]:
        """Why each row was given to its class and not to the next best: the features that count
        most."""
        found = self._fitted().explain(self._rows(X), most, self._threads())
        label = self._core_classes.tolist()
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
        self._fitted().save(str(path), _labels.type_of(self.classes_))

    @property
    def priors_(self) -> np.ndarray:
        """Probabilities of the classes."""
        return self._by_class(self._attribute_model().priors, unseen=0.0)

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


def labelled_rows(classifier: Any, X: Any, labels: _labels.Labels | None) -> _genera.Data:
    """Rows that a classifier is asked about, with their labels."""
    rows = classifier._as_data(X)
    if labels is None:
        return rows
    if rows.rows != len(labels.codes):
        raise ValueError(
            "Found input variables with inconsistent numbers of samples: "
            f"[{rows.rows}, {len(labels.codes)}]"
        )
    known = set(labels.names)
    # With all classes among the names, the core finds labels by their text only.
    names = [*labels.names, *(name for name in classifier._fitted().classes if name not in known)]
    rows.set_labels(labels.codes, names, classifier.model_.target, labels.type)
    return rows


def model_of(classifier: Any) -> _genera.Model:
    if not isinstance(classifier, _Classifier):
        raise TypeError(
            f"{type(classifier).__name__} is not a classifier of genera (of scikit-learn's own and of "
            "the drop-ins in genera.sklearn nothing is known but their answers)"
        )
    return classifier._fitted()
