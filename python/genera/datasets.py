"""The data sets that are compiled into the library."""

from __future__ import annotations

from typing import Any, Callable

import numpy as np
from sklearn.utils import Bunch

from . import _genera
from ._tables import columns_of, labels_of


def names() -> list[str]:
    """What there is."""
    return [name for name, _ in _genera.datasets()]


def load(name: str, *, return_X_y: bool = False, as_frame: bool = False) -> Any:
    """A data set by its name.

    Parameters
    ----------
    name : str
        One of ``names()``.
    return_X_y : bool
        Only the rows and the labels.
    as_frame : bool
        As a frame of pandas; otherwise an array, or a dict of arrays if some columns are categories.

    Returns
    -------
    Bunch with ``data``, ``target``, ``feature_names``, ``target_names``, ``DESCR`` (and ``frame``),
    or (data, target)

    Examples
    --------
    >>> from genera import datasets
    >>> X, y = datasets.load("wine", return_X_y=True)
    >>> X.shape
    (178, 13)
    """
    table = _genera.read_table(f"@{name}", True if name not in _UNLABELLED else False)
    target = labels_of(table)
    columns = columns_of(table)
    data: Any = columns
    if as_frame:
        data = frame_of(columns)
    elif table["codes"].shape[1] == 0:
        data = table["numbers"]
    if return_X_y:
        return data, target
    found = Bunch(
        data=data,
        target=target,
        feature_names=[column for column, _ in table["columns"]],
        target_names=None if target is None else np.array(sorted({str(t) for t in target})),
        DESCR=dict(_genera.datasets())[name],
    )
    if as_frame:
        found.frame = data if target is None else data.assign(**{table["target"]: target})
    return found


_UNLABELLED = ("faithful_unlabelled",)


def frame_of(columns: dict[str, Any]) -> Any:
    """Columns as a frame of pandas; texts as categories are strings."""
    import pandas

    frame = pandas.DataFrame(columns)
    for name, values in columns.items():
        if getattr(values, "dtype", None) == object:
            frame[name] = frame[name].astype("category")
    return frame


def _loader(name: str, description: str) -> Callable[..., Any]:
    def loader(*, return_X_y: bool = False, as_frame: bool = False) -> Any:
        return load(name, return_X_y=return_X_y, as_frame=as_frame)

    loader.__name__ = f"load_{name}"
    loader.__doc__ = f"{description}\n\n    See ``load`` for the parameters."
    return loader


for _name, _description in _genera.datasets():
    globals()[f"load_{_name}"] = _loader(_name, _description)
