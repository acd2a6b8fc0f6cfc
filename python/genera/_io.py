"""Files of models and of rows."""

from __future__ import annotations

from typing import Any

import numpy as np

from . import _genera
from ._aode import AODE
from ._classifiers import GenerativeClassifier, SoftmaxRegression
from ._density import _Density
from ._discrete import BernoulliNB, CategoricalNB, ComplementNB, MultinomialNB, PoissonNB
from ._input import default_names
from ._numbers import LDA, MDA, QDA, RDA, BayesianQDA, GaussianNB, KernelBayes, MixedNB
from ._tables import columns_of, label_values, labels_of
from ._text import TextClassifier
from ._words import register


# The class of each model of one kind of columns.
_CLASSES: dict[str, Any] = {
    one._model: one
    for one in (
        AODE,
        LDA,
        MDA,
        QDA,
        RDA,
        BayesianQDA,
        GaussianNB,
        KernelBayes,
        BernoulliNB,
        CategoricalNB,
        ComplementNB,
        MultinomialNB,
        PoissonNB,
        SoftmaxRegression,
    )
}
for _model, _class in _CLASSES.items():
    register(_model, _class.__name__)


def load(path: Any) -> _Density:
    """A classifier from a file, whoever wrote it: the command line or ``save``.

    Labels have the type that they had when the model was saved. A model of the command line has
    integers if all classes are written as whole numbers, else strings.

    Returns
    -------
    estimator of the class of the model
        ``LDA`` for an lda model, and so on; ``TextClassifier`` for a model of texts alone,
        ``MixedNB`` for naive Bayes of columns of several types, otherwise ``GenerativeClassifier``.
        Parameters of the fit are not in the file: they have their defaults.

    Examples
    --------
    >>> import tempfile, os, genera
    >>> X, y = genera.datasets.load_iris(return_X_y=True)
    >>> path = os.path.join(tempfile.mkdtemp(), "iris.json")
    >>> genera.LDA().fit(X, y).save(path)
    >>> genera.load(path)
    LDA()
    >>> genera.load(path).score(X, y)
    0.98
    """
    model = _in_order(_genera.load_model(str(path)))
    found = _estimator_of(model)
    found._adopt(model, label_values(model.classes, model.label_type))
    if isinstance(found, TextClassifier):
        del found.feature_names_in_
    found._coded = _numeric_categories(model)
    kinds = {kind for _, kind in model.features}
    found._of_sparse = found._has_flags() and kinds == {"numeric"}
    return found


def _estimator_of(model: _genera.Model) -> Any:
    """An estimator of the class of a model, without it."""
    if model.members:
        return GenerativeClassifier()
    kinds = {kind for _, kind in model.inputs}
    described = model.describe()["blocks"]
    name = described[0]["model"]
    if kinds == {"text"}:
        return TextClassifier(name)
    known = _CLASSES.get(name)
    if len(described) > 1:
        return MixedNB() if known is GaussianNB else GenerativeClassifier(name)
    if known is None or (known is CategoricalNB and not _has_codes(described[0]["facts"])):
        return GenerativeClassifier(name)
    return known()


def _has_codes(facts: dict[str, Any]) -> bool:
    """Whether all levels are codes 0, 1, 2, ..."""
    return all(level.isdigit() for levels in facts["levels"] for level in levels)


def _numeric_categories(model: _genera.Model) -> list[str]:
    """Categories whose levels are all numbers, such as those that "auto" makes of numbers."""
    if model.members:  # each member has categories of its own
        return []
    found = []
    for block in model.describe()["blocks"]:
        facts = block["facts"]
        for column, levels in zip(facts.get("features", []), facts.get("levels", [])):
            if all(_is_number(level) for level in levels):
                found.append(column)
    return found


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def _in_order(model: _genera.Model) -> _genera.Model:
    """With columns that have no names, x0, x1, ..., in their order."""
    place_of = {name: j for j, name in enumerate(default_names(len(model.inputs)))}
    if any(name not in place_of for name, _ in model.inputs):
        return model
    inputs = sorted(model.inputs, key=lambda column: place_of[column[0]])
    return model if inputs == model.inputs else _genera.model_from_bytes(model.to_bytes(), inputs)


def read_csv(
    path: Any,
    *,
    target: Any = None,
    types: dict[str, str] | None = None,
    missing_tokens: Any = ("NA",),
    drop: Any = (),
    as_frame: bool = False,
    threads: int | None = None,
) -> Any:
    """What the fast reader reads: CSV, TSV, svmlight, plain or gzip, or a built-in ``"@iris"``.

    Parameters
    ----------
    path : str or path
    target : str, False or None
        The column of labels; None: the only one named label, class, target or y, if there is one.
    types : dict of column to {"numeric", "categorical", "binary", "count", "text"}
    missing_tokens : sequence of str
        Cells that mean missing, besides the empty one (default: NA).
    drop : sequence of str
        Columns to leave out.
    as_frame : bool
        A frame of pandas instead of a dict of arrays.

    Returns
    -------
    columns : dict of name to array, or DataFrame
    labels : array or None

    Examples
    --------
    >>> import genera
    >>> columns, labels = genera.read_csv("@iris", target="species")
    >>> columns["sepal_length"][:3]
    array([5.1, 4.9, 4.7])
    """
    table = _genera.read_table(
        str(path), target, types or {}, list(missing_tokens), list(drop), threads
    )
    columns: Any = columns_of(table)
    if as_frame:
        from .datasets import frame_of

        columns = frame_of(columns)
    return columns, labels_of(table)
