"""What is shown while a long call works."""

from __future__ import annotations

import sys
from typing import Any, Callable


def teller() -> Callable[[str, int, int | None], None]:
    """A bar of tqdm if that is installed, a line on standard error otherwise."""
    try:
        from tqdm.auto import tqdm
    except ImportError:
        return _line
    bars: dict[str, Any] = {}

    def tell(task: str, done: int, total: int | None) -> None:
        if task not in bars:
            bars[task] = tqdm(total=total, desc=task, leave=False)
        bars[task].update(done - bars[task].n)

    return tell


def _line(task: str, done: int, total: int | None) -> None:
    of = f" of {total}" if total is not None else ""
    print(f"{task}: {done}{of}", file=sys.stderr)


def tell(verbose: int) -> Callable[[str, int, int | None], None] | None:
    """Nothing is shown unless it is asked for."""
    return teller() if verbose else None
