"""How many threads there are to use."""

from __future__ import annotations

import os

try:
    from sklearn.utils._openmp_helpers import _openmp_effective_n_threads
except ImportError:  # it is private there
    _openmp_effective_n_threads = None


def available() -> int:
    """As many as scikit-learn would use, which respects the cores of the process and of its
    container, ``OMP_NUM_THREADS``, joblib's workers and ``threadpoolctl``."""
    if _openmp_effective_n_threads is not None:
        try:
            return int(_openmp_effective_n_threads(None, only_physical_cores=False))
        except TypeError:  # before scikit-learn 1.3
            return int(_openmp_effective_n_threads())
    return os.cpu_count() or 1
