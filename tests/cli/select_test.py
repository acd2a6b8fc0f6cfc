"""Choosing a model by folds or by leaving one row out."""

import json
import unittest

from support import CliTest


class SelectTest(CliTest):
    def file(self, name):
        return self.folder / name

    def refuses(self, status, text, *arguments, **options):
        self.refused(*arguments, status=(status,), mentions=(text,), **options)


class Select(SelectTest):
    def select(self, *arguments):
        return json.loads(self.ok("select", *arguments, "--json").out)

    def test_json_has_the_keys_that_programs_rely_on(self):
        found = self.select("@wine", "--models", "gnb,dlda,lda,qda,rda", "--folds", "5")
        self.assertEqual(len(found["candidates"]), 4 + 66)
        for candidate in found["candidates"]:
            for key in ("model", "alpha", "gamma", "log_loss", "log_loss_se", "error_rate",
                        "errors", "rows"):
                self.assertIn(key, candidate)
            self.assertEqual(candidate["rows"], 178)
            self.assertAlmostEqual(candidate["error_rate"], candidate["errors"] / 178)
        best = min(found["candidates"], key=lambda c: c["log_loss"])
        self.assertEqual(found["best"], best)
        self.assertIsNone(found["candidates"][0]["alpha"])
        self.assertEqual([c["alpha"] for c in found["candidates"] if c["model"] == "rda"][6], 0.1)

    def test_leave_one_out_meets_the_counts_of_r(self):
        for data, wanted in (("iris", [3, 4, 7]), ("wine", [2, 1, 4]),
                             ("breast_cancer", [24, 25, 38]), ("sonar", [51, 50, 68]),
                             ("crabs", [10, 13, 123])):
            found = self.select(f"@{data}", "--models", "lda,qda,gnb", "--loo", "--divisor",
                                "unbiased", "--loo-priors", "full")
            self.assertEqual([c["errors"] for c in found["candidates"]], wanted, data)

    def test_the_winner_is_learned_from_all_rows(self):
        winner, model = self.file("w.json"), self.file("m.json")
        done = self.ok("select", "@iris", "--models", "lda,qda", "-o", winner, "--metric", "error")
        self.assertIn("best of 2: ", done.out)
        name = done.out.split("best of 2: ")[1].split(",")[0].strip()
        self.ok("fit", "@iris", "--model", name, "-o", model)
        self.assertEqual(winner.read_bytes(), model.read_bytes())

    def test_the_table_says_by_how_much(self):
        out = self.ok("select", "@wine", "--models", "lda,centroid").out
        self.assertRegex(out, r"best of 2: lda, ahead of centroid by [\d.]+ in log loss "
                              r"\(standard error [\d.]+\)")

    def test_grids_are_lists_or_steps(self):
        found = self.select("@crabs", "--models", "rda,qda", "--grid", "alpha=0:1:0.25", "--grid",
                            "gamma=0", "--grid", "shrinkage=0,0.5")
        rda = [c for c in found["candidates"] if c["model"] == "rda"]
        self.assertEqual([c["alpha"] for c in rda], [0, 0.25, 0.5, 0.75, 1])
        self.assertEqual([c["shrinkage"] for c in found["candidates"] if c["model"] == "qda"],
                         [0, 0.5])
        votes = self.select("@house_votes84", "--models", "categorical", "--grid",
                            "smoothing=0.1,1,10")
        self.assertEqual([c["smoothing"] for c in votes["candidates"]], [0.1, 1, 10])

    def test_models_may_read_the_columns_differently(self):
        rows = "x,y,class\n" + "".join(f"{i % 2},{i % 3},{'ab'[i % 2 ^ (i % 7 == 0)]}\n"
                                       for i in range(40))
        path = self.write("d.csv", rows)
        found = self.select(path, "--models", "dlda,categorical,bernoulli", "--folds", "4", "--type",
                            "y=categorical")
        self.assertEqual(len({c["log_loss"] for c in found["candidates"]}), 2)
        self.refuses(2, "standard input can be read only once", "select", "-", "--models",
                     "dlda,categorical", stdin=rows)

    def test_same_answers_for_any_number_of_threads(self):
        for how in ((), ("--loo",)):
            one = self.ok("select", "@crabs", "--json", "--threads", "1", *how).out
            self.assertEqual(self.ok("select", "@crabs", "--json", "--threads", "3", *how).out, one)

    def test_a_seed_changes_the_folds(self):
        first = self.select("@wine", "--models", "qda", "--seed", "1")
        self.assertEqual(self.select("@wine", "--models", "qda", "--seed", "1"), first)
        self.assertNotEqual(self.select("@wine", "--models", "qda", "--seed", "2"), first)

    def test_missing_cells_are_learned_from_or_left_out(self):
        em = self.select("@penguins", "--models", "lda", "--folds", "3")
        self.assertEqual(em["best"]["rows"], 344)
        drop = self.select("@penguins", "--models", "lda", "--loo", "--missing", "drop")
        self.assertEqual(drop["best"]["rows"], 333)
        self.assertEqual(drop["best"]["method"], "loo")
        loo = self.select("@penguins", "--models", "lda", "--loo")["candidates"][0]
        self.assertEqual((loo["method"], loo["rows"]), ("loo", 344))

    def test_text_and_mixtures(self):
        lines = [f"{w} {w} common words,{c}" for w, c in
                 (("good", "a"), ("fine", "a"), ("bad", "b"), ("poor", "b")) for _ in range(5)]
        path = self.write("t.csv", "text,class\n" + "\n".join(lines) + "\n")
        found = self.select(path, "--models", "multinomial,bernoulli,complement", "--folds", "4",
                            "--type", "text=text", "--grid", "smoothing=0.1,1")
        self.assertEqual(len(found["candidates"]), 6)
        self.assertEqual(found["best"]["errors"], 0)
        mda = self.select("@iris", "--models", "mda", "--components", "1-2", "--folds", "3")
        self.assertEqual(mda["best"]["rows"], 150)


class Refusals(SelectTest):
    def test_folds(self):
        path = self.write("d.csv", "x,class\n1,a\n2,a\n3,b\n4,b\n")
        self.refuses(2, "--folds is '1'", "select", path, "--folds", "1")
        self.refuses(1, "there are 4 rows with a label, fewer than 5 folds", "select", path,
                     "--folds", "5")

    def test_a_class_with_fewer_rows_than_folds_is_said(self):
        rows = "x,class\n" + "".join(f"{i},{'a' if i < 20 else 'b'}\n" for i in range(23))
        done = self.ok("select", self.write("d.csv", rows), "--models", "gnb", "--folds", "5")
        self.assertIn("warning: 'b' has fewer rows than there are folds (5)", done.err)

    def test_a_class_with_one_row_is_left_out_and_counted(self):
        rows = "x,class\n" + "".join(f"{i * i % 7},{'ab'[i % 2]}\n" for i in range(20)) + "99,c\n"
        path = self.write("d.csv", rows)
        done = self.ok("select", path, "--models", "lda", "--loo", "--json")
        self.assertEqual(json.loads(done.out)["best"]["rows"], 20)
        self.assertIn("1 row is not judged", done.err)
        lonely = self.write("l.csv", "x,class\n1,a\n2,b\n3,c\n")
        self.refuses(1, "no class has two rows", "select", lonely, "--models", "lda", "--loo")

    def test_rows_of_weight_zero_are_left_out_and_counted(self):
        rows = [(i * i % 17 + 3 * (i % 3), i % 5, int(i % 3 != 2 and i % 4 > 0), "abc"[i % 3])
                for i in range(60)]
        header = ("x", "y", "w", "class")
        path = self.write_data("w.csv", header, rows)
        kept = self.write_data("k.csv", header, [row for row in rows if row[2] > 0])
        said = "warning: 30 rows of weight 0 are left out, and with them class 'c' (20 rows)"
        options = ("--weights", "w", "--models", "lda,gnb", "--json")
        for method in (("--folds", "5"), ("--loo",)):
            with self.subTest(method=method):
                done = self.ok("select", path, *options, *method)
                self.assertIn(said, done.err)
                found = json.loads(done.out)
                self.assertEqual((found["best"]["rows"], found["not_judged"]), (30, 0))
                self.assertEqual(done.out, self.ok("select", kept, *options, *method).out)
        for model in ("lda", "gnb", "logistic", "mda", "auto"):
            done = self.ok("fit", path, "--weights", "w", "--model", model, "-o",
                           self.folder / "m.json")
            self.assertEqual(done.err.count(said), 1, done)
        self.assertIn(said, self.ok("stats", path, "--weights", "w").err)

    def test_classes_of_one_row_cannot_be_judged(self):
        data = self.write("p.csv", "a,name\n" + "".join(f"{i % 7},one{i}\n" for i in range(60)))
        self.refuses(1, "no class has rows in several folds: no row can be judged", "select", data,
                     "--type", "name=categorical")

    def test_labels_that_are_no_classes(self):
        data = self.write("i.csv", "a,b,name\n" + "".join(f"{i % 7},{i % 11},id{i % 6000}\n"
                                                          for i in range(12000)))
        for verb in ("select", "fit", "compare", "diagnose"):
            with self.subTest(verb=verb):
                self.refuses(1, "these are not classes", verb, data, "--target", "name", timeout=60)

    def test_one_class(self):
        rows = "x,class\n" + "".join(f"{i * i % 11},a\n" for i in range(20))
        found = json.loads(self.ok("select", self.write("d.csv", rows), "--models", "lda",
                                   "--json").out)
        self.assertEqual(found["best"]["errors"], 0)
        self.assertEqual(found["best"]["log_loss"], 0)

    def test_what_nobody_can_use(self):
        rows = "x,y,class\n" + "".join(f"{i},{2 * i},{'ab'[i % 2]}\n" for i in range(20))
        path = self.write("d.csv", rows)
        self.refuses(1, "no candidate can be used; of qda: class 'a'", "select", path, "--models",
                     "qda")
        done = self.ok("select", path, "--models", "qda,gnb")
        self.assertIn("qda: cannot be used: ", done.out)

    def test_options(self):
        self.refuses(2, "--loo-priors is about leaving out one row", "select", "@iris",
                     "--loo-priors", "full")
        self.refuses(2, "--grid smoothing belongs to none of lda", "select", "@iris", "--models",
                     "lda", "--grid", "smoothing=1,2")
        self.refuses(2, "--grid is 'alhpa'", "select", "@iris", "--grid", "alhpa=1")
        self.refuses(2, "--grid is '0.1', expected NAME=VALUES", "select", "@iris", "--grid", "0.1")
        self.refuses(2, "no model of --models uses --components (mda does)", "select", "@iris", "--models", "lda",
                     "--components", "2")
        self.refuses(2, "--models is 'ldda'", "select", "@iris", "--models", "ldda")
        stats = self.file("s.json")
        self.ok("stats", "@iris", "-o", stats)
        self.refuses(2, "select needs the rows", "select", stats)


if __name__ == "__main__":
    unittest.main()
