"""Figures of densities, in one, two and three dimensions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from .. import _genera
from .._errors import Error
from . import _draw as draw
from . import _lines as lines
from ._levels import draw_level_densities, is_category
from ._wishes import PLANE, data_of, how_of, known_names, model_of, names_of, range_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def density(
    classifier: Any,
    X: Any = None,
    y: Any = None,
    *,
    features: Any = None,
    between: Any = None,
    surface: bool = False,
    by_class: bool = False,
    x_range: Any = None,
    y_range: Any = None,
    others: str = "marginal",
    mass: Any = None,
    title: str | None = None,
    ax: Any = None,
    threads: int | None = None,
) -> Axes:
    """p(x) and that of each class: as shade and contours, of one feature as lines, of three as
    ellipsoids.

    Parameters
    ----------
    classifier : fitted estimator with a density
    X, y : optional
        Rows, by which the axes are chosen and reach as far as needed; one feature shows their
        histogram, three the rows.
    features : one, two or three names or places of columns, optional
        One may be a category or a flag: bars by level.
    between : (float, float), optional
        Of one feature: an area and its probability.
    surface : bool
        In three dimensions.
    by_class : bool
        A surface for each class, with the curve where they are equal.
    x_range, y_range, others, mass, title, ax, threads
        See ``regions``; ``ax`` of three dimensions has ``projection="3d"``.

    Returns
    -------
    matplotlib Axes
    """
    model, data = model_of(classifier), data_of(classifier, X, y)
    names = names_of(features, known_names(classifier))
    solid = surface or by_class
    if len(names) == 1 and is_category(model, names[0]) and not solid:
        return draw_level_densities(model, names[0], title, ax)
    if len(names) == 3:
        figure = _genera.figure_solid(
            model, data, how_of(names, x_range, y_range, others, mass), threads
        )
        return _draw_solid(figure, title, ax)
    if len(names) == 1 or (between is not None and not solid) or lines.one_feature(model, names):
        lines.refuse_second_axis(y_range, solid)
        how = how_of(names, x_range, y_range, others, mass)
        if not model.is_density:
            raise Error("a linear scorer has no density", "use a generative model", "bad_model")
        figure = _genera.figure_line(model, data, how, range_of("between", between), threads)
        return lines.draw_line(figure, title, ax)
    side = 40 if by_class and len(model.classes) > 4 else 120
    how = how_of(names, x_range, y_range, others, mass, (side, side) if solid else (320, 240))
    figure = _genera.figure_density(model, data, how, threads)
    return (
        _draw_surface(figure, by_class, title, ax) if solid else _draw_contours(figure, title, ax)
    )


def _draw_contours(figure: dict[str, Any], title: str | None, ax: Any) -> Any:
    panel = draw.Panel(ax, PLANE)
    draw.add_density_shades(panel.ax, figure)
    masses = [contour["mass"] for contour in figure["contours"] if contour["of_class"] < 0]
    for contour in figure["contours"]:
        place = masses.index(contour["mass"])
        together = contour["of_class"] < 0
        draw.add_lines(
            panel.ax,
            contour["lines"],
            colors="black" if together else draw.colour_of(contour["of_class"]),
            linestyles=[draw.MASSES[min(place, 2)]],
            linewidths=1.6 if place == 0 else 1.2,
            zorder=2,
        )
    draw.name_plane(panel.ax, figure)
    keys = draw.Keys(figure["target"])
    for k, name in enumerate(figure["classes"]):
        keys.add(name, color=draw.colour_of(k), linewidth=1.8)
    if len(figure["classes"]) > 1:
        keys.add("all together", color="black", linewidth=1.8)
    keys.add_masses(masses)
    return panel.finish(figure, title, keys)


def _draw_surface(figure: dict[str, Any], by_class: bool, title: str | None, ax: Any) -> Any:
    panel = draw.Panel(ax, (7.2, 5.2), "3d")
    x, y, most = figure["x"], figure["y"], figure["density"].max()
    keys = draw.Keys(figure["target"] if by_class else "")
    if by_class:
        pale = [
            draw.mixed(draw.colour_of(k), "white", 0.4) for k in range(len(figure["joint"]))
        ]
        heights = figure["joint"]
        draw.add_sheets(
            panel.ax, [draw.sheet(x, y, z, 0.004 * most, c) for z, c in zip(heights, pale)]
        )
        for name, colour in zip(figure["classes"], pale):
            keys.add(name, linestyle="none", marker="s", markersize=8, color=colour)
        for curve in figure["boundaries"]:
            z = draw.lifted(figure, curve)
            high = z >= 0.004 * most
            panel.ax.plot(
                np.where(high, curve["x"], np.nan), curve["y"], z + 0.004 * most,
                color="black", linewidth=1.6, zorder=10,
            )  # fmt: skip
        if figure["boundaries"]:
            keys.add("equally probable", color="black", linewidth=1.6)
    else:
        heights = [figure["density"]]
        draw.add_sheets(panel.ax, [draw.sheet(x, y, heights[0], 0.002 * most, "#8ecbee")])
    draw.name_plane(panel.ax, figure)
    panel.ax.set_zlim(0, 1.02 * max(z.max() for z in heights))
    panel.ax.set_zlabel("prior × density" if by_class else "density")
    return _finish_solid(panel, figure, title, keys)


def _finish_solid(
    panel: draw.Panel, figure: dict[str, Any], title: str | None, keys: draw.Keys
) -> Any:
    panel.ax.view_init(elev=32, azim=-58)
    panel.ax.set_box_aspect(None, zoom=0.92)
    panel.ax.locator_params(nbins=6)
    for axis in (panel.ax.xaxis, panel.ax.yaxis, panel.ax.zaxis):
        axis.set_pane_color((1, 1, 1, 0))
        axis._axinfo["grid"]["color"] = "#dddddd"
    return panel.finish(figure, title, keys)


def _draw_solid(figure: dict[str, Any], title: str | None, ax: Any) -> Any:
    panel = draw.Panel(ax, (7.2, 5.4), "3d")
    masses = list(dict.fromkeys(solid["mass"] for solid in figure["ellipsoids"]))
    for solid in figure["ellipsoids"]:
        panel.ax.plot_wireframe(
            *draw.ellipsoid(solid),
            color=draw.colour_of(solid["of_class"]),
            linewidth=0.5,
            alpha=0.7,
        )
    points = figure["points"]
    step = len(points["wrong"]) // draw.MOST_SINGLE_POINTS + 1
    if points["at"]:
        at = [coordinates[::step] for coordinates in points["at"]]
        groups = points["classes"][::step] if len(points["classes"]) else np.full(len(at[0]), -1)
        for k in np.unique(groups).tolist():
            here = groups == k
            panel.ax.plot(
                *(c[here] for c in at), linestyle="none", markersize=4, **draw.marker_of(k)
            )
    draw.name_plane(panel.ax, figure)
    if masses:
        inside = " and ".join(f"{100 * mass:.3g} %" for mass in masses)
        figure["caption"].append(f"inside of the surfaces: {inside} of each class")
    if step > 1:
        figure["caption"].append(f"one of {step} points is shown")
    return _finish_solid(
        panel, figure, title, draw.Keys(figure["target"]).add_classes(figure["classes"])
    )
