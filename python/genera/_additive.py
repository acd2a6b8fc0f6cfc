"""Statistics that add up: more rows, other rows, fewer rows."""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING, Any

import numpy as np
from sklearn.base import clone

from . import _genera, _input, _labels
from ._base import _Classifier
from ._errors import Error, FitWarning
from ._typing import available_if
from ._words import speaking

if TYPE_CHECKING:
    from typing_extensions import Self


def _label_type(estimator: Any, labels: _labels.Labels | None) -> Any:
    """Of labels known before and new ones; None: whatever holds them."""
    known = [estimator.__dict__.get("classes_"), None if labels is None else labels.classes]
    types = [classes.dtype for classes in known if classes is not None]
    if any(one == object for one in types):
        return object
    kinds = {one.kind for one in types}
    return np.result_type(*types) if len(kinds) == 1 and kinds <= set("iufb") else None


def _adds_up(estimator: Any) -> bool:
    """Whether the model is a function of statistics that add up."""
    if not estimator._is_additive():
        raise AttributeError(
            f"{estimator._model_name()} learns from rows, not from statistics that add up"
        )
    return True


class _Additive(_Classifier):
    """Statistics that add up: more rows, other rows, fewer rows, exactly."""

    def _is_additive(self) -> bool:
        return getattr(self, "shrinkage", None) != "lw"

    @available_if(_adds_up)
    def partial_fit(
        self, X: Any, y: Any, classes: Any = None, sample_weight: Any = None
    ) -> Self:
        """Learn from more rows, exactly as if they had been there from the beginning; ``AODE`` keeps
        the bins of the first rows.

        Rows are kept from the first one on; a model exists as soon as they suffice for one, and
        until then ``predict`` says what is missing.

        Parameters
        ----------
        X, y, sample_weight
            As in ``fit``.
        classes : array, optional
            All labels that there will be: they fix ``classes_`` and the columns of
            ``predict_proba``. Without it classes may appear at any time.
        """
        self._declare(classes)
        statistics = self.__dict__.get("statistics_")
        first = statistics is None
        if first and "model_" in self.__dict__:
            raise Error(
                "this model was learned from rows, of which no statistics are kept",
                "begin with partial_fit, or fit again with all rows",
            )
        new, labels = self._collect(X, y, sample_weight, first, statistics)
        if statistics is not None:
            total = statistics.copy()
            total.merge(new)
            new = total
        try:
            self._estimate(new, labels)
        except Error as error:
            if error.code != "bad_model":
                raise
            self._why_no_model = error.what
            self.__dict__.pop("model_", None)
            self.statistics_ = new
            if "_declared" not in self.__dict__:
                seen = [self._label_of[name] for name in new.classes]
                self.classes_ = np.unique(np.array(seen, dtype=_label_type(self, labels)))
        return self

    def _declare(self, classes: Any) -> None:
        """Remember all labels that there will be, which scikit-learn's ``classes`` are."""
        if classes is None:
            return
        declared = _labels.encode(np.asarray(classes), type(self).__name__).classes
        if "statistics_" in self.__dict__ and not np.array_equal(self.classes_, declared):
            raise ValueError(
                f"classes={declared.tolist()} is not the same as on the first call of partial_fit: "
                f"{self.classes_.tolist()}"
            )
        self._declared = self.classes_ = declared

    @available_if(_adds_up)
    def collect(
        self, X: Any, y: Any, sample_weight: Any = None, like: _genera.Statistics | None = None
    ) -> _genera.Statistics:
        """Sufficient statistics of these rows for this model, which itself does not change.

        Statistics merge, and travel as bytes (``to_bytes``, ``Statistics.from_bytes``): those of the
        parts of a table, merged, are those of the table. ``AODE`` cuts numbers into bins: give the
        statistics of the first part as ``like`` to use its limits for the other parts.
        """
        statistics, _ = clone(self)._collect(X, y, sample_weight, True, like)
        return statistics

    def _collect(
        self, X: Any, y: Any, sample_weight: Any, first: bool, like: Any = None
    ) -> tuple[Any, Any]:
        if first:
            if y is None:
                _labels.encode(y, type(self).__name__)
            data = self._training_data(self._as_summed(X, _input.is_sparse(X)))
            self._inputs = data.columns
        else:
            data = self._as_data(self._as_summed(X, self._of_sparse))
        labels = self._labelled_data(X, y, sample_weight, data)
        if "classes_" in self.__dict__:
            _labels.require_same_type(self.classes_, labels.classes)
        declared = self.__dict__.get("_declared")
        if declared is not None and len(unknown := np.setdiff1d(labels.classes, declared)):
            raise ValueError(
                f"The target label(s) {unknown} in y do not exist in the initial classes {declared}"
            )
        with speaking(self, X):
            return _genera.collect(data, self._options(labels), self._threads(), like), labels

    def _as_summed(self, X: Any, sparse: bool) -> Any:
        """Rows of the kind that the statistics are of: only pieces of one kind add up."""
        return self._as_fitted(X, sparse and not self._fills_zeros())

    def _estimate(self, statistics: Any, labels: _labels.Labels | None) -> None:
        label_of = dict(self.__dict__.get("_label_of", {}))
        if labels is not None:
            for name, label in zip(labels.names, labels.classes.tolist()):
                label_of.setdefault(name, label)
        self._label_of = label_of
        self._inputs = inputs = self._inputs_of_fit()
        with speaking(self, None):
            model, report = _genera.estimate(
                statistics, self._options(labels), inputs, self._threads()
            )
        known = [label_of[name] for name in model.classes]
        classes = np.array(known, dtype=_label_type(self, labels))
        self._take_model(model, label_of, classes)
        self.__dict__.pop("_why_no_model", None)
        self.statistics_ = statistics
        self._remember_constants(None)
        self._take_report(report)

    def _inputs_of_fit(self) -> list[tuple[str, str]]:
        if "model_" in self.__dict__:
            return self.model_.inputs
        if self.__dict__.get("_inputs"):
            return self._inputs
        return [(name, self._column_type()) for name in self._known_names()]

    @available_if(_adds_up)
    def forget(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Undo that these rows were learned from, exactly."""
        statistics = self._kept_statistics("forget")
        rows, labels = self._collect(X, y, sample_weight, False, statistics)
        rest = statistics.copy()  # what is left may be too little for a model
        for note in rest.subtract(rows):
            warnings.warn(note, FitWarning, stacklevel=2)
        self._estimate(rest.without_unused_names(), labels)
        return self

    @available_if(_adds_up)
    def merge(self, other: _Additive) -> Self:
        """Learn what another estimator with the same columns has learned from other rows."""
        if not isinstance(other, _Additive):
            raise TypeError(f"merge takes another {type(self).__name__}, not a {type(other).__name__}")
        own, others = self._kept_statistics("merge"), other._kept_statistics("merge")
        _labels.require_same_type(self.classes_, other.classes_)
        total = own.copy()
        total.merge(others)
        self._label_of = {**other._label_of, **self._label_of}
        self._estimate(total, None)
        return self

    def _kept_statistics(self, wish: str) -> Any:
        statistics = self.__dict__.get("statistics_")
        if statistics is None:
            self._fitted()
            raise Error(
                f"cannot {wish}: the model was learned from rows, of which no statistics are kept",
                "models in closed form of complete rows have them (not auto, mda, kernel, "
                "softmax regression, shrinkage=\"lw\", nor what EM has learned)",
            )
        return statistics
