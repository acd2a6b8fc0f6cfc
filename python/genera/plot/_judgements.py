"""Figures of evaluations."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from .. import _genera, _labels
from .._base import _Classifier
from .._errors import Error
from .._laboratory.evaluate import Answering, _positive_place
from .._laboratory.evaluate import evaluate as _evaluate
from .._results import Evaluation
from . import _draw as draw
from ._wishes import estimator_of, model_of, rows_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def _figure(kind: str, classifier: Any, X: Any, y: Any, threads: int | None) -> dict[str, Any]:
    if isinstance(classifier, Evaluation):
        return classifier._figures[kind]
    if X is None or y is None:
        raise Error("an evaluation needs rows and their labels", "give X and y")
    return _evaluate(classifier, X, y, threads=threads)._figures[kind]


def roc_figure(
    classifier: Any, X: Any, y: Any, positive: Any, threads: int | None
) -> dict[str, Any]:
    """What an ROC figure shows, of a classifier of genera or of any other."""
    if isinstance(classifier, (_Classifier, _genera.Model)):
        classifier = estimator_of(classifier)
        place = max(_positive_place(classifier, positive), 0)
        return _genera.figure_roc(model_of(classifier), rows_of(classifier, X, y), place, threads)
    labels = _labels.encode(y, type(classifier).__name__)
    answering = Answering(classifier, X)
    return _genera.figure_roc_of_posterior(
        answering.names,
        answering.posterior,
        answering.labelled(labels),
        max(_positive_place(answering, positive), 0),
    )


def confusion(
    classifier: Any,
    X: Any = None,
    y: Any = None,
    *,
    title: str | None = None,
    ax: Any = None,
    threads: int | None = None,
) -> Axes:
    """Rows by truth and prediction; shades are shares of each true class.

    Parameters
    ----------
    classifier : fitted classifier, or what ``genera.evaluate`` returned
    X, y
        Rows and labels, of a classifier.
    title, ax, threads
    """
    figure = _figure("confusion", classifier, X, y, threads)
    counts, shares = figure["counts"], figure["shares"]
    count = len(counts)
    side = min(5.6, max(2.4, 0.6 * count))
    names = [draw.shown_name(name, 20) for name in figure["classes"]]
    panel = draw.Panel(ax, (max(4.6, side + 1.6), side + 1.3))
    right = np.eye(count, dtype=bool)[:, :, None]
    part = np.where(shares > 0, 0.08 + 0.92 * shares, 0)
    pixels = np.where(
        right,
        draw.mixed("white", draw.colour_of(0), part),
        draw.mixed("white", draw.colour_of(1), part),
    )
    panel.ax.imshow(pixels, interpolation="nearest")
    if count <= 30:
        for k, row in enumerate(counts.tolist()):
            for other, cell in enumerate(row):
                if cell:
                    colour = "white" if shares[k, other] > 0.55 else "#222222"
                    size = 10 if count <= 12 else 7
                    panel.ax.text(
                        other,
                        k,
                        f"{cell:.0f}",
                        ha="center",
                        va="center",
                        color=colour,
                        fontsize=size,
                    )
    slanted = sum(len(name) for name in names) * 0.085 > side
    turn = {"rotation": 40, "ha": "right", "rotation_mode": "anchor"} if slanted else {}
    small = 9 if count <= 12 else 7
    panel.ax.set_xticks(np.arange(count), names, fontsize=small, parse_math=False, **turn)
    panel.ax.set_yticks(np.arange(count), names, fontsize=small, parse_math=False)
    panel.ax.tick_params(length=0)
    draw.name_axis(panel.ax, "x", figure["axes"][0]["name"])
    draw.name_axis(panel.ax, "y", figure["axes"][1]["name"])
    return panel.finish(figure, title)


def reliability(
    classifier: Any,
    X: Any = None,
    y: Any = None,
    *,
    title: str | None = None,
    ax: Any = None,
    threads: int | None = None,
) -> Axes:
    """Whether the probabilities are what they say: rows by the probability of their most probable
    class, against the share of them that have it. Parameters as of ``confusion``."""
    figure = _figure("reliability", classifier, X, y, threads)
    low, rows, confidence, accuracy = (
        np.array([one[key] for one in figure["bins"]])
        for key in ("low", "rows", "confidence", "accuracy")
    )
    least = min(1 / max(len(figure["classes"]), 1), low.min() if len(low) else 0)
    panel = draw.Panel(ax, (6.0, 5.0))
    panel.ax.plot([0, 1], [0, 1], color="#888888", linestyle=(0, (4, 4)), linewidth=1)
    panel.ax.vlines(confidence, confidence, accuracy, color="#f0c3a5", linewidth=3)
    panel.ax.plot(confidence, accuracy, color=draw.colour_of(0), linewidth=1.1, gid="bins")
    size = (4 + 14 * np.sqrt(rows / rows.max())) ** 2 if len(rows) else []
    panel.ax.scatter(confidence, accuracy, s=size, color=draw.colour_of(0), zorder=3, clip_on=False)
    draw.name_axis(panel.ax, "x", figure["axes"][0]["name"], (least - 0.02, 1.02))
    draw.name_axis(panel.ax, "y", figure["axes"][1]["name"], (-0.03, 1.04))
    return panel.finish(figure, title)


def roc(
    classifier: Any,
    X: Any,
    y: Any,
    *,
    positive: Any = None,
    title: str | None = None,
    ax: Any = None,
    threads: int | None = None,
) -> Axes:
    """ROC curves of each class against the others; of two classes one, of ``positive`` (default:
    the second)."""
    figure = roc_figure(classifier, X, y, positive, threads)
    panel = draw.Panel(ax, (7.2, 4.8))
    panel.ax.plot([0, 1], [0, 1], color="#888888", linestyle=(0, (4, 4)), linewidth=1)
    keys = draw.Keys(figure["target"])
    for curve in figure["curves"]:
        k = curve["of_class"]
        dash = draw.dash_of(k) if len(figure["curves"]) > 1 else "-"
        look = {"color": draw.colour_of(k), "linestyle": dash, "linewidth": 1.8}
        panel.ax.plot(curve["x"], curve["y"], **look)
        keys.add(f"{draw.shown_name(curve['name'], 22)}  AUC {curve['area']:.4f}", **look)
    draw.name_axis(panel.ax, "x", figure["axes"][0]["name"], (-0.01, 1.01))
    draw.name_axis(panel.ax, "y", figure["axes"][1]["name"], (-0.01, 1.01))
    panel.ax.set_aspect("equal")
    return panel.finish(figure, title, keys)
