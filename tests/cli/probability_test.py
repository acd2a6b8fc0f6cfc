"""P(a <= X <= b): numbers by the formulas, what is written, what is refused; mean and covariance of p(x)."""

import json
import math
import statistics
import unittest

from support import DATA, CliTest, read_data

IRIS = DATA / "iris.csv"


def below(z):
    return 0.5 * math.erfc(-z / math.sqrt(2))


def hand_written(classes, features):
    return json.dumps({"format": "genera-model", "version": 1, "features": features,
                       "classes": classes})


class Probability(CliTest):
    def setUp(self):
        super().setUp()
        self.model = self.fit(IRIS, "--model", "qda")

    def ask(self, *options, model=None):
        return self.ok_json("probability", model or self.model, *options)

    def test_one_column(self):
        found = self.ask("--between", "sepal_length=5:6")
        expected = 0
        for entry in self.ok_json("inspect", self.model)["classes"]:
            mean, sd = entry["mean"][0], math.sqrt(entry["covariance"][0][0])
            expected += entry["prior"] * (below((6 - mean) / sd) - below((5 - mean) / sd))
        self.assertAlmostEqual(found["probability"], expected, delta=1e-15)
        self.assertEqual(found["error"], 0)
        self.assertAlmostEqual(found["log_probability"], math.log(expected), delta=1e-15)
        self.assertEqual(found["between"], [{"column": "sepal_length", "low": 5, "high": 6}])

    def test_open_ends_add_up(self):
        parts = [self.ask("--between", f"sepal_length={part}")["probability"]
                 for part in (":5", "5:6", "6:")]
        self.assertAlmostEqual(sum(parts), 1, delta=1e-15)
        self.assertEqual(self.ask("--between", "sepal_length=:5")["between"][0]["low"], "-inf")

    def test_a_quadrant(self):
        for r in (-0.8, 0.3, 0.95):
            model = self.write("two.json", hand_written(
                [{"name": "a", "prior": 1, "mean": [1, -2], "covariance": [[4, 2 * r], [2 * r, 1]]}],
                ["x", "y"]))
            found = self.ask("--between", "x=1:,y=-2:", model=model)
            self.assertAlmostEqual(found["probability"], 0.25 + math.asin(r) / (2 * math.pi),
                                   delta=1e-14)
            self.assertLess(found["error"], 1e-11)

    def test_four_columns_state_their_error(self):
        box = "sepal_length=4:7,sepal_width=2:4,petal_length=1:5,petal_width=0:2"
        found = self.ask("--between", box)
        self.assertGreater(found["error"], 0)
        self.assertLess(found["error"], 1e-3)
        self.assertEqual(self.ok("probability", self.model, "--between", box, "--threads", 1).out,
                         self.ok("probability", self.model, "--between", box, "--threads", 3).out)
        other = self.ask("--between", box, "--seed", 5)
        self.assertNotEqual(found["probability"], other["probability"])
        self.assertAlmostEqual(found["probability"], other["probability"],
                               delta=found["error"] + other["error"])

    def test_precision(self):
        box = "sepal_length=4:7,sepal_width=2:4,petal_length=1:5,petal_width=0:2"
        usual, precise = self.ask("--between", box), self.ask("--between", box, "--precision", "1e-6")
        self.assertLess(precise["error"], 1e-6)
        self.assertLess(precise["error"], usual["error"])
        self.assertAlmostEqual(precise["probability"], usual["probability"],
                               delta=precise["error"] + usual["error"])

    def test_class_and_given(self):
        found = self.ask("--between", "petal_width=:0.5", "--given", "petal_length=1.5",
                         "--class", "setosa")
        setosa = self.ok_json("inspect", self.model)["classes"][0]
        m, s = setosa["mean"], setosa["covariance"]
        mean = m[3] + s[3][2] / s[2][2] * (1.5 - m[2])
        sd = math.sqrt(s[3][3] - s[3][2] ** 2 / s[2][2])
        self.assertAlmostEqual(found["probability"], below((0.5 - mean) / sd), delta=1e-14)
        self.assertEqual(found["class"], "setosa")
        self.assertEqual(found["given"], {"petal_length": "1.5"})
        shares = [entry["share"] for entry in self.ask("--between", "petal_width=:0.5", "--given",
                                                        "petal_length=4.9")["classes"]]
        data = self.write("one.csv", "sepal_length,sepal_width,petal_length,petal_width\n,,4.9,\n")
        for share, p in zip(shares, self.proba(self.model, data)[0].values(), strict=True):
            self.assertAlmostEqual(share, p, delta=1e-12)

    def test_the_class_is_a_column_too(self):
        joint = self.ask("--between", "species=setosa,sepal_length=5:")["probability"]
        within = self.ask("--between", "sepal_length=5:", "--class", "setosa")["probability"]
        self.assertAlmostEqual(joint, within / 3, delta=1e-15)
        posterior = self.ask("--between", "species=setosa", "--given", "petal_length=2.4")
        data = self.write("one.csv", "sepal_length,sepal_width,petal_length,petal_width\n,,2.4,\n")
        self.assertAlmostEqual(posterior["probability"], self.proba(self.model, data)[0]["setosa"],
                               delta=1e-12)

    def test_too_small_for_a_number(self):
        found = self.ask("--between", "sepal_length=50:,sepal_width=3:")
        self.assertEqual(found["probability"], 0)
        self.assertLess(found["log_probability"], -2000)
        self.assertIn("natural logarithm", self.ok("probability", self.model, "--between",
                                                   "sepal_length=50:").out)

    def test_boxes_far_out(self):
        for ends in ("1e2:2e2", "1e4:2e4", "1e5:2e5", "1e9:2e9", "1e200:1e201", "1e300:", ":-1e300"):
            for box in (f"sepal_length=5:6,petal_length={ends}",
                        f"sepal_length=5:6,sepal_width=3:4,petal_length={ends}",
                        f"sepal_length=5:6,sepal_width=3:4,petal_width=1:2,petal_length={ends}"):
                found = self.ask("--between", box)
                self.assertEqual(found["probability"], 0, box)
                self.assertEqual(found["error"], 0, box)
        near = self.ask("--between", "sepal_length=5:6,sepal_width=3:4,petal_length=1e4:2e4")
        self.assertLess(near["log_probability"], -1e7)

    def test_text(self):
        out = self.ok("probability", self.model, "--between", "sepal_length=5:6").out
        self.assertTrue(out.startswith("P(5 <= sepal_length <= 6) = 0.39677"), out)
        self.assertIn("by a formula", out)
        self.assertIn("setosa", out)
        out = self.ok("probability", self.model, "--between", "sepal_length=5:,petal_width=:1",
                      "--class", "setosa", "--given", "petal_length=1.5").out
        self.assertIn("P(5 <= sepal_length, petal_width <= 1 | petal_length = 1.5, "
                      "species = setosa) = ", out)
        self.assertIn("numerically, error at most ", out)

    def test_names_with_signs_in_them(self):
        model = self.write("odd.json", hand_written(
            [{"name": "a", "prior": 1, "mean": [0, 0], "covariance": [[1, 0], [0, 1]]}],
            ["a=b:c", "d, e"]))
        found = self.ask("--between", 'a=b:c=0:,"d, e"=:0', model=model)
        self.assertAlmostEqual(found["probability"], 0.25, delta=1e-16)


class Precision(CliTest):
    def test_that_is_not_reached_is_noted(self):
        model = self.fit("@wine", "--model", "qda")
        box = "alcohol=12:14,malic_acid=1:3,ash=2:3,alcalinity_of_ash=15:22,magnesium=80:120"
        self.assertNotIn("precision", self.ok("probability", model, "--between", box).err)
        said = self.ok("probability", model, "--between", box, "--precision", "1e-15")
        self.assertIn("the precision 1e-15 would take too much work", said.err)


class Counts(CliTest):
    ROWS = "hits,colour,class\n3,red,a\n1,blue,a\n0,red,b\n2,green,b\n7,red,a\n1,blue,b\n"

    def test_poisson_counts_and_levels(self):
        data = self.write("c.csv", self.ROWS)
        model = self.fit(data, "--type", "hits=count", "--model", "poisson", "--drop", "colour")
        rates = self.ok_json("inspect", model)["blocks"][0]["rates"]
        expected = sum(0.5 * sum(math.exp(-r) * r ** n / math.factorial(n) for n in (1, 2, 3))
                       for (r,) in rates)
        found = self.ok_json("probability", model, "--between", "hits=1:3")
        self.assertAlmostEqual(found["probability"], expected, delta=1e-14)

    def test_levels(self):
        data = self.write("c.csv", self.ROWS)
        model = self.fit(data, "--drop", "hits", "--model", "categorical", "--smoothing", "0")
        found = self.ok_json("probability", model, "--between", "colour=red")
        self.assertAlmostEqual(found["probability"], 0.5, delta=1e-15)
        self.refused("probability", model, "--between", "colour=1:2",
                     mentions=("has no level '1:2'",))

    def test_multinomial_counts_are_refused_by_name(self):
        data = self.write("c.csv", self.ROWS)
        model = self.fit(data, "--type", "hits=count", "--drop", "colour", "--model", "multinomial")
        self.refused("probability", model, "--between", "hits=1:3",
                     mentions=("'hits'", "multinomial", "--model poisson"))

    def test_texts_are_refused_by_name(self):
        data = self.write("t.csv", "note,class\ncheap pills now,spam\nlunch today then,ham\n"
                                   "more pills please,spam\nthe meeting notes,ham\n")
        model = self.fit(data, "--type", "note=text")
        self.refused("probability", model, "--between", "note=1:3",
                     mentions=("column 'note' is text",))


class Refused(CliTest):
    def setUp(self):
        super().setUp()
        self.model = self.fit(IRIS, "--model", "lda")

    def no(self, between, *mentions, options=()):
        self.refused("probability", self.model, "--between", between, *options, mentions=mentions)

    def test_bad_input(self):
        self.no("sepal_lenght=5:6", "no column 'sepal_lenght'", "did you mean 'sepal_length'")
        self.no("sepal_length=6:5", "begins at 6 and ends at 5")
        self.no("sepal_length=five:6", "'five' in 'sepal_length=five:6' is not a finite number")
        self.no("sepal_length=5:inf", "'inf'", "leave out an open one")
        self.no("sepal_length=nan:5", "'nan'")
        self.no("sepal_length=5", "'5' is not an interval")
        self.no("sepal_length=:", "open at both ends")
        self.no("sepal_length", "not of the form COL=A:B")
        self.no("=5:6", "not of the form COL=A:B")
        self.no("sepal_length=1:2,sepal_length=3:4", "asked about twice")
        self.no("species=rose", "no class 'rose'")
        self.no("sepal_length=5:6", "both asked about and given",
                options=("--given", "sepal_length=5"))
        self.no("sepal_length=5:6", "no class 'setsa'", "'setosa'", options=("--class", "setsa"))
        self.refused("probability", self.model, mentions=("needs --between",))
        self.no("sepal_length=5:6", "--precision", options=("--precision", "0"))

    def test_scorers_by_name(self):
        model = self.fit(IRIS, "--model", "logistic", name="logistic.json")
        self.refused("probability", model, "--between", "sepal_length=5:6", status=1,
                     mentions=("logistic is a scorer, not a density",))


class Marginal(CliTest):
    def test_of_maximum_likelihood_is_that_of_the_data(self):
        names, rows = read_data("iris")
        columns = [[float(row[j]) for row in rows] for j in range(4)]
        for recipe in ("qda", "lda"):
            found = self.ok_json("inspect", self.fit(IRIS, "--model", recipe))["marginal"]
            self.assertEqual(found["features"], names[:4])
            for i, a in enumerate(columns):
                self.assertAlmostEqual(found["mean"][i], statistics.fmean(a), delta=1e-14)
                for j, b in enumerate(columns):
                    total = statistics.fmean(
                        (x - statistics.fmean(a)) * (y - statistics.fmean(b)) for x, y in zip(a, b))
                    self.assertAlmostEqual(found["covariance"][i][j], total, delta=1e-13)

    def test_text(self):
        model = self.fit(IRIS, "--model", "qda")
        self.assertIn("all classes together: mean and covariance of p(x)",
                      self.ok("inspect", model).out)

    def test_not_of_scorers(self):
        model = self.fit(IRIS, "--model", "logistic")
        self.assertNotIn("marginal", self.ok_json("inspect", model))


if __name__ == "__main__":
    unittest.main()
