"""Learning curves of generative and discriminative models."""

import json
import os
import pty
import re
import subprocess
import unittest

from support import GENERA, CliTest


class CompareTest(CliTest):
    def compare(self, *arguments):
        return json.loads(self.ok("compare", *arguments, "--json").out)

    def curve(self, found, model, key="error_mean"):
        return {c["size"]: c[key] for c in found["curves"] if c["model"] == model}


class Curves(CompareTest):
    def test_json_has_the_keys_that_programs_rely_on(self):
        found = self.compare("@iris", "--pairs", "dlda-logistic,qda-quadratic", "--sizes",
                             "20,10,50", "--repeats", "3", "--ridge", "1")
        self.assertEqual(found["data"], "@iris")
        self.assertEqual(found["sizes"], [10, 20, 50])
        self.assertEqual(found["rows"], 150)
        self.assertEqual(found["repeats"], 3)
        self.assertEqual(found["classes"], ["setosa", "versicolor", "virginica"])
        self.assertEqual(len(found["curves"]), 4 * 3)
        for curve in found["curves"]:
            for key in ("model", "size", "error_mean", "error_se", "log_loss_mean", "log_loss_se",
                        "repeats", "kind", "shrunk", "conditional_log_likelihood",
                        "training_conditional_log_likelihood"):
                self.assertIn(key, curve)
            generative = curve["kind"] == "generative"
            self.assertEqual(curve["joint_log_likelihood"] is not None, generative)
            self.assertEqual("ridge" in curve, not generative)
            self.assertAlmostEqual(curve["conditional_log_likelihood"], -curve["log_loss_mean"])
        self.assertEqual([(m["model"], m["parameters"]) for m in found["models"]],
                         [("logistic", 10), ("dlda", 18), ("logistic-quadratic", 30), ("qda", 44)])
        self.assertEqual([(c["generative"], c["discriminative"], c["metric"])
                          for c in found["crossings"]],
                         [("dlda", "logistic", "error"), ("dlda", "logistic", "log_loss"),
                          ("qda", "logistic-quadratic", "error"),
                          ("qda", "logistic-quadratic", "log_loss")])
        for crossing in found["crossings"]:
            for key in ("size", "low", "high", "share_below", "share_above", "better_before",
                        "better_after"):
                self.assertIn(key, crossing)
        by_hand = (self.curve(found, "dlda")[20] - self.curve(found, "logistic")[20])
        difference = [d for d in found["differences"] if d["size"] == 20][0]
        self.assertAlmostEqual(difference["error_mean"], by_hand)

    def test_tables_for_people(self):
        done = self.ok("compare", "@breast_cancer", "--repeats", "4", "--ridge", "1", "--sizes",
                       "10,50,200")
        self.assertRegex(done.out, r"mean error of 4 random splits \(standard error\)\n"
                                   r" +rows +logistic +dlda +lda\n +10 +0\.\d+ \(0\.\d+\)")
        self.assertRegex(done.out, r"rows +logistic conditional +dlda joint +dlda conditional +lda")
        # (K-1)(p+1), Kp + p + K-1, Kp + p(p+1)/2 + K-1
        self.assertIn("free parameters: logistic 31, dlda 91, lda 526\n", done.out)
        self.assertRegex(done.out, r"dlda, logistic: errors (cross at about \d+ rows \(90% interval"
                                   r" \w+ to \w+\): \w+ is better|do not cross: \w+ is better)")
        self.assertRegex(done.err, r"lda: singular covariances were shrunk in 4 of 4 samples of 10")

    def test_the_crossing_is_between_the_sizes_where_the_order_changes(self):
        found = self.compare("@breast_cancer", "--pairs", "dlda", "--sizes", "10,20,50,100",
                             "--repeats", "40", "--ridge", "0.02")
        crossing = found["crossings"][0]
        dlda, logistic = self.curve(found, "dlda"), self.curve(found, "logistic")
        before = max(m for m in found["sizes"] if dlda[m] < logistic[m])
        after = min(m for m in found["sizes"] if m > before)
        self.assertTrue(before < crossing["size"] < after, crossing)
        self.assertTrue(crossing["low"] <= crossing["size"] <= crossing["high"], crossing)
        self.assertEqual((crossing["better_before"], crossing["better_after"]),
                         ("dlda", "logistic"))

    def test_same_answers_for_any_number_of_threads(self):
        options = ("compare", "@wine", "--pairs", "gnb,lda", "--repeats", "5", "--sizes", "12,40",
                   "--json", "--missing-share", "0.1")
        one = self.ok(*options, "--threads", "1").out
        self.assertEqual(self.ok(*options, "--threads", "3").out, one)
        self.assertNotEqual(self.ok(*options, "--seed", "2").out, one)

    def test_names_of_pairs(self):
        quick = ("--repeats", "1", "--ridge", "1", "--sizes", "30")
        for pairs in ("gnb-squares", "gnb", "gnb:logistic-squares", "gnb–squares", "squares-gnb"):
            with self.subTest(pairs=pairs):
                found = self.compare("@iris", "--pairs", pairs, *quick)
                self.assertEqual([m["model"] for m in found["models"]],
                                 ["logistic-squares", "gnb"])
        found = self.compare("@iris", "--pairs", "dlda,lda,logistic", *quick)
        self.assertEqual([m["model"] for m in found["models"]], ["logistic", "dlda", "lda"])
        self.assertEqual(len(found["crossings"]), 4)

    def test_some_classes_only(self):
        found = self.compare("@digits", "--classes", "2,3", "--pairs", "dlda", "--repeats", "2",
                             "--ridge", "1", "--sizes", "10,50")
        self.assertEqual(found["classes"], ["2", "3"])
        self.assertEqual(found["rows"], 360)

    def test_pairs_read_the_columns_alike(self):
        rows = "".join(f"{i % 2},{i // 2 % 2},{'ab'[i % 2 ^ (i % 7 == 0)]}\n" for i in range(60))
        data = self.write("d.csv", "x,y,class\n" + rows)
        found = self.compare(data, "--pairs", "bernoulli-logistic,dlda-logistic", "--repeats", "3",
                             "--ridge", "1", "--sizes", "20")
        self.assertEqual([(m["model"], m["parameters"]) for m in found["models"]],
                         [("logistic", 5),  # two indicators of each column
                          ("bernoulli", 2 * 2 + 1), ("logistic of dlda", 3),
                          ("dlda", 2 * 2 + 2 + 1)])

    def test_text(self):
        lines = [f"{w} {w} common words,{c}" for w, c in
                 (("good", "a"), ("fine", "a"), ("bad", "b"), ("poor", "b")) for _ in range(8)]
        data = self.write("t.csv", "text,class\n" + "\n".join(lines) + "\n")
        found = self.compare(data, "--type", "text=text", "--repeats", "5", "--sizes", "8,20")
        self.assertEqual([m["model"] for m in found["models"]], ["logistic", "multinomial"])
        self.assertLess(self.curve(found, "multinomial")[20], 0.1)

    def test_categories(self):
        found = self.compare("@house_votes84", "--missing", "drop", "--repeats", "3", "--sizes",
                             "20,100", "--ridge", "1")
        self.assertEqual(found["rows"], 232)
        self.assertEqual([m["model"] for m in found["models"]], ["logistic", "categorical"])

    def test_missing_cells(self):
        options = ("@wine", "--pairs", "lda", "--repeats", "10", "--sizes", "60", "--ridge", "1")
        complete = self.compare(*options)
        found = self.compare(*options, "--missing-share", "0.5")
        self.assertEqual(found["missing_share"], 0.5)
        for model in ("lda", "logistic"):
            self.assertGreater(self.curve(found, model)[60], self.curve(complete, model)[60])
        natural = self.compare("@penguins", "--pairs", "lda", "--repeats", "2", "--sizes", "50",
                               "--ridge", "1", "--missing-share", "0")
        self.assertEqual(natural["rows"], 344)

    def test_output_file(self):
        path = self.folder / "curves.json"
        done = self.ok("compare", "@iris", "--repeats", "1", "--ridge", "1", "--json", "-o", path)
        self.assertEqual(done.out, "")
        self.assertEqual(json.loads(path.read_text())["sizes"], [10, 20, 50, 100])

    def test_a_terminal_sees_how_long_it_takes(self):
        ours, theirs = pty.openpty()
        with subprocess.Popen([GENERA, "compare", "@digits", "--pairs", "dlda", "--sizes", "1000",
                               "--repeats", "2000", "--threads", "1", "--ridge", "0.01"],
                              stdout=subprocess.DEVNULL, stderr=theirs) as process:
            os.close(theirs)
            seen = b""
            line = re.compile(rb"\d+ of 4000 fits, about \d+ (s|min) left")
            while not line.search(seen):  # it would take minutes on any machine
                seen += os.read(ours, 4096)
            process.terminate()
        os.close(ours)


class Drawn(CompareTest):
    def test_rows_needed_as_columns_grow(self):
        model = self.fit("@sonar", "--model", "dlda")
        found = self.compare("--from", model, "--pairs", "dlda", "--dimensions", "2,8", "--repeats",
                             "4", "--ridge", "1", "--sizes", "10,100,1000", "--within", "0.05")
        self.assertEqual([(n["dimension"], n["model"]) for n in found["needed"]],
                         [(2, "logistic"), (2, "dlda"), (8, "logistic"), (8, "dlda")])
        self.assertEqual(found["within"], 0.05)
        for needed in found["needed"]:
            curve = {c["size"]: c["error_mean"] for c in found["curves"]
                     if (c["dimension"], c["model"]) == (needed["dimension"], needed["model"])}
            self.assertEqual(sorted(curve), [10, 100, 1000])
            self.assertLess(needed["asymptotic_error"], min(curve.values()) + 0.02)
            reached = [m for m in curve if curve[m] <= needed["asymptotic_error"] + 0.05]
            if needed["rows"] is not None:
                self.assertLessEqual(needed["rows"], min(reached))
            elif reached:
                self.assertEqual(min(reached), 10)
        text = self.ok("compare", "--from", model, "--pairs", "dlda", "--dimensions", "2",
                       "--repeats", "2", "--ridge", "1").out
        self.assertRegex(text, r"columns +logistic limit +rows needed +interval +dlda limit")

    def test_refusals(self):
        model = self.fit("@iris", "--model", "lda")
        self.refused("compare", "--from", model, "--dimensions", "2,5", status=2, mentions=(
            "5 is not a number of columns of the model, which has 4", "--dimensions from 1 to 4"))
        self.refused("compare", "@iris", "--from", model, status=2, mentions=("either",))
        self.refused("compare", "@iris", "--dimensions", "2", status=2, mentions=("--from MODEL",))
        self.refused("compare", "--from", model, "--classes", "a,b", status=2,
                     mentions=("--classes is about DATA",))
        softmax = self.fit("@iris", "--model", "logistic", name="softmax.json")
        self.refused("compare", "--from", softmax, status=1, mentions=("nothing can be drawn",))
        self.refused("compare", "--from", model, "--within", "0", status=2, mentions=("--within",))


class Refusals(CompareTest):
    def test_nothing_to_compare(self):
        self.refused("compare", status=2, mentions=("needs DATA, or --from MODEL",))

    def test_sizes(self):
        self.refused("compare", "@iris", "--sizes", "10,150", status=2, mentions=(
            "a training size of 150 leaves none of the 150 rows to test on",
            "--sizes less than 150"))
        self.refused("compare", "@iris", "--sizes", "3", status=2,
                     mentions=("3 rows are too few to learn 3 classes from",))
        for sizes in ("0", "ten", "10,,20", "1.5"):
            self.refused("compare", "@iris", "--sizes", sizes, status=2, mentions=("--sizes",))
        self.refused("compare", "@iris", "--repeats", "0", status=2, mentions=("--repeats",))

    def test_classes(self):
        data = self.write("d.csv", "x,class\n" + "".join(f"{i},a\n" for i in range(20)))
        self.refused("compare", data, status=1, mentions=("there is only one class, 'a'",))
        data = self.write("e.csv", "x,class\n" + "".join(f"{i},a\n" for i in range(20)) + "9,b\n")
        self.refused("compare", data, "--sizes", "10", status=1,
                     mentions=("'b' has one row", "--classes"))
        self.refused("compare", "@iris", "--classes", "setosa,virginca", status=2,
                     mentions=("'virginca' is not a class of the data", "'virginica'"))
        self.refused("compare", "@iris", "--classes", "setosa", status=2,
                     mentions=("one class only",))

    def test_unknown_pairs(self):
        self.refused("compare", "@iris", "--pairs", "lda-qda", status=2,
                     mentions=("--pairs", "'lda-qda'", "lda-logistic"))
        self.refused("compare", "@iris", "--pairs", "ldda-logistic", status=2,
                     mentions=("lda-logistic",))
        self.refused("compare", "@iris", "--pairs", "complement", status=2, mentions=("--pairs",))
        self.refused("compare", "@iris", "--pairs", "dlda", "--shrinkage", "oas", status=2,
                     mentions=("no model of --pairs uses --shrinkage (qda or lda does)",))
        self.refused("compare", "@iris", "--pairs", "lda", "--priors", "uniform", status=2,
                     mentions=("--priors",))

    def test_missing_values(self):
        self.refused("compare", "@penguins", "--repeats", "2", status=1, mentions=(
            "logistic cannot learn from missing values, in 'bill_length_mm' (2)",
            "--missing drop", "--missing-share 0"))
        self.refused("compare", "@iris", "--missing-share", "1", status=2,
                     mentions=("--missing-share",))
        self.refused("compare", "@iris", "--missing-share", "2", status=2,
                     mentions=("--missing-share",))

    def test_statistics(self):
        path = self.folder / "s.json"
        self.ok("stats", "@iris", "-o", path)
        self.refused("compare", path, status=2, mentions=("holds statistics",))

    def test_output_onto_the_input(self):
        path = self.write("d.csv", "x,class\n1,a\n2,b\n")
        self.refused("compare", path, "-o", path, status=2)


if __name__ == "__main__":
    unittest.main()
