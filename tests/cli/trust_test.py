"""The default can be trusted: the order of rows, rows without labels, weights and counts."""

import json
import random
import unittest

from auto.auto_test import Auto
from support import csv_text, read_data, three_classes

# Passengers of the Titanic by class, sex, age and survival (Dawson 1995; R's data set Titanic).
TITANIC = [(*who.split(), survived, int(count))
           for survived, counts in (("No", "0 0 35 0 0 0 17 0 118 154 387 670 4 13 89 3"),
                                    ("Yes", "5 11 13 0 1 13 14 0 57 14 75 192 140 80 76 20"))
           for who, count in zip((f"{c} {s} {a}" for a in ("Child", "Adult") for s in ("Male", "Female")
                                  for c in ("1st", "2nd", "3rd", "Crew")), counts.split())]
HEADER = ("Class", "Sex", "Age", "Survived", "Freq")


class Order(Auto):
    def test_sorted_files_give_what_shuffled_ones_give(self):
        cases = {"wine": lambda rows: rows,
                 # One missing number makes every fit one of EM, and the choice one of a sample.
                 "digits": lambda rows: [[*rows[0][:2], "", *rows[0][3:]], *rows[1:]],
                 "penguins": lambda rows: rows}
        for name, changed in cases.items():
            with self.subTest(name=name):
                header, rows = read_data(name)
                rows = changed(rows)
                shuffled = random.Random(4).sample(rows, len(rows))
                ordered = sorted(rows, key=lambda row: row[-1])
                options = ("--features", "p0*,p2*") if name == "digits" else ()
                found = [self.chosen(self.write_data(f"{k}.csv", header, some), *options, name=f"{k}.json")[1]
                         for k, some in enumerate((shuffled, ordered, ordered[::-1]))]
                self.assertEqual(len({one["name"] for one in found}), 1)
                for one in found[1:]:
                    self.assertAlmostEqual(float(one["loss"]), float(found[0]["loss"]), delta=1e-4)
                    self.assertAlmostEqual(float(one["temperature"]), float(found[0]["temperature"]), delta=1e-3)

    def test_a_large_sorted_file_is_sampled_as_a_shuffled_one(self):
        sample = three_classes(8, d=2, counts=(15000, 9000, 25))
        order = sorted(range(len(sample.labels)), key=lambda i: sample.labels[i])
        found = [self.chosen(self.write(f"{k}.csv", sample.text(some)), name=f"{k}.json")[1]
                 for k, some in enumerate((None, order))]
        self.assertEqual(found[0].groups(), found[1].groups())


class Unlabelled(Auto):
    def test_the_line_says_which_weight_was_chosen(self):
        header, rows = read_data("wine")
        blank = [[*row[:-1], "" if i % 10 else row[-1]] for i, row in enumerate(rows)]
        data = self.write_data("blank.csv", header, blank)
        for model in ("auto", "lda"):
            err = self.ok("fit", data, "--model", model, "-o", self.folder / "m.json").err
            self.assertRegex(err, r"160 rows (have no label in '\w+' and are left out|without a label take part)")
            self.assertRegex(err, r"weight of rows without a label: [01], chosen by the log loss in 10 "
                                  r"folds of 18 labelled rows: [\d.e-]+ with 0, [\d.e-]+ with 0.1, "
                                  r"[\d.e-]+ with 1\n")

    def test_the_loss_is_that_of_the_weight(self):
        header, rows = read_data("wine")
        blank = [[*row[:-1], "" if i % 4 else row[-1]] for i, row in enumerate(rows)]
        data = self.write_data("blank.csv", header, blank)
        losses = [self.chosen(data, "--unlabelled-weight", weight)[1]["loss"] for weight in (0, 1)]
        self.assertNotEqual(*losses)


class Counts(Auto):
    def setUp(self):
        super().setUp()
        self.counted = self.write_data("counted.csv", HEADER, TITANIC)
        rows = [row[:-1] for row in TITANIC for _ in range(row[-1])]
        self.repeated = self.write_data("repeated.csv", HEADER[:-1], rows)

    def both(self, *verb_and_options):
        """The same command on counts and on repeated rows."""
        verb, *options = verb_and_options
        return (self.ok_json(verb, self.counted, "--target", "Survived", "--counts", "Freq", *options),
                self.ok_json(verb, self.repeated, "--target", "Survived", *options))

    def test_are_repeated_rows(self):
        found = [self.chosen(data, "--target", "Survived", *options, name=name)
                 for data, options, name in ((self.counted, ("--counts", "Freq"), "a.json"),
                                             (self.repeated, (), "b.json"))]
        self.assertEqual(found[0][1].groups(), found[1][1].groups())
        self.assertEqual(found[0][1]["rows"], "2201")
        people = self.write_data("people.csv", HEADER[:3], [row[:3] for row in TITANIC[:16]])
        for one, other in zip(*(self.proba(model, people) for model, _ in found)):
            for label, p in one.items():
                self.assertAlmostEqual(p, other[label], delta=1e-9)
        first, second = (self.ok_json("evaluate", model, data, *options) for (model, _), data, options in
                         ((found[0], self.counted, ("--counts", "Freq")), (found[0], self.repeated, ())))
        for key in ("rows", "errors", "confusion"):
            self.assertEqual(first[key], second[key])
        for key in ("log_loss", "brier", "accuracy"):
            self.assertAlmostEqual(first[key], second[key], delta=1e-12)

    def test_are_repeated_rows_for_every_model(self):
        for model in ("categorical", "joint", "logistic"):
            with self.subTest(model=model):
                counted, repeated = self.both("fit", "--model", model)
                self.assertEqual(counted["features"], repeated["features"])
                self.assertEqual([k["count"] for k in counted["classes"]], [1490, 711])
        counted, repeated = self.both("select", "--models", "categorical,logistic")
        for one, other in zip(counted["candidates"], repeated["candidates"]):
            self.assertEqual((one["errors"], one["rows"]), (other["errors"], other["rows"]))
            self.assertAlmostEqual(one["log_loss"], other["log_loss"], delta=1e-9)

    def test_give_everybody_more_than_the_prior(self):
        model, found = self.chosen(self.counted, "--target", "Survived", "--counts", "Freq")
        self.assertLess(float(found["temperature"]), 10)
        people = self.write_data("people.csv", HEADER[:3], [("1st", "Female", "Adult"), ("Crew", "Male", "Adult")])
        woman, man = self.proba(model, people)
        self.assertGreater(woman["Yes"], 0.8)
        self.assertLess(man["Yes"], 0.3)

    def test_a_note_asks_whether_whole_weights_are_counts(self):
        for model in ("auto", "categorical", "logistic"):
            err = self.ok("fit", self.counted, "--target", "Survived", "--weights", "Freq", "--model", model,
                          "-o", self.folder / "w.json").err
            self.assertEqual(err.count("use --counts instead of --weights"), 1, err)
        fractions = self.write_data("f.csv", HEADER, [(*row[:-1], row[-1] / 2) for row in TITANIC])
        err = self.ok("fit", fractions, "--target", "Survived", "--weights", "Freq", "-o",
                      self.folder / "w.json").err
        self.assertNotIn("--counts", err)

    def test_refusals(self):
        text = csv_text(("x", "n", "class"), [(1, 2, "a"), (2, "1.5", "b"), (3, 1, "a")])
        self.refused("fit", self.write("f.csv", text), "--counts", "n", status=1, mentions=("f.csv:3", "1.5"))
        self.refused("fit", self.counted, "--counts", "Freq", "--weights", "Freq", status=2,
                     mentions=("--counts", "--weights"))
        self.refused("fit", self.counted, "--counts", "freq", status=2, mentions=("Freq",))


if __name__ == "__main__":
    unittest.main()
