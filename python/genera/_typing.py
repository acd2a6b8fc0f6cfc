"""What scikit-learn does not tell type checkers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Callable, Sequence, TypedDict, TypeVar

if TYPE_CHECKING:
    _F = TypeVar("_F", bound=Callable[..., Any])

    def available_if(check: Callable[[Any], bool]) -> Callable[[_F], _F]:
        """A method that only some objects of a class have."""

else:
    from sklearn.utils.metaestimators import available_if


class ComparedOptions(TypedDict, total=False):
    """Parameters of ``GenerativeClassifier`` and ``TextClassifier`` that ``compare`` takes."""

    priors: Any
    divisor: str
    shrinkage: str | float | None
    alpha: float
    gamma: float
    toward: str
    ridge: float
    smoothing: float | None
    max_bins: int | None
    prior_rows: float | None
    prior_gamma: float | None
    bandwidth: float | None
    kernel_gamma: float | None
    raw_units: bool
    variance_prior: float
    variance_floor: float
    types: dict[Any, str] | None
    max_iter: int | None
    ngrams: int | tuple[int, int]
    chars: int | tuple[int, int] | None
    min_count: float
    max_terms: int
    hash_bits: int
    stop_words: str | Sequence[str] | None


class SelectedOptions(ComparedOptions, total=False):
    """Those that ``select`` takes."""

    components: int | tuple[int, int]
    covariance: str
    starts: int
    terms: str
    on_singular: str


__all__ = ["ComparedOptions", "SelectedOptions", "available_if"]
