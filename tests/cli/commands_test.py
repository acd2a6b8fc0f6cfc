"""The verbs as the manual describes them: columns, JSON, statuses, help."""

import json
import math
import os
import re
import subprocess
import unittest

import formulas
from support import DATA, GENERA, CliTest, parse_csv, read_data, three_classes, seconds

VERBS = ("summary", "fit", "cluster", "predict", "evaluate", "select", "compare", "diagnose", "score", "inspect",
         "probability", "sample", "impute", "split", "stats", "merge", "forget", "plot", "tour", "datasets", "parameters", "help")
IRIS = DATA / "iris.csv"
SPECIES = ["setosa", "versicolor", "virginica"]


class Output(CliTest):
    def setUp(self):
        super().setUp()
        self.model = self.fit(IRIS, "--model", "qda")

    def header(self, *arguments):
        return self.ok(*arguments).out.split("\n", 1)[0].split(",")

    def test_columns_of_predict(self):
        p, joint = [f"p({k})" for k in SPECIES], [f"logjoint({k})" for k in SPECIES]
        for options, columns in (((), []), (("--proba",), p), (("--joint",), joint),
                                 (("--proba", "--joint"), p + joint)):
            with self.subTest(options=options):
                self.assertEqual(self.header("predict", self.model, IRIS, *options),
                                 ["prediction", *columns])

    def test_one_answer_a_row(self):
        rows = self.ok_csv("predict", self.model, IRIS, "--proba", "--joint")
        self.assertEqual(len(rows), 150)
        for row in rows:
            joint = [float(row[f"logjoint({k})"]) for k in SPECIES]
            total = formulas.log_sum_exp(joint)
            for k, value in zip(SPECIES, joint):
                self.assertAlmostEqual(float(row[f"p({k})"]), math.exp(value - total), delta=1e-12)
            self.assertEqual(row["prediction"], SPECIES[joint.index(max(joint))])

    def test_keep_puts_input_columns_first(self):
        names, rows = read_data("iris")
        kept = self.ok_csv("predict", self.model, IRIS, "--keep", "species,petal_width")
        self.assertEqual(list(kept[0]), ["species", "petal_width", "prediction"])
        self.assertEqual([row["petal_width"] for row in kept], [row[3] for row in rows])
        everything = self.ok_csv("predict", self.model, IRIS, "--keep")
        self.assertEqual(list(everything[0]), [*names, "prediction"])
        self.assertEqual([list(row.values())[:5] for row in everything], rows)

    def test_keep_of_an_unknown_column(self):
        self.refused("predict", self.model, IRIS, "--keep", "specis", mentions=("'species'",))

    def test_kept_cells_are_quoted_again(self):
        model = self.write("m.json", json.dumps({
            "format": "genera-model", "version": 1, "features": ["x"], "classes": [
                {"name": "a", "prior": 0.5, "mean": [0], "covariance": [[1]]},
                {"name": "b", "prior": 0.5, "mean": [4], "covariance": [[1]]}]}))
        data = self.write("d.csv", 'x,note\n1,"a, b"\n3,"say ""hi"""\n')
        rows = self.ok_csv("predict", model, data, "--keep", "note")
        self.assertEqual(rows, [{"note": "a, b", "prediction": "a"},
                                {"note": 'say "hi"', "prediction": "b"}])

    def test_columns_of_score(self):
        self.assertEqual(self.header("score", self.model, IRIS),
                         ["log_density", "tail", *(f"d2({k})" for k in SPECIES)])
        for row in self.ok_csv("score", self.model, IRIS):
            self.assertTrue(0 < float(row["tail"]) <= 1)

    def test_ties_go_to_the_first_class(self):
        model = self.write("m.json", json.dumps({
            "format": "genera-model", "version": 1, "features": ["x"], "classes": [
                {"name": k, "prior": 0.5, "mean": [m], "covariance": [[1]]}
                for k, m in (("b", 1), ("a", -1))]}))
        self.assertEqual(self.labels(model, self.write("d.csv", "x\n0\n")), ["a"])

    def test_evaluate_json(self):
        found = self.ok_json("evaluate", self.model, IRIS)
        self.assertLessEqual({"rows", "accuracy", "error_rate", "errors", "log_loss", "brier",
                              "log_likelihood", "classes", "confusion", "per_class"}, set(found))
        self.assertEqual(found["classes"], SPECIES)
        self.assertEqual(found["confusion"], [[50, 0, 0], [0, 48, 2], [0, 1, 49]])
        self.assertEqual((found["rows"], found["errors"]), (150, 3))
        self.assertIsInstance(found["rows"], int)
        self.assertAlmostEqual(found["accuracy"], 147 / 150, delta=1e-15)
        virginica = found["per_class"]["virginica"]
        self.assertEqual(set(virginica), {"precision", "recall", "f1", "support"})
        self.assertAlmostEqual(virginica["precision"], 49 / 51, delta=1e-15)
        self.assertAlmostEqual(virginica["recall"], 49 / 50, delta=1e-15)
        self.assertAlmostEqual(virginica["f1"], 2 * 49 / (51 + 50), delta=1e-15)
        self.assertEqual(virginica["support"], 50)

    def test_losses_are_those_of_the_posteriors(self):
        found = self.ok_json("evaluate", self.model, IRIS)
        truth = [row[-1] for row in read_data("iris")[1]]
        posteriors = self.proba(self.model, IRIS)
        joints = self.joint(self.model, IRIS)
        loss = -sum(math.log(p[y]) for p, y in zip(posteriors, truth)) / 150
        brier = sum(sum((v - (k == y)) ** 2 for k, v in p.items())
                    for p, y in zip(posteriors, truth)) / 150
        self.assertAlmostEqual(found["log_loss"], loss, delta=1e-10)
        self.assertAlmostEqual(found["brier"], brier, delta=1e-10)
        self.assertAlmostEqual(found["log_likelihood"],
                               sum(j[y] for j, y in zip(joints, truth)), delta=1e-8)

    def test_evaluate_for_people(self):
        text = self.ok("evaluate", self.model, IRIS).out
        for word in ("150", "setosa", "accuracy", "log loss", "precision", "recall"):
            self.assertIn(word, text.lower())

    def test_inspect_json(self):
        found = self.ok_json("inspect", self.model)
        self.assertLessEqual({"model", "features", "classes", "parameters", "blocks"}, set(found))
        self.assertEqual(found["model"], "qda")
        self.assertEqual(found["features"], read_data("iris")[0][:4])
        self.assertEqual([k["name"] for k in found["classes"]], SPECIES)
        for k in found["classes"]:
            self.assertEqual((k["count"], len(k["mean"]), len(k["covariance"])), (50, 4, 4))
        self.assertEqual(found["parameters"],
                         {"priors": 2, "means": 12, "covariances": 30, "total": 44})
        self.assertIsInstance(found["blocks"], list)

    def test_inspect_boundaries(self):
        model = self.fit(IRIS, "--model", "lda", name="l.json")
        found = self.ok_json("inspect", model, "--boundaries")
        self.assertEqual(list(found), ["features", "boundaries"])
        self.assertEqual([(b["first"], b["second"]) for b in found["boundaries"]],
                         [(SPECIES[0], SPECIES[1]), (SPECIES[0], SPECIES[2]),
                          (SPECIES[1], SPECIES[2])])
        names, rows = read_data("iris")
        self.assertEqual(found["features"], names[:4])
        for row, joint in zip(rows[::10], self.joint(model, IRIS)[::10]):
            for b in found["boundaries"]:
                odds = b["intercept"] + sum(a * float(x) for a, x in zip(b["coefficients"], row))
                self.assertAlmostEqual(odds, joint[b["first"]] - joint[b["second"]], delta=1e-9)
        text = self.ok("inspect", model, "--boundaries").out
        self.assertIn("setosa | versicolor", text)
        self.assertRegex(text, r"\(intercept\) +-?[\d.]+")
        self.refused("inspect", self.model, "--boundaries", status=(1,),
                     mentions=("not linear", "--model lda"))
        self.refused("inspect", model, "--boundaries", "--top", "3", status=(2,),
                     mentions=("--top and --boundaries",))

    def test_inspect_prints_the_discriminant_of_lda(self):
        sample = three_classes(seed=1, d=2)
        text = self.ok("inspect", self.fit(sample, "--model", "lda", name="l.json")).out
        covariance = formulas.covariances(sample, "mle")[1]
        mean = formulas.class_moments(sample)["a"][1]
        coefficient = formulas.solve(covariance, mean)[0][0]
        self.assertTrue(any(abs(float(v) - coefficient) <= 2e-3 * abs(coefficient)
                            for v in re.findall(r"-?\d+\.\d+(?:e[-+]?\d+)?", text)), text)

    def test_fit_without_output_prints_a_summary(self):
        text = self.ok("fit", IRIS, "--model", "lda").out.lower()
        for word in ("lda", *SPECIES):
            self.assertIn(word, text)

    def test_quiet(self):
        for arguments in (("fit", IRIS, "-o", self.folder / "q.json"),
                          ("predict", self.model, IRIS), ("score", self.model, IRIS),
                          ("evaluate", self.model, IRIS)):
            with self.subTest(verb=arguments[0]):
                self.assertEqual(self.ok(*arguments, "--quiet").err, "")

    def test_output_files(self):
        for verb, options in (("predict", ("--proba",)), ("score", ()), ("evaluate", ("--json",))):
            with self.subTest(verb=verb):
                target = self.folder / f"{verb}.out"
                self.assertEqual(self.ok(verb, self.model, IRIS, *options, "-o", target).out, "")
                self.assertEqual(target.read_text(),
                                 self.ok(verb, self.model, IRIS, *options).out)


class CommandLine(CliTest):
    def test_version(self):
        self.assertRegex(self.ok("--version").out, r"\d+\.\d+\.\d+")

    def test_no_arguments(self):
        self.refused(status=2, mentions=("genera help",))

    def test_mistyped_names_get_the_nearest(self):
        for arguments, nearest in ((("pedict", "m", "d"), "predict"),
                                   (("help", "evalute"), "evaluate"),
                                   (("fit", IRIS, "--modle", "lda"), "--model"),
                                   (("fit", IRIS, "--model", "lad"), "lda"),
                                   (("fit", "@irs"), "iris'")):
            with self.subTest(arguments=arguments):
                self.refused(*arguments, status=2, mentions=(nearest,))

    def test_missing_and_surplus_arguments(self):
        for arguments in (("fit",), ("predict",), ("predict", "m.json"), ("merge", "-o", "x"),
                          ("inspect", "a", "b"), ("fit", IRIS, "--model"),
                          ("fit", IRIS, "--threads", "-3"), ("fit", IRIS, "--threads", "many")):
            with self.subTest(arguments=arguments):
                self.refused(*arguments, status=2)

    def test_a_data_set_is_csv(self):
        self.refused("datasets", "iris", "--json", status=2, mentions=("prints CSV", "leave --json out"))

    def test_what_output_means_to_figures(self):
        for verb, text in (("plot", "-o, --output FILE write the figure to FILE"),
                           ("tour", "-o, --output DIR the folder for the page")):
            words = " ".join(self.ok("help", verb).out.split())
            self.assertIn(text, words)
            self.assertNotIn(".gz;", words)

    def test_datasets(self):
        text = self.ok("datasets").out
        for name in ("iris", "wine", "notes3b"):
            self.assertRegex(text, rf"@?{name}\b")

    def test_every_data_set_named_can_be_read(self):
        for name in sorted(set(re.findall(r"@(\w+)", self.ok("datasets").out))):
            with self.subTest(name=name):
                self.works_or_refuses("fit", f"@{name}", "--model", "gnb", "--missing", "drop")

    def test_help_of_every_verb(self):
        overview = self.ok("--help").out
        for verb in VERBS:
            with self.subTest(verb=verb):
                self.assertRegex(overview, rf"\b{verb}\b")
                text = self.ok("help", verb).out
                self.assertIn(f"genera {verb}", text)
                self.assertEqual(text, self.ok(verb, "--help").out)

    def test_options_are_in_the_help(self):
        text = self.ok("help", "fit").out
        for option in ("--model", "--target", "--features", "--drop", "--type", "--weights",
                       "--priors", "--divisor", "--shrinkage", "--alpha", "--gamma", "--toward",
                       "--raw-units", "--variance-floor", "--on-singular", "--missing",
                       "--missing-token", "--threads", "--quiet"):
            self.assertIn(option, text)

    def test_help_examples_run(self):
        """In one folder, verb after verb, so that files made by one example serve the next."""
        path = f"{os.path.dirname(GENERA)}:{os.environ['PATH']}"
        for name in ("iris", "wine", "penguins"):
            (self.folder / f"{name}.csv").write_bytes((DATA / f"{name}.csv").read_bytes())
        for verb in VERBS:
            examples = re.findall(r"^\s*\$?\s*(genera .*[^:\s])$", self.ok("help", verb).out, re.M)
            commands = [e for e in examples if not re.search(r"\[|<|\b[A-Z]{3,}\b", e)]
            self.assertTrue(commands, f"help {verb} has no example")
            for command in commands:
                with self.subTest(command=command):
                    done = subprocess.run(["bash", "-o", "pipefail", "-c", command],
                                          capture_output=True, cwd=self.folder, timeout=seconds(120),
                                          env={**os.environ, "PATH": path}, check=False)
                    self.assertEqual(done.returncode, 0, done)

    def test_every_verb_is_listed(self):
        listed = self.ok("help").out.split("Verbs:\n")[1].split("\n\n")[0]
        self.assertEqual(tuple(re.findall(r"^  (\w+) ", listed, re.M)), VERBS)

    def test_stats_keep_what_the_model_needs(self):
        for options, scatter in (((), "full"), (("--model", "qda"), "full"),
                                 (("--model", "gnb"), "diagonal")):
            with self.subTest(options=options):
                self.assertEqual(self.ok_json("stats", IRIS, *options)["scatter"], scatter)

    def test_rows_without_a_label_count_as_much_as_asked(self):
        data = self.write("d.csv", "x,class\n1,a\n2,a\n4,b\n6,b\n3,\n5,\n")
        for options, weight in (((), 0), (("--unlabelled-weight", 1), 1), (("--unlabelled-weight", 0.5), 0.5),
                                (("--unlabelled-weight", 0), 0)):
            with self.subTest(options=options):
                found = self.ok_json("fit", data, "--model", "gnb", *options)
                self.assertAlmostEqual(sum(k["count"] for k in found["classes"]), 4 + 2 * weight)

    def test_a_table_is_no_model(self):
        self.refused("predict", IRIS, IRIS, status=1, mentions=("iris.csv",))

    def test_a_model_is_no_table(self):
        model = self.fit(IRIS)
        self.refused("fit", model, mentions=("model.json",))

    def test_labels_in_the_data_are_not_needed_by_predict(self):
        model = self.fit(IRIS)
        names, rows = read_data("iris")
        data = self.write_data("bare.csv", names[:4], [row[:4] for row in rows])
        self.assertEqual(self.ok("predict", model, data).out, self.ok("predict", model, IRIS).out)
        self.assertEqual(len(parse_csv(self.ok("score", model, data).out)), 150)


if __name__ == "__main__":
    unittest.main()
