"""New rows: what is written, what they obey, how they stream, what is refused."""

import json
import math
import os
import statistics
import subprocess
import unittest

from support import DATA, GENERA, CliTest, parse_csv, seconds

IRIS = DATA / "iris.csv"
NAMES = ["sepal_length", "sepal_width", "petal_length", "petal_width"]
MIXED = ("x,colour,hits,misses,note,class\n"
         "1.5,red,3,1,cheap pills now,spam\n2.5,blue,0,2,lunch today,ham\n"
         "1.0,red,2,2,pills and more pills,spam\n3.5,green,1,1,the meeting notes,ham\n"
         "0.5,green,4,0,buy cheap now,spam\n2.0,blue,1,3,notes on lunch,ham\n")
TYPES = ("--type", "hits=count,misses=count,note=text,colour=categorical")


class Rows(CliTest):
    def setUp(self):
        super().setUp()
        self.model = self.fit(IRIS, "--model", "qda")

    def test_columns_are_the_features_and_the_class(self):
        lines = self.ok("sample", self.model, "-n", 3).out.splitlines()
        self.assertEqual(lines[0].split(","), [*NAMES, "species"])
        self.assertEqual(len(lines), 4)

    def test_no_rows(self):
        self.assertEqual(self.ok("sample", self.model, "-n", 0).out,
                         ",".join([*NAMES, "species"]) + "\n")

    def test_json_holds_the_same_rows(self):
        rows = self.ok_csv("sample", self.model, "-n", 50)
        lines = self.ok("sample", self.model, "-n", 50, "--json").out.splitlines()
        for row, line in zip(rows, lines, strict=True):
            found = json.loads(line)
            self.assertEqual(list(found), [*NAMES, "species"])
            self.assertEqual(found, {**{n: float(row[n]) for n in NAMES},
                                     "species": row["species"]})

    def test_refitted_it_is_the_model_again(self):
        n = 40_000
        drawn = self.folder / "drawn.csv"
        self.ok("sample", self.model, "-n", n, "-o", drawn)
        before = self.ok_json("inspect", self.model)["classes"]
        again = self.fit(drawn, "--model", "qda", name="again.json")
        after = self.ok_json("inspect", again)["classes"]
        for was, found in zip(before, after, strict=True):
            self.assertAlmostEqual(found["prior"], 1 / 3, delta=4 * math.sqrt(2 / 9 / n))
            for j in range(4):
                variance = was["covariance"][j][j]
                self.assertAlmostEqual(found["mean"][j], was["mean"][j],
                                       delta=4 * math.sqrt(variance / found["count"]))
                self.assertAlmostEqual(found["covariance"][j][j], variance,
                                       delta=4 * variance * math.sqrt(2 / found["count"]))

    def test_given_cells_hold_and_choose_the_class(self):
        rows = self.ok_csv("sample", self.model, "-n", 4000, "--given", "petal_length=4.9")
        self.assertEqual({row["petal_length"] for row in rows}, {"4.9"})
        data = self.write("one.csv", ",".join(NAMES) + "\n,,4.9,\n")
        expected = self.proba(self.model, data)[0]
        for k, p in expected.items():
            share = sum(row["species"] == k for row in rows) / 4000
            self.assertAlmostEqual(share, p, delta=5 * math.sqrt(p * (1 - p) / 4000) + 1e-9)

    def test_given_the_class_and_a_cell(self):
        rows = self.ok_csv("sample", self.model, "-n", 20_000,
                           "--given", "petal_length=1.5,species=setosa")
        same = self.ok_csv("sample", self.model, "-n", 20_000, "--class", "setosa",
                           "--given", "petal_length=1.5")
        self.assertEqual(rows, same)
        setosa = self.ok_json("inspect", self.model)["classes"][0]
        s, m = setosa["covariance"], setosa["mean"]
        slope = s[0][2] / s[2][2]
        values = [float(row["sepal_length"]) for row in rows]
        self.assertAlmostEqual(statistics.fmean(values), m[0] + slope * (1.5 - m[2]), delta=0.015)
        self.assertAlmostEqual(statistics.pvariance(values), s[0][0] - slope * s[0][2], delta=0.006)

    def test_same_seed_same_rows(self):
        first = self.ok("sample", self.model, "-n", 10_000, "--threads", 1).out
        self.assertEqual(self.ok("sample", self.model, "-n", 10_000, "--threads", 4).out, first)
        self.assertEqual(self.ok("sample", self.model, "-n", 9_000).out,
                         "".join(first.splitlines(True)[:9_001]))
        other = self.ok("sample", self.model, "-n", 100, "--seed", 2).out.splitlines()[1:]
        self.assertFalse(set(other) & set(first.splitlines()))

    def test_a_closed_pipe_ends_quietly(self):
        line = f"'{GENERA}' sample '{self.model}' -n 100000000 | head -2; echo ${{PIPESTATUS[0]}}"
        done = subprocess.run(["bash", "-c", line], capture_output=True, timeout=seconds(60), check=False)
        self.assertEqual((done.stdout.splitlines()[-1], done.stderr), (b"0", b""))

    def peak(self, rows):
        """Largest resident size in MB; a sanitizer is told not to hoard freed memory."""
        environment = {**os.environ, "ASAN_OPTIONS": "quarantine_size_mb=8"}
        process = subprocess.Popen([GENERA, "sample", self.model, "-n", str(rows), "-o",
                                    "/dev/null"], env=environment)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        self.assertEqual(process.returncode, 0)
        return usage.ru_maxrss / 1024

    def test_memory_does_not_grow(self):
        most = self.peak(2_000_000)
        self.assertLess(most, 150)
        self.assertLess(most - self.peak(100_000), 20)


class EveryColumn(CliTest):
    def setUp(self):
        super().setUp()
        self.model = self.fit(self.write("m.csv", MIXED), "--model", "gnb", *TYPES)

    def test_it_can_be_learned_from_again(self):
        drawn = self.folder / "drawn.csv"
        self.ok("sample", self.model, "-n", 300, "-o", drawn)
        again = self.fit(drawn, "--model", "gnb", *TYPES, name="again.json")
        self.assertEqual(self.ok_json("inspect", again)["features"],
                         self.ok_json("inspect", self.model)["features"])

    def test_length_of_counts_and_texts(self):
        for row in self.ok_csv("sample", self.model, "-n", 50, "--length", 7):
            self.assertEqual(int(row["hits"]) + int(row["misses"]), 7)
            self.assertEqual(len(row["note"].split()), 7)
        for row in self.ok_csv("sample", self.model, "-n", 50, "--length", 7, "--given", "hits=2"):
            self.assertEqual((row["hits"], row["misses"]), ("2", "5"))

    def test_json_of_texts_counts_the_terms(self):
        rows = parse_csv(self.ok("sample", self.model, "-n", 20).out)
        lines = self.ok("sample", self.model, "-n", 20, "--json").out.splitlines()
        for row, line in zip(rows, lines, strict=True):
            words = row["note"].split()
            self.assertEqual(json.loads(line)["note"], {w: words.count(w) for w in words})

    def test_runs_of_words_make_no_text(self):
        for cut, what in (("--ngrams", "runs of words"), ("--chars", "runs of characters")):
            model = self.fit(self.write("m.csv", MIXED), *TYPES, "--model", "gnb", cut, "2-3")
            self.refused("sample", model, "-n", 2, status=1, mentions=("'note'", what, "--json"))
            self.assertEqual(len(self.ok("sample", model, "-n", 2, "--json").out.splitlines()), 2)
        hashed = self.fit(self.write("m.csv", MIXED), *TYPES, "--model", "gnb", "--hash-bits", 8)
        self.refused("sample", hashed, "-n", 2, status=1, mentions=("hashed", "--json"))

    def test_names_that_need_quotes(self):
        text = '"a, b",c=d,class\n1,<=5,"x ""y"""\n2,>5,z\n3,<=5,"x ""y"""\n2,>5,z\n'
        model = self.fit(self.write("q.csv", text), "--model", "gnb")
        drawn = self.ok_csv("sample", model, "-n", 5, "--given", '"a, b"=1.5,c=d=<=5')
        self.assertEqual(list(drawn[0]), ["a, b", "c=d", "class"])
        self.assertEqual(self.ok_csv("sample", model, "-n", 5, "--given", '"a, b"=1.5',
                                     "--given", "c=d=<=5"), drawn)
        self.assertEqual({(row["a, b"], row["c=d"]) for row in drawn}, {("1.5", "<=5")})
        self.assertLessEqual({row["class"] for row in drawn}, {'x "y"', "z"})

    def test_svmlight_models_are_written_as_tables(self):
        data = self.write("d.svm", "1 1:2 3:1\n0 2:3\n1 1:1\n0 2:1 3:2\n")
        model = self.fit(data, "--model", "multinomial")
        rows = self.ok_csv("sample", model, "-n", 4)
        self.assertEqual(list(rows[0]), ["1", "2", "3", "label"])
        wide = self.write("w.svm", "".join(f"{i % 2} " + " ".join(
            f"{j}:1" for j in range(1 + i, 70_001, 2)) + "\n" for i in range(2)))
        model = self.fit(wide, "--model", "multinomial", name="wide.json")
        self.refused("sample", model, "-n", 2, status=1, mentions=("70000 columns", "--max-terms"))


class Refusals(CliTest):
    def setUp(self):
        super().setUp()
        self.model = self.fit(IRIS, "--model", "qda")

    def refuses(self, *options, mentions, status=2):
        self.refused("sample", self.model, *options, status=status, mentions=mentions)

    def test_what_cannot_be_asked(self):
        self.refuses(mentions=("needs -n",))
        for number in ("-3", "many", "1.5"):
            self.refuses(f"--rows={number}", mentions=("whole number of at least 0",))
        self.refuses("-n", 3, "--class", "setsa", mentions=("'setsa'", "'setosa'"))
        self.refuses("-n", 3, "--given", "petal_lenght=1", mentions=("'petal_length'",))
        self.refuses("-n", 3, "--given", "petal_length=long", mentions=("not a finite number",))
        self.refuses("-n", 3, "--given", "petal_length", mentions=("COL=VALUE",))
        self.refuses("-n", 3, "--given", "species=rose", mentions=("no class 'rose'",))
        self.refuses("-n", 3, "--given", "petal_width=1,petal_width=1", mentions=("twice",))
        self.refuses("-n", 3, "--class", "setosa", "--given", "species=virginica",
                     mentions=("at once",))
        self.refuses("-n", 3, "--length", 5, mentions=("--length",))
        self.refuses("-n", 3, "-o", self.model, mentions=("also read",))

    def test_scorers(self):
        model = self.fit(self.write("m.csv", MIXED), "--features", "note", "--model", "complement",
                         name="scorer.json")
        self.refused("sample", model, "-n", 3, status=1, mentions=("scorer", "multinomial"))

    def test_models_by_hand_without_a_target(self):
        model = self.write("h.json", json.dumps({
            "format": "genera-model", "version": 1, "features": ["x"], "classes": [
                {"name": "a", "prior": 0.5, "mean": [0], "covariance": [[1]]},
                {"name": "b", "prior": 0.5, "mean": [4], "covariance": [[1]]}]}))
        self.assertEqual(self.ok("sample", model, "-n", 1).out.splitlines()[0], "x,class")


if __name__ == "__main__":
    unittest.main()
