"""Errors and warnings."""

from __future__ import annotations

import difflib
import warnings
from typing import Any, Iterable


class Error(ValueError):
    """What is wrong, and what to do about it.

    Attributes
    ----------
    what : str
        One sentence of what is wrong and where.
    hint : str
        One sentence of what to do, in terms of the parameters of the estimators.
    code : str
        Who can fix it: ``bad_argument`` (a parameter), ``bad_data`` (the rows), ``bad_model`` (a
        model that cannot be made, loaded or asked this), ``stopped``.
    """

    def __init__(self, what: str, hint: str = "", code: str = "bad_argument") -> None:
        super().__init__(f"{what}\n{hint}" if hint else what)
        self.what = what
        self.hint = hint
        self.code = code

    def __reduce__(self) -> tuple[type[Error], tuple[str, str, str]]:
        return type(self), (self.what, self.hint, self.code)


class FitWarning(UserWarning):
    """Something about a fit that its user should know: it did not converge, variances were raised,
    covariances were singular and are shrunk, a class has few rows."""


def counted(count: int, one: str, many: str | None = None) -> str:
    """1 row, 3 rows; ``many`` where it is not ``one`` and an s."""
    return f"{count} {one if count == 1 else many or one + 's'}"


def listed(names: list[str], most: int = 5) -> str:
    """'a', 'b' and 3 more."""
    shown = ", ".join(f"'{name}'" for name in names[:most])
    return shown if len(names) <= most else f"{shown} and {len(names) - most} more"


def warn(texts: list[str], level: int = 3) -> None:
    """At the line that called the caller, or one ``level`` levels up."""
    for text in texts:
        warnings.warn(text, FitWarning, stacklevel=level)


def refuse(option: str, value: Any, choices: Iterable[str]) -> Error:
    """The error that ``value`` is none of the choices."""
    names = list(choices)
    near = difflib.get_close_matches(str(value), names, 2)
    listed = " or ".join(f"'{name}'" for name in near)
    hint = f"did you mean {listed}?" if near else "use one of " + ", ".join(map(repr, names))
    return Error(f"{option} is '{value}', which is not one of its values", hint)


def check_choice(option: str, value: Any, choices: Iterable[str]) -> None:
    if value not in (names := list(choices)):
        raise refuse(option, value, names)
