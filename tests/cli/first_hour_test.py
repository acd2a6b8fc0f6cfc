"""Tables as they are found: NA, row names, numeric targets, classes without values, splits."""

import random
import re
import statistics
import unittest

from support import CliTest, csv_text, parse_csv, read_data


def measured(n=240, seed=3):
    """x, kind, price: the price depends on x."""
    rng = random.Random(seed)
    rows = []
    for i in range(n):
        x = rng.gauss(0, 1)
        rows.append([round(x, 3), "uv"[i % 2], round(100 + 20 * x + rng.gauss(0, 3), 2)])
    return rows


class Targets(CliTest):
    def setUp(self):
        super().setUp()
        self.data = self.write("prices.csv", csv_text(["x", "kind", "price"], measured()))

    def test_a_measurement_is_refused_and_each_remedy_works(self):
        message = self.refused("fit", self.data, status=1, mentions=("'price'", "measurement"))
        self.assertIn("--target kind", message)
        self.assertIn("--bins 3", message)
        self.ok("fit", self.data, "--target", "kind", "--model", "gnb")
        self.ok("fit", self.data, "--bins", "3", "--model", "gnb")
        self.assertIn("--type price=categorical", message)
        few = self.write("few.csv", csv_text(["x", "price"], [[i * i % 7, (i % 11) / 2 + 1]
                                                             for i in range(110)]))
        self.refused("fit", few, status=1)
        self.assertEqual(len(self.ok_json("fit", few, "--model", "gnb", "--type",
                                          "price=categorical")["classes"]), 11)

    def test_bins_are_remembered(self):
        model = self.folder / "model.json"
        self.ok("fit", self.data, "--bins", "4", "--model", "lda", "--drop", "kind", "-o", model)
        found = self.ok_json("evaluate", model, self.data)
        self.assertEqual(found["rows"], 240)
        self.assertEqual([sum(row) for row in found["confusion"]], [60] * 4)
        prices = sorted(row[2] for row in measured())
        limits = [float(text) for name in found["classes"] for text in re.findall(r"to (\S+)$", name)]
        self.assertEqual(limits, [prices[120], prices[180]])

    def test_bins_are_counts(self):
        self.refused("fit", self.data, "--bins", "1", status=2, mentions=("--bins is '1'",))
        self.refused("fit", "-", "--bins", "3", status=2, stdin=self.data.read_text(),
                     mentions=("read twice",))

    def test_codes_are_classes(self):
        rows = [[i % 7 + (i % 3), i % 40] for i in range(800)]
        self.ok("fit", self.write("codes.csv", csv_text(["x", "code"], rows)), "--model", "gnb")


class Missing(CliTest):
    """Airquality-like: NA in numbers, and '?' on request."""

    def data(self, token, name="air.csv"):
        rng = random.Random(5)
        rows = []
        for i in range(150):
            ozone, wind = round(rng.gauss(30 + 10 * (i % 2), 6), 1), round(rng.gauss(9, 2), 1)
            rows.append([token if i % 5 == 0 else ozone, token if i % 11 == 0 else wind, "ab"[i % 2]])
        return self.write(name, csv_text(["ozone", "wind", "kind"], rows))

    def test_na_is_as_an_empty_cell(self):
        with_token, empty = self.data("NA"), self.data("", "empty.csv")
        models = []
        for data in (with_token, empty):
            model = self.folder / "model.json"
            result = self.ok("fit", data, "--model", "qda", "-o", model)
            models.append(self.ok_json("inspect", model)["classes"])
            self.assertEqual("read as missing: 'NA' in 44 cells of 'ozone' (30), 'wind' (14)"
                             in result.err, data == with_token, result)
        self.assertEqual(*models)

    def test_it_can_be_turned_off(self):
        self.assertEqual(self.ok_json("fit", self.data("NA"), "--model", "categorical",
                                      "--missing-token", "")["features"],
                         ["ozone", "wind"])
        self.assertNotIn("read as missing",
                         self.ok("fit", self.data("NA"), "--missing-token", "", "--model",
                                 "categorical").err)

    def test_a_model_remembers_its_tokens(self):
        data, model = self.data("?"), self.folder / "model.json"
        self.ok("fit", data, "--model", "lda", "--missing-token", "?", "-o", model)
        empty = self.data("", "empty.csv")
        for verb, options in (("predict", ["--proba"]), ("score", []), ("evaluate", ["--json"])):
            self.assertEqual(self.ok(verb, model, data, *options).out,
                             self.ok(verb, model, empty, *options).out, verb)
        self.assertNotIn("?", self.ok("impute", model, data).out)
        self.refused("predict", model, data, "--missing-token", "NA", status=1, mentions=("'?'",))

    def test_the_suggested_tokens_of_all_columns_work(self):
        rng = random.Random(1)
        rows = [["?" if i == 5 else i * 7 % 11, "-" if i == 8 else rng.random(), "ab"[i % 2]]
                for i in range(120)]
        data = self.write("odd.csv", csv_text(["a", "b", "kind"], rows))
        message = self.refused("fit", data, status=1, mentions=("'a'", "'b'"))
        tokens = re.search(r"--missing-token '?([^' ]+)", message).group(1)
        self.ok("fit", data, "--missing-token", tokens, "--model", "gnb")

    def test_a_sentinel_is_noticed_and_its_remedy_works(self):
        rows = [[-999 if i % 9 == 0 else i * 7 % 40, i % 5, "ab"[i % 2]] for i in range(90)]
        data = self.write("sentinel.csv", csv_text(["a", "b", "kind"], rows))
        result = self.ok("fit", data, "--model", "gnb")
        text = result.out + result.err
        self.assertIn("'-999' in 'a' is far from the other numbers", text)
        self.assertIn("--missing-token NA,-999", text)
        means = self.ok_json("fit", data, "--model", "gnb", "--missing-token", "NA,-999")
        self.assertGreater(means["classes"][0]["mean"][0], 0)


class RowNames(CliTest):
    def test_the_index_of_a_data_frame_is_left_out(self):
        header, rows = read_data("iris")
        named = self.write("indexed.csv", csv_text([""] + header,
                                                   [[i, *row] for i, row in enumerate(rows)]))
        plain = self.write("plain.csv", csv_text(header, rows))
        of = [self.ok_json("fit", data, "--model", "lda") for data in (named, plain)]
        self.assertEqual(of[0]["classes"], of[1]["classes"])
        model = self.fit(plain, "--model", "lda")
        self.assertEqual(self.ok("predict", model, named).out, self.ok("predict", model, plain).out)
        kept = self.ok("predict", model, named, "--keep").out
        self.assertEqual(kept.splitlines()[0], "," + ",".join(header) + ",prediction")


class EmptyClass(CliTest):
    def data(self, rows):
        return self.write("cars.csv", csv_text(["size", "room", "kind"], rows))

    def rows(self):
        rng = random.Random(9)
        return [[round(rng.gauss(i % 3, 1), 3),
                 "NA" if i % 3 == 0 else round(rng.gauss(10 + i % 3, 2), 3), ("van", "car", "bus")[i % 3]]
                for i in range(90)]

    def test_it_has_the_pooled_mean_and_variance(self):
        rows = self.rows()
        values = {kind: [row[1] for row in rows if row[2] == kind] for kind in ("car", "bus")}
        mean = statistics.fmean(values["car"] + values["bus"])
        within = sum(statistics.pvariance(own) * len(own) for own in values.values()) / 60
        for model in ("gnb", "qda"):
            with self.subTest(model=model):
                result = self.ok("fit", self.data(rows), "--model", model)
                found = self.ok_json("fit", self.data(rows), "--model", model)
                van = next(one for one in found["classes"] if one["name"] == "van")
                self.assertAlmostEqual(van["mean"][1], mean, 9)
                self.assertAlmostEqual(van["covariance"][1][1], within, 6)
                self.assertEqual(result.status, 0)
                shuffled = rows[:]
                random.Random(2).shuffle(shuffled)
                other = self.ok_json("fit", self.data(shuffled), "--model", model)
                again = next(one for one in other["classes"] if one["name"] == "van")
                for a, b in zip(van["mean"], again["mean"]):
                    self.assertAlmostEqual(a, b, 9)

    def test_it_is_said(self):
        self.assertIn("class 'van' has no value in 'room'",
                      self.ok("fit", self.data(self.rows()), "--model", "gnb").out)

    def test_auto_fits_it(self):
        self.ok("fit", self.data(self.rows()))


class Split(CliTest):
    def parts(self, data, *options):
        train, test = self.folder / "train.csv", self.folder / "test.csv"
        self.ok("split", data, "-o", f"{train},{test}", *options)
        return train.read_text(), test.read_text()

    def test_rows_are_divided_within_classes(self):
        header, rows = read_data("penguins")
        data = self.write("p.csv", csv_text(header, rows))
        train, test = self.parts(data, "--target", "species", "--test", "0.3")
        lines = data.read_text().splitlines()
        self.assertEqual(sorted(train.splitlines()[1:] + test.splitlines()[1:]), sorted(lines[1:]))
        self.assertEqual({train.splitlines()[0], test.splitlines()[0]}, {lines[0]})
        for name in {row["species"] for row in parse_csv(data.read_text())}:
            count = [sum(row["species"] == name for row in parse_csv(text)) for text in (train, test)]
            self.assertAlmostEqual(count[1], 0.3 * sum(count), delta=2)

    def test_the_order_of_rows_does_not_matter_and_the_seed_does(self):
        header, rows = read_data("iris")
        first = self.parts(self.write("a.csv", csv_text(header, rows)))[1]
        turned = self.parts(self.write("b.csv", csv_text(header, rows[::-1])))[1]
        self.assertEqual(sorted(first.splitlines()), sorted(turned.splitlines()))
        other = self.parts(self.write("a.csv", csv_text(header, rows)), "--seed", "2")[1]
        self.assertLess(len(set(first.splitlines()) & set(other.splitlines())), 30)

    def test_two_files_and_a_share_are_needed(self):
        self.refused("split", "@iris", "-o", "one.csv", status=2, mentions=("two files",))
        self.refused("split", "@iris", "-o", "a.csv,b.csv", "--test", "1", status=2,
                     mentions=("--test is '1'",))

    def test_training_rows_are_recognised(self):
        header, rows = read_data("iris")
        train, _ = self.parts(self.write("a.csv", csv_text(header, rows)))
        model = self.fit(self.folder / "train.csv", "--model", "lda")
        shuffled = train.splitlines()
        turned = self.write("turned.csv", "\n".join([shuffled[0], *shuffled[:0:-1]]) + "\n")
        note = "the model was learned from these rows"
        self.assertIn(note, self.ok("evaluate", model, self.folder / "train.csv").err)
        self.assertIn(note, self.ok("evaluate", model, turned).err)
        self.assertNotIn(note, self.ok("evaluate", model, self.folder / "test.csv").err)


class Words(CliTest):
    def test_words_of_other_programs_are_answered_with_ours(self):
        for words, answer in ((("train", "@iris"), "write genera fit"),
                              (("version",), "write genera --version"),
                              (("fit", "@iris", "--label", "species"), "write --target"),
                              (("fit", "@iris", "-t", "species"), "write --target"),
                              (("fit", "@iris", "--out", "m.json"), "write --output"),
                              (("predict", "m.json", "@iris", "--probabilities"), "write --proba"),
                              (("predict", "m.json", "@iris", "--threshold", "1"), "write --reject"),
                              (("fit", "@iris", "--model", "QDA"), "did you mean 'qda'")):
            with self.subTest(words=words):
                self.assertIn(answer, self.refused(*words, status=2))

    def test_a_table_in_place_of_a_model_is_named(self):
        data = self.write("data.csv", csv_text(["x", "kind"], [[i % 5, "ab"[i % 2]] for i in range(40)]))
        message = self.refused("predict", data, data, status=1, mentions=("which is a table",))
        self.assertIn(f"genera fit {data} -o model.json", message)
        model = self.folder / "model.json"
        self.ok("fit", data, "-o", model)
        self.ok("predict", model, data)


if __name__ == "__main__":
    unittest.main()
