"""Figures of several panels."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from .. import _genera
from .._base import seed_of
from .._errors import Error
from . import _draw as draw
from ._lines import draw_samples, one_feature, refuse_second_axis
from ._wishes import PLANE, data_of, how_of, known_names, model_of, names_of, rows_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def samples(
    classifier: Any,
    X: Any = None,
    y: Any = None,
    *,
    n: int | None = None,
    features: Any = None,
    x_range: Any = None,
    y_range: Any = None,
    random_state: Any = None,
    title: str | None = None,
    ax: Any = None,
    threads: int | None = None,
) -> np.ndarray | Axes:
    """Rows drawn from the model beside the data, on the same axes. One feature: histograms with
    the densities.

    Parameters as of ``regions``. ``n`` rows are drawn, by default as many as the data have, or 300
    without data. None as ``random_state`` draws a fresh seed.

    Returns
    -------
    array of two Axes; of one without data
    """
    names = names_of(features, known_names(classifier))
    model, data = model_of(classifier), data_of(classifier, X, y)
    if n is not None and n < 1:
        raise Error(f"n is {n}, and a figure needs rows", "draw at least one")
    seed, count = seed_of(random_state), n or 0
    if one_feature(model, names):
        refuse_second_axis(y_range)
        how = how_of(names, x_range)
        line = _genera.figure_line_of_samples(model, data, how, seed, count, threads)
        return draw_samples(line, title, ax)
    how = how_of(names, x_range, y_range)
    figure = _genera.figure_samples(model, data, how, seed, count, threads)
    if data is None:
        return _draw_drawn(figure, title, ax)
    own = ax is None
    place, cells = draw.grid_of_panels(ax, (9.6, 4.6), 1, 2)
    left = place.add_subplot(cells[0])
    right = place.add_subplot(cells[1], sharex=left, sharey=left)
    for panel, points, name in (
        (left, figure["data"], "data"),
        (right, figure["drawn"], "drawn from the model"),
    ):
        draw.add_points(panel, points, points["classes"])
        draw.name_plane(panel, figure)
        panel.set_title(name, fontsize=10)
    right.set_ylabel("")
    right.tick_params(labelleft=False)
    draw.Keys(figure["target"]).add_classes(figure["classes"]).place(right, own)
    draw.caption(left, figure["caption"], own)
    if title and own:
        place.suptitle(title, parse_math=False, fontsize=12)
    return np.array([left, right], dtype=object)


def _draw_drawn(figure: dict[str, Any], title: str | None, ax: Any) -> Any:
    panel = draw.Panel(ax, PLANE)
    draw.add_points(panel.ax, figure["drawn"], figure["drawn"]["classes"])
    draw.name_plane(panel.ax, figure)
    keys = draw.Keys(figure["target"]).add_classes(figure["classes"])
    return np.array([panel.finish(figure, title, keys)], dtype=object)


def pairs(
    classifier: Any,
    X: Any,
    y: Any = None,
    *,
    features: Any = None,
    others: str = "marginal",
    mass: Any = None,
    title: str | None = None,
    ax: Any = None,
    threads: int | None = None,
) -> np.ndarray:
    """All pairs of features: regions below the diagonal, densities on it, the data above.

    Parameters as of ``regions``; ``features`` are any number of columns, default the five that
    separate the classes best.

    Returns
    -------
    square array of Axes
    """
    names = names_of(features, known_names(classifier))
    how = how_of(names, None, None, others, mass)
    figure = _genera.figure_pairs(model_of(classifier), rows_of(classifier, X, y), how, 5, threads)
    count = len(figure["axes"])
    side = min(2.4, max(1.5, 8 / count))
    own = ax is None
    place, cells = draw.grid_of_panels(ax, (side * count + 1.6, side * count + 0.5), count, count)
    axes = np.empty((count, count), dtype=object)
    for row in range(count):
        for column in range(count):
            axes[row, column] = place.add_subplot(cells[row, column])
            _draw_pair(axes[row, column], figure, row, column)
    draw.Keys(figure["target"]).add_classes(figure["classes"]).place(axes[0, -1], own)
    if own:
        place.align_ylabels(axes[:, 0])
    draw.caption(axes[-1, 0], figure["caption"], own)
    if title and own:
        place.suptitle(title, parse_math=False, fontsize=12)
    return axes


def _draw_pair(ax: Any, figure: dict[str, Any], row: int, column: int) -> None:
    count = len(figure["axes"])
    (x, x_limits), (y, y_limits) = draw.axis_of(figure, column), draw.axis_of(figure, row)
    if row == column:
        line = figure["lines"][row]
        values = line["joint"] if line["joint"].size else line["posterior"]
        draw.add_class_lines(ax, line["x"], values, 1.4)
        y_limits = (0, 1.08 * values.max())
        ax.set_yticks([])
    elif column < row:
        regions = figure["below"][row * (row - 1) // 2 + column]
        draw.add_shades(ax, regions)
        draw.add_boundaries(ax, regions["boundaries"], 1.0)
        if len(regions["ellipses"]) <= 6:
            draw.add_ellipses(ax, regions["ellipses"])
    else:
        points = figure["points"]
        draw.add_points(ax, points, points["classes"], 0.6, (column, row))
    draw.name_axis(ax, "x", draw.shown_name(x, 24) if row == count - 1 else "", x_limits)
    draw.name_axis(ax, "y", draw.shown_name(y, 24) if column == 0 else "", y_limits)
    ax.locator_params(axis="x", nbins=4)
    if row != column:
        ax.locator_params(axis="y", nbins=4)
    ax.tick_params(labelsize=8, labelbottom=row == count - 1, labelleft=column == 0 and row > 0)
    ax.xaxis.label.set_fontsize(9)
    ax.yaxis.label.set_fontsize(9)


def features(classifier: Any, *, most: int = 12, title: str | None = None, ax: Any = None) -> np.ndarray:
    """What speaks for the classes: how much of the variance of each number is between them, and
    the levels and words that speak most for each class.

    Returns
    -------
    array of Axes: of the numbers, if there are any, then of each class that has evidence
    """
    figure = _genera.figure_features(model_of(classifier), most)
    numbers = figure["separation"]
    classes = [k for k, bars in enumerate(figure["evidence"]) if bars][:20]
    columns = max(1, len(classes) if len(classes) <= 3 else 4)
    rows = -(-len(classes) // columns)
    lines = max((len(figure["evidence"][k]) for k in classes), default=0)
    heights = [0.7 + 0.22 * len(numbers)] * bool(numbers) + [0.9 + 0.22 * lines] * rows
    width = max(6.4 if numbers else 3.2, 2.7 * columns if classes else 0)
    own = ax is None
    place, cells = draw.grid_of_panels(
        ax, (width, sum(heights) + 0.3), max(len(heights), 1), columns, height_ratios=heights or [1]
    )
    axes = []
    if numbers:
        axes.append(place.add_subplot(cells[0, :]))
        _draw_bars(axes[-1], numbers, "#59666f")
        draw.name_axis(axes[-1], "x", "share of the variance that is between the classes")
    for number, k in enumerate(classes):
        cell = cells[bool(numbers) + number // columns, number % columns]
        first = axes[bool(numbers)] if number else None
        axes.append(place.add_subplot(cell, sharex=first))  # log odds have one scale
        _draw_bars(axes[-1], figure["evidence"][k], draw.colour_of(k))
        name = draw.shown_name(figure["classes"][k], 24)
        axes[-1].set_title(name, fontsize=10, color=draw.colour_of(k), parse_math=False)
        draw.name_axis(axes[-1], "x", "log odds")
    if axes:
        draw.caption(axes[-1], figure["caption"], own)
    if title and own:
        place.suptitle(title, parse_math=False, fontsize=12)
    return np.array(axes, dtype=object)


def _draw_bars(ax: Any, bars: list[dict[str, Any]], colour: str) -> None:
    places = np.arange(len(bars))
    ax.barh(places, [bar["value"] for bar in bars], color=colour, height=0.72)
    names = [draw.shown_name(bar["name"], 28) for bar in bars]
    ax.set_yticks(places, names, fontsize=8, parse_math=False)
    ax.tick_params(axis="y", length=0)
    ax.set_ylim(len(bars) - 0.4, -0.6)
    for side in ("top", "right"):
        ax.spines[side].set_visible(False)
