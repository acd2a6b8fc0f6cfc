"""Figures on matplotlib axes: the kinds of ``genera plot``, of the same computed data.

Each function draws on ``ax``, or on a figure of its own with the legend beside and a caption below,
and returns the axes; of several panels an array of them. matplotlib is imported when something is
drawn."""

from ._densities import density
from ._judgements import confusion, reliability, roc
from ._lines import posterior
from ._panels import features, pairs, samples
from ._planes import canonical, predictions, regions, scatter
from ._trends import bic, curves, needed, path

__all__ = [
    "bic",
    "canonical",
    "confusion",
    "curves",
    "density",
    "features",
    "needed",
    "pairs",
    "path",
    "posterior",
    "predictions",
    "regions",
    "reliability",
    "roc",
    "samples",
    "scatter",
]
