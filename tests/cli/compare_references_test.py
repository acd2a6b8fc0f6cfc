"""Four learning curves that an independent program has computed."""

import math
import os
import unittest

from support import REFERENCE_DATA, CliTest

PIMA = REFERENCE_DATA / "pima_zeros.csv.gz"
# In full: 200
REPEATS = os.environ.get("GENERA_CURVE_REPEATS", "40")


class LearningCurves(CliTest):
    """Mean test errors over 200 splits: simple random training rows, redrawn if a class is absent,
    standardised columns; logistic regression with the penalty 0.01 |w|^2 / 2 on the summed loss,
    one vector w (0.02 in our symmetric form), and Gaussian naive Bayes with shared variances."""

    SIZES = (10, 20, 50, 100, 200, 300)
    SE = {10: .005, 20: .0035, 50: .002, 100: .001, 200: .001, 300: .001}
    CURVES = (
        ((PIMA,), {"logistic": (.3426, .3297, .2750, .2532, .2377, .2328),
                   "dlda": (.3209, .2930, .2650, .2564, .2506, .2490)}),
        (("@sonar",), {"logistic": (.3543, .3085, .2672, .2512),
                       "dlda": (.3689, .3375, .3126, .3057)}),
        (("@digits", "--classes", "2,3"), {"logistic": (.1091, .0517, .0262, .0129, .0078),
                                           "dlda": (.0916, .0500, .0349, .0278, .0229)}),
        (("@breast_cancer",), {"logistic": (.1062, .0791, .0558, .0463, .0443, .0414),
                               "dlda": (.0893, .0759, .0686, .0659, .0631, .0630)}))

    def test_four_learning_curves(self):
        for data, wanted in self.CURVES:
            sizes = self.SIZES[:len(wanted["dlda"])]
            found = self.ok_json("compare", *data, "--pairs", "dlda-logistic", "--sizes",
                                 ",".join(map(str, sizes)), "--repeats", REPEATS, "--ridge", "0.02")
            for model, errors in wanted.items():
                curve = {c["size"]: c for c in found["curves"] if c["model"] == model}
                for size, error in zip(sizes, errors):
                    reference = .0024 if data[0] == "@sonar" and size > 50 else self.SE[size]
                    mean, se = curve[size]["error_mean"], curve[size]["error_se"]
                    self.assertLess(abs(mean - error), 3 * math.hypot(se, reference),
                                    f"{data} {model} {size}: {mean:.4f}, not {error}")


if __name__ == "__main__":
    unittest.main()
