"""Holes that are filled: by the formulas in plain Python, and with every other byte as it was."""

import json
import math
import random
import statistics
import subprocess
import unittest

import formulas
from support import DATA, GENERA, CliTest, run, csv_text, parse_csv, read_data, three_classes, seconds

IRIS = DATA / "iris.csv"


def expectation(model, row):
    """E(x | what is there), mixed over the posterior; None is missing."""
    there = [j for j, x in enumerate(row) if x is not None]
    known = [row[j] for j in there]
    parts = {k: (prior, [m[j] for j in there], [[s[i][j] for j in there] for i in there])
             for k, (prior, m, s) in model.items()}
    weights = (formulas.posterior(parts, known) if there
               else {k: prior for k, (prior, _, _) in model.items()})
    filled = []
    for j, x in enumerate(row):
        if x is not None:
            filled.append(x)
            continue
        total = 0.0
        for k, (_, m, s) in model.items():
            mean = m[j]
            if there:
                deviation = [row[i] - m[i] for i in there]
                solution, _ = formulas.solve([[s[a][b] for b in there] for a in there], deviation)
                mean += sum(s[j][i] * v for i, v in zip(there, solution))
            total += weights[k] * mean
        filled.append(total)
    return filled


class Numbers(CliTest):
    def setUp(self):
        super().setUp()
        self.sample = three_classes(seed=5, d=4, counts=(40, 30, 50))
        rng = random.Random(6)
        self.holes = [[None if rng.random() < 0.3 else x for x in row] for row in self.sample.rows]
        self.holes[0] = [None] * 4

    def table(self, labels):
        rows = [["" if x is None else x for x in row] + [label]
                for row, label in zip(self.holes, labels)]
        return self.write("holes.csv", csv_text([*self.sample.names, "class"], rows))

    def test_conditional_expectation_over_the_posterior(self):
        for family in ("qda", "lda", "gnb"):
            with self.subTest(family=family):
                model = self.fit(self.sample, "--model", family)
                plain = formulas.estimate(self.sample, family)
                rows = self.ok_csv("impute", model, self.table([""] * len(self.holes)))
                for got, row in zip(rows, self.holes, strict=True):
                    self.assertEqual(got["class"], "")
                    for name, value in zip(self.sample.names, expectation(plain, row)):
                        self.assertAlmostEqual(float(got[name]), value, delta=1e-9)

    def test_given_the_class(self):
        model = self.fit(self.sample, "--model", "qda")
        plain = formulas.estimate(self.sample, "qda")
        rows = self.ok_csv("impute", model, self.table(self.sample.labels))
        for got, row, label in zip(rows, self.holes, self.sample.labels, strict=True):
            _, mean, covariance = plain[label]
            expected = expectation({label: (1.0, mean, covariance)}, row)
            for name, value in zip(self.sample.names, expected):
                self.assertAlmostEqual(float(got[name]), value, delta=1e-9)

    def test_every_other_byte_is_as_it_was(self):
        model = self.fit(self.sample, "--model", "qda")
        names = ",".join(self.sample.names)
        full = ",".join(map(str, self.sample.rows[1]))
        for before, after in (("\ufeff", "\r\n"), ("\r\n\n", "\n"), ("\ufeff\n", ""), ("", "\n\n  \n")):
            for end in ("\n", "\r\n"):
                text = f"{before}{names}{end}{end}{full}{end} {end}{end},1,2,3{after}"
                out = run("impute", model, self.write("t.csv", text))
                self.assertEqual(out.status, 0, out)
                start = text.index(",1,2,3")
                raw = subprocess.run([GENERA, "impute", model, self.folder / "t.csv"],
                                     capture_output=True, check=True).stdout.decode()
                self.assertTrue(raw.startswith(text[:start]), (text, raw))
                self.assertTrue(raw.endswith(text[start:]), (text, raw))
                self.assertGreater(float(raw[start:len(raw) - len(text) + start]) ** 2, 0)

    def test_blank_lines_after_a_pause_of_a_pipe(self):
        model = self.fit(self.sample, "--model", "qda")
        first = ",".join(self.sample.names) + "\n" + ",".join(map(str, self.sample.rows[1])) + "\n"
        for rest in ("\n", "\n\n  \n", "\r\n \t", "\n\n" + first.splitlines()[1] + "\n\n"):
            with subprocess.Popen([GENERA, "impute", model, "-"], stdin=subprocess.PIPE,
                                  stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as process:
                process.stdin.write(first.encode())
                process.stdin.flush()
                begin = process.stdout.read1(len(first))  # the answer: nothing more is awaited
                rest_of_output, _ = process.communicate(rest.encode(), timeout=seconds(60))
            self.assertEqual((begin + rest_of_output).decode(), first + rest)

    def test_blank_lines_across_many_chunks(self):
        model = self.fit(self.sample, "--model", "qda")
        row = ",".join(map(str, self.sample.rows[1]))
        text = ",".join(self.sample.names) + "\n" + (row + "\r\n\n") * 30000 + "\n\n" + row
        raw = subprocess.run([GENERA, "impute", model, self.write("b.csv", text)],
                             capture_output=True, check=True).stdout.decode()
        self.assertEqual(raw, text)

    def test_draws_are_complete_tables_one_after_the_other(self):
        model = self.fit(self.sample, "--model", "qda")
        data = self.table(self.sample.labels)
        out = self.ok("impute", model, data, "--draws", 3).out
        rows = parse_csv(out)
        n = len(self.holes)
        self.assertEqual(list(rows[0])[0], "draw")
        self.assertEqual([row["draw"] for row in rows], ["1"] * n + ["2"] * n + ["3"] * n)
        for i, row in enumerate(rows):
            for name, x in zip(self.sample.names, self.holes[i % n]):
                if x is not None:
                    self.assertEqual(float(row[name]), x)
                else:
                    self.assertNotEqual(row[name], rows[(i + n) % (3 * n)][name])
        for options in (("--threads", 1), ("--threads", 3)):
            self.assertEqual(self.ok("impute", model, data, "--draws", 3, *options).out, out)
        piped = self.ok("impute", model, "-", "--draws", 3, stdin=data.read_bytes()).out
        self.assertEqual(piped, out)
        self.assertEqual("".join(out.splitlines(True)[:n + 1]),
                         self.ok("impute", model, data, "--draws", 1).out)
        self.assertNotEqual(self.ok("impute", model, data, "--draws", 3, "--seed", 2).out, out)

    def test_draws_vary_as_much_as_the_rows(self):
        model = self.fit(self.sample, "--model", "qda")
        lines = ["x1,x2,x3,x4,class"] + [",,,,c"] * 4000
        rows = self.ok_csv("impute", model, self.write("e.csv", "\n".join(lines) + "\n"),
                           "--draws", 5)
        _, mean, covariance = formulas.estimate(self.sample, "qda")["c"]
        values = [float(row["x2"]) for row in rows]
        sd = math.sqrt(covariance[1][1])
        self.assertAlmostEqual(statistics.fmean(values), mean[1], delta=sd)
        self.assertAlmostEqual(statistics.pstdev(values), sd, delta=0.35 * sd)


class Bytes(CliTest):
    def setUp(self):
        super().setUp()
        self.model = self.fit(IRIS, "--model", "lda")

    def test_nothing_missing_nothing_changed(self):
        plain = IRIS.read_bytes()
        for data in (plain, plain.replace(b"\n", b"\r\n"), plain.replace(b",", b"\t"),
                     plain.replace(b",", b" , ")):
            out = self.ok("impute", self.model, "-", stdin=data).out.encode()
            self.assertEqual(out, data)

    def test_only_the_hole_changes(self):
        data = ('note;species;"sepal_length";petal_width;petal_length;sepal_width\r\n'
                '"a; ""b""\nc";setosa;+5,10; ;1,40;003,5\r\n'
                'x; ;"5,1";NA;1.4e0;\r\n').replace("1.4e0", "1,4e0")
        out = self.ok("impute", self.model, "-", "--missing-token", "NA", stdin=data).out
        pattern = data.replace("; ;1,40", ";@;1,40").replace("NA", "@")
        pattern = pattern.replace("1,4e0;\r", "1,4e0;@\r")
        for part in pattern.split("@"):
            self.assertTrue(out.startswith(part), (out, part))
            out = out[len(part):].lstrip("0123456789,")

    def test_no_header(self):
        body = "".join(IRIS.read_text().splitlines(True)[1:])
        model = self.fit("-", "--no-header", stdin=body)
        self.assertEqual(self.ok("impute", model, "-", "--no-header", stdin=body).out, body)
        drawn = self.ok("impute", model, "-", "--no-header", "--draws", 1, stdin=body).out
        self.assertEqual(drawn.splitlines()[0], "1," + body.splitlines()[0])

    def test_what_was_filled_is_reported(self):
        header, rows = read_data("iris")
        rows[3][0] = rows[3][1] = rows[7][2] = rows[9][4] = ""
        data = self.write_data("h.csv", header, rows)
        self.assertIn("filled 3 cells in 2 of 150 rows", self.ok("impute", self.model, data).err)
        self.assertEqual(self.ok("impute", self.model, data, "--quiet").err, "")

    def test_the_target_can_have_another_name_or_be_absent(self):
        header, rows = read_data("iris")
        rows[60][2] = ""
        told = self.write_data("t.csv", [*header[:4], "kind"], rows)
        as_usual = self.write_data("u.csv", header, rows)
        absent = self.write_data("a.csv", header[:4], [row[:4] for row in rows])
        filled = [self.ok("impute", self.model, data, *options).out.splitlines()[61].split(",")[2]
                  for data, options in ((told, ("--target", "kind")), (as_usual, ()), (absent, ()),
                                        (told, ()))]
        self.assertEqual(filled[0], filled[1])
        self.assertEqual(filled[2], filled[3])
        self.assertNotEqual(filled[0], filled[2])
        self.refused("impute", self.model, absent, "--target", "kind", status=1,
                     mentions=("'kind'",))


class Mixed(CliTest):
    TEXT = ("age,weight,colour,hits,misses,note,class\n"
            "31,60.5,red,3,1,cheap pills,a\n42,70.25,blue,0,2,lunch today,b\n"
            "28,58.5,red,2,2,more pills,a\n55,81.5,blue,1,1,meeting notes,b\n"
            "33,66.5,green,4,0,cheap now,a\n47,77.5,blue,1,3,notes on lunch,b\n"
            "37,61.5,red,3,2,pills now,a\n51,76.5,green,1,2,lunch notes,b\n")
    TYPES = ("--type", "hits=count,misses=count,note=text,colour=categorical")

    def setUp(self):
        super().setUp()
        self.model = self.fit(self.write("m.csv", self.TEXT), "--model", "gnb", *self.TYPES)
        self.head = self.TEXT.splitlines(True)[0]

    def fill(self, *lines, options=()):
        return self.ok("impute", self.model, "-", *options,
                       stdin=self.head + "".join(line + "\n" for line in lines))

    def test_most_probable_level(self):
        out = self.fill("30,60,,3,1,cheap,a", "30,60,,3,1,cheap,b", "30,60,violet,,,,").out
        cells = [line.split(",") for line in out.splitlines()[1:]]
        self.assertEqual([cells[0][2], cells[1][2], cells[2][2]], ["red", "blue", "violet"])
        self.assertEqual(cells[2][5:], ["", ""])

    def test_texts_and_unknown_labels_are_told(self):
        err = self.fill("30,,red,3,1,,zebra").err
        self.assertIn("1 missing text is left empty", err)
        self.assertIn("a label that the model does not know", err)

    def test_integers_stay_integers(self):
        lines = ["30,60.5,red,3,1,cheap,a", ",,red,,2,pills,a"]
        free = self.fill(*lines).out.splitlines()[2].split(",")
        rounded = self.fill(*lines, options=("--integers",)).out.splitlines()[2].split(",")
        self.assertNotEqual(float(free[0]) % 1, 0)
        self.assertEqual(rounded[0], str(round(float(free[0]))))
        self.assertEqual(rounded[1], free[1])
        self.assertEqual(rounded[3], str(round(float(free[3]))))
        drawn = self.fill(*lines, options=("--integers", "--draws", "4")).out.splitlines()[2::2]
        for line in drawn:
            self.assertEqual(float(line.split(",")[1]) % 1, 0)

    def test_what_is_filled_can_be_read(self):
        out = self.fill("30,60.5,red,3,1,cheap,a", ",,,,2,pills,", ",,,,,,",
                        options=("--integers",)).out
        self.ok("predict", self.model, "-", stdin=out)

    def test_models_by_hand_have_certain_parameters(self):
        model = self.write("h.json", json.dumps({
            "format": "genera-model", "version": 1, "features": ["x", "y"], "classes": [
                {"name": "a", "prior": 1, "mean": [0, 1], "covariance": [[1, 0.5], [0.5, 1]]}]}))
        result = self.ok("impute", model, "-", "--draws", 2, stdin="x,y\n1,\n")
        self.assertIn("taken as certain", result.err)
        self.assertEqual(self.ok("impute", model, "-", stdin="x,y\n1,\n").out, "x,y\n1,1.5\n")


class Refusals(CliTest):
    def test_what_cannot_be_asked(self):
        model = self.fit(IRIS)
        svm = self.write("d.svm", "1 1:2 3:1\n0 2:3\n")
        counts = self.fit(svm, "--model", "multinomial", name="counts.json")
        self.refused("impute", counts, svm, status=2, mentions=("svmlight", "nothing is missing"))
        self.refused("impute", model, IRIS, "--draws", 0, status=2, mentions=("--draws",))
        self.refused("impute", model, "-", stdin="sepal_length\n1\n", status=1,
                     mentions=("'sepal_width'",))
        self.refused("impute", model, IRIS, "-o", IRIS, status=2, mentions=("also read",))
        texts = self.write("t.csv", "note,class\nham and eggs,a\ncheap pills,b\n")
        scorer = self.fit(texts, "--model", "complement", "--type", "note=text", name="scorer.json")
        self.refused("impute", scorer, texts, status=1, mentions=("scorer", "multinomial"))


if __name__ == "__main__":
    unittest.main()
