"""Degenerate data: named precisely, helped on request, never a garbage model."""

import math
import random
import re
import unittest

import formulas
from support import DATA, FAMILY, CliTest, Sample, three_classes

FULL = ("qda", "lda")
DIAGONAL = ("gnb", "dlda", "spherical", "centroid")


def with_column(sample, name, values):
    return Sample([*sample.names, name], [[*x, v] for x, v in zip(sample.rows, values)],
                  sample.labels)


class Singular(CliTest):
    def refuse_fit(self, sample, *options, mentions=(), status=1):
        model = self.folder / "never.json"
        if "--model" not in options:
            options = ("--model", "lda", *options)
        message = self.refused("fit", self.write("d.csv", sample), "--target", "class",
                               "-o", model, *options, mentions=mentions, status=status)
        self.assertFalse(model.exists())
        return message

    def assert_columns(self, message, names, but_not):
        """The sentence of the error speaks of these columns and not of those."""
        words = set(re.findall(r"\w+", message.splitlines()[0]))
        self.assertLessEqual(set(names), words, message)
        self.assertFalse(words & set(but_not), message)

    def assert_usable(self, sample, *options):
        """A model whose posteriors are probabilities; returns it."""
        model = self.fit(sample, "--target", "class", *options)
        for row in self.proba(model, self.write("rows.csv", sample)):
            self.assertAlmostEqual(sum(row.values()), 1, delta=1e-12)
        for found in self.ok_json("inspect", model)["classes"]:
            for i, line in enumerate(found["covariance"]):
                self.assertTrue(all(math.isfinite(v) for v in line))
                self.assertGreater(line[i], 0)
        return model


class Collinear(Singular):
    def setUp(self):
        super().setUp()
        sample = three_classes(seed=1, d=3)
        self.sample = with_column(sample, "sum", [x[0] + 2 * x[2] - 5 for x in sample.rows])

    def test_dependent_columns_are_named(self):
        for family in FULL:
            with self.subTest(family=family):
                message = self.refuse_fit(self.sample, "--model", family)
                self.assert_columns(message, ("sum", "x1", "x3"), but_not=("x2",))
                for option in ("--shrinkage oas", "--model rda", "--on-singular shrink"):
                    self.assertIn(option, message)

    def test_class_rows_and_rank_are_named(self):
        message = self.refuse_fit(self.sample, "--model", "qda", mentions=("class 'a'", "30"))
        self.assertRegex(message, r"rank[^0-9]*3")

    def test_in_any_units(self):
        for factors in ((1e-6, 1, 1, 1), (1, 1, 1, 3e5), (1e9, 1, 1e-9, 1)):
            with self.subTest(factors=factors):
                message = self.refuse_fit(self.sample.scaled(factors), "--model", "qda")
                self.assert_columns(message, ("sum", "x1", "x3"), but_not=("x2",))

    def test_help_works(self):
        for options in (("--model", "qda", "--shrinkage", "oas"),
                        ("--model", "lda", "--shrinkage", "oas"),
                        ("--model", "lda", "--shrinkage", "lw"),
                        ("--model", "qda", "--shrinkage", "0.1"),
                        ("--model", "rda", "--alpha", "0.5", "--gamma", "0.1"),
                        ("--model", "qda", "--on-singular", "shrink"),
                        ("--model", "lda", "--on-singular", "shrink")):
            with self.subTest(options=options):
                self.assert_usable(self.sample, *options)

    def test_shrink_reports_itself(self):
        result = self.ok("fit", self.write("d.csv", self.sample), "--model", "qda",
                         "--on-singular", "shrink", "-o", self.folder / "m.json")
        for name in "abc":
            self.assertRegex(result.err, rf"warning: singular covariances shrunk .*class '{name}' "
                                         r"\(\d+ rows\) by 1e-06 \(linearly dependent[^;]* sum\b")

    def test_diagonal_members_do_not_mind(self):
        for family in DIAGONAL:
            with self.subTest(family=family):
                self.assert_usable(self.sample, "--model", family)

    def test_a_copied_column(self):
        sample = three_classes(seed=2)
        copied = with_column(sample, "copy", [x[1] * 2.54 for x in sample.rows])
        message = self.refuse_fit(copied, "--model", "lda")
        self.assert_columns(message, ("copy", "x2"), but_not=("x1", "x3"))

    def test_dependence_in_one_class_only(self):
        sample = three_classes(seed=3)
        values = [x[0] - x[1] if y == "b" else x[0] * x[1] for x, y in
                  zip(sample.rows, sample.labels)]
        bent = with_column(sample, "bent", values)
        message = self.refuse_fit(bent, "--model", "qda", mentions=("class 'b'",))
        self.assert_columns(message, ("bent", "x1", "x2"), but_not=("x3",))
        self.assert_usable(bent, "--model", "lda")


class Constant(Singular):
    def test_a_constant_column_is_dropped_and_reported(self):
        sample = three_classes(seed=4)
        for value in (7.25, 0.0, 1e8 + 0.1):
            data = self.write("d.csv", with_column(sample, "same", [value] * len(sample.rows)))
            plain = self.write("p.csv", sample)
            for family in FAMILY:
                with self.subTest(value=value, family=family):
                    model = self.folder / "m.json"
                    result = self.ok("fit", data, "--model", family, "-o", model)
                    self.assertIn("'same'", result.err)
                    self.assertEqual(self.ok_json("inspect", model)["features"], sample.names)
                    self.assert_rows_close(
                        self.proba(model, data),
                        self.proba(self.fit(sample, "--model", family), plain), 1e-11)

    def test_constant_within_one_class(self):
        sample = three_classes(seed=5)
        flat = with_column(sample, "flat", [2.5 if y == "b" else x[0] + x[1] * x[2]
                                            for x, y in zip(sample.rows, sample.labels)])
        self.refuse_fit(flat, "--model", "qda", mentions=("class 'b'", "'flat'", "constant"))
        for options in (("--model", "lda"), ("--model", "gnb"), ("--model", "dlda"),
                        ("--model", "spherical"), ("--model", "centroid"),
                        ("--model", "rda", "--alpha", "0.5"),
                        ("--model", "qda", "--shrinkage", "oas"),
                        ("--model", "qda", "--on-singular", "shrink")):
            with self.subTest(options=options):
                self.assert_usable(flat, *options)
        model = self.assert_usable(flat, "--model", "gnb")
        pooled = formulas.covariances(flat, "mle")[1]
        found = {k["name"]: k for k in self.ok_json("inspect", model)["classes"]}
        self.assertAlmostEqual(found["b"]["covariance"][3][3], 1e-4 * pooled[3][3],
                               delta=1e-15 * pooled[3][3])

    def test_constant_within_every_class_but_different(self):
        sample = three_classes(seed=6)
        code = with_column(sample, "code", [{"a": 1.0, "b": 2.0, "c": 4.0}[y]
                                            for y in sample.labels])
        for family in FAMILY:
            with self.subTest(family=family):
                self.refuse_fit(code, "--model", family, mentions=("'code'",))
        for family in ("gnb", "dlda", "lda", "qda"):
            with self.subTest(shrink=family):
                model = self.assert_usable(code, "--model", family, "--on-singular", "shrink")
                self.assertEqual(self.labels(model, self.write("d.csv", code)), code.labels)
        for family in ("dlda", "lda", "qda", "rda"):
            said = self.ok("fit", self.write("d.csv", code), "--model", family, "--on-singular",
                           "shrink", "--variance-floor", "0.01", "-o", self.folder / "m.json").err
            self.assertIn("warning: 'code' is constant within every class but different between "
                          "classes: its variance there is taken to be 0.01 of the total variance "
                          "(--variance-floor), which makes posteriors too certain", said)

    def test_floor_of_a_column_constant_within_every_class(self):
        sample = three_classes(seed=7)
        code = with_column(sample, "code", [{"a": 1.0, "b": 2.0, "c": 4.0}[y]
                                            for y in sample.labels])
        total = formulas.total_variances(code)[3]
        for family in ("gnb", "dlda"):
            for floor in (1e-4, 0.01):
                with self.subTest(family=family, floor=floor):
                    model = self.fit(code, "--model", family, "--on-singular", "shrink",
                                     "--variance-floor", floor)
                    for found in self.ok_json("inspect", model)["classes"]:
                        self.assertAlmostEqual(found["covariance"][3][3], floor * total,
                                               delta=1e-13 * total)

    def test_all_columns_constant_is_refused(self):
        self.refuse_fit(Sample(["x"], [[3.0]] * 10, ["a", "b"] * 5), "--model", "gnb",
                        mentions=("constant",))


class FewRows(Singular):
    def test_one_row_in_a_class(self):
        sample = three_classes(seed=8, counts=(20, 1, 25))
        for family in ("lda", "dlda", "centroid"):
            with self.subTest(family=family):
                self.assert_usable(sample, "--model", family)
                self.assert_usable(sample, "--model", family, "--divisor", "unbiased")
        message = self.refuse_fit(sample, "--model", "qda", mentions=("class 'b'",))
        self.assertRegex(message, r"\b1 row|\bone row")
        self.refuse_fit(sample, "--model", "qda", "--divisor", "unbiased",
                        mentions=("class 'b'",))
        self.assert_usable(sample, "--model", "qda", "--on-singular", "shrink")
        self.assert_usable(sample, "--model", "rda", "--alpha", "0.5")

    def test_fewer_rows_than_columns(self):
        sample = three_classes(seed=9, d=8, counts=(5, 30, 40))
        message = self.refuse_fit(sample, "--model", "qda", mentions=("class 'a'", "5 rows"))
        self.assertRegex(message, r"rank\D*4\b")
        for options in (("--model", "lda"), ("--model", "rda"),
                        ("--model", "qda", "--shrinkage", "oas"),
                        ("--model", "qda", "--on-singular", "shrink")):
            with self.subTest(options=options):
                self.assert_usable(sample, *options)

    def test_the_analytic_move_towards_the_pooled_variances(self):
        sample = three_classes(seed=9, d=8, counts=(5, 30, 40))
        for divisor in ("mle", "unbiased"):
            with self.subTest(divisor=divisor):
                model = self.fit(sample, "--model", "qda", "--divisor", divisor,
                                 "--on-singular", "shrink")
                own, pooled, weight = formulas.covariances(sample, divisor)
                variances = formulas.diagonal_of(pooled)
                amount = formulas.oas(own["a"], [math.sqrt(v) for v in variances], weight["a"] - 1)
                own["a"] = formulas.combine(1 - amount, own["a"], amount,
                                            formulas.diagonal(variances))
                for found in self.ok_json("inspect", model)["classes"]:
                    self.assert_matrices_close(found["covariance"], own[found["name"]],
                                               lambda i, j: 1e-13)

    def test_as_many_rows_as_columns(self):
        sample = three_classes(seed=10, d=4, counts=(4, 30, 40))
        self.refuse_fit(sample, "--model", "qda", mentions=("class 'a'",))
        self.assert_usable(three_classes(seed=10, d=4, counts=(5, 30, 40)), "--model", "qda")

    def test_three_hundred_columns_of_forty_rows(self):
        sample = three_classes(seed=11, d=300, counts=(12, 13, 15))
        for options in (("--model", "qda", "--shrinkage", "oas"),
                        ("--model", "lda", "--shrinkage", "oas"),
                        ("--model", "lda", "--shrinkage", "lw"), ("--model", "gnb"),
                        ("--model", "rda", "--gamma", "0.5")):
            with self.subTest(options=options):
                self.assert_usable(sample, *options)
        message = self.refuse_fit(sample, "--model", "lda", mentions=("rank", "37"))
        self.assertLess(len(message), 4000, "a long list of columns is cut short")

    def test_two_thousand_columns_of_a_hundred_rows(self):
        rng = random.Random(12)
        names = [f"x{j}" for j in range(2000)]
        rows = [[round(rng.gauss(0.3 * (i % 2), 1), 3) for _ in names] for i in range(100)]
        data = self.write("wide.csv", Sample(names, rows, ["ab"[i % 2] for i in range(100)]))
        for options in (("--model", "lda", "--shrinkage", "oas"), ("--model", "gnb"),
                        ("--model", "qda", "--shrinkage", "oas")):
            with self.subTest(options=options):
                model = self.fit(data, *options, name="wide.cbor")
                self.assertEqual(self.ok_json("evaluate", model, data)["errors"], 0)

    def test_one_row_per_class_is_refused(self):
        self.refuse_fit(three_classes(seed=12, counts=(1, 1, 1)), "--model", "lda")

    def test_two_rows_in_all_is_clean(self):
        data = self.write("d.csv", "x,class\n1,a\n2,b\n")
        for family in FAMILY:
            with self.subTest(family=family):
                self.works_or_refuses("fit", data, "--model", family)


class Tolerance(Singular):
    def test_ill_conditioned_data_are_not_called_singular(self):
        for name in ("breast_cancer", "crabs"):
            with self.subTest(name=name):
                self.fit(DATA / f"{name}.csv", "--model", "qda")

    def test_in_far_apart_units_too(self):
        sample = three_classes(seed=13, d=4).scaled([1e-9, 1, 1e9, 1e3])
        for family in FAMILY:
            with self.subTest(family=family):
                self.assert_usable(sample, "--model", family)

    def test_a_mean_of_a_hundred_million(self):
        sample = three_classes(seed=14, d=3)
        far = Sample(sample.names, [[x + 1e8, y, z] for x, y, z in sample.rows], sample.labels)
        for family in FAMILY:
            with self.subTest(family=family):
                near = self.proba(self.fit(sample, "--model", family),
                                  self.write("near.csv", sample))
                self.assert_rows_close(self.proba(self.fit(far, "--model", family),
                                                  self.write("far.csv", far)), near, 1e-6)

    def test_digits(self):
        digits = DATA / "digits.csv"
        result = self.ok("fit", digits, "--model", "gnb", "-o", self.folder / "m.json")
        for pixel in ("'p00'", "'p40'", "'p47'"):
            self.assertIn(pixel, result.err)
        self.refused("fit", digits, "--model", "qda", status=1, mentions=("constant", "class '"))
        model = self.fit(digits, "--model", "qda", "--shrinkage", "oas", "--raw-units")
        self.assertLess(self.ok_json("evaluate", model, digits)["errors"], 60)


class NearlySame(Singular):
    def test_noise_below_rounding_is_collinear(self):
        rng = random.Random(15)
        sample = three_classes(seed=15)
        values = [x[0] * (1 + 1e-16 * rng.gauss(0, 1)) for x in sample.rows]
        message = self.refuse_fit(with_column(sample, "again", values), "--model", "lda")
        self.assert_columns(message, ("again", "x1"), but_not=("x2", "x3"))

    def test_small_independent_noise_is_not(self):
        rng = random.Random(16)
        sample = three_classes(seed=16)
        values = [x[0] + 1e-3 * rng.gauss(0, 1) for x in sample.rows]
        self.assert_usable(with_column(sample, "noisy", values), "--model", "qda")


if __name__ == "__main__":
    unittest.main()
