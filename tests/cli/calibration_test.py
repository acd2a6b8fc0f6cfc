"""Honest probabilities: what evaluate says of them, and the temperature of fit."""

import json
import math
import re
import unittest

from support import CliTest, read_data


def bin_of(p):
    """(low, high] of fifteen."""
    return next(b for b in range(15) if p <= (b + 1) / 15)


def auc_of(scores, positive):
    """Pair by pair; ties count half."""
    pairs = [(a > b) + (a == b) / 2 for a, yes in zip(scores, positive) if yes
             for b, other in zip(scores, positive) if not other]
    return sum(pairs) / len(pairs)


def average_precision_of(scores, positive):
    """Sum over the thresholds of (R_n - R_(n-1)) P_n, as scikit-learn defines it."""
    total, before, area = sum(positive), 0, 0
    for threshold in sorted(set(scores), reverse=True):
        taken = [yes for score, yes in zip(scores, positive) if score >= threshold]
        area += (sum(taken) - before) / total * sum(taken) / len(taken)
        before = sum(taken)
    return area


class Evaluate(CliTest):
    def truth(self, name):
        header, rows = read_data(name)
        return [row[-1] for row in rows]

    def check_reliability(self, found, posteriors, truth):
        ece = 0
        self.assertEqual(len(found["reliability"]), 15)
        for b, entry in enumerate(found["reliability"]):
            self.assertEqual(set(entry), {"low", "high", "rows", "confidence", "accuracy"})
            self.assertAlmostEqual(entry["low"], b / 15, delta=1e-15)
            self.assertAlmostEqual(entry["high"], (b + 1) / 15, delta=1e-15)
            inside = [(max(p.values()), max(p, key=p.get) == y)
                      for p, y in zip(posteriors, truth) if bin_of(max(p.values())) == b]
            self.assertEqual(entry["rows"], len(inside))
            if not inside:
                self.assertIsNone(entry["confidence"])
                self.assertIsNone(entry["accuracy"])
                continue
            confidence = sum(p for p, _ in inside) / len(inside)
            accuracy = sum(right for _, right in inside) / len(inside)
            self.assertAlmostEqual(entry["confidence"], confidence, delta=1e-12)
            self.assertAlmostEqual(entry["accuracy"], accuracy, delta=1e-12)
            ece += abs(confidence - accuracy) * len(inside) / len(truth)
        self.assertAlmostEqual(found["ece"], ece, delta=1e-12)

    def test_reliability_is_that_of_the_posteriors(self):
        for name, model in (("iris", "gnb"), ("sonar", "gnb"), ("sonar", "lda")):
            with self.subTest(name=name, model=model):
                path = self.fit(f"@{name}", "--model", model)
                found = self.ok_json("evaluate", path, f"@{name}")
                self.check_reliability(found, self.proba(path, f"@{name}"), self.truth(name))

    def test_two_classes_are_ranked(self):
        truth = self.truth("sonar")
        for model in ("gnb", "lda"):
            path = self.fit("@sonar", "--model", model)
            posteriors = self.proba(path, "@sonar")
            for options, positive in (((), "R"), (("--positive", "M"), "M"),
                                      (("--positive", "R"), "R")):
                with self.subTest(model=model, options=options):
                    found = self.ok_json("evaluate", path, "@sonar", *options)
                    scores = [p[positive] for p in posteriors]
                    yes = [y == positive for y in truth]
                    self.assertEqual(found["positive"], positive)
                    self.assertAlmostEqual(found["auc"], auc_of(scores, yes), delta=1e-12)
                    self.assertAlmostEqual(found["average_precision"],
                                           average_precision_of(scores, yes), delta=1e-12)

    # roc_auc_score and average_precision_score of scikit-learn 1.9.1, of predict_proba on the rows
    # learned from: LinearDiscriminantAnalysis(solver="lsqr"), GaussianNB(var_smoothing=0), of which
    # 149 posteriors are exactly 1.
    def test_values_of_scikit_learn(self):
        for name, auc, precision in (("lda", 0.9965250251043813, 0.9950997082965511),
                                     ("gnb", 0.9887426668780719, 0.983750784156276)):
            with self.subTest(model=name):
                model = self.fit("@breast_cancer", "--model", name)
                found = self.ok_json("evaluate", model, "@breast_cancer")
                self.assertEqual(found["positive"], "malignant")
                self.assertAlmostEqual(found["auc"], auc, delta=1e-9)
                self.assertAlmostEqual(found["average_precision"], precision, delta=1e-9)

    def test_more_than_two_classes_have_no_positive_one(self):
        model = self.fit("@iris", "--model", "lda")
        found = self.ok_json("evaluate", model, "@iris")
        self.assertNotIn("auc", found)
        self.refused("evaluate", model, "@iris", "--positive", "setosa", status=2,
                     mentions=("two classes", "has 3"))

    def test_positive_is_a_class(self):
        model = self.fit("@sonar", "--model", "lda")
        self.refused("evaluate", model, "@sonar", "--positive", "Q", status=2,
                     mentions=("'Q'", "not a class", "M,R"))

    def test_rows_of_one_class_have_no_ranks(self):
        model = self.fit("@sonar", "--model", "lda")
        header, rows = read_data("sonar")
        data = self.write_data("one.csv", header, [row for row in rows if row[-1] == "R"])
        found = self.ok_json("evaluate", model, data)
        self.assertIsNone(found["auc"])
        self.assertEqual(found["average_precision"], 1)
        self.assertIn("none: the rows are all of one class", self.ok("evaluate", model, data).out)

    def test_for_people(self):
        model = self.fit("@sonar", "--model", "lda")
        text = self.ok("evaluate", model, "@sonar").out
        for word in ("calibration error", "AUC (R)", "average precision",
                     "probability of the best class", "0.933 to 1.000"):
            self.assertIn(word, text)

    def test_threads_and_pipes_change_nothing(self):
        model = self.fit("@sonar", "--model", "gnb")
        header, rows = read_data("sonar")
        data = self.write_data("many.csv", header, rows * 200)
        seen = {self.ok("evaluate", model, data, "--json", "--threads", n).out for n in (1, 2, 3)}
        seen.add(self.ok("evaluate", model, "-", "--json", stdin=data.read_bytes()).out)
        self.assertEqual(len(seen), 1)


class Temperature(CliTest):
    """Sonar: 60 columns, 208 rows, a model that is much too sure."""

    def fitted(self, *options, data="@sonar", name="warm.json"):
        model = self.folder / name
        result = self.ok("fit", data, "-o", model, "--calibrate", "temperature", *options)
        return model, result.err

    def test_fit_says_the_loss_before_and_after(self):
        model, notes = self.fitted("--model", "lda")
        found = re.search(r"temperature (\S+): held-out log loss (\S+) before, (\S+) after "
                          r"\(10 folds, 208 rows\)", notes)
        temperature, before, after = map(float, found.groups())
        self.assertGreater(temperature, 1.5)
        self.assertLess(after, 0.8 * before)
        inspected = self.ok_json("inspect", model)
        self.assertAlmostEqual(inspected["temperature"], temperature, delta=1e-3 * temperature)
        self.assertRegex(self.ok("inspect", model).out, r"(?m)^temperature: \d")
        self.assertEqual(json.loads(model.read_text())["temperature"], inspected["temperature"])
        self.assertEqual(self.ok_json("inspect", self.fit("@sonar", "--model", "lda"))
                         ["temperature"], 1)
        select = self.ok_json("select", "@sonar", "--models", "lda")
        self.assertAlmostEqual(before, select["best"]["log_loss"], delta=1e-4)

    def test_posteriors_are_those_of_divided_evidence(self):
        for options in (("--model", "lda"), ("--model", "qda", "--shrinkage", "oas"),
                        ("--model", "gnb")):
            with self.subTest(options=options):
                model, _ = self.fitted(*options, "--priors", "M=0.7,R=0.3")
                temperature = self.ok_json("inspect", model)["temperature"]
                priors = {"M": math.log(0.7), "R": math.log(0.3)}
                expected = []
                for joint in self.joint(model, "@sonar"):
                    scores = {k: priors[k] + (v - priors[k]) / temperature
                              for k, v in joint.items()}
                    most = max(scores.values())
                    total = sum(math.exp(v - most) for v in scores.values())
                    expected.append({k: math.exp(v - most) / total for k, v in scores.items()})
                found = self.proba(model, "@sonar")
                self.assert_rows_close(found, expected, 1e-9)
                labels = self.labels(model, "@sonar")
                self.assertEqual(labels, [max(p, key=p.get) for p in found])
                evaluation = self.ok_json("evaluate", model, "@sonar")
                truth = [row[-1] for row in read_data("sonar")[1]]
                loss = -sum(math.log(p[y]) for p, y in zip(expected, truth)) / len(truth)
                self.assertAlmostEqual(evaluation["log_loss"], loss, delta=1e-9)
                uniform = self.proba(model, "@sonar", "--priors", "uniform")
                for p, q in zip(found, uniform):
                    odds = math.log(p["M"] / p["R"]) - math.log(0.7 / 0.3)
                    self.assertAlmostEqual(math.log(q["M"] / q["R"]), odds, delta=1e-7)

    def test_densities_draws_and_imputations_are_not_touched(self):
        warm, _ = self.fitted("--model", "lda")
        cold = self.fit("@sonar", "--model", "lda")
        header, rows = read_data("sonar")
        holes = self.write_data("holes.csv", header[:-1],
                                [["" if (i + j) % 7 == 0 else cell
                                  for j, cell in enumerate(row[:-1])] for i, row in enumerate(rows)])
        for words in (("score", "MODEL", "@sonar"), ("sample", "MODEL", "-n", "20"),
                      ("sample", "MODEL", "-n", "20", "--given", "band11=0.5"),
                      ("impute", "MODEL", holes), ("impute", "MODEL", holes, "--draws", "2")):
            with self.subTest(words=words):
                one, two = ([str(model) if word == "MODEL" else word for word in words]
                            for model in (warm, cold))
                self.assertEqual(self.ok(*one).out, self.ok(*two).out)

    def test_none_is_as_without(self):
        plain = self.fit("@sonar", "--model", "lda", name="a.json")
        none = self.fit("@sonar", "--model", "lda", "--calibrate", "none", name="b.json")
        self.assertEqual(plain.read_bytes(), none.read_bytes())
        self.refused("fit", "@sonar", "--calibrate", "tempreature", status=2,
                     mentions=("--calibrate", "temperature"))

    def test_every_kind_of_model(self):
        for sure, data, *options in ((True, "@house_votes84", "--model", "categorical"),
                                     (True, "@vowel_train", "--model", "mda", "--components", "2"),
                                     (False, "@iris", "--model", "logistic"),
                                     (False, "@penguins", "--model", "lda")):
            with self.subTest(options=options):
                model, notes = self.fitted(*options, data=data)
                self.assertIn("held-out log loss", notes)
                temperature = self.ok_json("inspect", model)["temperature"]
                self.assertEqual(temperature > 1.01, sure, temperature)

    def test_statistics_refuse_it(self):
        statistics = self.folder / "s.json"
        self.ok("stats", "@iris", "-o", statistics)
        self.refused("fit", statistics, "--calibrate", "temperature", status=2,
                     mentions=("--calibrate temperature", "holds statistics"))

    def test_too_few_rows_are_said(self):
        data = self.write("few.csv", "x,class\n1,a\n2,b\n3,a\n")
        result = self.ok("fit", data, "--model", "lda", "--calibrate", "temperature", "-o",
                         self.folder / "few.json")
        self.assertIn("the probabilities are not calibrated", result.err)

    def test_large_files_are_sampled(self):
        header, rows = read_data("iris")
        data = self.write_data("many.csv", header, rows * 150)
        _, notes = self.fitted("--model", "lda", data=data)
        self.assertIn("calibrated on a sample of 20001 of 22500 rows", notes)
        _, again = self.fitted("--model", "lda", "--threads", "1", data=data)
        self.assertEqual(notes, again)

    def test_files_are_checked(self):
        model, _ = self.fitted("--model", "lda")
        document = json.loads(model.read_text())
        for bad in (0.5, -1, "warm"):
            document["temperature"] = bad
            path = self.write("bad.json", json.dumps(document))
            self.refused("inspect", path, status=1, mentions=("'temperature'",))


if __name__ == "__main__":
    unittest.main()
