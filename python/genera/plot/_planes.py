"""Figures of two features."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from .. import _genera
from .._candidates import Readings, is_texts
from .._classifiers import GenerativeClassifier
from .._errors import Error
from . import _draw as draw
from ._lines import draw_line, draw_posterior, one_feature, refuse_second_axis
from ._wishes import PLANE, data_of, how_of, known_names, model_of, names_of, rows_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def scatter(
    X: Any,
    y: Any,
    *,
    features: Any = None,
    x_range: Any = None,
    y_range: Any = None,
    title: str | None = None,
    ax: Any = None,
) -> Axes:
    """The data by class; with one feature as a histogram.

    Parameters
    ----------
    X, y
        As ``fit`` takes them.
    features : two names or places of columns, optional
        On the axes; default: those that separate the classes best.
    x_range, y_range : (float, float), optional
    title : str, optional
    ax : matplotlib Axes, optional
        Default: those of a new figure, with the legend beside them and a caption below.

    Returns
    -------
    matplotlib Axes
    """
    if is_texts(X):
        raise Error("texts have no numbers to show on axes", "give columns of numbers", "bad_data")
    estimator = GenerativeClassifier("lda")
    data = Readings(X, y).of(estimator)
    names = names_of(features, [name for name, _ in data.columns])
    if len(names) < 2 and sum(kind in ("numeric", "count") for _, kind in data.columns) == 1:
        refuse_second_axis(y_range)
        return draw_line(_genera.figure_line_of_rows(data, how_of(names, x_range)), title, ax)
    figure = _genera.figure_scatter(data, how_of(names, x_range, y_range))
    panel = draw.Panel(ax, PLANE)
    draw.add_points(panel.ax, figure["points"], figure["points"]["classes"])
    draw.name_plane(panel.ax, figure)
    keys = draw.Keys(figure["target"]).add_classes(figure["classes"])
    return panel.finish(figure, title, keys)


def regions(
    classifier: Any,
    X: Any = None,
    y: Any = None,
    *,
    features: Any = None,
    x_range: Any = None,
    y_range: Any = None,
    others: str = "marginal",
    mass: Any = None,
    title: str | None = None,
    ax: Any = None,
    threads: int | None = None,
) -> Axes:
    """Decision regions with confidence as shade, boundaries, ellipses of the Gaussians, and the
    rows, misclassified ones ringed. One feature: the regions behind ``posterior``.

    Parameters
    ----------
    classifier : fitted estimator
    X, y : optional
        Rows to show, with or without their labels.
    features : two names or places of columns, optional
        On the axes; default: those that separate the classes best.
    x_range, y_range : (float, float), optional
    others : {"marginal", "mean"}
        Features that are not shown are integrated out, or where the model expects them given those
        shown.
    mass : float or floats, optional
        How much is inside of the ellipses; default 0.5, 0.9 and 0.99 (of more than six Gaussians
        0.5).
    title : str, optional
    ax : matplotlib Axes, optional
    threads : int, optional

    Returns
    -------
    matplotlib Axes; of one feature and a model with a density, an array of two

    Examples
    --------
    >>> import genera
    >>> X, y = genera.datasets.load_iris(return_X_y=True)
    >>> ax = genera.plot.regions(genera.QDA().fit(X, y), X, y, features=(2, 3))
    >>> ax.get_xlabel(), len(ax.collections) > 0
    ('x2', True)
    """
    names = names_of(features, known_names(classifier))
    if one_feature(model_of(classifier), names):
        refuse_second_axis(y_range)
        how = how_of(names, x_range, None, others)
        model, data = model_of(classifier), data_of(classifier, X, y)
        line = _genera.figure_line(model, data, how, None, threads)
        panels: Any = draw_posterior(line, title, ax, regions=True)
        return panels  # of one feature an array, which the type leaves out
    how = how_of(names, x_range, y_range, others, mass)
    figure = _genera.figure_regions(model_of(classifier), data_of(classifier, X, y), how, threads)
    panel = draw.Panel(ax, PLANE)
    keys = _draw_regions(panel.ax, figure)
    draw.add_ellipses(panel.ax, figure["ellipses"], keys, _too_many(figure["points"]))
    return panel.finish(figure, title, keys)


def _too_many(points: dict[str, Any]) -> bool:
    return len(points["wrong"]) > draw.MOST_SINGLE_POINTS


def _draw_regions(ax: Any, figure: dict[str, Any]) -> draw.Keys:
    points = figure["points"]
    draw.add_shades(ax, figure)
    draw.add_boundaries(ax, figure["boundaries"])
    draw.add_points(ax, points, points["classes"])
    draw.name_plane(ax, figure)
    keys = draw.Keys(figure["target"]).add_classes(figure["classes"])
    draw.add_wrong(ax, points, keys)
    return keys


def predictions(
    classifier: Any,
    X: Any,
    y: Any = None,
    *,
    features: Any = None,
    x_range: Any = None,
    y_range: Any = None,
    others: str = "marginal",
    mass: Any = None,
    title: str | None = None,
    ax: Any = None,
    threads: int | None = None,
) -> Axes | np.ndarray:
    """The rows by prediction, with the Gaussians; wrong ones ringed. One feature: a histogram by
    prediction. Parameters as of ``regions``."""
    names = names_of(features, known_names(classifier))
    if one_feature(model_of(classifier), names):
        refuse_second_axis(y_range)
        how = how_of(names, x_range, None, others)
        data = rows_of(classifier, X, y)
        line = _genera.figure_line(model_of(classifier), data, how, None, threads)
        return draw_posterior(line, title, ax, rows="predicted")
    how = how_of(names, x_range, y_range, others, mass, (2, 2))
    figure = _genera.figure_regions(model_of(classifier), rows_of(classifier, X, y), how, threads)
    points = figure["points"]
    panel = draw.Panel(ax, PLANE)
    draw.add_points(panel.ax, points, points["predictions"])
    draw.name_plane(panel.ax, figure)
    keys = draw.Keys("prediction").add_classes(figure["classes"])
    draw.add_wrong(panel.ax, points, keys)
    draw.add_ellipses(panel.ax, figure["ellipses"], keys, _too_many(points))
    return panel.finish(figure, title, keys)


def canonical(
    classifier: Any,
    X: Any,
    y: Any,
    *,
    x_range: Any = None,
    y_range: Any = None,
    title: str | None = None,
    ax: Any = None,
    threads: int | None = None,
) -> Axes | np.ndarray:
    """The rows in the plane of the first two canonical variates, with class means and the regions
    of the model; of two classes the one variate there is, as ``posterior`` draws it."""
    how = how_of([], x_range, y_range)
    model = model_of(classifier)  # before the rows: names what is wrong with it
    figure = _genera.figure_canonical(model, rows_of(classifier, X, y), how, threads)
    if figure["line"] is not None:
        return draw_posterior(figure["line"], title, ax)
    panel = draw.Panel(ax, PLANE)
    keys = _draw_regions(panel.ax, figure["regions"])
    x, y_of_means = figure["means"][:, 0], figure["means"][:, 1]
    look: dict[str, Any] = {"linestyle": "none", "marker": "x"}
    panel.ax.plot(
        x, y_of_means, color="white", markersize=11, markeredgewidth=4.5, zorder=5, **look
    )
    panel.ax.plot(
        x,
        y_of_means,
        color="black",
        markersize=10,
        markeredgewidth=2,
        zorder=6,
        gid="means",
        **look,
    )
    keys.add("mean of a class", color="black", markersize=8, markeredgewidth=2, **look)
    return panel.finish(figure["regions"], title, keys)
