"""`fit` without --model: what it chooses, what it says, and that it never fails on finite data."""

import json
import random
import re
import unittest

import remedies_test
from support import CliTest, csv_text, read_data, three_classes

SENTENCE = re.compile(
    r"genera: auto: (?P<name>.+?)(?:, temperature (?P<temperature>[\d.e+]+))?; held-out log loss "
    r"(?P<loss>[\d.e-]+)(?:, (?P<after>[\d.e-]+) with the temperature)?"
    r"(?:, (?P<whole>[\d.e-]+) for the whole choice)?"
    r"(?:; (?:runner-up|best alone) (?P<second>.+) with (?P<other>[\d.e-]+))? "
    r"\((?P<candidates>\d+) candidates?, (?P<folds>\d+) folds of (?P<rows>\d+) rows"
    r"(?: out of (?P<of>\d+))?\)")


class Auto(CliTest):
    def chosen(self, data, *options, name="auto.json", **run_options):
        """The model, and what the one line says."""
        model = self.folder / name
        result = self.ok("fit", data, "-o", model, *options, **run_options)
        lines = [line for line in result.err.splitlines() if line.startswith("genera: auto: ")]
        self.assertEqual(len(lines), 1, result)
        found = SENTENCE.fullmatch(lines[0])
        self.assertIsNotNone(found, lines[0])
        return model, found

    def survives(self, data, *options):
        """A model comes out, and its posteriors are probabilities."""
        model = self.folder / "survivor.json"
        self.ok("fit", data, "-o", model, *options)
        for row in self.proba(model, data):
            self.assertAlmostEqual(sum(row.values()), 1, delta=1e-9)
        return model


class Choice(Auto):
    def test_it_is_the_default(self):
        default, _ = self.chosen("@iris")
        named, _ = self.chosen("@iris", "--model", "auto", name="named.json")
        self.assertEqual(default.read_bytes(), named.read_bytes())

    def test_the_line_agrees_with_select_and_inspect(self):
        for data in ("@iris", "@wine", "@crabs"):
            with self.subTest(data=data):
                model, found = self.chosen(data)
                document = self.ok_json("inspect", model)
                self.assertEqual(found["name"].split()[0], document["model"])
                self.assertAlmostEqual(float(found["temperature"]), document["temperature"],
                                       delta=1e-3 * document["temperature"])
                self.assertEqual(found["after"] is None, found["temperature"] == "1")
                self.assertLessEqual(float(found["after"] or 0), float(found["loss"]))
                self.assertLessEqual(float(found["loss"]), float(found["other"]))
                table = self.ok_json("select", data, "--models", "gnb,dlda,lda,qda")
                for candidate in table["candidates"]:
                    self.assertLessEqual(float(found["loss"]), candidate["log_loss"] * 1.0001)

    def test_what_is_chosen_is_what_fit_makes_of_that_name(self):
        model, found = self.chosen("@crabs", "--calibrate", "none")
        words = found["name"].split()
        options = [word if i % 2 else f"--{word}" for i, word in enumerate(words[1:])]
        named = self.fit("@crabs", "--model", words[0], *options)
        self.assertEqual([self.ok("predict", m, "@crabs", "--proba").out for m in (model, named)][0],
                         self.ok("predict", named, "@crabs", "--proba").out)
        self.assertNotIn("temperature", json.loads(model.read_text()))

    def test_the_truth_wins(self):
        """Data of which one model is the right one."""
        rng = random.Random(5)
        rows = []
        for i in range(600):
            k = i % 2
            z = rng.gauss(0, 1)
            # Correlated alike in both classes: lda; of each its own: qda.
            rows.append([z + 0.3 * rng.gauss(0, 1) + k, z, "ab"[k]])
        data = self.write_data("lda.csv", ["x", "y", "class"], rows)
        _, found = self.chosen(data)
        self.assertRegex(found["name"], "^(lda|rda alpha 0(.1)? )")
        rows = []
        for i in range(600):
            k = i % 2
            z = rng.gauss(0, 1)
            rows.append([z, (z if k else -z) + 0.3 * rng.gauss(0, 1), "ab"[k]])
        data = self.write_data("qda.csv", ["x", "y", "class"], rows)
        _, found = self.chosen(data)
        self.assertRegex(found["name"], "^(qda|rda alpha (1|0.9) )")

    def test_whole_numbers_may_be_categories(self):
        """The class depends on whether a code is even, which no mean can say."""
        rng = random.Random(6)
        rows = []
        for _ in range(400):
            code = rng.randrange(8)
            rows.append([code, "even" if (code % 2 == 0) == (rng.random() < 0.9) else "odd"])
        data = self.write_data("codes.csv", ["code", "class"], rows)
        model, found = self.chosen(data)
        self.assertIn("categories: 'code'", found["name"])
        self.assertEqual(self.ok_json("inspect", model)["model"], "categorical")
        told, found = self.chosen(data, "--type", "code=numeric", name="told.json")
        self.assertNotIn("categories", found["name"])
        piped, _ = self.chosen("-", stdin=data.read_bytes(), name="piped.json")
        self.assertEqual(self.ok("predict", piped, data, "--proba").out,
                         self.ok("predict", model, data, "--proba").out)
        self.assertNotEqual(told.read_bytes(), model.read_bytes())

    def test_texts(self):
        rng = random.Random(7)
        words = {"ham": "home late dinner tomorrow thanks ok".split(),
                 "spam": "free prize winner call now claim".split()}
        rows = [[" ".join(rng.choice(words[k] if rng.random() < 0.7 else words["ham"])
                          for _ in range(6)), k] for k in ("ham", "spam") * 60]
        data = self.write_data("text.csv", ["message", "class"], rows)
        _, found = self.chosen(data)
        self.assertRegex(found["name"], r"^(multinomial|bernoulli) smoothing (1|0.3|0.1)$")
        self.assertEqual(found["candidates"], "6")
        _, found = self.chosen(data, "--smoothing", "2")
        self.assertIn("smoothing 2", found["name"])
        self.assertEqual(found["candidates"], "2")

    def test_svmlight(self):
        rng = random.Random(8)
        lines = []
        for i in range(200):
            k = i % 2  # how long a document is says nothing: multinomial
            words = rng.choices(range(1, 31), [2 if j % 2 == k else 1 for j in range(30)],
                                k=rng.choice([2, 5, 40]))
            row = {j: words.count(j) for j in sorted(set(words))}
            lines.append(" ".join([str(k), *(f"{j}:{v}" for j, v in row.items())]))
        for name, changed in (("counts", lines), ("fractions", [line.replace(":2", ":-0.5")
                                                                for line in lines])):
            with self.subTest(name=name):
                self.check_that_csv_is_svmlight(name, changed)

    def check_that_csv_is_svmlight(self, name, lines):
        """The same choice, temperature, loss and posteriors, whatever is asked."""
        data = self.write(f"{name}.svm", "\n".join(lines) + "\n")
        rows = []
        for line in lines:
            label, *entries = line.split()
            values = dict(entry.split(":") for entry in entries)
            rows.append([values.get(str(j), "0") for j in range(1, 31)] + [label])
        table = self.write_data(f"{name}.csv", [*map(str, range(1, 31)), "class"], rows)
        models, found = zip(self.chosen(data, name="svm.json"), self.chosen(table, name="csv.json"))
        self.assertEqual(found[0].group(), found[1].group())
        of_counts = re.match("multinomial|bernoulli smoothing", found[0]["name"])
        self.assertEqual(of_counts is not None, name == "counts")
        answers = [self.proba(model, asked) for model in models for asked in (data, table)]
        for other in answers[1:]:
            for row, expected in zip(other, answers[0], strict=True):
                for label, p in expected.items():
                    self.assertAlmostEqual(row[label], p, delta=1e-12)

    def test_a_mixed_table_with_holes(self):
        self.chosen("@penguins")
        self.chosen("@penguins", "--missing", "drop")
        self.chosen("@house_votes84")

    def test_threads_pipes_and_repetitions_change_nothing(self):
        header, rows = read_data("wine")
        data = self.write_data("d.csv", header, rows)
        seen = {self.chosen(data, "--threads", n)[0].read_bytes() for n in (1, 2, 3)}
        seen.add(self.chosen("-", stdin=data.read_bytes())[0].read_bytes())
        self.assertEqual(len(seen), 1)

    def test_a_large_file_is_decided_on_a_sample(self):
        header, rows = read_data("iris")
        data = self.write_data("many.csv", header, rows * 150)
        _, found = self.chosen(data)
        self.assertEqual((found["rows"], found["of"]), ("20001", "22500"))  # shares are rounded up

    def test_options_of_single_models_are_refused(self):
        for options, mention in ((("--alpha", "0.5"), "--model rda"), (("--ridge", "1"), "logistic"),
                                 (("--shrinkage", "oas"), "--model qda"),
                                 (("--variance-prior", "1"), "--model gnb")):
            with self.subTest(options=options):
                self.refused("fit", "@iris", *options, status=2, mentions=(mention, "auto"))

    def test_singular_candidates_are_not_shrunk(self):
        """Shrunk in folds of few rows and not with all of them, they would promise too much."""
        self.refused("fit", "@iris", "--on-singular", "shrink", status=2,
                     mentions=("auto does not use --on-singular",))

    def test_other_verbs_have_no_auto(self):
        self.refused("select", "@iris", "--models", "auto,lda", status=2, mentions=("not one model",))
        self.refused("stats", "@iris", "--model", "auto", status=2, mentions=("not one model",))

    def test_statistics_keep_too_little(self):
        statistics = self.folder / "s.json"
        self.ok("stats", "@iris", "-o", statistics)
        self.refused("fit", statistics, "--model", "auto", status=2,
                     mentions=("--model auto", "holds statistics", "--model lda"))
        plain = self.fit(statistics, "--model", "lda", name="a.json")
        default = self.folder / "b.json"
        self.assertIn("lda", self.ok("fit", statistics, "-o", default).err)
        self.assertEqual(plain.read_bytes(), default.read_bytes())


class NeverFails(Auto):
    def test_tiny_classes(self):
        for counts in ((1, 1), (2, 1), (1, 30), (3, 2, 1), (11, 1, 1)):
            with self.subTest(counts=counts):
                rng = random.Random(sum(counts))
                rows = [[rng.gauss(k, 1), rng.gauss(0, 1), "abc"[k]]
                        for k, count in enumerate(counts) for _ in range(count)]
                self.survives(self.write_data("d.csv", ["x", "y", "class"], rows))

    def test_collinear_columns(self):
        rows = [[x, 2 * x, x + 1, "ab"[x % 2]] for x in range(40)]
        self.survives(self.write_data("d.csv", ["x", "y", "z", "class"], rows))

    def test_more_columns_than_rows(self):
        sample = three_classes(seed=4, d=30, counts=(5, 6, 7))
        self.survives(self.write("d.csv", sample))

    def test_whatever_is_singular(self):
        for name, sample in remedies_test.situations():
            with self.subTest(situation=name):
                self.survives(self.write("d.csv", sample), "--target", "class")

    def test_every_column_constant(self):
        data = self.write("d.csv", "x,y,class\n" + "5,0,a\n" * 6 + "5,0,b\n" * 2)
        model = self.survives(data)
        for row in self.proba(model, data):
            self.assertAlmostEqual(row["a"], 0.75, delta=1e-12)
        self.assertEqual(self.labels(model, data), ["a"] * 8)
        other = self.write("other.csv", "x,y\n7,1\n")
        self.assertAlmostEqual(self.proba(model, other)[0]["b"], 0.25, delta=1e-12)
        self.ok("inspect", model)
        self.ok("evaluate", model, data)
        self.assertIn("only the priors", self.ok("fit", data, "-o", self.folder / "m.json").err)

    def test_constant_within_each_class(self):
        data = self.write("d.csv", "x,y,class\n" + "5,1.5,a\n" * 6 + "7,2.5,b\n" * 6)
        model = self.survives(data)
        self.assertEqual(self.labels(model, data), ["a"] * 6 + ["b"] * 6)

    def test_one_class(self):
        data = self.write("d.csv", "x,class\n" + "".join(f"{x / 7},a\n" for x in range(20)))
        model = self.survives(data)
        self.assertEqual(set(self.labels(model, data)), {"a"})

    def test_missing_values_and_labels(self):
        rng = random.Random(9)
        rows = [["" if rng.random() < 0.2 else rng.gauss(i % 3, 1) for _ in range(3)]
                + ["" if i % 5 == 0 else "abc"[i % 3]] for i in range(90)]
        data = self.write_data("d.csv", ["x", "y", "z", "class"], rows)
        self.survives(data)
        self.survives(data, "--missing", "drop")

    def test_hard_numbers(self):
        rng = random.Random(10)
        for name, row in (("far", lambda k: [1e8 + rng.gauss(k, 1), rng.gauss(0, 1)]),
                          ("small", lambda k: [1e-30 * rng.gauss(k, 1), rng.gauss(0, 1)]),
                          ("large", lambda k: [1e30 * rng.gauss(k, 1), rng.gauss(0, 1)]),
                          ("outlier", lambda k: [1e6 if rng.random() < 0.02 else rng.gauss(k, 1),
                                                 rng.gauss(0, 1)])):
            with self.subTest(name=name):
                rows = [[*row(i % 2), "ab"[i % 2]] for i in range(60)]
                self.survives(self.write_data("d.csv", ["x", "y", "class"], rows))

    def test_what_is_not_data_is_still_refused(self):
        self.refused("fit", self.write("a.csv", "x,class\n1,\n2,\n"), status=1)
        self.refused("fit", self.write("b.csv", "class\na\nb\n"))
        self.refused("fit", self.write("c.csv", csv_text(["x", "class"], [["inf", "a"]] * 3)),
                     mentions=("inf",))


if __name__ == "__main__":
    unittest.main()
