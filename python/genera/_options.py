"""Parameters of estimators as options of the core."""

from __future__ import annotations

import functools
from typing import Any

import numpy as np

from . import _genera, _labels
from ._base import _Classifier, seed_of
from ._errors import Error

_MODELS = dict(_genera.named_models())
_EVERY_COLUMN = {name: kind for name, kind in _MODELS.items() if kind is not None}
_GAUSSIAN = (
    "divisor",
    "shrinkage",
    "raw_units",
    "variance_prior",
    "variance_floor",
    "on_singular",
)
# Parameters that only some models have.
_OWN = {
    "alpha": ("rda",),
    "gamma": ("rda",),
    "toward": ("rda",),
    "components": ("mda",),
    "covariance": ("mda",),
    "starts": ("mda",),
    "ridge": ("logistic",),
    "terms": ("logistic",),
    "max_iter": ("mda", "logistic"),
    "tol": ("logistic",),
    "shrinkage": ("qda", "lda", "rda"),
    "variance_prior": ("gnb", "spherical"),
}


def _priors(priors: Any, names: list[str]) -> Any:
    """As the core takes them: a word, or pairs of class and probability. ``names``: of the classes
    in the order of ``classes_``."""
    if priors is None or isinstance(priors, str):
        return priors
    if isinstance(priors, dict):
        return [(_labels.name_of(label), float(p)) for label, p in priors.items()]
    values = np.asarray(priors, dtype=np.float64)
    if values.shape != (len(names),):
        raise Error(
            f"priors has the shape {values.shape}, but there are {len(names)} classes",
            "give one probability per class, in the order of classes_, or a dict",
        )
    return list(zip(names, values.tolist()))


class _Named(_Classifier):
    """Parameters become options of the core by their names."""

    def _options(self, labels: _labels.Labels | None = None) -> dict[str, Any]:
        model = self._model_name()
        options: dict[str, Any] = {"model": model}
        kind: Any = type(self)
        for name in _parameters_of(kind, model):
            value = getattr(self, name)
            if value is not None:
                options[name] = value
        if "priors" in options:
            seen = self._class_names() if labels is None else labels.names
            options["priors"] = _priors(options["priors"], seen)
        if hasattr(self, "random_state"):
            options["seed"] = seed_of(self.random_state)
        return options


@functools.lru_cache(maxsize=256)
def _parameters_of(estimator: Any, model: str) -> list[str]:
    """Those of an estimator that this model has."""
    common = {
        "priors",
        "missing",
        "unlabelled_weight",
        "calibrate",
        "folds",
        "smoothing",
        "min_count",
        "max_terms",
        "stop_words",
    }
    found = common | {name for name in _GAUSSIAN if name not in _OWN}
    found |= {name for name, models in _OWN.items() if model in models or model not in _MODELS}
    if model in ("complement", "logistic"):
        found.discard("priors")
    return [name for name in estimator._get_param_names() if name in found]
