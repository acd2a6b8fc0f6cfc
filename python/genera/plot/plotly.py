"""The same figures as interactive ones of plotly: hover over a point for its row, its posterior and
the evidence (``pip install plotly``).

Every function returns a ``plotly.graph_objects.Figure``; what is drawn is computed by the core, as
for the figures of ``genera.plot``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from .. import _genera, _input
from .._base import _Classifier
from .._candidates import Readings, is_texts
from .._classifiers import GenerativeClassifier
from .._errors import Error
from ._draw import colour_of, shown_name
from ._judgements import _figure, roc_figure
from ._wishes import data_of, estimator_of, how_of, known_names, model_of, names_of

if TYPE_CHECKING:
    from plotly.graph_objects import Figure

_SYMBOLS = ("circle", "square", "triangle-up", "diamond", "triangle-down")
_MOST_EXPLAINED = 2000


def _plotly() -> Any:
    try:
        import plotly.graph_objects
    except ImportError:
        raise ImportError(
            "these figures are drawn with plotly, which is not installed; install it with "
            "`pip install plotly`"
        ) from None
    return plotly.graph_objects


def scatter(
    X: Any,
    y: Any,
    *,
    features: Any = None,
    x_range: Any = None,
    y_range: Any = None,
    title: str | None = None,
) -> Figure:
    """The data by class; parameters as of ``genera.plot.scatter``."""
    if is_texts(X):
        raise Error("texts have no numbers to show on axes", "give columns of numbers", "bad_data")
    data = Readings(X, y).of(GenerativeClassifier("lda"))
    names = names_of(features, [name for name, _ in data.columns])
    figure = _genera.figure_scatter(data, how_of(names, x_range, y_range))
    shown = _plotly().Figure()
    _add_points(shown, figure, figure["points"], _rows_of_points(X, figure))
    return _finish(shown, figure, title)


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
    threads: int | None = None,
) -> Figure:
    """Decision regions with confidence as shade, boundaries, ellipses and rows; parameters as of
    ``genera.plot.regions``. Hover over a row for its posterior and the evidence, elsewhere for the
    most probable class there.

    Examples
    --------
    >>> import genera
    >>> from genera.plot import plotly
    >>> X, y = genera.datasets.load_iris(return_X_y=True)
    >>> figure = plotly.regions(genera.QDA().fit(X, y), X, y, features=(2, 3))
    >>> figure.layout.xaxis.title.text
    'x2'
    """
    names = names_of(features, known_names(classifier))
    how = how_of(names, x_range, y_range, others, mass, (160, 120))
    figure = _genera.figure_regions(model_of(classifier), data_of(classifier, X, y), how, threads)
    shown = _plotly().Figure()
    _add_shades(shown, figure)
    for curve in figure["boundaries"]:
        _add_line(shown, curve, "black", 1.5)
    for ellipse in figure["ellipses"]:
        _add_line(shown, ellipse, colour_of(ellipse["of_class"]), 1.2)
    if X is not None:
        texts = _texts_of_rows(estimator_of(classifier), X, _rows_of_points(X, figure))
        _add_points(shown, figure, figure["points"], _rows_of_points(X, figure), texts)
    return _finish(shown, figure, title)


def density(
    classifier: Any,
    X: Any = None,
    y: Any = None,
    *,
    features: Any = None,
    by_class: bool = False,
    x_range: Any = None,
    y_range: Any = None,
    others: str = "marginal",
    title: str | None = None,
    threads: int | None = None,
) -> Figure:
    """p(x): of two features a surface to turn, or one for each class; of one feature lines."""
    names = names_of(features, known_names(classifier))
    model, data = model_of(classifier), data_of(classifier, X, y)
    go = _plotly()
    shown = go.Figure()
    if len(names) == 1:
        how = how_of(names, x_range, y_range, others)
        figure = _genera.figure_line(model, data, how, None, threads)
        for k, joint in enumerate(figure["joint"].T):
            name = shown_name(figure["classes"][k], 40)
            look = {"color": colour_of(k)}
            shown.add_scatter(x=figure["x"], y=joint, mode="lines", name=name, line=look)
        if figure["joint"].shape[1] > 1:
            shown.add_scatter(
                x=figure["x"],
                y=figure["density"],
                mode="lines",
                name="all together",
                line={"color": "#bbbbbb", "width": 3},
            )
        shown.update_yaxes(title="density", rangemode="tozero")
        return _finish(shown, figure, title)
    figure = _genera.figure_density(
        model, data, how_of(names, x_range, y_range, others, None, (100, 75)), threads
    )
    sheets = figure["joint"] if by_class else [figure["density"]]
    for k, heights in enumerate(sheets):
        colour = colour_of(k)
        shown.add_surface(
            x=figure["x"],
            y=figure["y"],
            z=np.asarray(heights).reshape(len(figure["y"]), len(figure["x"])),
            colorscale=[[0, "white"], [1, colour]],
            showscale=False,
            opacity=0.85,
            name=shown_name(figure["classes"][k], 40) if by_class else "density",
        )
    across, along = (axis["name"] for axis in figure["axes"][:2])
    shown.update_layout(
        scene={
            "xaxis": {"title": {"text": shown_name(across, 60)}},
            "yaxis": {"title": {"text": shown_name(along, 60)}},
            "zaxis": {"title": {"text": "prior × density" if by_class else "density"}},
        },
        title=title,
    )
    return shown


def confusion(
    classifier: Any,
    X: Any = None,
    y: Any = None,
    *,
    title: str | None = None,
    threads: int | None = None,
) -> Figure:
    """Rows by truth and prediction; shades are shares of each true class. Parameters as of
    ``genera.plot.confusion``."""
    figure = _figure("confusion", classifier, X, y, threads)
    names = [shown_name(name, 20) for name in figure["classes"]]
    shown = _plotly().Figure()
    shown.add_heatmap(
        x=names,
        y=names,
        z=figure["shares"],
        text=figure["counts"],
        texttemplate="%{text:.0f}",
        colorscale=[[0, "white"], [1, colour_of(0)]],
        zmin=0,
        zmax=1,
        showscale=False,
        hovertemplate="true %{y}, predicted %{x}: %{text:.0f} rows, %{z:.1%}<extra></extra>",
    )
    shown.update_yaxes(autorange="reversed")
    return _finish(shown, figure, title, ranges=False)


def reliability(
    classifier: Any,
    X: Any = None,
    y: Any = None,
    *,
    title: str | None = None,
    threads: int | None = None,
) -> Figure:
    """Rows by the probability of their most probable class, against the share that has it."""
    figure = _figure("reliability", classifier, X, y, threads)
    rows, confidence, accuracy = (
        np.array([one[key] for one in figure["bins"]]) for key in ("rows", "confidence", "accuracy")
    )
    shown = _plotly().Figure()
    _add_diagonal(shown)
    shown.add_scatter(
        x=confidence,
        y=accuracy,
        mode="lines+markers",
        line={"color": colour_of(0)},
        marker={"size": 6 + 18 * np.sqrt(rows / max(rows.max(initial=1), 1))},
        customdata=rows,
        hovertemplate="%{customdata} rows: probability %{x:.3f}, right %{y:.3f}<extra></extra>",
        showlegend=False,
    )
    return _finish(shown, figure, title, ranges=False)


def roc(
    classifier: Any,
    X: Any,
    y: Any,
    *,
    positive: Any = None,
    title: str | None = None,
    threads: int | None = None,
) -> Figure:
    """ROC curves of each class against the others; parameters as of ``genera.plot.roc``."""
    figure = roc_figure(classifier, X, y, positive, threads)
    shown = _plotly().Figure()
    _add_diagonal(shown)
    for curve in figure["curves"]:
        shown.add_scatter(
            x=curve["x"],
            y=curve["y"],
            mode="lines",
            name=f"{shown_name(curve['name'], 22)}  AUC {curve['area']:.4f}",
            line={"color": colour_of(curve["of_class"]), "shape": "hv"},
        )
    shown.update_yaxes(scaleanchor="x", constrain="domain")
    return _finish(shown, figure, title, ranges=False)


# -- layers --------------------------------------------------------------------------------------


def _finish(shown: Figure, figure: dict[str, Any], title: str | None, ranges: bool = True) -> Figure:
    for place, which in enumerate(("xaxis", "yaxis")[: len(figure["axes"])]):
        axis = figure["axes"][place]
        look: dict[str, Any] = {"title": {"text": shown_name(axis["name"], 60)}}
        if ranges:
            look["range"] = axis["range"].tolist()
        shown.update_layout({which: look})
    shown.update_layout(
        template="simple_white", title=title, legend_title_text=shown_name(figure["target"], 30)
    )
    caption = "; ".join(figure["caption"])
    if caption:
        shown.add_annotation(
            text=shown_name(caption, 300),
            showarrow=False,
            xref="paper",
            yref="paper",
            x=0,
            y=-0.22,
            font={"size": 10, "color": "#666666"},
        )
    return shown


def _add_line(shown: Figure, curve: dict[str, Any], colour: str, width: float) -> None:
    shown.add_scatter(
        x=curve["x"],
        y=curve["y"],
        mode="lines",
        line={"color": colour, "width": width},
        hoverinfo="skip",
        showlegend=False,
    )


def _add_diagonal(shown: Figure) -> None:
    _add_line(shown, {"x": [0, 1], "y": [0, 1]}, "#888888", 1)


def _add_shades(shown: Figure, figure: dict[str, Any]) -> None:
    """The most probable class of each cell; the surer, the darker."""
    shape = (len(figure["y"]), len(figure["x"]))
    labels = np.asarray(figure["labels"]).reshape(shape)
    sure = np.asarray(figure["posterior"]).max(axis=0).reshape(shape)
    names = np.array([shown_name(name, 40) for name in figure["classes"]], dtype=object)
    for k in range(len(names)):
        here = np.where(labels == k, sure, np.nan)
        if np.isnan(here).all():
            continue
        shown.add_heatmap(
            x=figure["x"],
            y=figure["y"],
            z=here,
            zmin=0,
            zmax=1,
            colorscale=[[0, "white"], [1, colour_of(k)]],
            opacity=0.35,
            showscale=False,
            name=names[k],
            hovertemplate=f"{names[k]}: %{{z:.4f}}<extra></extra>",
        )


def _add_points(
    shown: Figure,
    figure: dict[str, Any],
    points: dict[str, Any],
    rows: np.ndarray,
    texts: list[str] | None = None,
) -> None:
    if not points["at"]:
        return
    x, y = points["at"][:2]
    classes = points["classes"] if len(points["classes"]) else np.full(len(x), -1)
    wrong = np.asarray(points["wrong"], dtype=bool)
    told = [f"row {row}" for row in rows] if texts is None else texts
    for k in np.unique(classes).tolist():
        here = np.flatnonzero(classes == k)
        name = "unknown" if k < 0 else shown_name(figure["classes"][k], 40)
        ring = wrong[here] if len(wrong) else np.zeros(len(here), dtype=bool)
        shown.add_scattergl(
            x=x[here],
            y=y[here],
            mode="markers",
            name=name,
            text=[told[i] for i in here],
            hovertemplate=f"%{{text}}<br>{name}<br>(%{{x:.6g}}, %{{y:.6g}})<extra></extra>",
            marker={
                "color": "#666666" if k < 0 else colour_of(k),
                "symbol": "cross-thin-open" if k < 0 else _SYMBOLS[k % len(_SYMBOLS)],
                "size": 8 if len(x) <= 1000 else 5,
                "line": {
                    "color": np.where(ring, "black", "white").tolist(),
                    "width": np.where(ring, 2.0, 0.6).tolist(),
                },
            },
        )


def _rows_of_points(X: Any, figure: dict[str, Any]) -> np.ndarray:
    """The numbers of the rows that are points: those that lack no number of the axes."""
    count = len(figure["points"]["at"][0]) if figure["points"]["at"] else 0
    if not figure["points"]["left_out"]:
        return np.arange(count)
    names = [axis["name"] for axis in figure["axes"][:2]]
    if _input.is_frame(X):
        known = {column.name: column for column in _input.columns_of(X)}
        columns = [_input.numbers_of(known[name]) for name in names]
    else:
        array = np.asarray(_input.unmasked(X), dtype=np.float64)
        places = [_input.default_names(array.shape[1]).index(name) for name in names]
        columns = [array[:, place] for place in places]
    return np.flatnonzero(~np.isnan(np.column_stack(columns)).any(axis=1))


def _texts_of_rows(classifier: Any, X: Any, rows: np.ndarray) -> list[str]:
    """Row, posterior and evidence of each point; of many points without the evidence."""
    if not isinstance(classifier, _Classifier):
        return [f"row {row}" for row in rows]
    posterior = classifier.predict_proba(X)
    names = [shown_name(label, 30) for label in classifier.classes_.tolist()]
    explained = classifier.explain(X, most=3) if len(posterior) <= _MOST_EXPLAINED else None
    texts = []
    for row in rows.tolist():
        order = np.argsort(-posterior[row], kind="stable")[:3]
        lines = [f"row {row}"]
        lines += [f"P({names[k]}) = {posterior[row, k]:.4g}" for k in order]
        if explained is not None:
            one = explained[row]
            lines += [
                f"{shown_name(evidence.feature, 30)}: {evidence.log_odds:+.3g} for "
                f"{shown_name(one.best, 30)}"
                for evidence in one.evidence
            ]
        texts.append("<br>".join(lines))
    return texts
