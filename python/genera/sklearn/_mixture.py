"""Mixtures: densities of the components from the core."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn import mixture as peer

from .. import _genera
from ._shared import is_array, names_of_classes, scores_of


class GaussianMixture(peer.GaussianMixture):
    """``sklearn.mixture.GaussianMixture`` with densities from the core: the same parameters,
    attributes and numbers. ``genera.GaussianMixture`` chooses their number and takes NaN."""

    def _estimate_log_prob(self, X: Any, **more: Any) -> Any:
        model = self._model() if is_array(X) and not more.get("xp_other") else None
        if model is None:
            return super()._estimate_log_prob(X, **more)
        return scores_of(model, X) + np.log(len(self.means_))

    def _model(self) -> Any:
        """The core's model of the precisions; None if they are not those of a model."""
        roots = getattr(self, "precisions_cholesky_", None)
        if not isinstance(roots, np.ndarray) or roots.dtype != np.float64:
            return None
        count, columns = self.means_.shape
        classes, priors = names_of_classes(count), [1.0 / count] * count
        try:
            if self.covariance_type in ("diag", "spherical"):
                variances = np.broadcast_to(roots.reshape(count, -1) ** -2.0, (count, columns))
                return _genera.gaussian_model(classes, priors, self.means_, None, variances.copy())
            each = roots[None] if roots.ndim == 2 else roots
            inverse = np.linalg.inv(each)
            covariances = [np.asarray(one.T @ one) for one in inverse]
            return _genera.gaussian_model(classes, priors, self.means_, covariances)
        except (ValueError, np.linalg.LinAlgError):
            return None
