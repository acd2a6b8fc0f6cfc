"""What a diagnosis finds, and how it is told."""

from __future__ import annotations

from typing import Any

from ._errors import counted
from ._frames import Report, Result, digits, frame_of, probability


class Diagnosis(Result):
    """What the numbers of a table say about the choice of a model.

    Attributes
    ----------
    wilks, box : dict
        Do the means (Wilks' Lambda), do the covariances (Box's M) of the classes differ? Each ends
        with ``why_not`` (None if there is a test) and ``meaning``.
    variates : frame
        Directions in which the classes differ, the first one most.
    mardia : frame
        Is each class Gaussian?
    features : frame
        What does each column say about the class, alone and beside the others (``partial_``)?
    collinearity : dict
        Columns that are nearly determined by others (``sets``).
    outliers : frame
        Rows that look like outliers: ``row`` (its place in X), ``class``, ``tail``, ``column``, ...
    classes : frame
        ``name`` and ``weight``.
    columns : list of str
        That the tests are about.
    columns_left_out : frame
    rows, rows_left_out : int
    notes : list of str
    """

    def __init__(self, facts: dict[str, Any], label_of: dict[str, Any]) -> None:
        self.notes: list[str] = facts.pop("notes")
        facts.pop("warnings", None)
        self._facts = facts

        def labelled(records: list[dict[str, Any]], *keys: str) -> Any:
            return frame_of(
                [
                    {k: label_of.get(v, v) if k in keys else v for k, v in record.items()}
                    for record in records
                ]
            )

        self.rows: int = facts["rows"]
        self.rows_left_out: int = facts["rows_left_out"]
        self.columns: list[str] = facts["columns"]
        self.classes = labelled(facts["classes"], "name")
        self.columns_left_out = frame_of(facts["columns_left_out"])
        self.wilks: dict[str, Any] = facts["wilks"]
        self.box: dict[str, Any] = facts["box"]
        self.variates = frame_of(facts["variates"])
        self.mardia = labelled(facts["mardia"], "class")
        self.features = frame_of(facts["features"])
        self.collinearity: dict[str, Any] = facts["collinearity"]
        rows = [
            {k: v for k, v in one.items() if k not in ("place", "line")}
            for one in facts["outliers"]["rows"]
        ]
        self.outliers = labelled(rows, "class", "fits")

    def to_dict(self) -> dict[str, Any]:
        """As ``genera diagnose --json`` prints it; rows are named by their place in X."""
        return self._facts

    def _report(self) -> Report:
        facts, report = self._facts, Report()
        classes = ", ".join(f"{one['name']} {one['weight']:g}" for one in facts["classes"][:10])
        columns = counted(len(self.columns), "numeric column")
        report.line(f"{counted(self.rows, 'row')}, {columns}; classes: {classes}")
        for one in facts["columns_left_out"]:
            report.line(f"  '{one['name']}' {one['why']}")
        _add_means(report, facts)
        _add_covariances(report, facts["box"])
        _add_normality(report, facts["mardia"])
        _add_features(report, facts["features"])
        _add_collinearity(report, facts["collinearity"])
        _add_outliers(report, facts["outliers"])
        for note in self.notes:
            report.line(f"note: {note}")
        return report


_MOST = 60  # lines of a list


def _f_text(of: dict[str, Any], prefix: str = "") -> str:
    f, df1, df2, p = (of[key] for key in ("f", prefix + "df1", prefix + "df2", prefix + "p"))
    return f"F({df1:.6g}, {df2:.6g}) = {f:.4g}, p = {probability(p)}"


def _add_means(report: Report, facts: dict[str, Any]) -> None:
    report.title("Do the means of the classes differ?")
    wilks = facts["wilks"]
    if wilks["why_not"]:
        report.line(f"  Wilks' Lambda: no test, {wilks['why_not']}  → {wilks['meaning']}")
        return
    report.line(f"  Wilks' Lambda {wilks['lambda']:.4g}, {_f_text(wilks)}  → {wilks['meaning']}")
    cells = [
        [
            str(place + 1),
            f"{one['proportion']:.4f}",
            f"{one['correlation']:.4f}",
            digits(one["chi2"], 4),
            probability(one["p"]),
        ]
        for place, one in enumerate(facts["variates"][:_MOST])
    ]
    report.table(["canonical variate", "proportion", "correlation", "chi-square", "p"], cells)


def _add_covariances(report: Report, box: dict[str, Any]) -> None:
    report.title("Do the covariances of the classes differ?")
    if box["why_not"]:
        report.line(f"  Box's M: no test, {box['why_not']}  → {box['meaning']}")
        return
    side = "below" if box["bic_gain"] > 0 else "above"
    report.line(
        f"  Box's M {box['m']:.4g}, chi-square({box['df']:.6g}) = {box['chi2']:.4g}, "
        f"p = {probability(box['p'])}; BIC of qda {side} that of lda by "
        f"{abs(box['bic_gain']):.4g}  → {box['meaning']}"
    )


def _add_normality(report: Report, mardia: list[dict[str, Any]]) -> None:
    report.title("Is each class Gaussian? (Mardia)")
    cells = [
        [
            one["class"],
            digits(one["rows"], 6),
            digits(one["skewness"], 4),
            probability(one["skewness_p"]),
            digits(one["kurtosis"], 4),
            probability(one["kurtosis_p"]),
            one["meaning"],
        ]
        for one in mardia[:_MOST]
        if not one["why_not"]
    ]
    report.table(["class", "rows", "skewness", "p", "kurtosis", "p", "meaning"], cells)
    for one in mardia[:_MOST]:
        if one["why_not"]:
            report.line(f"  '{one['class']}': no test, {one['why_not']}  → {one['meaning']}")


def _add_features(report: Report, features: list[dict[str, Any]]) -> None:
    if not features:
        return
    report.title("What does each column say about the class?")
    cells = [
        [
            one["column"],
            digits(one["f"], 4),
            probability(one["p"]),
            digits(one["partial_f"], 4),
            probability(one["partial_p"]),
            digits(one["inflation"], 4),
            one["meaning"],
        ]
        for one in features[:_MOST]
    ]
    report.table(["column", "F", "p", "F beside the others", "p", "inflation", "meaning"], cells)
    if len(features) > _MOST:
        rest = counted(len(features) - _MOST, "more column")
        report.line(f"  … and {rest} (features has all)")


def _add_collinearity(report: Report, found: dict[str, Any]) -> None:
    report.title("Are columns nearly determined by others?")
    if found["why_not"]:
        report.line(f"  no test, {found['why_not']}  → {found['meaning']}")
        return
    for one in found["sets"]:
        names = ", ".join(one["columns"][:8])
        report.line(f"  condition index {one['condition_index']:.4g}: {names}  → {one['meaning']}")
    report.line(f"  largest condition index {found['condition']:.4g}  → {found['meaning']}")


def _add_outliers(report: Report, found: dict[str, Any]) -> None:
    report.title("Which rows look like outliers?")
    if found["why_not"]:
        report.line(f"  no test, {found['why_not']}  → {found['meaning']}")
        return
    cells = [
        [
            str(one["row"]),
            one["class"],
            probability(one["tail"]),
            f"{one['column']} = {one['value']:.6g}",
            f"{one['deviations']:.1f}",
            one["fits"] or "",
        ]
        for one in found["rows"]
    ]
    report.table(["row", "class", "tail", "farthest", "deviations", "fits"], cells)
    tested = counted(found["tested"], "row")
    report.line(f"  {found['count']} of {tested}  → {found['meaning']}")
