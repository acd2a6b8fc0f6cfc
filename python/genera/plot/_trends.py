"""Figures of what was tried: learning curves, numbers of components, a grid of rda."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from .. import _genera
from .._errors import Error, check_choice
from .._mixture import GaussianMixture
from .._results import Comparison, Selection
from . import _draw as draw

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def curves(
    comparison: Comparison,
    *,
    metric: str = "error",
    dimension: int | None = None,
    title: str | None = None,
    ax: Any = None,
) -> Axes:
    """Learning curves of what ``genera.compare`` returned, with standard errors and the sizes at
    which those of a pair cross.

    Parameters
    ----------
    comparison : Comparison
    metric : {"error", "log_loss"}
    dimension : int, optional
        Of rows drawn from a model: the number of columns; default the largest.
    title, ax
    """
    if not isinstance(comparison, Comparison):
        raise TypeError("learning curves are what genera.compare returns")
    check_choice("metric", metric, ("error", "log_loss"))
    figures = comparison._figures
    if dimension is not None and dimension not in figures:
        raise Error(f"dimension is {dimension}, which was not tried", f"use one of {list(figures)}")
    of_size = figures[dimension if dimension is not None else list(figures)[-1]]
    return _draw_trends(of_size[metric], title, ax)


def needed(comparison: Comparison, *, title: str | None = None, ax: Any = None) -> Axes:
    """Training rows that each model needs to come near its limit, against the number of columns, on
    logarithmic axes, with a line proportional to the columns; of what ``genera.compare`` returned
    for rows drawn from a model."""
    if not isinstance(comparison, Comparison):
        raise TypeError("numbers of rows needed are what genera.compare returns")
    if comparison._needed is None:
        raise Error("the comparison has no numbers of rows needed", "compare rows of a model")
    return _draw_trends(comparison._needed, title, ax)


def bic(mixture: GaussianMixture, *, title: str | None = None, ax: Any = None) -> Axes:
    """BIC by number of components of a fitted ``GaussianMixture``; the choice is ringed."""
    if not isinstance(mixture, GaussianMixture):
        raise TypeError("numbers of components are what genera.GaussianMixture chooses")
    mixture._fitted()
    best = [
        place
        for place, one in enumerate(mixture.candidates_)
        if (one["components"], one["covariance"]) == (mixture.n_components_, mixture.covariance_)
    ][0]
    figure = _genera.figure_bic(mixture.candidates_, best)
    return _draw_trends(figure, title, ax)


def _draw_trends(figure: dict[str, Any], title: str | None, ax: Any) -> Any:
    panel = draw.Panel(ax, (7.2, 4.6))
    keys = draw.Keys()
    for place, trend in enumerate(figure["trends"]):
        _draw_trend(panel.ax, trend, place, keys)
    if figure["guide"] is not None:
        line = {"color": "#666666", "linestyle": (0, (2, 3)), "linewidth": 1.2}
        panel.ax.plot(figure["guide"]["x"], figure["guide"]["y"], gid="guide", **line)
        keys.add(figure["guide"]["name"], **line)
    if figure["best"] is not None:
        _draw_best(panel.ax, figure, keys)
    dots: dict[str, Any] = {"color": "#888888", "linestyle": (0, (2, 3)), "linewidth": 1}
    for mark in figure["marks"]:
        panel.ax.axvline(mark, **dots)
    if len(figure["marks"]):
        keys.add("curves cross", **dots)
    _scale_x(panel.ax, figure)
    draw.name_axis(panel.ax, "x", figure["axes"][0]["name"])
    draw.name_axis(panel.ax, "y", figure["axes"][1]["name"])
    return panel.finish(figure, title, keys)


def _draw_trend(ax: Any, trend: dict[str, Any], place: int, keys: draw.Keys) -> None:
    """A line with standard errors; what cannot be used as crosses."""
    good = np.isfinite(trend["y"])
    usable = trend["usable"].astype(bool) if len(trend["usable"]) else np.ones_like(good)
    dash = "-" if trend["solid"] else (0, (5, 2.5))
    look = {**draw.marker_of(place), "color": draw.colour_of(place), "linestyle": dash}
    look.update(linewidth=1.6, markersize=6)
    x, y, shown = trend["x"], trend["y"], good & usable
    error = trend["error"][shown] if len(trend["error"]) else None
    if len(trend["low"]):
        error = np.array([(y - trend["low"])[shown], (trend["high"] - y)[shown]])
    ax.errorbar(x[shown], y[shown], error, elinewidth=1, capsize=2.5, **look)
    bad = good & ~usable
    ax.plot(x[bad], y[bad], linestyle="none", marker="x", color=look["color"], markersize=5)
    keys.add(trend["name"], **look)


def _draw_best(ax: Any, figure: dict[str, Any], keys: draw.Keys) -> None:
    which, place = figure["best"]
    trend = figure["trends"][which]
    ring: dict[str, Any] = {"linestyle": "none", "marker": "o", "markerfacecolor": "none"}
    ring.update(markeredgecolor="black", markeredgewidth=1.6)
    ax.plot(trend["x"][place], trend["y"][place], markersize=13, gid="best", **ring)
    keys.add("chosen", markersize=10, **ring)


def _scale_x(ax: Any, figure: dict[str, Any]) -> None:
    tried = np.unique(np.concatenate([trend["x"] for trend in figure["trends"]]))
    if figure["log_x"]:
        ax.set_xscale("log")
        ax.minorticks_off()
        ax.set_xlim(tried[0] / 1.15, tried[-1] * 1.15)
    else:
        ax.set_xlim(tried[0] - 0.4, tried[-1] + 0.4)
    if figure["log_y"]:
        ax.set_yscale("log")
    ax.set_xticks(tried, [f"{size:g}" for size in tried])


def path(
    selection: Selection, *, metric: str = "log_loss", title: str | None = None, ax: Any = None
) -> Axes:
    """Alpha and gamma of rda, of what ``genera.select`` returned; the choice is ringed.

    Parameters
    ----------
    selection : Selection
    metric : {"log_loss", "error"}
    title, ax
    """
    if not isinstance(selection, Selection):
        raise TypeError("a grid of rda is what genera.select returns")
    check_choice("metric", metric, ("log_loss", "error"))
    key = "error_rate" if metric == "error" else "log_loss"
    scores = [
        [one["alpha"], one["gamma"], np.nan if one[key] is None else one[key]]
        for one in selection._records
        if one["alpha"] is not None and one["gamma"] is not None
    ]
    best = selection.best
    chosen = None if best["alpha"] is None else (best["alpha"], best["gamma"])
    figure = _genera.figure_path(scores, chosen, metric == "error")
    panel = draw.Panel(ax, (6.6, 4.8))
    from matplotlib.colors import LinearSegmentedColormap

    stops = [(0, "#0b2a55"), (0.35, "#2b7bba"), (0.7, "#a6cbe3"), (1, "#f4f7fb")]
    colours = LinearSegmentedColormap.from_list("path", stops)
    mesh = panel.ax.pcolormesh(
        _edges(figure["x"]), _edges(figure["y"]), figure["values"], cmap=colours
    )
    panel.ax.figure.colorbar(mesh, ax=panel.ax, label=figure["value_name"])
    if figure["best"] is not None:
        row, column = figure["best"]
        at = ([figure["x"][column]], [figure["y"][row]])
        ring = {"linestyle": "none", "marker": "o", "markerfacecolor": "none", "markersize": 13}
        panel.ax.plot(*at, markeredgecolor="white", markeredgewidth=4, **ring)
        panel.ax.plot(*at, markeredgecolor="#d55e00", markeredgewidth=2, gid="best", **ring)
    draw.name_axis(panel.ax, "x", figure["axes"][0]["name"])
    draw.name_axis(panel.ax, "y", figure["axes"][1]["name"])
    return panel.finish(figure, title)


def _edges(values: np.ndarray) -> np.ndarray:
    """Between neighbours, and as far outside."""
    if len(values) == 1:
        return np.array([values[0] - 0.5, values[0] + 0.5])
    middle = (values[1:] + values[:-1]) / 2
    return np.concatenate(([2 * values[0] - middle[0]], middle, [2 * values[-1] - middle[-1]]))
