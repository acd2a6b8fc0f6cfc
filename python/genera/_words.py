"""Options of the core in the words of the estimator that is at work."""

from __future__ import annotations

import contextlib
from contextvars import ContextVar
from typing import Any, Iterator, Sequence

import numpy as np

from . import _genera

# The models that use each option of the core.
owners: dict[str, list[str]] = _genera.model_options()

_Work = tuple[Any, Any]  # an estimator and its rows
_at_work: ContextVar[_Work | None] = ContextVar("genera_at_work", default=None)
# Classes by the model that they are; others are GenerativeClassifier("name").
_class_of: dict[str, str] = {}


def register(model: str, name: str) -> None:
    """Name the class of a model."""
    _class_of[model] = name


@contextlib.contextmanager
def speaking(estimator: Any, X: Any) -> Iterator[None]:
    """Hints and warnings name what this estimator has, for these rows."""
    token = _at_work.set((estimator, X))
    try:
        yield
    finally:
        _at_work.reset(token)


def word_of(name: str, values: Sequence[str]) -> str:
    """How a user of Python sets an option."""
    if name == "like":
        return "collect(X, y, like=first)"
    work = _at_work.get()
    if work is None:
        return _assigned(name, values)
    estimator, X = work
    known = estimator.get_params(deep=False)
    if name == "drop":
        return _without(X, list(values))
    if name == "features":
        return "X[:, places]" if isinstance(X, np.ndarray) else "X[names]"
    if name == "no_rows":
        return "keep_rows=False" if values else "keep_rows"
    if name == "target":
        return "y"
    if name == "type" and values:
        types = dict(value.rsplit("=", 1) for value in values if "=" in value)
        given = f"types={types!r}".replace("'", '"')
        return given if "types" in known else f"MixedNB({given})"
    if name == "model" and name not in known and len(values) == 1:
        return classifier_named(values[0])
    model = getattr(estimator, "_model", None)
    if name not in known and values and model in owners.get(name, ()):
        return f'GenerativeClassifier("{model}", {_assigned(name, values)})'
    return _assigned(name, values)


def classifier_named(model: str) -> str:
    """The estimator of a model: RDA(), or GenerativeClassifier("dlda")."""
    name = _class_of.get(model)
    return f"{name}()" if name else f'GenerativeClassifier("{model}")'


def _assigned(name: str, values: Sequence[str]) -> str:
    if not values:
        return name
    if len(values) == 1:
        return f"{name}={_written(values[0])}"
    return f"{name}=[{', '.join(map(_written, values))}]"


def _written(value: str) -> str:
    try:
        float(value)
    except ValueError:
        return f'"{value}"'
    return value


def _without(X: Any, names: list[str]) -> str:
    """Rows without some columns."""
    listed = ", ".join(f'"{name}"' for name in names)
    library = type(X).__module__.partition(".")[0]
    if not names:
        return "np.delete" if isinstance(X, np.ndarray) else "X.drop"
    if library == "pandas":
        return f"X.drop(columns=[{listed}])"
    if library == "polars":
        return f"X.drop([{listed}])"
    places = [name[1:] for name in names]
    if all(name[:1] == "x" and name[1:].isdigit() for name in names):
        return f"np.delete(X, [{', '.join(places)}], axis=1)"
    return f"X without {listed}"
