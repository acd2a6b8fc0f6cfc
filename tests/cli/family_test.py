"""Every member of the family against the formulas of docs/numerics.md, computed apart."""

import math
import random
import unittest

import formulas
from support import CliTest, Sample, csv_text, three_classes


class Formulas(CliTest):
    def expect(self, sample, family, *options, tolerance=1e-9, **how):
        """Fits, asks for every row's log joint, compares."""
        model = self.fit(sample, "--model", family, "--target", "class", *options)
        data = self.write("rows.csv", sample)
        expected = formulas.estimate(sample, family, **how)
        self.assert_rows_close(self.joint(model, data),
                               [formulas.log_joint(expected, x) for x in sample.rows], tolerance)
        self.assert_rows_close(self.proba(model, data),
                               [formulas.posterior(expected, x) for x in sample.rows], tolerance)
        return model, expected


class FamilyTest(Formulas):
    members = ("qda", "lda", "gnb", "dlda", "spherical", "centroid")

    def test_members_with_both_divisors(self):
        for d in (1, 2, 4):
            sample = three_classes(seed=d, d=d).scaled([10.0 ** j for j in range(d)])
            for family in self.members:
                for divisor in ("mle", "unbiased"):
                    with self.subTest(d=d, family=family, divisor=divisor):
                        self.expect(sample, family, "--divisor", divisor, divisor=divisor)

    def test_members_in_raw_units(self):
        sample = three_classes(seed=5).scaled([1.0, 30.0, 0.1])
        for family in ("spherical", "centroid"):
            with self.subTest(family=family):
                self.expect(sample, family, "--raw-units", raw_units=True)

    def test_weights(self):
        sample = three_classes(seed=6)
        rng = random.Random(60)
        sample.weights = [rng.choice((0.25, 0.5, 1.0, 2.0, 3.5)) for _ in sample.rows]
        for family in self.members:
            with self.subTest(family=family):
                self.expect(sample, family, "--weights", "w")

    def test_inspect_shows_the_parameters(self):
        sample = three_classes(seed=7)
        d, k = 3, 3
        free = {"qda": k * d * (d + 1) // 2, "lda": d * (d + 1) // 2, "gnb": k * d, "dlda": d,
                "spherical": k, "centroid": 1}
        for family in self.members:
            with self.subTest(family=family):
                model, expected = self.expect(sample, family)
                described = self.ok_json("inspect", model)
                self.assertEqual(described["parameters"],
                                 {"priors": k - 1, "means": k * d, "covariances": free[family],
                                  "total": k - 1 + k * d + free[family]})
                for found in described["classes"]:
                    prior, mean, covariance = expected[found["name"]]
                    self.assertAlmostEqual(found["prior"], prior, delta=1e-14)
                    self.assert_matrices_close([found["mean"]], [mean], lambda i, j: 1e-12)
                    self.assert_matrices_close(found["covariance"], covariance,
                                               lambda i, j: 1e-12 * abs(covariance[i][i]))

    def test_variance_floor(self):
        rng = random.Random(8)
        rows = [[rng.gauss(0, 1 if k else 1e-4), rng.gauss(k, 1)]
                for k in (0, 1) for _ in range(30)]
        sample = Sample(["x1", "x2"], rows, ["a"] * 30 + ["b"] * 30)
        for floor in (1e-4, 1e-2, 0.5, 0):
            with self.subTest(floor=floor):
                self.expect(sample, "gnb", "--variance-floor", floor, floor=floor)
        self.expect(sample, "gnb", floor=1e-4)
        self.expect(sample, "rda", "--alpha", 1, "--gamma", 0.4, "--variance-floor", 0.2,
                    alpha=1, gamma=0.4, floor=0.2)


class ShrinkageTest(Formulas):
    def test_towards_the_identity(self):
        sample = three_classes(seed=11, d=4, counts=(9, 12, 30)).scaled([1, 100.0, 0.01, 5])
        for family in ("qda", "lda"):
            for amount in ("oas", "lw", 0.0, 0.3, 1.0):
                for divisor in ("mle", "unbiased"):
                    with self.subTest(family=family, amount=amount, divisor=divisor):
                        self.expect(sample, family, "--shrinkage", amount, "--divisor", divisor,
                                    shrinkage=amount, divisor=divisor)

    def test_in_raw_units(self):
        sample = three_classes(seed=12, d=3, counts=(8, 12, 20))
        for amount in ("oas", "lw", 0.25):
            with self.subTest(amount=amount):
                self.expect(sample, "qda", "--shrinkage", amount, "--raw-units",
                            shrinkage=amount, raw_units=True)

    def test_of_one_column_does_nothing_under_oas(self):
        sample = three_classes(seed=13, d=1)
        self.expect(sample, "qda", "--shrinkage", "oas", shrinkage="oas")

    def test_of_two_columns(self):
        sample = three_classes(seed=14, d=2, counts=(5, 6, 7))
        self.expect(sample, "qda", "--shrinkage", "oas", shrinkage="oas")
        self.expect(sample, "lda", "--shrinkage", "oas", shrinkage="oas")

    def test_regularised(self):
        sample = three_classes(seed=15, d=3).scaled([1.0, 20.0, 0.05])
        for alpha, gamma in ((0.5, 0.0), (0.2, 0.3), (0.9, 0.7), (0.0, 1.0), (1.0, 1.0)):
            for toward in ("diagonal", "identity"):
                with self.subTest(alpha=alpha, gamma=gamma, toward=toward):
                    self.expect(sample, "rda", "--alpha", alpha, "--gamma", gamma,
                                "--toward", toward, alpha=alpha, gamma=gamma, toward=toward)
        self.expect(sample, "rda", "--alpha", 0.4, "--gamma", 0.5, "--toward", "identity",
                    "--raw-units", "--divisor", "unbiased", alpha=0.4, gamma=0.5,
                    toward="identity", raw_units=True, divisor="unbiased")

    def test_regularised_refuses_shrinkage(self):
        data = self.write("d.csv", three_classes(seed=16))
        self.refused("fit", data, "--model", "rda", "--shrinkage", "oas", status=2,
                     mentions=("rda", "shrinkage"))

    def test_amounts_out_of_range_are_refused(self):
        data = self.write("d.csv", three_classes(seed=17))
        for options in (("--model", "lda", "--shrinkage", "1.5"),
                        ("--model", "lda", "--shrinkage", "-0.1"),
                        ("--model", "lda", "--shrinkage", "some"),
                        ("--model", "rda", "--alpha", "2"), ("--model", "rda", "--gamma", "-1"),
                        ("--model", "rda", "--toward", "zero"),
                        ("--model", "rda", "--alpha", "nan"),
                        ("--variance-floor", "-1"), ("--divisor", "n"), ("--model", "qdaa"),
                        ("--model", "lda", "--on-singular", "hope")):
            with self.subTest(options=options):
                self.refused("fit", data, *options, status=2, mentions=(options[-1],))


class PriorTest(Formulas):
    given = {"a": 0.2, "b": 0.5, "c": 0.3}

    def test_at_fit(self):
        sample = three_classes(seed=21)
        self.expect(sample, "qda", "--priors", "a=.2,b=.5,c=.3", priors=self.given)
        self.expect(sample, "lda", "--priors", "uniform", priors=dict.fromkeys("abc", 1 / 3))
        self.expect(sample, "lda", "--priors", "empirical")

    def test_at_prediction(self):
        sample = three_classes(seed=22)
        model = self.fit(sample, "--model", "qda")
        data = self.write("rows.csv", sample)
        for option, priors in (("a=.2,b=.5,c=.3", self.given),
                               ("uniform", dict.fromkeys("abc", 1 / 3))):
            with self.subTest(priors=option):
                expected = formulas.estimate(sample, "qda", priors=priors)
                self.assert_rows_close(self.joint(model, data, "--priors", option),
                                       [formulas.log_joint(expected, x) for x in sample.rows],
                                       1e-9)

    def test_wrong_priors_are_refused(self):
        data = self.write("d.csv", three_classes(seed=23))
        for given, mention in (("a=.2,b=.5", "c"), ("a=.2,b=.5,cc=.3", "'c'"),
                               ("a=.2,b=.5,c=.9", "sum"), ("a=-.2,b=.9,c=.3", "-"),
                               ("a=x,b=.5,c=.5", "x")):
            with self.subTest(given=given):
                self.refused("fit", data, "--priors", given, mentions=(mention,))

    def test_a_prior_of_zero_excludes_the_class(self):
        sample = three_classes(seed=24)
        model = self.fit(sample, "--model", "lda")
        rows = self.proba(model, self.write("d.csv", sample), "--priors", "a=0,b=.5,c=.5")
        self.assertEqual({row["a"] for row in rows}, {0.0})


class TailTest(CliTest):
    def far_and_near(self, sample):
        """The rows of the sample and some far from them."""
        rng = random.Random(31)
        return sample.rows[:25] + [[v + rng.gauss(0, 4) for v in x] for x in sample.rows[:25]]

    def test_f_law_of_full_covariances(self):
        sample = three_classes(seed=31, counts=(8, 15, 40))
        rows = self.far_and_near(sample)
        data = self.write("rows.csv", csv_text(sample.names, rows))
        for family in ("qda", "lda"):
            for divisor in ("mle", "unbiased"):
                with self.subTest(family=family, divisor=divisor):
                    model = self.fit(sample, "--model", family, "--divisor", divisor)
                    expected = formulas.estimate(sample, family, divisor=divisor)
                    for score, x in zip(self.ok_csv("score", model, data), rows):
                        tail = formulas.outlier_tail(sample, family, x)
                        self.assertAlmostEqual(float(score["tail"]), tail, delta=1e-8 * tail)
                        for k, (_, mean, covariance) in expected.items():
                            d2 = formulas.mahalanobis(x, mean, covariance)[0]
                            self.assertAlmostEqual(float(score[f"d2({k})"]), d2, delta=1e-9 * d2)
                        self.assertAlmostEqual(
                            float(score["log_density"]),
                            formulas.log_sum_exp(formulas.log_joint(expected, x).values()),
                            delta=1e-9)

    def test_monte_carlo_of_naive_bayes(self):
        sample = three_classes(seed=32, d=2)
        model = self.fit(sample, "--model", "gnb")
        rows = self.far_and_near(sample)
        data = self.write("rows.csv", csv_text(sample.names, rows))
        answer = self.ok("score", model, data)
        self.assertEqual(answer.out, self.ok("score", model, data).out)
        expected = formulas.estimate(sample, "gnb")
        draws, ours = self.draw_densities(expected, 20000), 100001
        for score, x in zip(self.ok_csv("score", model, data), rows):
            density = formulas.log_sum_exp(formulas.log_joint(expected, x).values())
            p = (1 + sum(v <= density for v in draws)) / (len(draws) + 1)
            tail = float(score["tail"])
            spread = math.sqrt(max(p, 1e-3) * (1 / ours + 1 / len(draws)))
            self.assertAlmostEqual(tail, p, delta=6 * spread)
            self.assertAlmostEqual(tail * ours, round(tail * ours), delta=1e-6)
            self.assertGreaterEqual(round(tail * ours), 1)

    @staticmethod
    def draw_densities(model, count):
        """Log densities of rows drawn from a model with diagonal covariances."""
        rng = random.Random(33)
        classes, priors = list(model), [model[k][0] for k in model]
        result = []
        for k in rng.choices(classes, priors, k=count):
            _, mean, covariance = model[k]
            x = [rng.gauss(m, math.sqrt(covariance[j][j])) for j, m in enumerate(mean)]
            result.append(formulas.log_sum_exp(formulas.log_joint(model, x).values()))
        return result


if __name__ == "__main__":
    unittest.main()
