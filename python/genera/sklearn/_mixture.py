"""Mixtures: densities and moments of the components from the core."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn import mixture as peer
from sklearn.mixture._gaussian_mixture import _compute_precision_cholesky

from .. import _genera
from ._shared import class_statistics, is_array, moments, names_of_classes, scores_of


class GaussianMixture(peer.GaussianMixture):
    """``sklearn.mixture.GaussianMixture`` with densities and moments from the core: the same
    parameters, attributes and numbers. ``genera.GaussianMixture`` chooses their number and takes
    NaN."""

    def _m_step(self, X: Any, log_resp: Any, **more: Any) -> None:
        # Of tied and diagonal covariances scikit-learn's products of matrices are as quick.
        if self.covariance_type != "full" or not is_array(X) or X.dtype != np.float64:
            return super()._m_step(X, log_resp, **more)
        shares = np.exp(log_resp)
        count, columns = shares.shape[1], X.shape[1]
        weights = shares.sum(axis=0) + 10 * np.finfo(np.float64).eps
        means, covariances = np.zeros((count, columns)), np.zeros((count, columns, columns))
        everywhere = np.zeros(len(X), dtype=np.int32)
        for k in range(count):
            statistics = class_statistics(X, everywhere, 1, shares[:, k])
            known, own, scatters = moments(statistics, 1, columns)
            means[k] = own[0] * (known[0] / weights[k])
            covariances[k] = scatters[0] / weights[k] + self.reg_covar * np.eye(columns)
        self.weights_, self.means_, self.covariances_ = weights / weights.sum(), means, covariances
        self.precisions_cholesky_ = _compute_precision_cholesky(covariances, "full")
        return None

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
