"""What the program promises of digits, against exact arithmetic (exact.py)."""

import json
import math
import pathlib
import random
import unittest

import exact
from support import CliTest, csv_text

REFERENCE = pathlib.Path(__file__).parents[1] / "reference" / "numerics"
MODELS = ("qda", "lda", "gnb", "dlda")


def far_rows(mean, seed=5, n=70):
    """Two classes that overlap, three columns with deviations near 1 that are correlated, around `mean`."""
    rng = random.Random(seed)
    rows, labels = [], []
    for i in range(n):
        k = i % 2
        common = rng.gauss(0, 1)
        rows.append([mean + k * 0.7 + rng.gauss(0, 1) + 0.6 * common,
                     -mean + rng.gauss(0, 1.3) - 0.4 * common,
                     3 * mean + k * rng.gauss(0.4, 0.5) + rng.gauss(0, 0.8)])
        labels.append("ab"[k])
    return rows, labels


class FarFromZero(CliTest):
    """Means of up to 1e8 standard deviations cost no digits, in memory and in files."""

    def check(self, model, expected, rows, data, tolerance):
        for got, row in zip(self.proba(model, data), rows):
            for k, p in expected.posterior(row).items():
                self.assertAlmostEqual(got[k], p, delta=tolerance)

    def test_posteriors(self):
        for mean in (0, 1e4, 1e6, 1e8):
            rows, labels = far_rows(mean)
            data = self.write("far.csv", csv_text(["x", "y", "z", "class"],
                                                  [[*r, k] for r, k in zip(rows, labels)]))
            for name in MODELS:
                with self.subTest(mean=mean, model=name):
                    expected = exact.Gaussian(name, rows, labels)
                    for file in ("m.json", "m.cbor"):
                        model = self.fit(data, "--model", name, name=file)
                        self.check(model, expected, rows, data, 1e-12)

    def test_rows_that_lack_a_cell(self):
        rows, labels = far_rows(1e8)
        data = self.write("far.csv", csv_text(["x", "y", "z", "class"],
                                              [[*r, k] for r, k in zip(rows, labels)]))
        holes = [[x if (i + j) % 3 else None for j, x in enumerate(row)] for i, row in enumerate(rows)]
        asked = self.write("holes.csv", csv_text(["x", "y", "z"],
                                                 [["" if x is None else x for x in r] for r in holes]))
        for name in MODELS:
            with self.subTest(model=name):
                model = self.fit(data, "--model", name)
                self.check(model, exact.Gaussian(name, rows, labels), holes, asked, 1e-12)

    def test_statistics_that_were_merged_and_forgotten(self):
        rows, labels = far_rows(1e8, n=90)
        whole = [[*r, k] for r, k in zip(rows, labels)]
        parts = []
        for i in range(3):
            part = self.write(f"{i}.csv", csv_text(["x", "y", "z", "class"], whole[30 * i:30 * i + 30]))
            parts.append(self.folder / f"{i}.stats")
            self.ok("stats", part, "-o", parts[-1])
        self.ok("merge", *parts, "-o", self.folder / "all.stats")
        self.ok("forget", self.folder / "all.stats", self.folder / "1.csv", "-o", self.folder / "left.stats")
        left = [*range(30), *range(60, 90)]
        kept, known = [rows[i] for i in left], [labels[i] for i in left]
        data = self.write("left.csv", csv_text(["x", "y", "z"], kept))
        model = self.fit(self.folder / "left.stats", "--model", "qda")
        self.check(model, exact.Gaussian("qda", kept, known), kept, data, 1e-12)

    def test_svmlight(self):
        rows, labels = far_rows(1e8)
        lines = [f"{k} " + " ".join(f"{j + 1}:{x!r}" for j, x in enumerate(row)) for row, k in zip(rows, labels)]
        data = self.write("far.svm", "\n".join(lines) + "\n")
        for name in MODELS:
            with self.subTest(model=name):
                model = self.fit(data, "--model", name)
                self.check(model, exact.Gaussian(name, rows, labels), rows, data, 1e-12)
        parts = []
        for i in range(2):
            part = self.write(f"{i}.svm", "\n".join(lines[i::2]) + "\n")
            parts.append(self.folder / f"{i}.stats")
            self.ok("stats", part, "-o", parts[-1])
        self.ok("merge", *parts, "-o", self.folder / "all.stats")
        model = self.fit(self.folder / "all.stats", "--model", "gnb")
        self.check(model, exact.Gaussian("gnb", rows, labels), rows, data, 1e-12)

    def test_mixtures_of_one_component(self):
        rows, labels = far_rows(1e8)
        data = self.write("far.csv", csv_text(["x", "y", "z", "class"],
                                              [[*r, k] for r, k in zip(rows, labels)]))
        for name in ("qda", "gnb"):
            with self.subTest(covariance=name):
                model = self.fit(data, "--model", "mda", "--components", "1", "--covariance", name)
                self.check(model, exact.Gaussian(name, rows, labels), rows, data, 1e-12)

    def test_parameters_drawn_for_imputation(self):
        rows, labels = far_rows(1e8)
        rows = [[row[0] - 1e8 if k == "a" else row[0], *row[1:]] for row, k in zip(rows, labels)]  # near 0 in one class
        data = self.write("far.csv", csv_text(["x", "y", "z", "class"],
                                              [[*r, k] for r, k in zip(rows, labels)]))
        model = self.fit(data, "--model", "qda")
        holes = self.write("holes.csv", csv_text(["x", "y", "z", "class"], [[*rows[0][:2], "", labels[0]]]))
        self.ok("impute", model, holes, "--draws", "20", "-o", self.folder / "full.csv")

    def test_low_parts_are_written_where_they_show(self):
        for mean, there in ((0, False), (10, False), (1e8, True)):
            rows, labels = far_rows(mean)
            data = self.write("far.csv", csv_text(["x", "y", "z", "class"],
                                                  [[*r, k] for r, k in zip(rows, labels)]))
            block = json.loads(self.fit(data).read_text())["blocks"][0]
            self.assertEqual("means_low" in block, there)
            if there:
                for k, (high, low) in enumerate(zip(block["means"], block["means_low"])):
                    mean_of = exact.mean_of([[exact.Fraction(x) for x in r]
                                             for r, label in zip(rows, labels) if label == "ab"[k]])
                    for a, b, c in zip(high, low, mean_of):
                        self.assertLess(abs(exact.Fraction(a) + exact.Fraction(b) - c), 1e-14)

    def test_low_parts_that_are_none_are_refused(self):
        rows, labels = far_rows(1e8)
        data = self.write("far.csv", csv_text(["x", "y", "z", "class"],
                                              [[*r, k] for r, k in zip(rows, labels)]))
        document = json.loads(self.fit(data).read_text())
        document["blocks"][0]["means_low"][1][0] = 1.0
        model = self.write("damaged.json", json.dumps(document))
        self.refused("predict", model, data, status=1, mentions=("low part 1 of the mean 1",))


class Forgetting(CliTest):
    def test_what_is_left_constant_is_not_rounding(self):
        for name in ("qda", "gnb"):
            with self.subTest(model=name):
                self.ok("stats", REFERENCE / "all.csv", "-o", self.folder / "all.stats")
                self.ok("forget", self.folder / "all.stats", REFERENCE / "forget.csv", "-o",
                        self.folder / "left.stats")
                forgotten = self.fit(self.folder / "left.stats", "--model", name)
                never = self.fit(REFERENCE / "rest.csv", "--model", name, name="never.json")
                self.assert_rows_close(self.proba(forgotten, REFERENCE / "rest.csv"),
                                       self.proba(never, REFERENCE / "rest.csv"), 1e-12)
                self.assertAlmostEqual(self.proba(forgotten, REFERENCE / "rest.csv")[0]["a"], 0.399944563466, 11)


class Scales(CliTest):
    def test_shrinkage_in_raw_units_of_huge_values(self):
        for amount in ("oas", "lw"):
            with self.subTest(shrinkage=amount):
                options = ("--model", "qda", "--shrinkage", amount, "--raw-units")
                model = self.fit(REFERENCE / "big.csv", *options)
                shrinkage = json.loads(model.read_text())["blocks"][0]["shrinkage"]
                self.assertTrue(all(0 < x <= 1 for x in shrinkage), shrinkage)
                small = (REFERENCE / "big.csv").read_text().replace("e80,", "e20,")  # y vanishes beside both
                model = self.fit(self.write("e20.csv", small), *options, name="e20.json")
                for a, b in zip(shrinkage, json.loads(model.read_text())["blocks"][0]["shrinkage"]):
                    self.assertAlmostEqual(a, b, delta=1e-14)

    def test_tiny_values(self):
        text = (REFERENCE / "t160.csv").read_text()
        for exponent in (100, 140, 150):
            with self.subTest(exponent=exponent):
                data = self.write("tiny.csv", text.replace("e-160", f"e-{exponent}"))
                for name in ("lda", "qda", "gnb"):
                    model = self.fit(data, "--model", name, "--on-singular", "shrink")
                    scale_free = self.fit(REFERENCE / "t1.csv", "--model", name, "--on-singular", "shrink", name="t1.json")
                    self.assert_rows_close(self.proba(model, data), self.proba(scale_free, REFERENCE / "t1.csv"), 1e-12)
        for exponent in (152, 155, 160, 162, 170, 300):
            with self.subTest(exponent=exponent):
                data = self.write("tiny.csv", text.replace("e-160", f"e-{exponent}"))
                for name in ("lda", "gnb"):
                    self.refused("fit", data, "--model", name, status=1,
                                 mentions=("the values of 'x' are too small to be squared", "a smaller unit"))

    def test_tiny_values_of_mean_zero_and_in_svmlight(self):
        data = self.write("zero.csv", "x,y,class\n" + "".join(
            f"{x}e-170,{y},{k}\n" for x, y, k in ((1, 1, "a"), (-1, 2, "a"), (1, 4, "b"), (-1, 3, "b"))))
        self.refused("fit", data, "--model", "gnb", status=1, mentions=("'x' are too small",))
        data = self.write("zero.svm", "a 1:1e-170 2:1\na 1:3e-170 2:2\nb 1:2e-170 2:4\nb 1:5e-170 2:3\n")
        self.refused("fit", data, "--model", "gnb", status=1, mentions=("'1' are too small",))

    def test_constants_are_constant_on_every_scale(self):
        for value in ("1e-320", "3e-170", "1e-155", "7e-140", "0.1", "1e150"):
            data = self.write("c.csv", "x,y,class\n" + "".join(
                f"{value},{y},{k}\n" for y, k in ((1, "a"), (2, "a"), (4, "a"), (3, "b"), (5, "b"), (9, "b"))))
            result = self.ok("fit", data, "--model", "gnb", "-o", self.folder / "m.json")
            self.assertIn("'x' is constant and left out", result.err)


def counts_model(block):
    return json.dumps({"format": "genera-model", "version": 1, "target": "class",
                       "classes": [{"name": "a", "prior": 0.5}, {"name": "b", "prior": 0.5}],
                       "blocks": [block]})


class LongRows(CliTest):
    """Of counts up to 1e15, whose factorials and powers are 1e16 times larger than the log density."""

    def rows_around(self, shares, total, seed):
        """Counts a few deviations from their expectation."""
        rng = random.Random(seed)
        rows = []
        for _ in range(6):
            row = [max(1, round(total * s + rng.gauss(0, 1) * math.sqrt(total * s))) for s in shares]
            rows.append(row)
        return rows

    def densities(self, model, data):
        return [float(row["log_density"]) for row in self.ok_csv("score", model, data)]

    def test_multinomial(self):
        p = [[0.2, 0.3, 0.1, 0.4], [0.2 + 1e-8, 0.3 - 1e-8, 0.1, 0.4]]
        model = self.write("m.json", counts_model(
            {"type": "multinomial", "terms": ["q", "r", "s", "t"], "probabilities": p, "lengths": [10, 10]}))
        for total in (1e3, 9e4, 2e5, 1e7, 1e10, 1e14, 1e15):
            rows = self.rows_around(p[0], total, seed=int(total) % 97)
            holes = [[x if (i + j) % 4 else None for j, x in enumerate(r)] for i, r in enumerate(rows)]
            for some in (rows, holes):
                with self.subTest(total=total, holes=some is holes):
                    data = self.write("c.csv", csv_text(["q", "r", "s", "t"],
                                                        [["" if x is None else x for x in r] for r in some]))
                    joint = [[exact.log_multinomial(r, one) for one in p] for r in some]
                    for got, want in zip(self.densities(model, data), joint):
                        self.assertAlmostEqual(got, exact.log_sum(want) - math.log(2), delta=2e-10)
                    for got, want in zip(self.proba(model, data), joint):
                        odds = float(want[0] - want[1])
                        self.assertAlmostEqual(got["a"], 1 / (1 + math.exp(-odds)), delta=2e-10)

    def test_poisson(self):
        for total in (1e3, 9e4, 2e5, 1e7, 1e10, 1e14, 1e15):
            rates = [[total, total / 3, 4.5], [total + math.sqrt(total), total / 3, 4.5]]
            model = self.write("m.json", counts_model(
                {"type": "poisson", "features": ["q", "r", "s"], "rates": rates}))
            rows = self.rows_around([1, 1 / 3, 4.5 / total], total, seed=3)
            data = self.write("c.csv", csv_text(["q", "r", "s"], rows))
            with self.subTest(total=total):
                joint = [[exact.log_poisson(r, one) for one in rates] for r in rows]
                for got, want in zip(self.densities(model, data), joint):
                    self.assertAlmostEqual(got, exact.log_sum(want) - math.log(2), delta=1e-9)
                for got, want in zip(self.proba(model, data), joint):
                    self.assertAlmostEqual(got["a"], 1 / (1 + math.exp(float(want[1] - want[0]))), delta=1e-9)

    def test_impossible_and_unlikely_rows(self):
        model = self.write("m.json", counts_model(
            {"type": "multinomial", "terms": ["q", "r"], "probabilities": [[1, 0], [0.5, 0.5]]}))
        data = self.write("c.csv", "q,r\n1000000,0\n1000000,1\n0,3000000\n1,2000000\n")
        rows = self.proba(model, data)
        self.assertEqual([row["a"] for row in rows], [1, 0, 0, 0])
        expected = exact.log_multinomial([1, 2000000], [0.5, 0.5])
        self.assertAlmostEqual(self.densities(model, data)[3] / (float(expected) - math.log(2)), 1, delta=1e-14)


if __name__ == "__main__":
    unittest.main()
