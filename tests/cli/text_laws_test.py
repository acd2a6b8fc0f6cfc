"""Text at large: statistics that add up, the same bits, model files, numbers from elsewhere."""

import copy
import gzip
import json
import subprocess
import unittest

from discrete_formulas import Model, Multinomial, Presence, words_of
from discrete_support import (TEXT_MODELS, DiscreteTest, reference_file, reference_text, texts)
from support import CRASH, GENERA, Sample, csv_text, parse_csv, run, seconds

NOTE = words_of(0)


class Statistics(DiscreteTest):
    def setUp(self):
        super().setUp()
        self.sample = texts(seed=1)
        self.rows = self.write("rows.csv", self.sample)

    def shards(self, *options):
        """By class, so that vocabularies and classes differ."""
        parts = [[i for i, y in enumerate(self.sample.labels) if y in group]
                 for group in ("a", "bc")]
        parts[1:] = [parts[1][:7], parts[1][7:]]
        return [self.statistics(self.sample.subset(part), f"{i}.stats", *options)
                for i, part in enumerate(parts)]

    def merged(self, shards, name="merged.stats"):
        path = self.folder / name
        self.ok("merge", *shards, "-o", path)
        return path

    def assert_same(self, statistics, model, *options, like=None, fit_options=()):
        """Fitting `statistics` is fitting the rows."""
        again = self.fit(statistics, "--model", model, *options, name="again.json")
        whole = self.fit(like or self.sample, "--model", model, *options, *fit_options,
                         name="whole.json")
        self.assert_same_answers(again, whole, self.rows, joint=model != "complement",
                                 tolerance=1e-12)
        self.assertEqual(self.block(again, model)["terms"], self.block(whole, model)["terms"])

    def test_fit_on_merged_shards_is_fit_on_all(self):
        for name in TEXT_MODELS:
            with self.subTest(model=name):
                shards = self.shards("--model", name)
                self.assert_same(self.merged(shards), name)
                self.assert_same(self.merged(shards[::-1]), name)

    def test_statistics_for_every_model(self):
        shards = self.shards()
        for name in TEXT_MODELS:
            with self.subTest(model=name):
                self.assert_same(self.merged(shards), name)

    def test_pruning_comes_after_merging(self):
        merged = self.merged(self.shards("--model", "multinomial"))
        words = NOTE(self.sample.rows[0])
        for options in (("--min-count", 9), ("--max-terms", 20),
                        ("--stop-words", ",".join(sorted(words)[:2]))):
            with self.subTest(options=options):
                self.assert_same(merged, "multinomial", *options)

    def test_how_texts_are_cut_belongs_to_statistics(self):
        for options in (("--ngrams", "1-2"), ("--chars", "3-4"), ("--hash-bits", "20")):
            with self.subTest(options=options):
                merged = self.merged(self.shards("--model", "multinomial", *options))
                self.assert_same(merged, "multinomial", fit_options=options)
                self.refused("fit", merged, "--model", "multinomial", *options, status=2,
                             mentions=(options[0],))

    def test_shards_cut_differently_are_refused(self):
        plain = self.shards("--model", "multinomial")[0]
        for options in (("--ngrams", "1-2"), ("--chars", "3-4"), ("--hash-bits", "10")):
            with self.subTest(options=options):
                other = self.statistics(self.sample, "other.stats", "--model", "multinomial",
                                        *options)
                self.refused("merge", plain, other, "-o", self.folder / "never.stats", status=1)
                self.assertFalse((self.folder / "never.stats").exists())

    def test_forgotten_words_were_never_seen(self):
        kept, gone = self.sample.subset(range(50)), self.sample.subset(range(50, 90))
        gone.rows[0] = ["onlyhere once onlyhere"]
        whole = Sample(kept.names, kept.rows + gone.rows, kept.labels + gone.labels)
        for name, block in (("multinomial", Multinomial), ("bernoulli", Presence)):
            with self.subTest(model=name):
                self.assertIn("onlyhere", block(whole, NOTE).terms)
                statistics = self.statistics(whole, "whole.stats", "--model", name)
                rest = self.folder / "rest.stats"
                self.ok("forget", statistics, self.write("gone.csv", gone), "-o", rest)
                self.assertIn("onlyhere", statistics.read_text())
                self.assertNotIn("onlyhere", rest.read_text())
                model = self.fit(rest, "--model", name)
                expected = Model(kept, block(kept, NOTE))
                self.assert_rows_close(self.joint(model, self.rows),
                                       [expected.log_joint(r) for r in self.sample.rows], 1e-9)

    def test_forgetting_words_that_were_never_there_is_refused(self):
        statistics = self.statistics(self.sample, "s.stats", "--model", "multinomial")
        never = Sample(["note"], [["never written before"]], ["a"])
        self.refused("forget", statistics, self.write("n.csv", never), "-o",
                     self.folder / "rest.stats", status=1)

    def test_weight_two_is_the_row_twice(self):
        weights = [1 + i % 3 for i in range(90)]
        weighted = Sample(["note"], self.sample.rows, self.sample.labels, weights)
        repeated = self.sample.subset([i for i, w in enumerate(weights) for _ in range(w)])
        for name in TEXT_MODELS:
            with self.subTest(model=name):
                self.assert_same_answers(
                    self.fit(weighted, "--model", name, "--weights", "w", name="w.json"),
                    self.fit(repeated, "--model", name, "--type", "note=text", name="r.json"),
                    self.rows, joint=name != "complement", tolerance=1e-12)

    def test_much_smoothing_leaves_the_prior(self):
        for name in ("multinomial", "bernoulli"):
            with self.subTest(model=name):
                model = self.fit(self.sample, "--model", name, "--smoothing", 1e14)
                self.assert_rows_close(self.proba(model, self.rows),
                                       [Model(self.sample).priors] * 90, 1e-9)


class SameBits(DiscreteTest):
    def test_threads_pipes_and_gzip(self):
        sample = texts(seed=10, n=15_000, size=96)
        text = sample.text()
        data = self.write("d.csv", text)
        packed = self.write("d.csv.gz", gzip.compress(text.encode(), 1))
        for name in TEXT_MODELS:
            with self.subTest(model=name):
                one = self.fit(data, "--model", name, "--ngrams", "1-2", "--threads", 1)
                others = [self.fit(data, "--model", name, "--ngrams", "1-2", "--threads", 8,
                                   name="8.json"),
                          self.fit("-", "--model", name, "--ngrams", "1-2", name="p.json",
                                   stdin=text),
                          self.fit(packed, "--model", name, "--ngrams", "1-2", name="z.json")]
                for other in others:
                    self.assertEqual(other.read_bytes(), one.read_bytes(), other.name)
                answers = {self.ok("predict", one, data, "--proba", "--threads", t).out
                           for t in (1, 8)}
                answers.add(self.ok("predict", one, "-", "--proba", stdin=text).out)
                answers.add(self.ok("predict", one, packed, "--proba").out)
                self.assertEqual(len(answers), 1)

    def test_one_row_is_the_batch(self):
        sample = texts(seed=11, n=300)
        data = self.write("d.csv", sample)
        for name in TEXT_MODELS:
            model = self.fit(data, "--model", name)
            batch = self.ok("predict", model, data, "--proba").out.splitlines()
            for i in (0, 63, 64, 299):
                with self.subTest(model=name, row=i):
                    single = self.ok("predict", model, "-", "--proba",
                                     stdin=csv_text(["note"], [sample.rows[i]]))
                    self.assertEqual(single.out.splitlines(), [batch[0], batch[i + 1]])

    def test_json_and_cbor(self):
        data = self.write("d.csv", texts(seed=12))
        for name in TEXT_MODELS:
            for options in ((), ("--chars", "2-3"), ("--hash-bits", "12"), ("--ngrams", "1-2")):
                with self.subTest(model=name, options=options):
                    text = self.fit(data, "--model", name, *options, name="m.json")
                    binary = self.fit(data, "--model", name, *options, name="m.cbor")
                    for verb, *rest in (("predict", data, "--proba"), ("evaluate", data, "--json"),
                                        ("inspect", "--json")):
                        self.assertEqual(self.ok(verb, text, *rest).out,
                                         self.ok(verb, binary, *rest).out)


class Damaged(DiscreteTest):
    def test_models(self):
        data = self.write("d.csv", texts(seed=20))
        for name in TEXT_MODELS:
            document = json.loads(self.fit(data, "--model", name).read_text())
            block = document["blocks"][0]
            for key in ("terms", "probabilities"):
                self.assertIn(key, block)
                for value in ([], None, "x", block[key][:-1], [*block[key], block[key][0]]):
                    with self.subTest(model=name, key=key, value=str(value)[:40]):
                        broken = copy.deepcopy(document)
                        broken["blocks"][0][key] = value
                        model = self.write("broken.json", json.dumps(broken))
                        self.refused("predict", model, data, status=1, mentions=("broken.json",))

    def test_truncated_statistics_and_models(self):
        data = self.write("d.csv", texts(seed=21))
        for name in ("s.json", "s.cbor"):
            statistics = self.statistics(data, name)
            model = self.fit(data, "--model", "multinomial", name=f"m{name}")
            for part in (0.1, 0.5, 0.97):
                with self.subTest(name=name, part=part):
                    for path, verb, *rest in ((statistics, "fit"), (model, "predict", data)):
                        whole = path.read_bytes()
                        broken = self.write(f"part_{name}", whole[:int(part * len(whole))])
                        self.refused(verb, broken, *rest, status=1, mentions=(f"part_{name}",))


class ManyTerms(DiscreteTest):
    """Ten million different words, and no more memory than that."""

    def limited(self, *arguments, kilobytes=700_000):
        command = f'ulimit -v {kilobytes}; exec "$0" "$@"'
        done = subprocess.run(["bash", "-c", command, GENERA, *map(str, arguments)],
                              capture_output=True, timeout=seconds(400), check=False)
        return done.returncode, done.stderr.decode("utf-8", "replace")

    def test_a_memory_limit(self):
        path = self.folder / "many.csv"
        with open(path, "w", encoding="ascii") as file:
            file.write("class,note\n")
            for i in range(1000):
                words = " ".join(f"w{j:x}" for j in range(i * 10_000, (i + 1) * 10_000))
                file.write(f"{'ab'[i % 2]},{words}\n")
        model = self.folder / "m.cbor"
        status, message = self.limited("fit", path, "--model", "multinomial", "-o", model)
        self.assertIn(status, (0, 1), message[:2000])
        self.assertIsNone(CRASH.search(message), message[:2000])
        if status == 1:
            self.assertIn("genera: error: ", message)
            self.assertIn("--hash-bits", message)
            self.assertFalse(model.exists())
        status, message = self.limited("fit", path, "--model", "multinomial", "--hash-bits", 16,
                                       "-o", model)
        self.assertEqual(status, 0, message[:2000])


class References(DiscreteTest):
    """scikit-learn 1.2.1: CountVectorizer, then each of its models with smoothing 1."""

    def check(self, train, test, *cases):
        for name, expected in cases:
            with self.subTest(model=name):
                self.assertEqual(self.errors(self.fit(train, "--model", name), test), expected)

    def test_sms_spam(self):
        table = [list(row.values()) for row in parse_csv(reference_text("sms_spam.csv"))]
        self.assertEqual(len(table), 5574)
        train = self.write_data("train.csv", ["label", "text"], table[:4000])
        test = self.write_data("test.csv", ["label", "text"], table[4000:])
        self.check(train, test, ("multinomial", 23), ("bernoulli", 37), ("complement", 32))

    def test_questions(self):
        self.check(reference_file("trec_questions_train.csv"),
                   reference_file("trec_questions_test.csv"),
                   ("multinomial", 120), ("complement", 102))

    def test_newsgroups(self):
        self.check(reference_file("newsgroups20_train.csv"),
                   reference_file("newsgroups20_test.csv"),
                   ("multinomial", 1711), ("bernoulli", 2781), ("complement", 1305))

    def test_terms_of_newsgroups(self):
        model = self.fit(reference_file("newsgroups20_train.csv"), "--model", "multinomial")
        found = json.loads(run("inspect", model, "--json").out)  # 'nan' is among the words
        self.assertEqual(len(found["blocks"][0]["terms"]), 130_107)
        self.assertEqual(found["parameters"]["probabilities"], 20 * (130_107 - 1))


if __name__ == "__main__":
    unittest.main()
