"""Figures of one category or flag: what a model says of each of its levels."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from .. import _genera
from . import _draw as draw

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_MOST_LEVELS = 40


def is_category(model: _genera.Model, name: str) -> bool:
    return dict(model.features).get(name) in ("categorical", "binary")


def _levels(model: _genera.Model) -> dict[str, list[str]]:
    """Of each column that has some."""
    found: dict[str, list[str]] = {}
    for block in model.describe()["blocks"]:
        facts = block["facts"]
        found.update(zip(facts.get("features", []), facts.get("levels", [])))
    return found


def _rows(model: _genera.Model, name: str) -> _genera.Data:
    """A row for each level, in which nothing else is known."""
    levels = _levels(model)
    count = len(levels[name])
    data = _genera.Data(count)
    for column, kind in model.features:
        if kind in ("numeric", "count"):
            data.add_number(np.full(count, np.nan), column, kind)
        elif kind == "text":
            data.add_texts([None] * count, column)
        else:
            codes = np.arange(count) if column == name else np.full(count, -1)
            data.add_codes(codes.astype(np.int32), column, levels[column], kind)
    return data


def draw_level_densities(model: _genera.Model, name: str, title: str | None, ax: Any) -> Axes:
    """Bars of prior times probability, by class."""
    panel = draw.Panel(ax, (7.2, 4.2))
    keys = draw.Keys(model.target)
    _draw_joint(panel.ax, model, name)
    _name_levels(panel.ax, model, name)
    keys.add_classes(model.classes)
    return panel.finish(_caption(model), title, keys)


def draw_level_posteriors(
    model: _genera.Model, name: str, title: str | None, ax: Any
) -> np.ndarray:
    """The same above, and the posterior of each class given the level below."""
    own = ax is None
    place, cells = draw.grid_of_panels(ax, (7.2, 6.0), 2, 1)
    above = place.add_subplot(cells[0])
    below = place.add_subplot(cells[1], sharex=above)
    _draw_joint(above, model, name)
    above.tick_params(labelbottom=False)
    posterior = model.posterior(_rows(model, name))
    _draw_bars(below, posterior)
    _name_levels(below, model, name)
    draw.name_axis(below, "y", "posterior", (0, 1.02))
    if title:
        above.set_title(title, parse_math=False, fontsize=11)
    draw.Keys(model.target).add_classes(model.classes).place(above, own)
    draw.caption(below, _caption(model)["caption"], own)
    return np.array([above, below], dtype=object)


def _draw_joint(ax: Any, model: _genera.Model, name: str) -> None:
    _draw_bars(ax, np.exp(model.log_joint(_rows(model, name))))
    draw.name_axis(ax, "y", "prior × probability")


def _draw_bars(ax: Any, values: np.ndarray) -> None:
    """Levels along the axis, the classes side by side."""
    levels, classes = values.shape
    width = 0.8 / classes
    for k in range(classes):
        at = np.arange(levels) + (k - (classes - 1) / 2) * width
        ax.bar(at, values[:, k], width, color=draw.colour_of(k), gid=f"class {k}")


def _name_levels(ax: Any, model: _genera.Model, name: str) -> None:
    names = [draw.shown_name(level, 20) for level in _levels(model)[name]]
    step = -(-len(names) // _MOST_LEVELS)
    slanted = sum(map(len, names)) > 60
    turn = {"rotation": 40, "ha": "right", "rotation_mode": "anchor"} if slanted else {}
    ax.set_xticks(np.arange(0, len(names), step), names[::step], parse_math=False, **turn)
    draw.name_axis(ax, "x", name)


def _caption(model: _genera.Model) -> dict[str, Any]:
    others = len(model.features) > 1
    return {"caption": ["other features are integrated out"] if others else []}
