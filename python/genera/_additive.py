"""Statistics that add up: more rows, other rows, fewer rows."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
from sklearn.base import clone
from sklearn.utils.metaestimators import available_if

from . import _genera, _input, _labels
from ._base import _Classifier
from ._errors import Error, FitWarning


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

    @available_if(_adds_up)
    def collect(self, X: Any, y: Any, sample_weight: Any = None) -> _genera.Statistics:
        """Sufficient statistics of these rows for this model, which itself does not change.

        Statistics merge, and travel as bytes (``to_bytes``, ``Statistics.from_bytes``): those of the
        parts of a table, merged, are those of the table.
        """
        statistics, _ = clone(self)._collect(X, y, sample_weight, True)
        return statistics

    def _collect(self, X: Any, y: Any, sample_weight: Any, first: bool) -> tuple[Any, Any]:
        if first:
            if y is None:
                _labels.encode(y, type(self).__name__)
            data = self._training_data(self._as_summed(X, _input.is_sparse(X)))
        else:
            data = self._rows(self._as_summed(X, self._of_sparse))
            if isinstance(data, np.ndarray):
                data = self._data_of_array(data, self._known_names())
        labels = self._labelled_data(X, y, sample_weight, data)
        if "classes_" in self.__dict__:
            _labels.require_same_type(self.classes_, labels.classes)
        return _genera.collect(data, self._options(labels), self._threads()), labels

    def _as_summed(self, X: Any, sparse: bool) -> Any:
        """Rows of the kind that the statistics are of: only pieces of one kind add up."""
        return self._as_fitted(X, sparse and not self._fills_zeros())

    def _estimate(self, statistics: Any, labels: _labels.Labels | None) -> None:
        label_of = dict(self.__dict__.get("_label_of", {}))
        if labels is not None:
            for name, label in zip(labels.names, labels.classes.tolist()):
                label_of.setdefault(name, label)
        inputs = self.__dict__.get("_inputs") or self._inputs_of_fit()
        model, report = _genera.estimate(statistics, self._options(labels), inputs, self._threads())
        known = [label_of[name] for name in model.classes]
        classes = np.array(known, dtype=_label_type(self, labels))
        self._take_model(model, label_of, classes)
        self.statistics_ = statistics
        self._remember_constants(None)
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
        rest = statistics.copy()  # what is left may be too little for a model
        for note in rest.subtract(rows):
            warnings.warn(note, FitWarning, stacklevel=2)
        self._estimate(rest.without_unused_names(), labels)
        return self

    @available_if(_adds_up)
    def merge(self, other: Any) -> Any:
        """Learn what another estimator with the same columns has learned from other rows."""
        self._fitted()
        if not isinstance(other, _Additive):
            raise TypeError(f"merge takes another {type(self).__name__}, not a {type(other).__name__}")
        other._fitted()
        _labels.require_same_type(self.classes_, other.classes_)
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
