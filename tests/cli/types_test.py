"""How columns get their types and parts: guessed, told, contradicted late, warned about."""

import random
import unittest

from support import CliTest, csv_text, read_data

HEADER = ["u", "v", "kind"]


def rows_of(n, seed=1):
    rng = random.Random(seed)
    return [[round(rng.gauss(i % 2, 1), 3), rng.randrange(5), "ab"[i % 2]] for i in range(n)]


class Types(CliTest):
    def data(self, rows, header=None):
        return self.write("data.csv", csv_text(header or HEADER, rows))

    def features(self, data, *options):
        return self.ok_json("inspect", self.fit(data, *options))["features"]


class GuessedTypes(Types):
    def test_integers_are_numbers(self):
        self.assertEqual(self.features(self.data(rows_of(80))), ["u", "v"])

    def test_a_few_words_in_a_numeric_column_are_an_error_with_three_places(self):
        rows = rows_of(400)
        for line in (20, 50, 90, 150, 151):
            rows[line - 2][0] = "4O"
        message = self.refused("fit", self.data(rows), status=1,
                               mentions=("'u'", "'4O'", "data.csv:20", "50", "90"))
        for option in ("--missing-token", "--type", "--drop"):
            self.assertIn(option, message)
        self.assertNotIn("151", message)

    def test_a_dropped_column_may_hold_anything(self):
        rows = rows_of(400)
        rows[100][0] = "4O"
        self.assertEqual(self.features(self.data(rows), "--drop", "u"), ["v"])

    def test_many_words_make_a_column_categorical(self):
        rows = rows_of(400)
        for i in range(0, 400, 4):
            rows[i][0] = "low"
        result = self.works_or_refuses("fit", self.data(rows), mentions=("'u'",))
        self.assertRegex(result.out + result.err, "'u'.*categor")

    def test_a_few_words_after_the_first_mebibyte_are_an_error(self):
        rows = rows_of(120_000)
        for i in (110_000, 110_500, 111_000, 111_500):
            rows[i][0] = "n.a."
        data = self.data(rows)
        self.assertGreater(data.stat().st_size, 1 << 20)
        message = self.refused("fit", data, status=1,
                               mentions=("'u'", "'n.a.'", "data.csv:110002", "110502", "111002"))
        self.assertIn("--missing-token", message)
        found = self.ok_json("inspect", self.fit(data, "--missing-token", "n.a.",
                                                 "--missing", "drop"))
        self.assertEqual(sum(k["count"] for k in found["classes"]), 119_996)

    def test_a_long_cell_is_not_offered_as_a_token(self):
        rows = "".join(f"{i},x\n{i + 0.5},y\n" for i in range(40))
        error = self.refused("fit", self.write("long.csv", "a,label\n" + rows + "q" * 60 + ",x\n"))
        self.assertIn("hint: fix them, or use --type a=categorical or --drop a", error)
        error = self.refused("fit", self.write("inf.csv", "a,label\n" + rows + "1" * 400 + ",x\n"))
        self.assertRegex(error, "hint: fix the cell\n")

    def test_many_words_after_the_first_mebibyte_make_a_column_categorical(self):
        rows = rows_of(120_000)
        for i in range(100_000, 120_000, 2):
            rows[i][0] = "high"
        result = self.works_or_refuses("fit", self.data(rows), mentions=("'u'",))
        self.assertRegex(result.out + result.err, "'u'.*categor")
        self.assertEqual(self.features(self.data(rows), "--drop", "u"), ["v"])

    def test_a_late_contradiction_through_a_pipe(self):
        rows = rows_of(120_000)
        rows[119_000][1] = "x"
        self.refused("fit", "-", status=1, mentions=("'v'", "119002"),
                     stdin=csv_text(HEADER, rows))


class Warnings(Types):
    def test_words_that_hardly_ever_come_again(self):
        """What is offered works, and tells the classes apart that categories cannot."""
        rng = random.Random(4)
        word = lambda end: "".join(rng.choice("bdfgklmn") + rng.choice("aeiou")
                                   for _ in range(3)) + end
        rows = [[word(end), end] for end in ("a", "o") for _ in range(200)]
        data = self.write_data("names.csv", ["name", "label"], rows)
        hint = "use --type name=text and --chars 2-4"
        self.assertIn(hint, self.ok("fit", data).out)
        offered = hint.replace("use ", "").replace("and ", "").split()
        model = self.fit(data, *offered, "--model", "multinomial")
        new = self.write_data("new.csv", ["name", "label"],
                              [[word(end), end] for end in ("a", "o") for _ in range(100)])
        self.assertLess(self.ok_json("evaluate", model, new)["error_rate"], 0.1)
        plain = self.fit(data, "--model", "categorical", name="plain.json")
        self.assertGreater(self.ok_json("evaluate", plain, new)["error_rate"], 0.3)

    def test_ids_are_warned_about(self):
        rows = [[i + 1, *row] for i, row in enumerate(rows_of(100))]
        result = self.ok("fit", self.data(rows, ["customer_id", *HEADER]),
                         "-o", self.folder / "m.json")
        self.assertIn("'customer_id'", result.err)

    def test_dates_are_warned_about(self):
        rows = [[f"2024-{1 + i % 12:02}-{1 + i // 12:02}", *row]
                for i, row in enumerate(rows_of(100))]
        result = self.works_or_refuses("fit", self.data(rows, ["day", *HEADER]),
                                       mentions=("'day'",))
        self.assertRegex(result.out + result.err, "'day'.*date")

    def test_the_choice_is_announced(self):
        result = self.ok("fit", self.data(rows_of(60)), "-o", self.folder / "m.json")
        self.assertIn("'kind'", result.err)
        quiet = self.ok("fit", self.data(rows_of(60)), "-o", self.folder / "m.json", "--quiet")
        self.assertEqual(quiet.err, "")


class Roles(Types):
    def test_features_and_drop(self):
        rows = [[*row[:2], i % 7, row[2]] for i, row in enumerate(rows_of(80))]
        data = self.data(rows, ["u", "v", "with, comma", "kind"])
        self.assertEqual(self.features(data, "--features", "v,u"), ["u", "v"])
        self.assertEqual(self.features(data, "--drop", "v"), ["u", "with, comma"])
        self.assertEqual(self.features(data, "--features", '"with, comma",v'),
                         ["v", "with, comma"])

    def test_unknown_columns_are_refused_with_the_nearest_name(self):
        header, rows = read_data("iris")
        data = self.write("iris.csv", csv_text(header, rows))
        for option, value in (("--features", "sepal_lenght,petal_width"),
                              ("--drop", "sepal_lenght"), ("--target", "sepal_lenght"),
                              ("--weights", "sepal_lenght"), ("--type", "sepal_lenght=numeric")):
            with self.subTest(option=option):
                self.refused("fit", data, option, value,
                             mentions=("'sepal_lenght'", "'sepal_length'"))

    def test_all_features_dropped_is_refused(self):
        self.refused("fit", self.data(rows_of(60)), "--drop", "u,v")

    def test_the_target_cannot_be_a_feature(self):
        result = self.works_or_refuses("fit", self.data(rows_of(60)), "--features", "u,kind",
                                       "--target", "kind", mentions=("'kind'",))
        self.assertNotEqual(result.err, "")

    def test_the_target_has_no_other_type(self):
        for kind in ("numeric", "count"):
            self.refused("fit", "@iris", "--type", f"species={kind}", status=2,
                         mentions=(f"'species' cannot be {kind}: it is the target", "--target"))
        self.ok("fit", "@iris", "--type", "species=categorical", "--model", "lda")
        self.ok("fit", "@iris", "--type", "*=numeric", "--model", "lda")

    def test_told_types(self):
        data = self.data(rows_of(80))
        self.refused("fit", data, "--type", "u=integer", status=2, mentions=("integer",))
        self.assertEqual(self.features(data, "--type", "v=numeric"), ["u", "v"])

    def test_penguins(self):
        header, rows = read_data("penguins")
        data = self.write("penguins.csv", csv_text(header, rows))
        numbers = "bill_length_mm,bill_depth_mm,flipper_length_mm,body_mass_g"
        learnt = self.ok("fit", data, "--features", numbers, "-o", self.folder / "em.json")
        self.assertRegex(learnt.err, r"\b8 missing numbers .* EM")
        self.assertEqual(sum(k["count"] for k in self.ok_json(
            "inspect", self.folder / "em.json")["classes"]), 344)
        found = self.ok_json("inspect", self.fit(data, "--features", numbers,
                                                 "--missing", "drop"))
        self.assertEqual(sum(k["count"] for k in found["classes"]), 342)


class Prediction(Types):
    def test_a_missing_column_is_named(self):
        model = self.fit(self.data(rows_of(60)))
        rows = self.write("p.csv", csv_text(["u", "w"], [[1, 2]]))
        self.refused("predict", model, rows, status=1, mentions=("'v'",))

    def test_types_come_from_the_model(self):
        model = self.fit(self.data(rows_of(60)))
        rows = self.write("p.csv", csv_text(["v", "u"], [["x", 1], ["y", 2], [1, 2]]))
        self.refused("predict", model, rows, status=1, mentions=("p.csv:2", "'v'", "'x'"))

    def test_no_rows_give_no_answers(self):
        model = self.fit(self.data(rows_of(60)))
        rows = self.write("p.csv", "u,v\n")
        result = self.works_or_refuses("predict", model, rows, mentions=("p.csv",))
        if result.status == 0:
            self.assertEqual(result.out, "prediction\n")

    def test_unknown_and_missing_labels_are_left_out_by_evaluate(self):
        model = self.fit(self.data(rows_of(60)))
        rows = self.write("p.csv", csv_text(HEADER, [[1, 2, "a"], [1, 2, "zebra"], [1, 2, ""],
                                                     [0, 1, "b"], [1, 2, "zebra"]]))
        result = self.ok("evaluate", model, rows)
        self.assertIn("genera: warning: 1 row is left out: no label\n", result.err)
        self.assertIn("genera: warning: 2 rows are left out: the label is not a class of the model, "
                      "'zebra' (2 rows)\n", result.err)
        told = self.ok_json("evaluate", model, rows)
        self.assertEqual(told["left_out"],
                         {"rows": 3, "missing": 1, "unknown": 2, "labels": {"zebra": 2}})
        kept = self.write("k.csv", csv_text(HEADER, [[1, 2, "a"], [0, 1, "b"]]))
        told["left_out"] = {"rows": 0, "missing": 0, "unknown": 0, "labels": {}}
        self.assertEqual(told, self.ok_json("evaluate", model, kept))

    def test_labels_that_cannot_be_judged_are_refused_if_asked(self):
        model = self.fit(self.data(rows_of(60)))
        rows = self.write("p.csv", csv_text(HEADER, [[1, 2, "a"], [1, 2, "zebra"]]))
        self.refused("evaluate", model, rows, "--strict", status=1,
                     mentions=("p.csv:3", "'zebra'"))
        rows = self.write("q.csv", csv_text(HEADER, [[1, 2, "a"], [1, 2, ""]]))
        self.refused("evaluate", model, rows, "--strict", status=1,
                     mentions=("q.csv:3: the label is missing",))
        rows = self.write("z.csv", csv_text(HEADER, [[1, 2, "zebra"]]))
        self.refused("evaluate", model, rows, status=1,
                     mentions=("the label of the only row", "'zebra'"))

    def test_an_absent_label_column_is_refused_by_evaluate(self):
        model = self.fit(self.data(rows_of(60)))
        rows = self.write("p.csv", csv_text(["u", "v"], [[1, 2]]))
        self.refused("evaluate", model, rows, mentions=("'kind'",))


if __name__ == "__main__":
    unittest.main()
