"""Parameters of estimators as options of the core."""

from __future__ import annotations

import functools
import inspect
from typing import Any

import numpy as np

from . import _genera, _labels
from ._base import _Classifier, seed_of
from ._decisions import priors_of
from ._words import owners

_OWNERS = owners
_MODELS = dict(_genera.named_models())
_EVERY_COLUMN = {name: kind for name, kind in _MODELS.items() if kind is not None}
# Models that lay out the rows of a sparse matrix.
_OF_EVERY_CELL = {"auto", "best", "qda", "lda", "rda", "bqda", "mda", "kernel", "aode"}
# The default of estimators, which differs from that of the command line: see the core's table.
ON_SINGULAR = _genera.default_choice("on_singular", True)


class _Named(_Classifier):
    """Parameters become options of the core by their names."""

    def _fills_zeros(self) -> bool:
        return self._model_name() in _OF_EVERY_CELL

    def _options(self, labels: _labels.Labels | None = None) -> dict[str, Any]:
        model = self._model_name()
        options: dict[str, Any] = {"model": model}
        estimator: Any = type(self)
        for name, default in _parameters_of(estimator).items():
            value = getattr(self, name)
            if isinstance(value, np.bool_):
                value = bool(value)
            # The core refuses what was set and is not used by this model.
            used = model in _OWNERS[name] or model not in _MODELS
            if value is not None and (used or not _same(value, default)):
                options[name] = value
        if isinstance(options.get("calibrate"), bool):
            options["calibrate"] = "temperature" if options["calibrate"] else "none"
        if not getattr(self, "keep_rows", True):
            options["no_rows"] = True
        if "priors" in options:
            seen = self._class_names() if labels is None else labels.names
            options["priors"] = priors_of(options["priors"], seen)
        if hasattr(self, "random_state"):
            options["seed"] = seed_of(self.random_state)
        return options


@functools.cache
def _parameters_of(estimator: Any) -> dict[str, Any]:
    """The options of the core that an estimator has, with their defaults."""
    signature = inspect.signature(estimator.__init__).parameters
    return {
        name: signature[name].default
        for name in estimator._get_param_names()
        if name in _OWNERS
    }


def _same(value: Any, default: Any) -> bool:
    return type(value) is type(default) and bool(value == default)
