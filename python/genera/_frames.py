"""Results as frames, and as tables for people."""

from __future__ import annotations

import html
from typing import Any, Iterable, Sequence

import numpy as np


def frame_of(records: Sequence[dict[str, Any]], index: str | None = None) -> Any:
    """Records as a frame: of pandas if that is installed, else of polars, else a dict of arrays.
    pandas has the column ``index`` as its index. None is NaN among numbers."""
    names: dict[str, None] = {}
    for record in records:
        names.update(dict.fromkeys(record))
    columns = {name: _array([record.get(name) for record in records]) for name in names}
    try:
        import pandas
    except ImportError:
        pass
    else:
        frame = pandas.DataFrame(columns)
        return frame if index is None else frame.set_index(index)
    try:
        import polars
    except ImportError:
        return columns
    return polars.DataFrame({name: values.tolist() for name, values in columns.items()})


def matrix_frame(counts: list[list[int]], labels: list[Any], down: str, across: str) -> Any:
    """Numbers by two labels; in pandas ``down`` names the index and ``across`` the columns."""
    try:
        import pandas
    except ImportError:
        return frame_of(
            [
                {down: label, **dict(zip(map(str, labels), row))}
                for label, row in zip(labels, counts)
            ]
        )
    index, columns = (pandas.Index(labels, name=name) for name in (down, across))
    return pandas.DataFrame(np.array(counts), index=index, columns=columns)


def _array(values: list[Any]) -> np.ndarray:
    known = [value for value in values if value is not None]
    if known and all(isinstance(v, (int, float)) and not isinstance(v, bool) for v in known):
        if len(known) == len(values):
            return np.array(values)
        return np.array([np.nan if value is None else value for value in values])
    if known and len(known) == len(values) and all(isinstance(v, bool) for v in known):
        return np.array(values)
    array = np.empty(len(values), dtype=object)
    array[:] = values
    return array


Cells = Sequence[Sequence[str]]


_WORDS = ("meaning", "farthest", "fits")  # columns of words


def _is_left(head: Sequence[str], column: int) -> bool:
    """Names and words begin at the left, numbers end at the right."""
    return column == 0 or (column < len(head) and head[column] in _WORDS)


def text_table(head: Sequence[str], cells: Cells) -> str:
    """Columns side by side; without a head if that is empty."""
    rows = [list(head)] * bool(head) + [list(row) for row in cells]
    widths = [max(len(row[j]) for row in rows) for j in range(len(rows[0]))]
    lines = []
    for row in rows:
        texts = [
            text.ljust(width) if _is_left(head, j) else text.rjust(width)
            for j, (text, width) in enumerate(zip(row, widths))
        ]
        lines.append("  ".join(["", *texts]).rstrip())
    return "\n".join(lines)


def html_table(head: Sequence[str], cells: Cells) -> str:
    """The same for notebooks."""

    def row(texts: Iterable[str], tag: str) -> str:
        made = []
        for j, text in enumerate(texts):
            side = "left" if _is_left(head, j) else "right"
            made.append(f'<{tag} style="text-align:{side}">{html.escape(text)}</{tag}>')
        return "<tr>" + "".join(made) + "</tr>"

    body = "".join(row(texts, "td") for texts in cells)
    top = f"<thead>{row(head, 'th')}</thead>" if head else ""
    return f"<table>{top}<tbody>{body}</tbody></table>"


class Report:
    """Paragraphs and tables, as text or for a notebook."""

    def __init__(self) -> None:
        self._parts: list[tuple[str, Any]] = []

    def line(self, text: str) -> Report:
        self._parts.append(("line", text))
        return self

    def title(self, text: str) -> Report:
        self._parts.append(("title", text))
        return self

    def table(self, head: Sequence[str], cells: Cells) -> Report:
        if cells:
            self._parts.append(("table", (head, cells)))
        return self

    def text(self) -> str:
        lines: list[str] = []
        for kind, part in self._parts:
            if kind == "title" and lines:
                lines.append("")
            lines.append(text_table(*part) if kind == "table" else part)
        return "\n".join(lines)

    def html(self) -> str:
        made: list[str] = []
        for kind, part in self._parts:
            if kind == "table":
                made.append(html_table(*part))
            elif kind == "title":
                made.append(f"<p><b>{html.escape(part)}</b></p>")
            else:
                made.append(f"<p>{html.escape(part.strip())}</p>")
        return "<div>" + "".join(made) + "</div>"


class Result:
    """Something found, with a table for people."""

    def _report(self) -> Report:
        raise NotImplementedError

    def __repr__(self) -> str:
        return self._report().text()

    def _repr_html_(self) -> str:
        return self._report().html()


def digits(value: float | None, count: int = 5) -> str:
    return "-" if value is None or value != value else f"{value:.{count}g}"


def probability(p: float | None) -> str:
    return "-" if p is None else f"{p:.2g}" if p > 0 else "<1e-300"
