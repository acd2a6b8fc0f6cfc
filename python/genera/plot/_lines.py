"""Figures of one feature: histograms, densities and posteriors."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from .. import _genera
from .._errors import Error
from . import _draw as draw
from ._levels import draw_level_posteriors, is_category
from ._wishes import data_of, how_of, known_names, model_of, names_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def one_feature(model: Any, names: list[str]) -> bool:
    """Whether a figure of this model has one axis."""
    return len(names) < 2 and len(_genera.numeric_features(model)) == 1


def refuse_second_axis(y_range: Any, solid: bool = False) -> None:
    given = "y_range" if y_range is not None else "surface or by_class" if solid else None
    if given:
        raise Error(f"{given} is given, but the figure shows one feature", f"leave {given} out")


def add_bars(ax: Any, figure: dict[str, Any], rows: str, title: str, keys: draw.Keys) -> None:
    """Bars of each class in its colour, and the outline of all rows."""
    histogram = figure[rows]
    if histogram is None or not len(histogram["density"]):
        return
    edges, joint = histogram["edges"], histogram["joint"]
    shown = [(joint[:, k], draw.colour_of(k)) for k in range(joint.shape[1]) if joint[:, k].any()]
    for heights, colour in shown or [(histogram["density"], "#808080")]:
        ax.stairs(heights, edges, fill=True, color=colour, alpha=0.3, linewidth=0, gid=rows)
    ax.stairs(histogram["density"], edges, color="#777777", linewidth=0.8, gid=f"all {rows}")
    keys.add(title, color="#777777", linewidth=0.8)


def add_wrong(ax: Any, points: dict[str, Any], keys: draw.Keys) -> None:
    """Ticks on the axis at misclassified rows."""
    wrong = points["wrong"].astype(bool)
    if not wrong.any():
        return
    x = points["at"][0][wrong]
    ax.plot(
        x, np.full(len(x), 0.025), "|", color="black", markersize=9, gid="wrong",
        transform=ax.get_xaxis_transform(),
    )  # fmt: skip
    keys.add(f"misclassified ({len(x)})", linestyle="none", marker="|", color="black")


def draw_samples(figure: dict[str, Any], title: str | None, ax: Any) -> Any:
    """The rows over those drawn from the model, both with the densities."""
    drawn = f"{figure['draws']} rows drawn"
    if figure["histogram"] is None:
        return np.array([draw_line(figure, title, ax, "drawn", drawn)], dtype=object)
    own = ax is None
    place, cells = draw.grid_of_panels(ax, (7.2, 6.0), 2, 1)
    above = place.add_subplot(cells[0])
    below = place.add_subplot(cells[1], sharex=above, sharey=above)
    keys = draw.Keys(figure["target"])
    _draw_density_lines(above, figure, keys)
    add_bars(above, figure, "histogram", "data", keys)
    _draw_density_lines(below, figure, draw.Keys())
    add_bars(below, figure, "drawn", drawn, draw.Keys())
    draw.name_axis(above, "y", "density, data")
    draw.name_axis(below, "y", f"density, {drawn}")
    draw.name_axis(below, "x", *draw.axis_of(figure, 0))
    above.set_ylim(0, _height_of(figure))
    above.tick_params(labelbottom=False)
    if title:
        above.set_title(title, parse_math=False, fontsize=11)
    keys.place(above, own)
    draw.caption(below, figure["caption"], own)
    return np.array([above, below], dtype=object)


def _height_of(figure: dict[str, Any]) -> float:
    heights = [figure["density"]]
    heights += [figure[k]["density"] for k in ("histogram", "predicted", "drawn") if figure[k]]
    return 1.06 * max((float(h.max()) for h in heights if len(h)), default=1.0)


def _draw_density_lines(ax: Any, figure: dict[str, Any], keys: draw.Keys) -> None:
    x, density = figure["x"], figure["density"]
    if not len(density):
        if len(figure["classes"]) > 1:
            keys.add_classes(figure["classes"])
        return
    if figure["area"] is not None:
        (low, high), probability = figure["area"].values()
        inside = (x >= low) & (x <= high)
        ax.fill_between(x[inside], density[inside], color="#cfe3f2", linewidth=0)
    several = len(figure["classes"]) > 1
    for part in figure["parts"]:
        colour = draw.colour_of(part["of_class"])
        ax.plot(x, part["density"], color=colour, linestyle="--", linewidth=1, gid="part")
    draw.add_class_lines(ax, x, figure["joint"])
    keys.add_classes(figure["classes"], lines=True)
    if several:
        ax.plot(x, density, color="black", linewidth=1.4, gid="density")
        keys.add("all together", color="black", linewidth=1.4)
    if figure["area"] is not None:
        keys.add(f"P({low:g} ≤ x ≤ {high:g}) = {probability:.4f}", color="#cfe3f2", linewidth=7)
    if figure["parts"]:
        keys.add("component", color="#444444", linestyle="--", linewidth=1)


def draw_line(
    figure: dict[str, Any],
    title: str | None,
    ax: Any,
    rows: str = "histogram",
    bars: str = "data",
) -> Any:
    panel = draw.Panel(ax, (7.2, 4.2))
    keys = draw.Keys(figure["target"])
    _draw_density_lines(panel.ax, figure, keys)
    add_bars(panel.ax, figure, rows, bars, keys)
    panel.ax.set_ylim(0, _height_of(figure))
    draw.name_axis(panel.ax, "x", *draw.axis_of(figure, 0))
    draw.name_axis(panel.ax, "y", "density")
    return panel.finish(figure, title, keys)


def posterior(
    classifier: Any,
    X: Any = None,
    y: Any = None,
    *,
    features: Any = None,
    x_range: Any = None,
    others: str = "marginal",
    title: str | None = None,
    ax: Any = None,
    threads: int | None = None,
) -> np.ndarray | Axes:
    """One feature: the densities of the classes weighted by their priors over a histogram of the
    rows, and below the posterior of each class; dotted lines are where the most probable class
    changes.

    Parameters as of ``regions``, with one feature; of a category there are bars by level.

    Returns
    -------
    array of two Axes; without rows a scorer, which has no density, has one Axes
    """
    names = names_of(features, known_names(classifier))
    if len(names) == 1 and is_category(model_of(classifier), names[0]):
        return draw_level_posteriors(model_of(classifier), names[0], title, ax)
    how = how_of(names, x_range, None, others)
    figure = _genera.figure_line(
        model_of(classifier), data_of(classifier, X, y), how, None, threads
    )
    return draw_posterior(figure, title, ax)


def draw_posterior(
    figure: dict[str, Any],
    title: str | None,
    ax: Any,
    rows: str = "histogram",
    regions: bool = False,
) -> np.ndarray | Axes:
    """``rows``: the bars of which rows; ``regions``: decision regions behind them."""
    keys = draw.Keys(figure["target"])
    if not len(figure["density"]) and figure["histogram"] is None:
        panel = draw.Panel(ax, (7.2, 4.0))
        keys.add_classes(figure["classes"], lines=True)
        _draw_posterior_panel(panel.ax, figure, regions)
        return panel.finish(figure, title, keys)
    own = ax is None
    place, cells = draw.grid_of_panels(ax, (7.2, 6.0), 2, 1)
    above = place.add_subplot(cells[0])
    below = place.add_subplot(cells[1], sharex=above)
    _draw_density_lines(above, figure, keys)
    add_bars(above, figure, rows, "data" if rows == "histogram" else "by prediction", keys)
    if regions or rows == "predicted":
        add_wrong(above, figure["points"], keys)
    above.set_ylim(0, _height_of(figure))
    draw.name_axis(above, "y", "prior × density" if len(figure["density"]) else "density")
    if regions:
        _draw_stripes(above, figure)
    above.tick_params(labelbottom=False)
    _draw_changes(above, figure)
    if title:
        above.set_title(title, parse_math=False, fontsize=11)
    keys.place(above, own)
    _draw_posterior_panel(below, figure, regions)
    draw.caption(below, figure["caption"], own)
    return np.array([above, below], dtype=object)


def _draw_changes(ax: Any, figure: dict[str, Any]) -> None:
    for x in figure["boundaries"]:
        ax.axvline(x, color="#888888", linestyle=":", linewidth=1)


def _draw_stripes(ax: Any, figure: dict[str, Any]) -> None:
    """The decision regions, pale behind everything."""
    low, high = figure["axes"][0]["range"]
    ends = np.array([low, *figure["boundaries"], high])
    for begin, end in zip(ends[:-1], ends[1:]):
        place = min(int(np.searchsorted(figure["x"], (begin + end) / 2)), len(figure["x"]) - 1)
        colour = draw.mixed("white", draw.colour_of(int(figure["posterior"][place].argmax())), 0.13)
        ax.axvspan(begin, end, color=colour, linewidth=0, zorder=0, gid="region")


def _draw_posterior_panel(ax: Any, figure: dict[str, Any], regions: bool = False) -> None:
    if regions:
        _draw_stripes(ax, figure)
    draw.add_class_lines(ax, figure["x"], figure["posterior"])
    _draw_changes(ax, figure)
    draw.name_axis(ax, "x", *draw.axis_of(figure, 0))
    draw.name_axis(ax, "y", "posterior", (0, 1.02))
