"""What is chosen among, and what is compared: names and estimators as the core takes them."""

from __future__ import annotations

import difflib
from dataclasses import dataclass, field
from typing import Any, Iterable, Mapping, Sequence

import numpy as np
from sklearn.base import clone

from . import _genera, _input, _labels
from ._base import _Classifier, weigh
from ._classifiers import GenerativeClassifier
from ._errors import Error, check_choice, refuse
from ._options import _EVERY_COLUMN, _MODELS, _OWNERS
from ._text import TextClassifier

_ALL_MODELS = tuple(name for name in _MODELS if name not in ("auto", "best"))


@dataclass
class Point:
    """A candidate: what it is called, its model, values of a grid, and the estimator itself."""

    name: str
    model: str
    estimator: Any
    values: dict[str, float] = field(default_factory=dict)
    data: _genera.Data | None = None


def is_texts(X: Any) -> bool:
    return (
        isinstance(X, (list, tuple))
        and len(X) > 0
        and all(text is None or isinstance(text, str) for text in X)
    )


class Options:
    """Parameters of all models together, as they were given."""

    def __init__(self, given: Mapping[str, Any], texts: bool, without: Iterable[str] = ()) -> None:
        self.estimator: Any = TextClassifier if texts else GenerativeClassifier
        of_auto = {"calibrate", "simple", "fast", "keep_rows", "folds"}
        left_out = {"model", "threads", "random_state", "verbose", *of_auto, *without}
        known = [name for name in self.estimator._get_param_names() if name not in left_out]
        for name in given:
            if name not in known:
                near = difflib.get_close_matches(name, known, 2)
                hint = " or ".join(f"'{one}'" for one in near) or ", ".join(known)
                raise TypeError(f"there is no parameter '{name}'; did you mean {hint}?")
        self.given = {name: value for name, value in given.items() if value is not None}
        self.texts = texts

    def check_used(self, models: Sequence[str], among: str) -> None:
        """Throws if a parameter belongs to models of which there is none."""
        names = [name for name in self.given if name in _OWNERS]
        priors = self.given.get("priors", "empirical")
        if isinstance(priors, str) and priors == "empirical" and "priors" in names:
            names.remove("priors")
        _genera.check_used(names, list(models), among)

    def estimator_of(self, model: str, **values: Any) -> Any:
        own = {
            name: value
            for name, value in {**self.given, **values}.items()
            if model in _OWNERS.get(name, (model,))
        }
        if model in _OWNERS["on_singular"] and not self.texts:
            own.setdefault("on_singular", _genera.default_choice("on_singular", False))
        return self.estimator(model, **own)


class Readings:
    """The rows as each model reads them, once for each way."""

    def __init__(self, X: Any, y: Any, sample_weight: Any = None) -> None:
        self.X = X
        self.labels = _labels.encode(y, "classifier")
        self._weights = sample_weight
        self._known: dict[Any, _genera.Data] = {}

    def of(self, estimator: Any) -> _genera.Data:
        key = self._key(estimator)
        if key not in self._known:
            self._known[key] = self._labelled(clone(estimator)._training_data(self.X))
        return self._known[key]

    def untyped(self, options: Options) -> _genera.Data:
        """As they are without a model that says otherwise."""
        return self.of(options.estimator_of("multinomial" if options.texts else "lda"))

    def _key(self, estimator: Any) -> Any:
        if isinstance(estimator, TextClassifier):
            return repr((estimator.ngrams, estimator.chars, estimator.hash_bits))
        if isinstance(estimator, GenerativeClassifier):
            every = _EVERY_COLUMN.get(estimator.model)
            return (
                every if not _input.is_sparse(self.X) else every == "count",
                repr(estimator.types),
            )
        return id(estimator)

    def _labelled(self, data: _genera.Data) -> _genera.Data:
        codes = self.labels.codes
        if data.rows != len(codes):
            raise ValueError(
                f"Found input variables with inconsistent numbers of samples: [{data.rows}, {len(codes)}]"
            )
        data.set_labels(codes, self.labels.names, type=self.labels.type)
        weigh(data, self._weights)
        return data


def _kinds(data: _genera.Data) -> set[str]:
    return {kind for _, kind in data.columns}


def _points_of(
    model: str, grid: Mapping[str, Any], options: Options, data: _genera.Data
) -> list[Point]:
    given = {name: np.atleast_1d(values).astype(float).tolist() for name, values in grid.items()}
    return [
        Point(name, model, options.estimator_of(model, **values), values, data)
        for name, values in _genera.grid_points(model, given, data)
    ]


def candidates_of(
    models: Any, grid: Mapping[str, Any], options: Options, readings: Readings
) -> list[Point]:
    """Names with their grids, and estimators as they are."""
    for name in grid:
        check_choice("grid", name, _genera.grid_options())
    if models is None:
        models = _genera.default_models(readings.untyped(options))
    models = [models] if isinstance(models, (str, _Classifier)) else list(models)
    named = [model for model in models if isinstance(model, str)]
    for model in named:
        check_choice("models", model, _ALL_MODELS)
    if named:
        options.check_used(named, "models")
    found: list[Point] = []
    unused = set(grid)
    for model in models:
        if not isinstance(model, str):
            found.append(_point_of_estimator(model, readings, found))
            continue
        for point in _points_of(model, grid, options, readings.of(options.estimator_of(model))):
            unused -= set(point.values)
            found.append(point)
    if unused:
        raise Error(
            f"grid has {sorted(unused)[0]}, which belongs to none of {', '.join(map(str, models))}",
            "add a model that has it to models, or leave it out",
        )
    if not found:
        raise Error("models is empty: there is nothing to choose", 'name models, such as "lda"')
    return found


def _point_of_estimator(estimator: Any, readings: Readings, others: list[Point]) -> Point:
    if not isinstance(estimator, _Classifier):
        raise TypeError(
            f"models has {type(estimator).__name__}, which is neither the name of a model nor a "
            "classifier of genera"
        )
    name = type(estimator).__name__
    count = sum(point.name.split(" #")[0] == name for point in others)
    name = f"{name} #{count + 1}" if count else name
    return Point(name, estimator._model_name(), estimator, data=readings.of(estimator))


def given_to_core(points: Sequence[Point], readings: Readings) -> tuple[list[Any], _genera.Data]:
    """Name, parameters and rows of each, None if they are those of the first; and these."""
    first = points[0].data
    assert first is not None
    given = []
    for point in points:
        own = None if point.data is first else point.data
        given.append((point.name, _options_of(point.estimator, readings.labels), own))
    return given, first


def _options_of(estimator: Any, labels: _labels.Labels | None) -> dict[str, Any]:
    options = dict(estimator._options(labels))
    for name in ("calibrate", "folds"):  # of the fit alone
        options.pop(name, None)
    return options


# -- generative and discriminative ---------------------------------------------------------------


def _parse_pair(item: Any) -> tuple[str | None, str]:
    text = item if isinstance(item, str) else "-".join(item)
    if (pair := _genera.pair_named(text)) is not None:
        return pair
    raise refuse("pairs", text, [f"{one}-{other}" for one, other in _genera.matched_pairs()])


def parse_pairs(pairs: Any) -> list[tuple[str | None, str]]:
    items = [pairs] if isinstance(pairs, str) else list(pairs)
    return list(dict.fromkeys(_parse_pair(item) for item in items))


@dataclass
class Contenders:
    points: list[Point] = field(default_factory=list)
    pairs: list[tuple[int, int]] = field(default_factory=list)


def contenders_of(
    pairs: Sequence[tuple[str | None, str]], options: Options, readings: Readings | None
) -> Contenders:
    """Each model once for each way in which the columns are read; the partner of a pair reads them
    as the generative model does."""
    models = [one for one, _ in pairs if one is not None] + ["logistic"] * bool(pairs)
    options.check_used(models, "pairs")
    found = Contenders()
    places: dict[Any, int] = {}

    def add(name: str, generative: str | None, data: _genera.Data | None) -> int:
        key = (name, id(data))
        if key not in places:
            taken = any(point.name == name for point in found.points)
            estimator = (
                options.estimator_of(name)
                if (terms := _genera.terms_of(name)) is None
                else options.estimator_of("logistic", **_terms(options, name, terms))
            )
            shown = f"{name} of {generative}" if taken else name
            found.points.append(Point(shown, name, estimator, data=data))
            places[key] = len(found.points) - 1
        return places[key]

    for generative, discriminative in pairs:
        data = None
        if readings is not None:
            data = readings.of(options.estimator_of(generative or "logistic"))
        partner = add(discriminative, generative, data)
        if generative is not None:
            found.pairs.append((add(generative, None, data), partner))
    return found


def _terms(options: Options, name: str, terms: str) -> dict[str, str]:
    if options.texts:
        if terms != "linear":
            raise Error(f"{name} is about numbers, but there are texts", "use logistic")
        return {}
    return {"terms": terms}
