"""Priors that are estimated from the rows to be decided."""

import gzip
import json
import math
import random
import re
import unittest

from decisions_test import CLASSES, Decisions
from support import three_classes


class Estimate(Decisions):
    def shifted(self, counts):
        rng = random.Random(8)
        by_class = {k: [row for row, y in zip(self.sample.rows, self.sample.labels) if y == k]
                    for k in CLASSES}
        rows = [rng.choice(by_class[k]) for k, count in zip(CLASSES, counts) for _ in range(count)]
        rng.shuffle(rows)
        return self.write_data("shifted.csv", self.sample.names, rows)

    def said(self, result):
        found = re.search(r"estimated priors: (\S+)", result.err)
        return {k: float(v) for k, v in (pair.split("=") for pair in found[1].split(","))}

    def em(self, posteriors, base):
        prior = dict(base)
        for _ in range(5000):
            sums = dict.fromkeys(prior, 0.0)
            for p in posteriors:
                parts = {k: p[k] * prior[k] / base[k] for k in p}
                whole = sum(parts.values())
                for k in p:
                    sums[k] += parts[k] / whole
            last, prior = prior, {k: v / len(posteriors) for k, v in sums.items()}
            if max(abs(last[k] - prior[k]) for k in prior) < 1e-12:
                break
        return prior

    def test_priors_are_those_of_plain_em(self):
        data = self.shifted((20, 300, 30))
        base = {k: self.sample.labels.count(k) / len(self.sample.labels) for k in CLASSES}
        wanted = self.em(self.proba(self.model, data), base)
        result = self.ok("predict", self.model, data, "--priors", "estimate", "--proba")
        for k, value in self.said(result).items():
            self.assertAlmostEqual(value, wanted[k], delta=1e-6)
        given = ",".join(f"{k}={v!r}" for k, v in wanted.items())
        self.assert_rows_close(self.proba(self.model, data, "--priors", "estimate"),
                               self.proba(self.model, data, "--priors", given), 1e-7)

    def test_more_rows_are_right_after_a_shift(self):
        data = self.write("l.csv", self.sample.subset(
            [i for i, y in enumerate(self.sample.labels) if y == "b" or i % 8 == 0]))
        usual = self.ok_json("evaluate", self.model, data)
        result = self.ok("evaluate", self.model, data, "--priors", "estimate", "--json")
        shifted = json.loads(result.out)
        self.assertLess(shifted["log_loss"], usual["log_loss"])
        self.assertLessEqual(shifted["errors"], usual["errors"])
        self.assertGreater(self.said(result)["b"], 0.6)

    def test_file_pipe_gzip_and_threads(self):
        data = self.shifted((20, 300, 30))
        text = data.read_text()
        ask = ("--priors", "estimate", "--proba", "--costs", self.costs, "--outlier", "0.01")
        whole = self.ok("predict", self.model, data, *ask)
        for threads in (1, 4):
            piped = self.ok("predict", self.model, "-", *ask, "--threads", threads, stdin=text)
            self.assertEqual((piped.out, piped.err), (whole.out, whole.err))
        packed = gzip.compress(text.encode())
        self.assertEqual(self.ok("predict", self.model, "-", *ask, stdin=packed).out, whole.out)
        labelled = self.sample.text()
        found = self.ok("evaluate", self.model, self.data, "--priors", "estimate").out
        self.assertEqual(self.ok("evaluate", self.model, "-", "--priors", "estimate",
                                 stdin=labelled).out, found)

    def test_many_rows_through_a_pipe(self):
        sample = three_classes(seed=5, counts=(9000, 1000, 12000))
        data = self.write("many.csv", sample)
        model = self.fit(data, "--model", "qda", "--priors", "uniform", name="m.json")
        whole = self.ok("predict", model, data, "--priors", "estimate", "--keep", "class")
        piped = self.ok("predict", model, "-", "--priors", "estimate", "--keep", "class",
                        "--threads", "3", stdin=sample.text())
        self.assertEqual((piped.out, piped.err), (whole.out, whole.err))
        for k, count in zip(CLASSES, (9000, 1000, 12000)):
            self.assertAlmostEqual(self.said(whole)[k], count / 22000, delta=0.02)

    def test_what_does_not_converge_is_said(self):
        """Ratios of the densities 3/2 and 1/2: the likelihood is flat where b vanishes."""
        model = self.write("flat.json", json.dumps({
            "format": "genera-model", "version": 1, "features": ["x"], "classes": [
                {"name": "a", "prior": 0.5, "mean": [0], "covariance": [[1]]},
                {"name": "b", "prior": 0.5, "mean": [1], "covariance": [[1]]}]}))
        rows = [[0.5 + math.log(ratio)] for ratio in (1.5, 0.5)]
        result = self.ok("predict", model, self.write_data("flat.csv", ["x"], rows),
                         "--priors", "estimate")
        self.assertIn("warning: the priors still changed after 10000 iterations", result.err)
        self.assertLess(self.said(result)["b"], 1e-3)

    def test_words(self):
        self.refused("predict", self.model, self.data, "--priors", "estimat", status=2,
                     mentions=("estimate",))
        self.refused("fit", self.data, "--priors", "estimate", status=2,
                     mentions=("predict and evaluate",))
        self.refused("score", self.model, self.data, "--priors", "estimate", status=2,
                     mentions=("predict and evaluate",))
        self.assertEqual(self.ok("predict", self.model, self.data, "--priors", "estimate",
                                 "--quiet").err, "")


if __name__ == "__main__":
    unittest.main()
