"""Softmax regression at the shell: what scikit-learn says, what verbs make of it, what is refused."""

import json
import math
import unittest

from support import DATA, REFERENCE_DATA, CliTest, csv_text, read_data

REFERENCE = json.loads((REFERENCE_DATA.parent / "logistic" / "posteriors.json").read_text())
TEXTS = 150


def rows_of(data):
    """(header, rows) of what a case of the reference was made of."""
    if data == "sms":
        header, rows = read_data("sms_spam")
        return header, rows[:TEXTS]
    name, _, part = data.partition(", ")
    header, rows = read_data(name)
    if part == "two":
        rows = rows[50:]
    if part == "complete":
        rows = [row for row in rows if "" not in row and "NA" not in row]
    return header, rows


class Reference(CliTest):
    def test_posteriors_are_those_of_scikit_learn(self):
        for case in REFERENCE["cases"]:
            with self.subTest(case=case["name"]):
                data = self.write_data("rows.csv", *rows_of(case["data"]))
                target = "label" if case["data"] == "sms" else rows_of(case["data"])[0][-1]
                model = self.fit(data, "--model", "logistic", "--target", target, *case["options"])
                found = self.proba(model, data)
                self.assertEqual(len(found), len(case["posterior"]))
                for got, want in zip(found, case["posterior"]):
                    for p, q in zip(got.values(), want):
                        self.assertAlmostEqual(p, q, delta=1e-6)


class Verbs(CliTest):
    def test_a_model_is_fitted_asked_and_explained(self):
        iris = DATA / "iris.csv"
        done = self.ok("fit", iris, "--model", "logistic", "-o", self.folder / "m.json")
        self.assertIn("logistic converged after", done.err)
        model = self.folder / "m.json"
        evaluation = self.ok_json("evaluate", model, iris)
        self.assertGreater(evaluation["accuracy"], 0.95)
        self.assertIsNone(evaluation["log_likelihood"])
        facts = self.ok_json("inspect", model)
        self.assertEqual(facts["model"], "logistic")
        self.assertEqual(facts["parameters"], {"coefficients": 10, "total": 10})
        block = facts["blocks"][0]
        self.assertEqual(block["ridge"], 1)
        self.assertAlmostEqual(block["means"][0], 5.843333333333, delta=1e-9)
        # Coefficients are in the units of the columns: they give the posteriors.
        header, rows = read_data("iris")
        x = [float(cell) for cell in rows[70][:4]]
        scores = [b + sum(a * v for a, v in zip(line, x))
                  for b, line in zip(block["intercepts"], block["coefficients"])]
        top = max(scores)
        total = sum(math.exp(s - top) for s in scores)
        for got, score in zip(self.proba(model, iris)[70].values(), scores):
            self.assertAlmostEqual(got, math.exp(score - top) / total, delta=1e-12)
        self.assertAlmostEqual(sum(block["intercepts"]), 0, delta=1e-9)
        self.assertIn("coefficients: the class with the largest sum wins", self.ok("inspect", model).out)
        explained = self.ok_csv("predict", model, iris, "--explain", "2")
        self.assertEqual(len(explained), 150)
        binary = self.fit(iris, "--model", "logistic", name="m.cbor")
        self.assertEqual(self.ok("predict", binary, iris, "--proba").out,
                         self.ok("predict", model, iris, "--proba").out)

    def test_products_survive_a_file(self):
        wine = DATA / "wine.csv"
        model = self.fit(wine, "--model", "logistic", "--terms", "quadratic", "--ridge", "2")
        part = json.loads(model.read_text())["blocks"][0]["parts"][1]
        self.assertEqual(part["terms"], "quadratic")
        self.assertEqual(len(part["products_of"]), 13)
        self.assertEqual(self.ok_json("evaluate", model, wine)["errors"], 0)
        self.assertIn("alcohol*ash", self.ok("inspect", model, "--json").out)
        damaged = json.loads(model.read_text())
        damaged["blocks"][0]["parts"][1]["scales"][0] = 0
        self.refused("inspect", self.write("bad.json", json.dumps(damaged)), status=1,
                     mentions=["a scale of a linear model is not positive"])

    def test_threads_change_nothing(self):
        one = self.fit(DATA / "digits.csv", "--model", "logistic", "--threads", "1", name="1.json")
        two = self.fit(DATA / "digits.csv", "--model", "logistic", "--threads", "3", name="3.json")
        self.assertEqual(one.read_bytes(), two.read_bytes())

    def test_an_unseen_level_is_all_zeros(self):
        data = self.write("t.csv", csv_text(["c", "x", "y"], [
            ["a", 1.0, "k"], ["b", 2.0, "l"], ["a", 3.0, "l"], ["b", 0.5, "k"], ["a", 0.1, "k"]]))
        model = self.fit(data, "--model", "logistic", "--target", "y")
        asked = self.write("new.csv", csv_text(["c", "x"], [["z", 1.0]]))
        block = self.ok_json("inspect", model)["blocks"][0]
        odds = math.exp(sum(sign * (block["intercepts"][k] + block["coefficients"][k][0])
                            for k, sign in ((1, 1), (0, -1))))
        self.assertAlmostEqual(self.proba(model, asked)[0]["k"], 1 / (1 + odds), delta=1e-12)


class Refusals(CliTest):
    def test_what_needs_a_density_refuses_it_by_name(self):
        model = self.fit(DATA / "iris.csv", "--model", "logistic")
        for arguments in (("sample", model, "-n", "3"), ("score", model, DATA / "iris.csv"),
                          ("impute", model, DATA / "iris.csv")):
            with self.subTest(verb=arguments[0]):
                self.refused(*arguments, mentions=["logistic is a scorer, not a density"])
        self.refused("predict", model, DATA / "iris.csv", "--priors", "uniform", status=2,
                     mentions=["logistic learns posteriors"])
        self.refused("predict", model, DATA / "iris.csv", "--priors", "estimate", status=2,
                     mentions=["logistic learns posteriors", "use --model lda"])

    def test_statistics_are_refused_by_name(self):
        stats = self.folder / "s.json"
        self.ok("stats", DATA / "iris.csv", "-o", stats)
        self.refused("fit", stats, "--model", "logistic", status=2,
                     mentions=["--model logistic needs the rows again", "--model lda"])
        self.refused("stats", DATA / "iris.csv", "--model", "logistic", status=2,
                     mentions=["--model logistic needs the rows"])

    def test_missing_values_are_refused_with_advice(self):
        message = self.refused("fit", DATA / "penguins.csv", "--model", "logistic", status=1)
        for word in ("logistic cannot learn from missing values", "'sex' (11)", "--model lda", "impute", "--missing drop"):
            self.assertIn(word, message)
        model = self.fit(DATA / "penguins.csv", "--model", "logistic", "--missing", "drop")
        self.refused("predict", model, DATA / "penguins.csv", status=1,
                     mentions=["is missing, and logistic cannot answer without it", "impute"])

    def test_options_belong_to_it(self):
        iris = DATA / "iris.csv"
        self.refused("fit", iris, "--ridge", "2", status=2, mentions=["auto does not use --ridge (logistic does)"])
        self.refused("fit", iris, "--model", "logistic", "--ridge", "-1", status=2, mentions=["--ridge is -1, expected a number of at least 0"])
        self.refused("fit", iris, "--model", "logistic", "--terms", "cubic", status=2,
                     mentions=["linear, squares or quadratic"])
        self.refused("fit", iris, "--model", "logistic", "--priors", "uniform", status=2, mentions=["logistic does not use --priors"])

    def test_without_a_penalty_separable_classes_are_a_warning(self):
        done = self.ok("fit", DATA / "iris.csv", "--model", "logistic", "--ridge", "0", "-o", self.folder / "m.json")
        self.assertIn("warning: some classes can be separated", done.err)
        self.assertIn("--ridge 1", done.err)


if __name__ == "__main__":
    unittest.main()
