"""Every verb with a file of several models."""

import csv
import io
import json
import re
import unittest

from support import CliTest, REFERENCE_DATA


class Committee(CliTest):
    DATA = "@iris"
    WEIGHTS = {"gnb": 0.25, "lda": 0.75}

    def committee(self, data=None):
        """A file whose members are fitted one by one, as anybody can write it."""
        members = []
        for name, weight in self.WEIGHTS.items():
            file = self.fit(data or self.DATA, "--model", name, name=f"{name}.json")
            members.append({"name": name, "weight": weight, "model": json.loads(file.read_text())})
        first = members[0]["model"]
        document = {"format": first["format"], "version": first["version"], "target": first["target"],
                    "members": members, "columns": [], "notes": ["by hand"]}
        return self.write("committee.json", json.dumps(document))

    def members(self):
        return {name: self.folder / f"{name}.json" for name in self.WEIGHTS}

    def test_predict_pools_the_members(self):
        committee = self.committee()
        pooled = self.proba(committee, self.DATA)
        alone = {name: self.proba(file, self.DATA) for name, file in self.members().items()}
        for i, row in enumerate(pooled):
            for label, p in row.items():
                expected = sum(w * alone[name][i][label] for name, w in self.WEIGHTS.items())
                self.assertAlmostEqual(p, expected, delta=1e-12)
        for i, label in enumerate(self.labels(committee, self.DATA)):
            self.assertEqual(pooled[i][label], max(pooled[i].values()))

    def test_it_is_shown_with_its_members(self):
        text = self.ok("inspect", self.committee()).out
        self.assertIn("model: committee of 2 models", text)
        self.assertRegex(text, r"0\.75\d* +0\.75\d* +lda")
        document = self.ok_json("inspect", self.committee())
        self.assertEqual([m["name"] for m in document["members"]], list(self.WEIGHTS))
        self.assertEqual(document["members"][1]["model"]["model"], "lda")

    def test_evaluate_score_sample_impute_and_plot(self):
        committee = self.committee()
        self.assertLess(self.ok_json("evaluate", committee, self.DATA)["error_rate"], 0.06)
        scores = list(csv.DictReader(io.StringIO(self.ok("score", committee, self.DATA).out)))
        self.assertEqual(len(scores), 150)
        self.assertTrue(all(0 < float(row["tail"]) <= 1 for row in scores))
        drawn = self.write("drawn.csv", self.ok("sample", committee, "--rows", "300", "--seed", "3").out)
        again = self.ok("sample", committee, "--rows", "300", "--seed", "3", "--threads", "3").out
        self.assertEqual(drawn.read_text(), again)
        self.assertLess(self.ok_json("evaluate", committee, drawn)["error_rate"], 0.1)
        holes = self.write("holes.csv", "sepal_length,sepal_width,petal_length,petal_width\n5,,1.4,0.2\n")
        filled = [self.ok("impute", file, holes).out.splitlines()[1].split(",")
                  for file in (*self.members().values(), committee)]
        low, high = sorted(float(row[1]) for row in filled[:2])
        self.assertTrue(low <= float(filled[2][1]) <= high, filled)
        self.ok("plot", "regions", committee, self.DATA, "--json")

    def test_explanations_end_with_the_models(self):
        out = self.ok("predict", self.committee(), self.DATA, "--explain", "2").out
        self.assertIn("between models", out)

    def test_priors_change_in_every_member(self):
        committee = self.committee()
        priors = "setosa=0.2,versicolor=0.2,virginica=0.6"
        pooled = self.ok("predict", committee, self.DATA, "--proba", "--priors", priors).out
        one = {name: self.ok("predict", file, self.DATA, "--proba", "--priors", priors).out
               for name, file in self.members().items()}
        read = {name: list(csv.reader(io.StringIO(text))) for name, text in {**one, "": pooled}.items()}
        last = len(read[""][0]) - 1
        for i in (1, 60, 120):
            expected = sum(w * float(read[name][i][last]) for name, w in self.WEIGHTS.items())
            self.assertAlmostEqual(float(read[""][i][last]), expected, delta=1e-12)

    def test_what_one_model_has_is_refused(self):
        committee = self.committee()
        for words, mention in (
                (("predict", committee, self.DATA, "--priors", "estimate"), "--model best"),
                (("probability", committee, "--between", "sepal_length=4:5"), "--model best"),
                (("impute", committee, self.DATA, "--draws", "2"), "--model best"),
                (("inspect", committee, "--boundaries"), "--model best"),
                (("merge", committee, committee, "-o", self.folder / "x.json"), "committee"),
                (("forget", committee, self.DATA, "-o", self.folder / "x.json"), "committee")):
            with self.subTest(words=words[0]):
                self.assertIn(mention, self.refused(*words))

    def test_files_that_are_no_committee_are_refused(self):
        document = json.loads(self.committee().read_text())
        for change, mention in ((lambda d: d["members"].pop(), "1 member"),
                                (lambda d: d["members"][0].update(weight=0.5), "sum to 1.25"),
                                (lambda d: d["members"][0].update(model=dict(document)),
                                 "is a committee"),
                                (lambda d: d.update(blocks=[]), "blocks")):
            changed = json.loads(json.dumps(document))
            change(changed)
            with self.subTest(mention=mention):
                file = self.write("changed.json", json.dumps(changed))
                self.assertIn(mention, self.refused("inspect", file))


class Chosen(CliTest):
    """Short messages, for which presence and counts of words are about equally good."""

    DATA = REFERENCE_DATA / "sms_spam.csv.gz"
    SENTENCE = re.compile(
        r"genera: auto: committee of (?P<members>.+); held-out log loss (?P<loss>[\d.]+); best alone "
        r"(?P<best>.+) with (?P<other>[\d.]+) \((?P<candidates>\d+) candidates, 10 folds of "
        r"(?P<rows>\d+) rows\)")

    def chosen(self, *options):
        file = self.folder / "chosen.json"
        said = self.ok("fit", self.DATA, "-o", file, *options).err
        return file, said

    def test_the_line_agrees_with_the_file_and_the_file_with_its_members(self):
        file, said = self.chosen()
        found = self.SENTENCE.search(said)
        self.assertIsNotNone(found, said)
        self.assertLess(float(found["loss"]), float(found["other"]))
        document = json.loads(file.read_text())
        self.assertEqual(found["members"], ", ".join(f"{one['name']} {one['weight']:.2f}"
                                                     for one in document["members"]))
        self.assertIn(found["best"], found["members"])
        self.assertAlmostEqual(sum(one["weight"] for one in document["members"]), 1, delta=1e-12)
        asked = self.write("asked.csv", "text\nfree prize call now\nsee you at home\n\n")
        alone = [self.proba(self.write("one.json", json.dumps(one["model"])), asked)
                 for one in document["members"]]
        for i, row in enumerate(self.proba(file, asked)):
            for label, p in row.items():
                expected = sum(one["weight"] * other[i][label]
                               for one, other in zip(document["members"], alone))
                self.assertAlmostEqual(p, expected, delta=1e-12)

    def test_threads_change_nothing(self):
        files = {self.chosen("--threads", n)[0].read_bytes() for n in (1, 3)}
        self.assertEqual(len(files), 1)

    def test_one_model_on_request(self):
        for options in (("--model", "best"), ("--fast",), ("--model", "best", "--fast")):
            with self.subTest(options=options):
                file, said = self.chosen(*options)
                self.assertNotIn("committee", said)
                self.assertNotIn("members", json.loads(file.read_text()))
        self.refused("fit", self.DATA, "--model", "best", "--simple", status=2, mentions=("--simple",))
        self.refused("fit", self.DATA, "--model", "bernoulli", "--fast", status=2, mentions=("--fast",))


if __name__ == "__main__":
    unittest.main()
