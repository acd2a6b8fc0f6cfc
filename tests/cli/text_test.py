"""Text columns: tokens, n-grams, pruning, hashing, and what the models make of the counts."""

import itertools
import math
import unittest
from collections import Counter

from discrete_formulas import (Complement, Model, Multinomial, Presence, ngrams, top_log_odds,
                               words_of)
from discrete_support import TEXT_MODELS, DiscreteTest, texts
from support import CliTest, Sample, csv_text

NOTE = words_of(0)
AWKWARD = [
    "Hello, hello HELLO world_1 it's 42 a I",
    "Ünïcode ÉCOLE école straße Žižek naïve",
    "Привет МИР привет, мир: ещё раз",
    "ελληνικά Λόγος και αριθμοί 2024",
    "mixed-hyphen under_score __dunder__ x_y 3d 4x4",
    "e-mail: someone@example.org http://example.org/path?q=hello&x=yy",
    "日本語 テキスト 漢字 かな",
    "area 5 m² and ½ cup of x¹² sugar №7",
    "tabs\tand\nline ends\r\nin one cell",
    "quotes \"inside\" the, cell; and 'single' ones",
    "no-break\u00a0space zero\u200bwidth em—dash ellipsis… “curly”",
    "emoji 😀 between words😀joined £100 10% C++ R&D",
]


def sample_of(rows, labels=None, names=("note",)):
    return Sample(list(names), rows, labels or ["ab"[i % 2] for i in range(len(rows))])


def occurrences(sample, view=NOTE):
    return sum((view(row) for row in sample.rows), Counter())


class Tokens(DiscreteTest):
    def found(self, sample, *options):
        return self.terms(self.fit(sample, "--model", "multinomial", "--type", "note=text",
                                   "--target", "class", *options))

    def test_against_a_regular_expression(self):
        sample = sample_of([[text] for text in AWKWARD])
        self.assertEqual(sorted(self.found(sample)), sorted(occurrences(sample)))

    def test_each_text_alone(self):
        for text in AWKWARD:
            with self.subTest(text=text):
                sample = sample_of([[text], ["common words"], [text], ["common words"]],
                                   list("abba"))
                self.assertEqual(sorted(self.found(sample)), sorted(occurrences(sample)))

    def test_terms_are_sorted(self):
        found = self.found(sample_of([[text] for text in AWKWARD]))
        self.assertEqual(found, sorted(found, key=str.encode))

    def test_counts_of_awkward_texts(self):
        sample = sample_of([[text] for text in AWKWARD])
        self.expect(sample, Model(sample, Multinomial(sample, NOTE)), "--model", "multinomial",
                    "--type", "note=text")

    def test_invalid_utf8_separates_and_is_warned_about(self):
        lines = [b"note,class", b"good\xffmorning caf\xc3 late,a", b"good evening,b",
                 b"over\xc0\xaflong \xed\xa0\x80surrogate,a", b"good night,b"]
        data = self.write("d.csv", b"\n".join(lines) + b"\n")
        result = self.ok("fit", data, "--model", "multinomial", "--type", "note=text",
                         "-o", self.folder / "m.json")
        self.assertIn("warning", result.err)
        self.assertIn("UTF-8", result.err)
        self.assertEqual(sorted(self.terms(self.folder / "m.json")), sorted(
            ["good", "morning", "caf", "late", "evening", "over", "long", "surrogate", "night"]))
        rows = self.write("p.csv", b"note\ngood\xfe\xfenight\n")
        self.assertEqual(self.labels(self.folder / "m.json", rows), ["b"])

    def test_texts_without_any_token_are_refused_or_harmless(self):
        data = self.write("d.csv", sample_of([["a b c"], ["? ! ."], ["x y"], ["- -"]]))
        for name in TEXT_MODELS:
            with self.subTest(model=name):
                self.works_or_refuses("fit", data, "--model", name, "--type", "note=text",
                                      "-o", self.folder / "m.json")


class Recognised(DiscreteTest):
    def test_a_text_column_is_recognised_and_announced(self):
        sample = texts(seed=1)
        data = self.write("d.csv", sample)
        for name in TEXT_MODELS:
            with self.subTest(model=name):
                result = self.ok("fit", data, "--model", name, "-o", self.folder / "m.json")
                self.assertIn("'note'", result.err)
                self.assertIn("text", result.err)
                block = self.block(self.folder / "m.json", name)
                self.assertEqual(block["text"], "note")
                self.assertEqual(block["terms"], sorted(occurrences(sample)))

    def test_the_label_may_come_first(self):
        sample = texts(seed=2)
        first = self.write("d.csv", csv_text(["label", "text"], [
            [y, row[0]] for y, row in zip(sample.labels, sample.rows)]))
        found = self.ok_json("inspect", self.fit(first, "--model", "multinomial"))
        self.assertEqual([k["name"] for k in found["classes"]], ["a", "b", "c"])
        self.assertEqual(found["blocks"][0]["text"], "text")


class AgainstFormulas(DiscreteTest):
    def test_densities(self):
        sample = texts(seed=10)
        for name, block in (("multinomial", Multinomial), ("bernoulli", Presence)):
            for s in (1.0, 0.0, 0.01):
                with self.subTest(model=name, smoothing=s):
                    self.expect(sample, Model(sample, block(sample, NOTE, s)), "--model", name,
                                "--smoothing", s)

    def test_complement(self):
        sample = texts(seed=11)
        for s in (1.0, 0.3):
            with self.subTest(smoothing=s):
                expected = Complement(sample, NOTE, s)
                model = self.fit(sample, "--model", "complement", "--smoothing", s)
                found = self.proba(model, self.write("rows.csv", sample))
                self.assert_rows_close(found, [expected.posterior(r) for r in sample.rows], 1e-9)

    def test_weights(self):
        sample = texts(seed=12)
        sample.weights = [(0.5, 1.0, 2.0, 3.5)[i % 4] for i in range(len(sample.rows))]
        for name, block in (("multinomial", Multinomial), ("bernoulli", Presence)):
            with self.subTest(model=name):
                self.expect(sample, Model(sample, block(sample, NOTE)), "--model", name,
                            "--weights", "w")

    def test_unknown_words_are_ignored_silently(self):
        sample = texts(seed=13)
        word = sample.rows[0][0].split()[0]
        asked = sample_of([[f"{word} zzzz {word}"], ["zzzz qqqq"], [f"{word} {word}"]])
        for name, block in (("multinomial", Multinomial), ("bernoulli", Presence)):
            with self.subTest(model=name):
                model = self.expect(sample, Model(sample, block(sample, NOTE)), "--model", name,
                                    rows=asked)
                self.assertNotIn("warning", self.ok("predict", model,
                                                    self.folder / "rows.csv").err)

    def test_inspected_probabilities(self):
        sample = texts(seed=14)
        vocabulary = len(occurrences(sample))
        for name, block, free in (("multinomial", Multinomial, 3 * (vocabulary - 1)),
                                  ("bernoulli", Presence, 3 * vocabulary),
                                  ("complement", Complement, None)):
            with self.subTest(model=name):
                model, expected = self.fit(sample, "--model", name), block(sample, NOTE)
                found = self.block(model, name)
                for k, p in zip("abc", found["probabilities"], strict=True):
                    self.assert_tables_close(dict(zip(found["terms"], p, strict=True)),
                                             expected.p[k])
                if free is not None:
                    self.assertEqual(self.ok_json("inspect", model)["parameters"]
                                     ["probabilities"], free)

    def test_two_text_columns(self):
        first, second = texts(seed=15, size=30), texts(seed=16, size=60)
        sample = Sample(["subject", "body"], [[a[0], b[0]] for a, b in
                                              zip(first.rows, second.rows)], first.labels)
        for name, block in (("multinomial", Multinomial), ("bernoulli", Presence)):
            with self.subTest(model=name):
                model = self.expect(sample, Model(sample, block(sample, words_of(0)),
                                                  block(sample, words_of(1))), "--model", name)
                self.assertEqual({b["text"] for b in self.blocks(model, name)},
                                 {"subject", "body"})

    def test_probabilities_of_all_sets_of_words_sum_to_one(self):
        words = ["ant", "bee", "cow", "dog", "emu"]
        sample = sample_of([["ant bee"], ["cow dog emu ant"], ["bee emu bee"], ["dog cow"],
                            ["ant emu"], ["bee cow dog"]])
        outcomes = [" ".join(w for w, there in zip(words, mask) if there) + " filler"
                    for mask in itertools.product((0, 1), repeat=5)]
        rows = self.write("all.csv", csv_text(["note"], [[text] for text in outcomes]))
        for s in (0, 1):
            with self.subTest(smoothing=s):
                model = self.fit(sample, "--model", "bernoulli", "--type", "note=text",
                                 "--smoothing", s)
                total = math.fsum(math.exp(v) for joint in self.joint(model, rows)
                                  for v in joint.values())
                self.assertAlmostEqual(total, 1, delta=1e-11)


class Options(DiscreteTest):
    def test_ngrams(self):
        sample = texts(seed=20)
        for shortest, longest in ((1, 2), (2, 2), (1, 3)):
            with self.subTest(shortest=shortest, longest=longest):
                view = words_of(0, shortest, longest)
                model = self.expect(sample, Model(sample, Multinomial(sample, view)), "--model",
                                    "multinomial", "--ngrams", f"{shortest}-{longest}")
                self.assertEqual(sorted(self.terms(model)), sorted(occurrences(sample, view)))

    def test_characters(self):
        """Every run inside a word is a term, counted in characters and not in bytes."""
        words = ["anna", "žofie", "bedřich", "αλέξης", "marie", "Eva"]
        sample = sample_of([[word] for word in words])
        for shortest, longest in ((3, 3), (2, 4)):
            with self.subTest(shortest=shortest, longest=longest):
                model = self.fit(sample, "--model", "multinomial", "--type", "note=text",
                                 "--chars", f"{shortest}-{longest}")
                found = self.terms(model)
                inner = {run.replace(" ", "") for word in words for run in
                         ngrams(list(word.lower()), shortest, longest)}
                self.assertLessEqual(inner, set(found))
                self.assertLessEqual({len(term) for term in found},
                                     set(range(shortest, longest + 1)))
                self.ok("predict", model, self.write("rows.csv", sample), "--proba", "--joint")

    def check_pruned(self, sample, kept, *options):
        """All three models use exactly these terms."""
        for name, block in (("multinomial", Multinomial), ("bernoulli", Presence)):
            with self.subTest(model=name, options=options):
                expected = Model(sample, block(sample, NOTE, terms=kept))
                model = self.expect(sample, expected, "--model", name, *options)
                self.assertEqual(sorted(self.terms(model, name)), sorted(kept))
        with self.subTest(model="complement", options=options):
            expected = Complement(sample, NOTE, terms=kept)
            model = self.fit(sample, "--model", "complement", *options)
            found = self.proba(model, self.write("rows.csv", sample))
            self.assert_rows_close(found, [expected.posterior(r) for r in sample.rows], 1e-9)

    def test_min_count(self):
        sample = texts(seed=21)
        total = occurrences(sample)
        for least in (2, 12):
            kept = [term for term, n in total.items() if n >= least]
            self.assertTrue(0 < len(kept))
            self.check_pruned(sample, kept, "--min-count", least)

    def test_max_terms(self):
        sample = texts(seed=22)
        ranked = occurrences(sample).most_common()
        most = next(i for i in range(10, len(ranked)) if ranked[i - 1][1] > ranked[i][1])
        self.check_pruned(sample, [term for term, _ in ranked[:most]], "--max-terms", most)

    def test_stop_words(self):
        sample = texts(seed=23)
        common = [term for term, _ in occurrences(sample).most_common(3)]
        kept = [term for term in occurrences(sample) if term not in common]
        self.check_pruned(sample, kept, "--stop-words", ",".join(common))

    def test_english_stop_words(self):
        sample = sample_of([["the cat and the dog of this house"], ["it is not in that garden"],
                            ["the garden with the dog"], ["cat of the house"]])
        found = self.terms(self.fit(sample, "--model", "multinomial", "--type", "note=text",
                                    "--stop-words", "english"))
        self.assertLessEqual({"cat", "dog", "house", "garden"}, set(found))
        self.assertFalse({"the", "and", "of", "is", "in", "it"} & set(found))

    def test_everything_pruned_is_refused(self):
        data = self.write("d.csv", texts(seed=24))
        self.refused("fit", data, "--model", "multinomial", "--min-count", 100_000, status=1,
                     mentions=("--min-count",))

    def test_hashing(self):
        sample = texts(seed=25)
        data = self.write("rows.csv", sample)
        exact = self.fit(sample, "--model", "multinomial", name="exact.json")
        hashed = self.fit(sample, "--model", "multinomial", "--hash-bits", 24)
        terms = self.terms(hashed)
        self.assertEqual(len(terms), len(self.terms(exact)))
        for term in terms:
            self.assertRegex(term, r"^#\d+$")
            self.assertLess(int(term[1:]), 1 << 24)
        self.assert_same_answers(hashed, exact, data)

    def test_hashing_into_few_buckets(self):
        sample = texts(seed=26)
        data = self.write("rows.csv", sample)
        for name in TEXT_MODELS:
            with self.subTest(model=name):
                model = self.fit(sample, "--model", name, "--hash-bits", 4)
                found = self.block(model, name)
                self.assertLessEqual(len(found["terms"]), 16)
                if name != "bernoulli":
                    for p in found["probabilities"]:
                        self.assertAlmostEqual(math.fsum(p), 1, delta=1e-12)
                self.assertEqual(len(self.proba(model, data)), len(sample.rows))

    def test_wrong_values(self):
        data = self.write("d.csv", texts(seed=27))
        for option, values in (("--ngrams", ("0-2", "3-1", "x", "-1", "1-")),
                               ("--chars", ("0-2", "5-3", "abc")),
                               ("--min-count", ("-1", "many")), ("--max-terms", ("-5", "x")),
                               ("--hash-bits", ("-3", "99", "x"))):
            for value in values:
                with self.subTest(option=option, value=value):
                    self.refused("fit", data, "--model", "multinomial", option, value, status=2,
                                 mentions=(option,))


class Top(DiscreteTest):
    def assert_top(self, model, odds, n):
        found = self.ok_json("inspect", model, "--top", n)["top"]
        self.assertEqual(sorted(found), sorted(odds))
        for k, entries in found.items():
            values = [entry["log_odds"] for entry in entries]
            self.assertEqual(len(values), min(n, len(odds[k])))
            self.assertEqual(values, sorted(values, reverse=True))
            best = sorted(odds[k].values(), reverse=True)
            for entry, value in zip(entries, best):
                self.assertAlmostEqual(entry["log_odds"], value, delta=1e-9)
                self.assertAlmostEqual(odds[k][entry["feature"]], value, delta=1e-9)

    def test_words(self):
        sample = texts(seed=30)
        priors = Model(sample).priors
        for name, block in (("multinomial", Multinomial), ("bernoulli", Presence)):
            for n in (1, 7, 1000):
                with self.subTest(model=name, n=n):
                    odds = top_log_odds(block(sample, NOTE).p, priors)
                    self.assert_top(self.fit(sample, "--model", name), odds, n)

    def test_given_priors_weigh_the_other_classes(self):
        sample = texts(seed=31)
        odds = top_log_odds(Multinomial(sample, NOTE).p, {"a": .1, "b": .7, "c": .2})
        self.assert_top(self.fit(sample, "--model", "multinomial", "--priors", "a=.1,b=.7,c=.2"),
                        odds, 9)

    def test_for_people(self):
        sample = texts(seed=32)
        odds = top_log_odds(Multinomial(sample, NOTE).p, Model(sample).priors)
        text = self.ok("inspect", self.fit(sample, "--model", "multinomial"), "--top", 2).out
        for k, table in odds.items():
            self.assertIn(max(table, key=table.get), text)

    def test_wrong_numbers(self):
        model = self.fit(texts(seed=33), "--model", "multinomial")
        for value in ("-1", "many"):
            self.refused("inspect", model, "--top", value, status=2, mentions=("--top",))


class LongTexts(CliTest):
    def test_fewer_draws_of_long_texts_are_told(self):
        model = self.fit(self.write("t.csv", "text,class\n" + "".join(
            f"{'ham eggs toast' if i % 2 else 'rain wind snow'} and more,{'ab'[i % 2]}\n"
            for i in range(20))), "--model", "multinomial", "--type", "text=text")
        short = self.write("short.csv", "text\nham and more\n")
        long = self.write("long.csv", "text\nham and more\n" + "ham eggs rain more " * 5000 + "\n")
        told = "of the longest rows fewer are drawn: their tail cannot be smaller than 0.00014"
        self.assertNotIn("longest rows", self.ok("score", model, short).err)
        self.assertIn(told, self.ok("score", model, long).err)
        warned = "the longest rows cannot be flagged"
        self.assertIn(warned, self.ok("predict", model, long, "--outlier", "0.00012").err)
        self.assertNotIn(warned, self.ok("predict", model, long, "--outlier", "0.0002").err)
        self.assertNotIn(warned, self.ok("predict", model, short, "--outlier", "0.00012").err)


if __name__ == "__main__":
    unittest.main()
