"""Columns of counts that are Poisson: the formulas, every verb, what is refused."""

import math
import random
import unittest

from discrete_formulas import Gaussian, Model, Poisson
from discrete_support import DiscreteTest, counts, texts
from support import Sample, csv_text, parse_csv


def with_holes(sample, seed, share=0.2):
    rng = random.Random(seed)
    return Sample(sample.names, [["" if rng.random() < share else x for x in row]
                                 for row in sample.rows], sample.labels)


class AgainstFormulas(DiscreteTest):
    def test_every_smoothing(self):
        for s in (1.0, 0.0, 0.25, 7.5):
            for sample in (counts(seed=1), with_holes(counts(seed=2), seed=3)):
                with self.subTest(smoothing=s):
                    self.expect(sample, Model(sample, Poisson(sample, range(3), s)),
                                "--model", "poisson", "--smoothing", s)

    def test_beside_numbers(self):
        sample = counts(seed=4)
        rng = random.Random(5)
        rows = [[round(rng.gauss(y == "a", 1), 4), *row]
                for y, row in zip(sample.labels, sample.rows)]
        mixed = Sample(["x", *sample.names], rows, sample.labels)
        expected = Model(mixed, Gaussian(mixed, (0,), "lda"), Poisson(mixed, (1, 2, 3)))
        self.expect(mixed, expected, "--model", "poisson", "--type", "x=numeric")

    def test_a_count_where_the_rate_is_zero(self):
        sample = Sample(["u", "v"], [[0, 3], [0, 1], [2, 1], [1, 0]], list("aabb"))
        model = self.fit(sample, "--model", "poisson", "--smoothing", 0)
        data = self.write("d.csv", csv_text(["u", "v"], [[1, 1], [0, 1]]))
        self.assert_rows_close(self.proba(model, data)[:1], [{"a": 0.0, "b": 1.0}], 0)
        self.assertEqual(self.joint(model, data)[0]["a"], -math.inf)
        self.assertTrue(math.isfinite(self.joint(model, data)[1]["a"]))


class Verbs(DiscreteTest):
    def setUp(self):
        super().setUp()
        self.sample = counts(seed=10)
        self.expected = Model(self.sample, Poisson(self.sample, range(3)))
        self.rates = self.expected.blocks[0].rates
        self.model = self.fit(self.sample, "--model", "poisson")
        self.data = self.write("rows.csv", self.sample)

    def test_fit_names_it(self):
        result = self.ok("fit", self.data, "--model", "poisson", "-o", self.folder / "m.json")
        self.assertIn("poisson: 3 features, 2 classes", result.err)

    def test_evaluate(self):
        found = self.ok_json("evaluate", self.model, self.data)
        joints = [self.expected.log_joint(row)[y]
                  for row, y in zip(self.sample.rows, self.sample.labels)]
        self.assertAlmostEqual(found["log_likelihood"], math.fsum(joints), delta=1e-8)

    def test_inspect(self):
        block = self.block(self.model, "poisson")
        self.assertEqual((block["features"], block["smoothing"]), (self.sample.names, 1))
        for k, rates in zip("ab", block["rates"], strict=True):
            for found, rate in zip(rates, self.rates[k], strict=True):
                self.assertAlmostEqual(found, rate, delta=1e-13)
        parameters = self.ok_json("inspect", self.model)["parameters"]
        self.assertEqual((parameters["means"], parameters["total"]), (6, 7))
        text = self.ok("inspect", self.model).out
        for word in ("poisson", "mean counts", "n1", "n3"):
            self.assertIn(word, text)
        log_ratio = math.log(self.rates["a"][2] / self.rates["b"][2])
        self.assertIn(f"{log_ratio:+.4f}", self.ok("inspect", self.model, "--top", "3").out)

    def test_explain(self):
        answer = self.ok_csv("predict", self.model, self.data, "--explain", 3)
        for row, said in zip(self.sample.rows, answer, strict=True):
            a, b = said["prediction"], said["second"]
            joint = self.expected.log_joint(row)
            self.assertAlmostEqual(float(said["log_odds"]), joint[a] - joint[b], delta=1e-9)
            for i in (1, 2, 3):
                j = self.sample.names.index(said[f"feature_{i}"])
                first, second = self.rates[a][j], self.rates[b][j]
                share = row[j] * math.log(first / second) - (first - second)
                self.assertAlmostEqual(float(said[f"contribution_{i}"]), share, delta=1e-9)

    def test_sample(self):
        for k in "ab":
            rows = parse_csv(self.ok("sample", self.model, "-n", 4000, "--class", k).out)
            for j, name in enumerate(self.sample.names):
                mean = sum(int(row[name]) for row in rows) / 4000
                self.assertAlmostEqual(mean, self.rates[k][j],
                                       delta=5 * math.sqrt(self.rates[k][j] / 4000))

    def test_impute(self):
        rows = [["", 2, 1], [3, "", 0], ["", "", ""]]
        holes = self.write("holes.csv", csv_text(self.sample.names, rows))
        found = self.ok_csv("impute", self.model, holes)
        whole = self.ok_csv("impute", self.model, holes, "--integers")
        for row, filled, rounded in zip(rows, found, whole, strict=True):
            posterior = self.expected.posterior(row)
            for j, name in enumerate(self.sample.names):
                mean = sum(p * self.rates[k][j] for k, p in posterior.items())
                expected = mean if row[j] == "" else row[j]
                self.assertAlmostEqual(float(filled[name]), expected, delta=1e-12)
                self.assertEqual(float(rounded[name]), round(expected))
        drawn = self.ok_csv("impute", self.model, holes, "--draws", 1)
        self.assertTrue(all(cell.isdigit() for row in drawn for cell in row.values()))

    def test_statistics_add_up(self):
        half = len(self.sample.rows) // 2
        parts = [self.statistics(self.sample.subset(range(half)), "a.json", "--model", "poisson"),
                 self.statistics(self.sample.subset(range(half, 2 * half)), "b.json",
                                 "--model", "poisson")]
        merged = self.folder / "all.json"
        self.ok("merge", *parts, "-o", merged)
        model = self.folder / "merged.json"
        self.ok("fit", merged, "--model", "poisson", "-o", model)
        self.assert_same_answers(model, self.model, self.data, tolerance=1e-12)

    def test_missing_labels(self):
        labels = [y if i % 3 else "" for i, y in enumerate(self.sample.labels)]
        some = Sample(self.sample.names, self.sample.rows, labels)
        result = self.ok("fit", self.write("some.csv", some), "--model", "poisson",
                         "--unlabelled-weight", "1", "-o", self.folder / "em.json")
        self.assertIn("EM converged", result.err)


class Refused(DiscreteTest):
    def test_texts(self):
        data = self.write("t.csv", texts(seed=20))
        self.refused("fit", data, "--model", "poisson", "--type", "note=text", status=1,
                     mentions=("poisson cannot take 'note' as text", "--model multinomial"))

    def test_svmlight(self):
        data = self.write("d.svm", "a 1:2 3:1\nb 2:1\na 1:1\nb 3:4\n")
        self.refused("fit", data, "--model", "poisson", status=2,
                     mentions=("sparse matrix", "--model multinomial"))

    def test_what_is_no_count(self):
        sample = counts(seed=21)
        model = self.fit(sample, "--model", "poisson")
        for cell in ("-2", "0.5"):
            data = self.write("p.csv", csv_text(sample.names, [[1, 2, 3], [1, cell, 3]]))
            self.refused("predict", model, data, status=1, mentions=("p.csv:3", "'n2'", cell))

    def test_only_zeros(self):
        sample = Sample(["u", "v"], [[0, 3], [0, 1], [0, 1], [0, 4]], list("aabb"))
        result = self.ok("fit", self.write("d.csv", sample), "--model", "poisson",
                         "-o", self.folder / "m.json")
        self.assertIn("column 'u' is 0 in every row and is left out", result.err)
        self.assertEqual(self.block(self.folder / "m.json", "poisson")["features"], ["v"])


if __name__ == "__main__":
    unittest.main()
