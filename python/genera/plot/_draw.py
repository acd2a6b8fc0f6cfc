"""Drawing with matplotlib what the core has computed: layers, axes, legends, captions.

Nothing here asks a model: every number that is drawn comes with the figure."""

from __future__ import annotations

import textwrap
from typing import Any, Sequence

import numpy as np

# Those of the command line (apps/cli/plot/script.cpp): Okabe and Ito's, then Tol's.
COLOURS = (
    "#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#332288",
    "#999933", "#882255", "#117733", "#777777", "#aa4499", "#44aa99", "#661100",
    "#6699cc", "#ddaa33", "#004488", "#bb5566", "#228833", "#000000",
)  # fmt: skip
_MARKERS = ("o", "s", "^", "D", "v")  # filled, then the same open
_DASHES: tuple[Any, ...] = ("-", (0, (5, 2)), (0, (1.5, 1.5)), (0, (5, 1.5, 1.5, 1.5)), (0, (9, 2)))
MASSES: tuple[Any, ...] = ("-", (0, (5, 2.5)), (0, (1.2, 2.2)))
_GREY = "#666666"
MOST_SINGLE_POINTS = 5000
MOST_RINGS = 50
Figure = dict[str, Any]


def pyplot() -> Any:
    try:
        import matplotlib.pyplot
    except ImportError:
        raise ImportError(
            "figures are drawn with matplotlib, which is not installed; install it with "
            "`pip install matplotlib`"
        ) from None
    return matplotlib.pyplot


def colour_of(k: int) -> str:
    return COLOURS[max(k, 0) % len(COLOURS)]


def dash_of(k: int) -> Any:
    return _DASHES[k % len(_DASHES)]


def rgb(colour: Any) -> np.ndarray:
    from matplotlib.colors import to_rgb

    return np.array(to_rgb(colour))


def mixed(one: Any, other: Any, part: Any) -> np.ndarray:
    """From one colour to another; ``part`` may be an array."""
    begin, end = rgb(one), rgb(other)
    return begin + (end - begin) * np.asarray(part)[..., None]


def shown_name(name: Any, most: int = 200) -> str:
    """What can be printed, and not too long."""
    text = "".join(c if c.isprintable() else repr(c)[1:-1] for c in str(name))
    return text if len(text) <= most else text[: most - 1] + "…"


# -- axes ----------------------------------------------------------------------------------------


class Panel:
    """Axes to draw on: those given, or those of a figure of its own."""

    def __init__(self, ax: Any, size: tuple[float, float], projection: str | None = None) -> None:
        self.own = ax is None
        if ax is None:
            figure = pyplot().figure(figsize=size, layout="constrained")
            ax = figure.add_subplot(projection=projection)
        elif (getattr(ax, "name", "") == "3d") != (projection == "3d"):
            need = 'axes with projection="3d"' if projection == "3d" else "plain axes"
            raise ValueError(f"this figure needs {need}; leave ax out, or make them so")
        self.ax = ax

    def finish(self, figure: Figure, title: str | None, keys: Keys | None = None) -> Any:
        if title:
            self.ax.set_title(title, parse_math=False, fontsize=11)
        if keys is not None:
            keys.place(self.ax, self.own)
        caption(self.ax, figure["caption"], self.own)
        return self.ax


def grid_of_panels(ax: Any, size: tuple[float, float], rows: int, columns: int, **how: Any) -> Any:
    """Cells for several axes in place of those given, or in a figure of their own."""
    if ax is None:
        figure = pyplot().figure(figsize=size, layout="constrained")
        return figure, figure.add_gridspec(rows, columns, **how)
    place = getattr(
        ax, "get_subplotspec", lambda: None
    )()  # before 3.7 only those of a grid have it
    if place is None:
        raise ValueError(
            "this figure has several panels and takes axes of a grid, as plt.subplots makes them"
        )
    figure = ax.figure
    ax.remove()
    return figure, place.subgridspec(rows, columns, **how)


def axis_of(figure: Figure, place: int) -> tuple[str, tuple[float, float]]:
    """Name and limits."""
    axis = figure["axes"][place]
    return axis["name"], tuple(axis["range"].tolist())


def name_axis(ax: Any, which: str, name: str, limits: Any = None) -> None:
    getattr(ax, f"set_{which}label")(shown_name(name, 60), parse_math=False)
    if limits is not None:
        getattr(ax, f"set_{which}lim")(*limits)


def name_plane(ax: Any, figure: Figure) -> None:
    for place, which in enumerate("xyz"[: len(figure["axes"])]):
        name, limits = axis_of(figure, place)
        name_axis(ax, which, name, limits)


def caption(ax: Any, sentences: Sequence[str], own: bool) -> None:
    """Small sentences below everything, in a figure of its own."""
    if not sentences or not own:
        return
    width = int(ax.figure.get_figwidth() * 17)
    text = "\n".join(textwrap.wrap("; ".join(sentences), width))
    ax.figure.supxlabel(text, x=0.015, ha="left", fontsize=8, color=_GREY, parse_math=False)


class Keys:
    """The entries of a legend."""

    def __init__(self, title: str = "") -> None:
        self.title = title
        self._handles: list[Any] = []
        self._names: list[str] = []

    def add(self, name: str, **style: Any) -> None:
        from matplotlib.lines import Line2D

        self._handles.append(Line2D([], [], **style))
        self._names.append(shown_name(name, 40))

    def add_classes(self, names: Sequence[str], lines: bool = False) -> Keys:
        for k, name in enumerate(names):
            if lines:
                self.add(name, color=colour_of(k), linestyle=dash_of(k), linewidth=1.8)
            else:
                self.add(name, linestyle="none", markersize=6, **marker_of(k))
        return self

    def add_masses(self, masses: Sequence[float]) -> None:
        for place, mass in enumerate(masses):
            style = MASSES[min(place, len(MASSES) - 1)]
            self.add(f"{100 * mass:.3g} % inside", color="#555555", linestyle=style, linewidth=1.3)

    def place(self, ax: Any, own: bool) -> None:
        """Beside the axes where the layout of the figure makes room for that, else inside."""
        if not self._handles:
            return
        outside = own or ax.figure.get_layout_engine() is not None
        count = len(self._handles)
        how: dict[str, Any] = {"loc": "best", "framealpha": 0.85}
        if outside:
            how = {"loc": "upper left", "bbox_to_anchor": (1.01, 1), "frameon": False}
            how["borderaxespad"] = 0
        legend = ax.legend(
            self._handles,
            [str(place) for place in range(count)],
            title=shown_name(self.title, 30) or None,
            fontsize=9 if count <= 16 else 7.5 if count <= 24 else 7,
            labelspacing=0.5 if count <= 16 else 0.2,
            ncols=1 if count <= 34 else 2,
            title_fontsize=9.5,
            alignment="left",
            **how,
        )
        legend.get_title().set_parse_math(False)
        for text, name in zip(legend.get_texts(), self._names):  # a name may begin with _
            text.set_parse_math(False)
            text.set_text(name)


# -- layers --------------------------------------------------------------------------------------


def marker_of(k: int) -> dict[str, Any]:
    """How points of class k look; -1: the class is not known."""
    if k < 0:
        return {"marker": "+", "color": _GREY, "markeredgewidth": 1.0}
    shape, filled = _MARKERS[k % 5], k // 5 % 2 == 0
    if filled:
        return {
            "marker": shape,
            "markerfacecolor": colour_of(k),
            "markeredgecolor": "white",
            "markeredgewidth": 0.6,
        }
    return {
        "marker": shape,
        "markerfacecolor": "none",
        "markeredgecolor": colour_of(k),
        "markeredgewidth": 1.1,
    }


def add_points(
    ax: Any, points: Figure, classes: np.ndarray, scale: float = 1, at: tuple[int, int] = (0, 1)
) -> None:
    """By class, one by one; of many, small ones that mix. Where most points share their place with
    others, as whole numbers do, each class has one dot at each place, whose area is the number of
    its points there, and the classes are side by side."""
    if not points["at"]:
        return
    x, y = (points["at"][place] for place in at)
    groups = classes if len(classes) else np.full(len(x), -2)
    if len(places := np.unique(np.column_stack((x, y)), axis=0)) <= len(x) / 3:
        _add_sized_points(ax, x, y, groups, places, scale)
        return
    many = len(x) > MOST_SINGLE_POINTS
    size = scale * (5.5 if len(x) <= 300 else 4.5 if len(x) <= 1000 else 3.5)
    for k in np.unique(groups).tolist():
        here = groups == k
        if many:
            look: dict[str, Any] = {
                "marker": "o",
                "color": _GREY if k < 0 else colour_of(k),
                "alpha": float(np.clip(4000 / len(x), 0.1, 0.6)),
                "rasterized": True,
            }
            look.update(markersize=2.4 * scale, markeredgewidth=0)
        else:
            look = {**(marker_of(k) if k != -2 else {"marker": "o", "color": _GREY})}
            look["markersize"] = size * (1.2 if look["marker"] in "^v" else 1)
        ax.plot(x[here], y[here], linestyle="none", zorder=3, gid=f"class {k}", **look)


def _add_sized_points(
    ax: Any, x: np.ndarray, y: np.ndarray, groups: np.ndarray, places: np.ndarray, scale: float
) -> None:
    known = np.unique(groups)
    steps = [_least_step(places[:, 0]), _least_step(places[:, 1])]
    turn = 2 * np.pi * np.arange(len(known)) / len(known)
    apart = 0.18 if len(known) > 1 else 0.0
    found = []
    for k, angle in zip(known.tolist(), turn):
        here = groups == k
        own, counts = np.unique(
            np.column_stack((x[here], y[here])), axis=0, return_counts=True
        )
        found.append((k, own + apart * np.array(steps) * [np.cos(angle), np.sin(angle)], counts))
    most = max(counts.max() for _, _, counts in found)
    for k, own, counts in found:
        ax.scatter(
            own[:, 0],
            own[:, 1],
            s=(scale * (2 + 8 * np.sqrt(counts / most))) ** 2,
            color=_GREY if k < 0 else colour_of(k),
            edgecolors="white",
            linewidths=0.5,
            zorder=3,
            gid=f"class {k}",
        )


def _least_step(values: np.ndarray) -> float:
    """Between neighbouring places; 0 if there is but one."""
    steps = np.diff(np.unique(values))
    return float(steps.min()) if len(steps) else 0.0


def add_wrong(ax: Any, points: Figure, keys: Keys) -> None:
    """Rings around few, dots in many: rings would cover the data."""
    wrong = points["wrong"].astype(bool)
    if not wrong.any():
        return
    x, y = (coordinates[wrong] for coordinates in points["at"][:2])
    title = f"misclassified ({len(x)})"
    if len(x) > MOST_RINGS or len(wrong) > MOST_SINGLE_POINTS:
        dot = {"linestyle": "none", "marker": "o", "color": "black", "markeredgewidth": 0}
        small = {"alpha": 0.5, "rasterized": True} if len(wrong) > MOST_SINGLE_POINTS else {}
        ax.plot(x, y, markersize=1.6, zorder=4, gid="wrong", **dot, **small)
        keys.add(title, markersize=3, **dot)
        return
    size, thin = (10, 1.2) if len(wrong) <= 300 else (8, 0.8)
    look = {"marker": "o", "markerfacecolor": "none", "markeredgecolor": "black"}
    ax.plot(
        x, y, linestyle="none", markersize=size, markeredgewidth=thin, zorder=4, gid="wrong", **look
    )
    keys.add(title, linestyle="none", markersize=9, markeredgewidth=1.2, **look)


def add_lines(ax: Any, curves: Sequence[Figure], **style: Any) -> None:
    from matplotlib.collections import LineCollection

    segments = [np.column_stack((curve["x"], curve["y"])) for curve in curves]
    ax.add_collection(LineCollection(segments, **style), autolim=False)


def add_boundaries(ax: Any, curves: Sequence[Figure], width: float = 1.5) -> None:
    add_lines(ax, curves, colors="#222222", linewidths=width, zorder=2, gid="boundaries")


def masses_of(ellipses: Sequence[Figure]) -> list[float]:
    return list(dict.fromkeys(ellipse["mass"] for ellipse in ellipses))


def add_ellipses(
    ax: Any, ellipses: Sequence[Figure], keys: Keys | None = None, dark: bool = False
) -> None:
    masses = masses_of(ellipses)
    for k in dict.fromkeys(ellipse["of_class"] for ellipse in ellipses):
        for place, mass in enumerate(masses):
            some = [e for e in ellipses if e["of_class"] == k and e["mass"] == mass]
            add_lines(
                ax,
                some,
                colors=[mixed(colour_of(k), "black", 0.7 if dark else 0.25)],
                linestyles=[MASSES[min(place, len(MASSES) - 1)]],
                linewidths=1.4 if place == 0 else 1.1,
                zorder=2.5,
                gid=f"ellipses {k}",
            )
    if keys is not None:
        keys.add_masses(masses)


def _extent(x: np.ndarray, y: np.ndarray) -> tuple[float, float, float, float]:
    """Pixels lie around the places of a grid."""
    dx, dy = (x[1] - x[0]) / 2, (y[1] - y[0]) / 2
    return x[0] - dx, x[-1] + dx, y[0] - dy, y[-1] + dy


def add_image(ax: Any, figure: Figure, pixels: np.ndarray) -> None:
    extent = _extent(figure["x"], figure["y"])
    ax.imshow(
        pixels, origin="lower", extent=extent, aspect="auto", interpolation="nearest", zorder=0
    )


def add_shades(ax: Any, figure: Figure) -> None:
    """The colour of the most probable class, the paler the less probable it is."""
    labels, posterior = figure["labels"].astype(np.intp), np.stack(figure["posterior"], 2)
    count = posterior.shape[2]
    most = np.take_along_axis(posterior, labels[:, :, None], 2)[:, :, 0]
    sure = np.clip((most - 1 / count) / (1 - 1 / count), 0, 1) if count > 1 else np.ones_like(most)
    colours = np.array([rgb(colour_of(k)) for k in range(count)])
    add_image(ax, figure, 1 + (colours[labels] - 1) * (0.10 + 0.32 * sure)[:, :, None])


def add_density_shades(ax: Any, figure: Figure) -> None:
    density = figure["density"]
    most = density.max()
    part = 0.75 * np.sqrt(density / most) if most > 0 else np.zeros_like(density)
    add_image(ax, figure, mixed("white", (0.25, 0.3, 0.4), part))


def add_class_lines(ax: Any, x: np.ndarray, values: np.ndarray, width: float = 1.8) -> None:
    for k in range(values.shape[1]):
        ax.plot(x, values[:, k], color=colour_of(k), linestyle=dash_of(k), linewidth=width)


# -- three dimensions ----------------------------------------------------------------------------


def sheet(
    x: np.ndarray, y: np.ndarray, z: np.ndarray, least: float, colour: Any
) -> tuple[np.ndarray, np.ndarray]:
    """The quadrilaterals of a surface above ``least`` and their colours: light from one side, and
    towards the floor they fade."""
    gx, gy = np.meshgrid(x, y)
    points = np.stack((gx, gy, z), 2)
    corners = np.stack((points[:-1, :-1], points[:-1, 1:], points[1:, 1:], points[1:, :-1]), 2)
    scale = np.array([np.ptp(x), np.ptp(y), max(z.max(), 1e-300)])
    one = (corners[:, :, 2] - corners[:, :, 0]) / scale
    other = (corners[:, :, 3] - corners[:, :, 1]) / scale
    normal = np.cross(one, other)
    normal /= np.linalg.norm(normal, axis=2, keepdims=True)
    light = 0.5 + 0.5 * np.clip(normal @ np.array([0.45, -0.55, 0.7]), 0, 1)
    height = corners[:, :, :, 2].mean(2)
    fade = np.clip((height - least) / (6 * least), 0, 1)
    kept = (corners[:, :, :, 2] >= least).all(2) & (fade > 0)
    colours = np.concatenate((light[:, :, None] * rgb(colour), fade[:, :, None]), 2)
    return corners[kept], np.clip(colours[kept], 0, 1)


def add_sheets(ax: Any, sheets: Sequence[tuple[np.ndarray, np.ndarray]]) -> None:
    """All in one collection, so that what is behind is drawn first."""
    from mpl_toolkits.mplot3d.art3d import Poly3DCollection

    faces = np.concatenate([quads for quads, _ in sheets])
    colours = np.concatenate([colours for _, colours in sheets])
    edges = colours * [0.75, 0.75, 0.75, 0.6]
    ax.add_collection3d(
        Poly3DCollection(faces, facecolors=colours, edgecolors=edges, linewidths=0.3, zsort="min")
    )


def lifted(figure: Figure, curve: Figure) -> np.ndarray:
    """The height of the joint density on a line in the plane, between the places of the grid."""
    x, y = figure["x"], figure["y"]
    u = np.clip((curve["x"] - x[0]) / (x[-1] - x[0]) * (len(x) - 1), 0, len(x) - 1)
    v = np.clip((curve["y"] - y[0]) / (y[-1] - y[0]) * (len(y) - 1), 0, len(y) - 1)
    i, j = np.minimum(u.astype(int), len(x) - 2), np.minimum(v.astype(int), len(y) - 2)
    u, v = u - i, v - j
    z = figure["joint"][max(curve["first"], 0)]
    low = (1 - u) * z[j, i] + u * z[j, i + 1]
    return (1 - v) * low + v * ((1 - u) * z[j + 1, i] + u * z[j + 1, i + 1])


def ellipsoid(solid: Figure, around: int = 24, along: int = 12) -> tuple[np.ndarray, ...]:
    polar, turn = np.meshgrid(
        np.linspace(0, np.pi, along + 1), np.linspace(0, 2 * np.pi, around + 1), indexing="ij"
    )
    unit = np.stack((np.sin(polar) * np.cos(turn), np.sin(polar) * np.sin(turn), np.cos(polar)), 2)
    at = solid["centre"] + unit @ solid["axes"]
    return at[:, :, 0], at[:, :, 1], at[:, :, 2]
