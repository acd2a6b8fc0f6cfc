"""Files of models and of rows."""

from __future__ import annotations

from typing import Any

import numpy as np

from . import _genera
from ._input import default_names
from ._classifiers import GenerativeClassifier, SoftmaxRegression
from ._tables import columns_of, label_values, labels_of
from ._text import TextClassifier


def load(path: Any) -> Any:
    """A classifier from a file, whoever wrote it: the command line or ``save``.

    Labels have the type that they had when the model was saved. A model of the command line has
    integers if all classes are written as whole numbers, else strings.

    Examples
    --------
    >>> import tempfile, os, genera
    >>> X, y = genera.datasets.load_iris(return_X_y=True)
    >>> path = os.path.join(tempfile.mkdtemp(), "iris.json")
    >>> genera.LDA().fit(X, y).save(path)
    >>> genera.load(path).score(X, y)
    0.98
    """
    model = _in_order(_genera.load_model(str(path)))
    kinds = {kind for _, kind in model.features}
    found: Any
    if kinds == {"text"}:
        found = TextClassifier()
    else:
        found = GenerativeClassifier(_name_of(model))
    labels = label_values(model.classes, model.label_type)
    found._take_model(model, dict(zip(model.classes, labels.tolist())), labels)
    found.statistics_ = None
    found._coded = _numeric_categories(model)
    names = [name for name, _ in model.inputs]
    found.n_features_in_ = len(names)
    found.feature_names_in_ = np.asarray(names, dtype=object)
    found._of_sparse = found._has_flags() and kinds == {"numeric"}
    if names == default_names(len(names)):
        del found.feature_names_in_  # they had no names
    if kinds == {"text"}:
        del found.feature_names_in_
    return found


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


def _name_of(model: _genera.Model) -> str:
    """What a recipe calls it; of several blocks that of the numbers."""
    if model.members:
        return "auto"
    blocks = [block["model"] for block in model.describe()["blocks"]]
    return blocks[0]


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
