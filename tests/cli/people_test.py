"""What people read: evaluations, groups, models, and the small things around them."""

import gzip
import json
import math
import unittest

from support import CliTest, csv_text, parse_csv, read_data, run


def table_of(pairs):
    """A column of numbers and their classes."""
    return "x,class\n" + "".join(f"{x},{label}\n" for x, label in pairs)


class Evaluations(CliTest):
    def setUp(self):
        super().setUp()
        self.model = self.fit(self.write("t.csv", table_of(
            [(-1, "l"), (-2, "l"), (-1.5, "l"), (1, "r"), (2, "r"), (1.5, "r")])))

    def test_beside_the_accuracy_stand_chance_and_its_interval(self):
        data = self.write("e.csv", table_of([(-1, "l"), (-3, "l"), (1, "l"), (-2, "l"), (1, "r")]))
        found = self.ok_json("evaluate", self.model, data)
        self.assertEqual(found["accuracy"], 0.8)
        self.assertEqual(found["baseline"], {"class": "l", "accuracy": 0.8})
        self.assertEqual(found["balanced_accuracy"], (3 / 4 + 1) / 2)
        z, n, p = 1.959963984540054, 5, 0.8
        half = z * math.sqrt(p * (1 - p) / n + z * z / (4 * n * n))
        self.assertAlmostEqual(found["accuracy_interval"]["low"],
                               (p + z * z / (2 * n) - half) / (1 + z * z / n), places=14)
        self.assertEqual(found["accuracy_interval"]["method"], "wilson")
        text = self.ok("evaluate", self.model, data).out
        self.assertIn("95% interval 0.3755 to 0.9638 (Wilson)", text)
        self.assertIn("always 'l'", text)

    def test_a_weight_is_as_many_rows(self):
        rows = [(-1, "l", 3), (1, "l", 2), (2, "r", 1)]
        weighted = self.write("w.csv", "x,class,w\n" + "".join(f"{x},{c},{w}\n" for x, c, w in rows))
        repeated = self.write("r.csv", table_of([(x, c) for x, c, w in rows for _ in range(w)]))
        found = self.ok_json("evaluate", self.model, weighted, "--weights", "w")
        same = self.ok_json("evaluate", self.model, repeated)
        for key in ("accuracy", "error_rate", "log_loss", "brier", "log_likelihood", "auc", "ece",
                    "balanced_accuracy", "average_precision", "baseline"):
            if isinstance(same[key], float):
                self.assertAlmostEqual(found[key], same[key], places=12, msg=key)
            else:
                self.assertEqual(found[key], same[key], key)
        self.assertEqual((found["rows"], found["weight"]), (3, 6))
        self.assertEqual(found["confusion_weights"], same["confusion"])
        self.assertNotIn("weight", same)

    def test_long_names_and_many_classes_can_be_read(self):
        names = [f"a class with a rather long name, number {i}" for i in range(12)]
        data = self.write("m.csv", csv_text(["x", "class"], [
            [i + d, name] for i, name in enumerate(names) for d in (-0.9, -0.3, 0.0, 0.3)]))
        model = self.fit(data, "--model", "centroid", name="m.json")
        text = self.ok("evaluate", model, data).out
        self.assertLessEqual(max(map(len, text.splitlines())), 80, text)
        self.assertIn("most frequent confusions", text)
        self.assertIn(" 2 a class with …me, number 1", text)
        line = next(line for line in text.splitlines() if line.endswith("25.0%"))
        self.assertEqual(line.split()[-2:], ["1", "25.0%"])

    def test_review_is_a_decision_with_its_price(self):
        costs = self.write("c.csv", "truth,l,r,review\nl,0,1,0.2\nr,1,0,0.2\n")
        data = self.write("e.csv", table_of([(-2, "l"), (0.01, "l"), (2, "r")]))
        answers = run("predict", self.model, data, "--costs", costs)
        self.assertEqual([row["prediction"] for row in parse_csv(answers.out)], ["l", "", "r"])
        self.assertIn("1 of 3 rows (33.3%) left for review", answers.err)
        found = self.ok_json("evaluate", self.model, data, "--costs", costs)
        self.assertEqual(found["rejected"], 1)
        self.assertAlmostEqual(found["risk"], 0.2 / 3, places=15)


class Groups(CliTest):
    def test_sizes_and_profiles(self):
        found = self.ok_json("cluster", "@iris", "--components", "2", "--covariance", "qda")
        profiles = found["profiles"]
        self.assertEqual([group["rows"] for group in profiles["groups"]], [100, 50])
        header, rows = read_data("iris")
        column = header.index("petal_length")
        numbers = [float(row[column]) for row in rows]
        mean = sum(numbers) / len(numbers)
        deviation = math.sqrt(sum((x - mean) ** 2 for x in numbers) / len(numbers))
        setosa = [float(row[column]) for row in rows if row[-1] == "setosa"]
        place = profiles["columns"].index("petal_length")
        self.assertAlmostEqual(profiles["groups"][1]["profile"][place],
                               (sum(setosa) / 50 - mean) / deviation, places=4)
        text = self.ok("cluster", "@iris", "--components", "2", "--covariance", "qda").out
        self.assertIn("2        50  33.3%  petal_length -1.30, petal_width -1.25", text)

    def test_the_end_of_the_range_is_noted(self):
        noted = run("cluster", "@iris", "--covariance", "lda", "--components", "1-2")
        self.assertIn("2 components are the most that were tried", noted.err)
        self.assertIn("try --components 1-4", noted.err)
        self.assertNotIn("were tried", run("cluster", "@iris", "--components", "2").err)

    def test_the_star_has_a_legend_where_there_is_one(self):
        rows = [[float(i % 3), float(i // 3)] for i in range(12)] + [[50.0, 50.0]] * 6
        data = self.write("s.csv", csv_text(["x", "y"], rows))
        text = self.ok("cluster", data, "--components", "1-3", "--covariance", "qda").out
        self.assertEqual("*" in text.split("best:")[0], "variance floor" in text)
        self.assertIn("*", text)

    def test_models_name_their_structures(self):
        for structure, model in (("full", "qda"), ("tied", "lda"), ("diag", "gnb")):
            found = self.ok("cluster", "@iris", "--covariance", structure).out
            self.assertEqual(self.ok("cluster", "@iris", "--covariance", model).out, found)


class Models(CliTest):
    def test_blocks_have_headings_with_their_columns(self):
        model = self.fit("@penguins")
        text = self.ok("inspect", model).out
        self.assertIn("block 1: lda of bill_length_mm, bill_depth_mm, flipper_length_mm, "
                      "body_mass_g, year\n", text)
        self.assertIn("\nblock 3: categorical of island\n", text)
        self.assertIn("linear discriminants of this block", text)
        found = json.loads(self.ok("inspect", model, "--json").out)
        self.assertEqual(found["blocks"][1]["columns"], ["sex"])
        block = found["blocks"][0]["discriminants"]
        means = [one["mean"] for one in found["classes"]]
        score = [b + sum(c * x for c, x in zip(line, means[2]))
                 for b, line in zip(block["intercepts"], block["coefficients"])]
        self.assertEqual(max(range(3), key=score.__getitem__), 2)

    def test_numbers_are_among_the_top(self):
        model = self.fit("@penguins")
        top = self.ok_json("inspect", model, "--top", "3")["top"]["Gentoo"]
        self.assertEqual(top[0]["feature"], "flipper_length_mm")
        self.assertGreater(top[0]["mean"], 210)
        self.assertIn("flipper_length_mm = 217.2", self.ok("inspect", model, "--top", "3").out)

    def test_fit_tells_how_well_it_describes_its_rows(self):
        for options in (("--model", "qda"), ("--model", "gnb"), ("--missing", "drop")):
            with self.subTest(options=options):
                data = "@penguins" if "--missing" in options else "@iris"
                model = self.fit(data, *options)
                found = self.ok_json("fit", data, *(options if "--model" in options
                                                    else ("--model", "lda", *options)))
                training = found["training"]
                if data == "@iris":
                    judged = self.ok_json("evaluate", model, data)["log_likelihood"]
                    self.assertAlmostEqual(training["log_likelihood"], judged, delta=1e-8 * abs(judged))
                total, n = found["parameters"]["total"], training["rows"]
                self.assertEqual(training["parameters"], total)
                self.assertAlmostEqual(training["aic"], 2 * total - 2 * training["log_likelihood"])
                self.assertAlmostEqual(training["bic"],
                                       total * math.log(n) - 2 * training["log_likelihood"])
        err = run("fit", "@iris", "--model", "qda", "-o", self.folder / "q.json").err
        self.assertRegex(err, r"training rows: log-likelihood -\d+\.\d+, AIC \d+\S*, BIC \d+\S* \(44 ")

    def test_a_fit_by_em_tells_it_too(self):
        training = self.ok_json("fit", "@penguins", "--model", "lda")["training"]
        judged = self.ok_json("evaluate", self.fit("@penguins"), "@penguins")["log_likelihood"]
        self.assertAlmostEqual(training["log_likelihood"], judged, delta=1e-6 * abs(judged))

    def test_texts_have_none(self):
        data = self.write("t.csv", 'words,y\n"red green blue",a\n"red red sky",a\n"black night cold",b\n'
                                   '"night and day",b\n')
        self.assertNotIn("training", self.ok_json("fit", data, "--type", "words=text", "--target", "y",
                                                  "--model", "multinomial"))


class Rows(CliTest):
    def test_samples_have_the_order_of_the_table(self):
        header, _ = read_data("penguins")
        model = self.fit("@penguins")
        self.assertEqual(self.ok("sample", model, "-n", "1").out.splitlines()[0].split(","), header)
        self.assertEqual(list(json.loads(self.ok("sample", model, "-n", "1", "--json").out)), header)
        statistics = self.folder / "s.json"
        self.ok("stats", "@penguins", "--missing", "drop", "-o", statistics)
        again = self.fit(statistics, name="again.json")
        self.assertEqual(self.ok("sample", again, "-n", "0").out.strip().split(","), header)

    def test_a_list_of_columns_that_is_wrong_is_refused(self):
        document = json.loads(self.fit("@penguins").read_text(encoding="utf-8"))
        for columns, words in ((["sex"], "lacks"), (document["columns"] + ["q"], "'q'"),
                               (document["columns"] + ["sex"], "twice")):
            document["columns"] = columns
            bad = self.write("bad.json", json.dumps(document))
            self.refused("sample", bad, "-n", "1", status=1, mentions=[words])

    def test_digits(self):
        model = self.fit("@iris")
        rows = self.ok_csv("predict", model, "@iris", "--proba", "--digits", "3")
        exact = self.ok_csv("predict", model, "@iris", "--proba")
        for row, full in zip(rows, exact):
            for key in full:
                if key != "prediction":
                    self.assertEqual(float(row[key]), float(f"{float(full[key]):.3g}"))
        line = json.loads(self.ok("predict", model, "@iris", "--proba", "--digits", "2", "--json")
                          .out.splitlines()[0])
        for name, p in line["p"].items():
            self.assertEqual(p, float(f"{float(exact[0][f'p({name})']):.2g}"))
        scores = self.ok_csv("score", model, "@iris", "--digits", "4")
        self.assertLessEqual(max(len(row["log_density"].strip("-").replace(".", "").lstrip("0"))
                                 for row in scores), 4)
        self.refused("predict", model, "@iris", "--digits", "0", status=2)

    def test_a_header_alone_is_answered_with_one(self):
        model = self.fit("@iris")
        data = self.write("h.csv", "sepal_length,sepal_width,petal_length,petal_width,id\n")
        self.assertEqual(self.ok("predict", model, data).out, "prediction\n")
        self.assertEqual(self.ok("predict", model, data, "--proba", "--keep", "id").out,
                         "id,prediction,p(setosa),p(versicolor),p(virginica)\n")
        self.assertEqual(self.ok("predict", model, "-", stdin=data.read_bytes()).out, "prediction\n")
        self.assertTrue(self.ok("score", model, data).out.startswith("log_density,tail,"))
        self.refused("predict", model, self.write("e.csv", ""), status=1)
        self.refused("fit", data, status=1, mentions=["no rows"])

    def test_imputed_rows_as_json(self):
        model = self.fit("@penguins")
        rows = [json.loads(line) for line in
                self.ok("impute", model, "@penguins", "--json").out.splitlines()]
        header, cells = read_data("penguins")
        self.assertEqual(len(rows), len(cells))
        for row, before in zip(rows, cells):
            self.assertEqual(list(row["row"]), header)
            missing = [name for name, cell in zip(header, before) if cell == "" and name != "species"]
            self.assertEqual(row["filled"], missing)
        lacking = next(i for i, row in enumerate(rows) if "bill_length_mm" in row["filled"])
        filled = self.ok_csv("impute", model, "@penguins")[lacking]["bill_length_mm"]
        self.assertEqual(rows[lacking]["row"]["bill_length_mm"], float(filled))
        drawn = [json.loads(line) for line in
                 self.ok("impute", model, "@penguins", "--json", "--draws", "2").out.splitlines()]
        self.assertEqual([row["draw"] for row in drawn], [1] * len(cells) + [2] * len(cells))

    def test_zipped_output_by_name(self):
        model = self.fit("@iris")
        plain, packed = self.folder / "p.csv", self.folder / "p.csv.gz"
        self.ok("predict", model, "@iris", "-o", plain)
        self.ok("predict", model, "@iris", "-o", packed)
        self.assertEqual(gzip.decompress(packed.read_bytes()), plain.read_bytes())
        self.ok("predict", model, "@iris", "-o", self.folder / "again.csv.gz")
        self.assertEqual((self.folder / "again.csv.gz").read_bytes(), packed.read_bytes())
        zipped = self.fit("@iris", name="model.json.gz")
        self.assertEqual(gzip.decompress(zipped.read_bytes()), model.read_bytes())
        self.assertEqual(self.ok("predict", zipped, "@iris").out, plain.read_text(encoding="utf-8"))
        self.ok("stats", "@iris", "-o", self.folder / "s.json.gz")
        self.ok("fit", self.folder / "s.json.gz", "--model", "lda")


class Arguments(CliTest):
    def test_a_model_may_come_from_standard_input(self):
        model = self.fit("@iris")
        expected = self.ok("predict", model, "@iris").out
        self.assertEqual(self.ok("predict", "-", "@iris", stdin=model.read_bytes()).out, expected)
        self.refused("predict", "-", "-", status=2, mentions=["both standard input"])
        self.refused("inspect", "-", status=1, stdin=b"no model")

    def test_svmlight_from_standard_input(self):
        text = b"1 1:0.5 3:2\n2 2:1\n1 1:0.7\n2 2:3 3:1\n"
        data = self.write("d.svm", text)
        options = ("--model", "gnb", "--variance-prior", "1", "--json")
        self.assertEqual(self.ok("fit", "-", "--format", "svmlight", *options, stdin=text).out,
                         self.ok("fit", data, *options).out)
        self.refused("fit", data, "--format", "arff", status=2, mentions=["csv, svmlight or jsonl"])

    def test_patterns_of_columns(self):
        data = self.write("b.csv", "b1,b2,x,y\n0,1,1.5,u\n1,1,2.5,v\n0,0,3.5,u\n1,0,1.0,v\n1,1,2,u\n")
        found = self.ok_json("fit", data, "--type", "b*=binary", "--model", "lda")
        self.assertEqual([block["columns"] for block in found["blocks"]], [["x"], ["b1", "b2"]])
        self.assertEqual(self.ok_json("fit", data, "--drop", "b*", "--model", "lda")["features"], ["x"])
        self.assertEqual(self.ok_json("fit", data, "--features", "?2", "--model", "lda")["features"],
                         ["b2"])
        self.assertEqual(self.ok_json("fit", data, "--type", "b*=binary")["target"], "y")  # auto
        self.refused("fit", data, "--drop", "q*", status=2, mentions=["no column matches 'q*'"])

    def test_many_columns_of_zeros_and_ones_are_noted(self):
        rows = [[(i >> j) & 1 for j in range(5)] + ["uv"[i % 3 == 0]] for i in range(32)]
        data = self.write("z.csv", csv_text([*(f"q{j}" for j in range(5)), "y"], rows))
        err = run("fit", data, "--model", "gnb", "-o", self.folder / "m.json").err
        self.assertIn("5 columns hold only 0 and 1: 'q0', 'q1', 'q2', 'q3', 'q4'; if these mean no "
                      "and yes, use --type 'q*=binary'", err)
        quiet = run("fit", data, "--type", "q*=binary", "-o", self.folder / "m.json").err
        self.assertNotIn("hold only 0 and 1", quiet)

    def test_swapped_arguments(self):
        model, data = self.fit("@iris"), self.write("i.csv", "a,b\n1,2\n")
        for verb in ("predict", "evaluate", "score", "impute"):
            with self.subTest(verb=verb):
                self.refused(verb, data, model, status=2, mentions=["MODEL comes first"])
                self.refused(verb, "@iris", model, status=2, mentions=["MODEL comes first"])

    def test_every_warning_begins_with_the_word(self):
        data = self.write("few.csv", "x,z,y\n1,1,a\n2,5,a\n3,2,a\n4,4,b\n5,9,b\n6,1,c\n")
        result = run("select", data, "--models", "gnb,lda", "--folds", "3")
        self.assertIn("genera: warning: ", result.err)
        for line in result.err.splitlines():
            self.assertFalse("warning:" in line and not line.startswith("genera: warning: "), line)


if __name__ == "__main__":
    unittest.main()
