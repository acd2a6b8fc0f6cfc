"""What a table contains, before anything is learned; and input in other forms."""

import json
import random
import unittest

from support import CliTest, csv_text, read_data


class Summary(CliTest):
    def test_counts_equal_those_of_the_file(self):
        header, rows = read_data("penguins")
        data = self.write("p.csv", csv_text(header, rows))
        found = self.ok_json("summary", data)
        self.assertEqual(found["rows"], len(rows))
        self.assertEqual([column["name"] for column in found["columns"]], header)
        for j, column in enumerate(found["columns"]):
            cells = [row[j] for row in rows if row[j] not in ("", "NA")]
            self.assertEqual(column["missing"], len(rows) - len(cells))
            self.assertEqual(column["different"], len(set(cells)))
            self.assertEqual(sum(value["cells"] for value in column["values"]), len(cells))
        self.assertEqual((found["target"], found["classes"]), ("species", 3))
        self.assertEqual(self.ok("summary", "-", "--json", stdin=data.read_text()).out.replace(
            '"standard input"', json.dumps(str(data))), self.ok("summary", data, "--json").out)

    def test_fits_eighty_columns(self):
        for data in ("@penguins", "@iris", "@boston", "@vowel_train"):
            for line in self.ok("summary", data).out.splitlines():
                self.assertLessEqual(len(line), 80, line)

    def test_it_names_what_is_doubtful_and_what_fit_refuses(self):
        rng = random.Random(4)
        rows = [[i, f"2024-01-{i % 28 + 1:02}", -999 if i % 9 == 0 else rng.randrange(40), "same",
                 "ab"[i % 2], round(rng.gauss(0, 1), 4)] for i in range(200)]
        data = self.write("d.csv", csv_text(["id", "day", "m", "k", "kind", "size"], rows))
        text = self.ok("summary", data).out.replace("\n  ", " ")
        for words in ("identifier", "a date", "'-999' in 'm'", "which helps no prediction: k",
                      "fit refuses it", "--target kind"):
            self.assertIn(words, text)
        text = self.ok("summary", data, "--target", "kind").out
        self.assertNotIn("refuses", text)
        self.assertIn("fit predicts 'kind': 2 classes of 100 rows", text)

    def test_fit_agrees(self):
        for data in ("@penguins", "@crabs", "@sonar"):
            found = self.ok_json("summary", data)
            model = self.ok_json("fit", data, "--model", "gnb")
            self.assertEqual(len(model["classes"]), found["classes"])
            self.assertEqual(model["target"], found["target"])
            self.assertEqual(len(model["features"]), len(found["features"]))


class Input(CliTest):
    def setUp(self):
        super().setUp()
        self.header, self.rows = read_data("iris")
        self.data = self.write("iris.csv", csv_text(self.header, self.rows))

    def test_a_pipe_without_a_hyphen(self):
        text = self.data.read_text()
        self.assertEqual(self.ok("fit", "--model", "lda", stdin=text).out,
                         self.ok("fit", "-", "--model", "lda", stdin=text).out)
        model = self.fit(self.data, "--model", "lda")
        self.assertEqual(self.ok("predict", model, stdin=text).out,
                         self.ok("predict", model, self.data).out)
        self.refused("fit", status=2, mentions=("'fit' needs DATA",))
        self.refused("predict", model, status=2, mentions=("'predict' needs DATA",))

    def test_json_lines_equal_csv(self):
        lines = "".join(json.dumps(dict(zip(self.header, [*map(float, row[:4]), row[4]]))) + "\n"
                        for row in self.rows)
        data = self.write("iris.jsonl", lines)
        self.assertEqual(self.ok_json("fit", data)["classes"],
                         self.ok_json("fit", self.data)["classes"])
        model = self.fit(data, "--model", "qda")
        expected = self.ok("predict", model, self.data, "--proba").out
        self.assertEqual(self.ok("predict", model, data, "--proba").out, expected)
        self.assertEqual(self.ok("predict", model, "--proba", "--format", "jsonl", stdin=lines).out,
                         expected)
        other = self.write("iris.json", lines)
        message = self.refused("fit", other, status=1, mentions=("is a JSON document",))
        self.assertIn("--format jsonl", message)
        self.ok("fit", other, "--format", "jsonl", "--model", "lda")

    def test_comments_and_first_lines(self):
        lines = self.data.read_text().splitlines()
        text = "\n".join(["exported, 2026", *lines[:40], "# more, of, them", *lines[40:], "#"])
        data = self.write("noisy.csv", text)
        options = ("--skip", "1", "--comment", "#")
        self.assertEqual(self.ok_json("fit", data, "--model", "qda", *options)["classes"],
                         self.ok_json("fit", self.data, "--model", "qda")["classes"])
        hashed = self.write("hash.csv", "# by R\n" + self.data.read_text())
        message = self.refused("fit", hashed, status=1)
        self.assertIn("--comment '#'", message)
        self.ok("fit", hashed, "--comment", "#", "--model", "lda")
        for option, value in (("--skip", "-1"), ("--skip", "x"), ("--comment", "##")):
            self.refused("fit", data, option, value, status=2, mentions=(option,))


if __name__ == "__main__":
    unittest.main()
