"""What estimators tell: how a fit went, and why a row was given to its class."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ._errors import counted


class FitReport:
    """How a fit went. Every figure of the core is an attribute; ``notes`` and ``warnings`` are
    sentences for people."""

    def __init__(self, facts: dict[str, Any]) -> None:
        self.__dict__.update(facts)

    def __repr__(self) -> str:
        lines = [f"{self.outcome}, {counted(self.rows, 'row')}"]
        lines += [f"warning: {text}" for text in self.warnings] + list(self.notes)
        return "\n".join(lines)

    outcome: str
    rows: int
    warnings: list[str]
    notes: list[str]


@dataclass
class Member:
    """A member of a committee: its posteriors count with ``weight``, its density with
    ``density_weight`` (0: it is not part of the density of the committee)."""

    name: str
    weight: float
    density_weight: float
    model: Any


@dataclass
class Evidence:
    """What one feature says for the best class against the second, in nats."""

    feature: str
    log_odds: float


@dataclass
class Explanation:
    """Why a row was given to its class: ``base`` + all evidence + ``rest`` = ``log_odds``."""

    best: Any
    second: Any
    log_odds: float
    base: float
    evidence: list[Evidence]
    rest: float

    def __str__(self) -> str:
        lines = [f"{self.best} against {self.second}: log odds {self.log_odds:.4g}"]
        lines += [f"  {one.log_odds:+10.4g}  {one.feature}" for one in self.evidence]
        lines += [f"  {self.rest:+10.4g}  other features", f"  {self.base:+10.4g}  prior and constants"]
        return "\n".join(lines)


@dataclass
class ClassProbability:
    """A probability in one class, and that of the class given what is known."""

    share: float
    value: float


@dataclass
class Probability:
    """The probability of an event under a model.

    Attributes
    ----------
    value, log_value : float
    error : float
        Bound of the error of ``value``; 0 for closed forms.
    by_class : dict of label to ClassProbability
    """

    value: float
    log_value: float
    error: float
    by_class: dict[Any, ClassProbability]

    def __float__(self) -> float:
        return self.value
