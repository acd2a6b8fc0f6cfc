"""Sparse input: svmlight files in all their odd forms, and the models that take them."""

import gzip
import random
import unittest
from collections import Counter

import formulas
from discrete_formulas import Complement, Model, Multinomial, Presence
from discrete_support import DiscreteTest, reference_file
from support import Sample, csv_text

SPARSE_GAUSSIANS = ("gnb", "dlda", "spherical", "centroid")
FULL_GAUSSIANS = ("lda", "qda", "rda")


class Sparse:
    """Rows as {index: value} with labels; indices are text, as written in the file."""

    def __init__(self, rows, labels):
        self.rows, self.labels = rows, labels

    @property
    def indices(self):
        return sorted({j for row in self.rows for j in row}, key=int)

    def lines(self):
        return [" ".join([y, *(f"{j}:{v!r}" for j, v in row.items())])
                for row, y in zip(self.rows, self.labels)]

    def text(self):
        return "\n".join(self.lines()) + "\n"

    def dense(self):
        names = self.indices
        return Sample(names, [[row.get(j, 0) for j in names] for row in self.rows], self.labels)

    def records(self):
        """A sample whose single cell is the row, and the view that reads it."""
        return Sample(["row"], [[row] for row in self.rows], self.labels)


def view(row):
    return Counter(row[0])


def counts(seed, n=80, d=12, first=1):
    rng = random.Random(seed)
    rows, labels = [], []
    for _ in range(n):
        k = rng.randrange(2)
        row = {str(first + j): rng.randrange(1, 4) for j in range(d)
               if rng.random() < (0.2 + 0.04 * j if k else 0.6 - 0.04 * j)}
        rows.append(row)
        labels.append(str(k))
    return Sparse(rows, labels)


def numbers(seed, n=120, d=4):
    rng = random.Random(seed)
    rows, labels = [], []
    for _ in range(n):
        k = rng.randrange(2)
        shared = rng.gauss(0, 1)
        rows.append({str(j + 1): round(rng.gauss(k * (1 + j), 1 + 0.3 * j * k) + 0.4 * shared, 4)
                     for j in range(d) if rng.random() < 0.8})
        labels.append(str(k))
    return Sparse(rows, labels)


class SvmTest(DiscreteTest):
    def sparse_file(self, sparse, name="d.svm"):
        return self.write(name, sparse.text() if isinstance(sparse, Sparse) else sparse)

    def assert_same_as(self, text, plain, *options, model="multinomial", name="odd.svm"):
        """This way to write a file is as good as the plain one."""
        first = self.fit(self.write(name, text), "--model", model, *options, name="odd.json")
        second = self.fit(self.sparse_file(plain), "--model", model, name="plain.json")
        data = self.folder / "d.svm"
        self.assert_same_answers(first, second, data, tolerance=1e-12)
        self.assert_rows_close(self.joint(second, self.folder / name), self.joint(second, data),
                               1e-12)


class Models(SvmTest):
    def test_multinomial_and_bernoulli(self):
        for first in (0, 1, 1000):
            sparse = counts(seed=1, first=first)
            data, sample = self.sparse_file(sparse), sparse.records()
            for name, block in (("multinomial", Multinomial), ("bernoulli", Presence)):
                for s in (1.0, 0.5, 0.0):
                    with self.subTest(first=first, model=name, smoothing=s):
                        expected = Model(sample, block(sample, view, s))
                        model = self.fit(data, "--model", name, "--smoothing", s)
                        self.assert_rows_close(self.joint(model, data), [
                            expected.log_joint(row) for row in sample.rows], 1e-9)

    def test_complement(self):
        sparse = counts(seed=2)
        sample = sparse.records()
        expected = Complement(sample, view)
        data = self.sparse_file(sparse)
        model = self.fit(data, "--model", "complement")
        self.assert_rows_close(self.proba(model, data),
                               [expected.posterior(row) for row in sample.rows], 1e-9)

    def test_bernoulli_asks_only_whether_an_entry_is_there(self):
        sparse = numbers(seed=3)
        ones = Sparse([dict.fromkeys(row, 1) for row in sparse.rows], sparse.labels)
        data = self.sparse_file(sparse)
        self.assert_same_answers(
            self.fit(data, "--model", "bernoulli", name="a.json"),
            self.fit(self.sparse_file(ones, "ones.svm"), "--model", "bernoulli", name="b.json"),
            data, tolerance=0)

    def test_gaussians_see_zeros(self):
        for name in (*SPARSE_GAUSSIANS, *FULL_GAUSSIANS):
            with self.subTest(model=name):
                sparse = numbers(seed=4)
                dense = sparse.dense()
                expected = formulas.estimate(dense, name)
                data = self.sparse_file(sparse)
                options = ("--alpha", 0.5, "--gamma", 0) if name == "rda" else ()
                model = self.fit(data, "--model", name, *options)
                self.assert_rows_close(self.joint(model, data), [
                    formulas.log_joint(expected, x) for x in dense.rows], 1e-9)

    def test_gaussians_far_from_zero(self):
        """Entries at 1e8 beside zeros, and a column without any zero."""
        rng = random.Random(5)
        rows = [{"1": 1e8 + rng.gauss(i % 2, 1), **({"2": rng.gauss(3, 1)} if i % 3 else {})}
                for i in range(60)]
        sparse = Sparse(rows, [str(i % 2) for i in range(60)])
        dense, data = sparse.dense(), self.sparse_file(sparse)
        expected = formulas.estimate(dense, "gnb")
        self.assert_rows_close(self.joint(self.fit(data, "--model", "gnb"), data),
                               [formulas.log_joint(expected, x) for x in dense.rows], 1e-6)

    def test_wide_files_are_not_made_dense(self):
        """Two million columns, thirty thousand entries."""
        rng = random.Random(6)
        rows = [{str(j): 1 for j in sorted(rng.sample(range(1, 2_000_000), 30))} | {
            str(3_000_000 + i % 2): rng.choice((2, 3))} for i in range(1000)]
        sparse = Sparse(rows, [str(i % 2) for i in range(1000)])
        data = self.sparse_file(sparse)
        for name in ("bernoulli", "multinomial", "complement", "gnb", "dlda"):
            with self.subTest(model=name):
                model = self.fit(data, "--model", name, name="m.cbor")
                self.assertEqual(self.errors(model, data), 0)

    def test_full_covariances_of_many_columns_are_refused(self):
        rows = [{str(j): 1} for j in range(1, 60_001)]
        sparse = Sparse(rows, ["ab"[i % 2] for i in range(60_000)])
        message = self.refused("fit", self.sparse_file(sparse), "--model", "lda", status=1)
        self.assertIn("60000", message.replace(",", "").replace("'", ""))

    def test_a_model_of_sparse_rows_takes_a_table(self):
        sparse = counts(seed=7)
        sample, data = sparse.dense(), self.sparse_file(sparse)
        table = self.write("t.csv", csv_text([*reversed(sample.names), "extra"], [
            [*reversed(row), "?"] for row in sample.rows]))
        for name in ("bernoulli", "multinomial", "complement", "gnb", "lda"):
            with self.subTest(model=name):
                model = self.fit(data, "--model", name)
                self.assert_rows_close(self.proba(model, table), self.proba(model, data), 1e-12)
                self.assertEqual(self.labels(model, table), self.labels(model, data))

    def test_features_are_named_by_their_index(self):
        sparse = counts(seed=8, first=0)
        data = self.sparse_file(sparse)
        for name in ("multinomial", "bernoulli"):
            with self.subTest(model=name):
                found = self.block(self.fit(data, "--model", name), name)
                self.assertEqual(sorted(found["terms"]), sorted(sparse.indices))
                self.assertNotIn("text", found)
        self.assertEqual(sorted(self.ok_json("inspect", self.fit(data, "--model", "gnb"))
                                ["features"]), sorted(sparse.indices))

    def test_unknown_indices_at_prediction_are_ignored(self):
        sparse = counts(seed=9)
        data = self.sparse_file(sparse)
        more = self.write("more.svm", "".join(f"{line} 777:3\n" for line in sparse.lines()))
        for name in ("bernoulli", "multinomial", "complement", "gnb"):
            with self.subTest(model=name):
                model = self.fit(data, "--model", name)
                self.assertEqual(self.ok("predict", model, more, "--proba").out,
                                 self.ok("predict", model, data, "--proba").out)

    def test_statistics_add_up(self):
        """Shards that know different indices and classes."""
        sparse = counts(seed=10)
        order = sorted(range(80), key=lambda i: (sparse.labels[i], len(sparse.rows[i])))
        data = self.sparse_file(sparse)
        for name in ("bernoulli", "multinomial", "complement", "gnb"):
            with self.subTest(model=name):
                shards = []
                for i, part in enumerate((order[:12], order[12:70], order[70:])):
                    shard = self.write(f"{i}.svm", Sparse([sparse.rows[j] for j in part], [
                        sparse.labels[j] for j in part]).text())
                    shards.append(self.folder / f"{i}.stats")
                    self.ok("stats", shard, "-o", shards[-1], "--model", name)
                merged, rest = self.folder / "m.stats", self.folder / "rest.stats"
                said = self.ok("merge", *shards, "-o", merged).err
                self.assertRegex(said, r"statistics of 80 rows: [1-9]\d* columns")
                again = self.fit(merged, "--model", name, name="again.json")
                whole = self.fit(data, "--model", name, name="whole.json")
                self.assert_same_answers(again, whole, data, joint=name != "complement",
                                         tolerance=1e-10)
                self.ok("forget", merged, self.folder / "2.svm", "-o", rest)
                self.ok("fit", rest, "--model", name, "-o", self.folder / "rest.json")

    def test_statistics_keep_no_full_scatter(self):
        data = self.sparse_file(counts(seed=10))
        self.refused("stats", data, "--model", "lda", "-o", self.folder / "a.stats", status=2,
                     mentions=("--model lda needs full scatter matrices, which statistics of an svmlight "
                               "file do not keep", "fit the file itself"))
        self.ok("stats", data, "-o", self.folder / "a.stats")
        self.refused("fit", self.folder / "a.stats", "--model", "qda",
                     mentions=("the statistics contain only variances", "fit the rows themselves"))

    def test_same_bits(self):
        sparse = counts(seed=11, n=20_000)
        data = self.sparse_file(sparse)
        packed = self.write("d.svm.gz", gzip.compress(sparse.text().encode(), 1))
        other = self.sparse_file(sparse, "d.libsvm")
        for name in ("bernoulli", "multinomial", "complement", "gnb"):
            with self.subTest(model=name):
                one = self.fit(data, "--model", name, "--threads", 1, name="1.json")
                for source, threads in ((data, 8), (packed, 2), (other, 2)):
                    again = self.fit(source, "--model", name, "--threads", threads,
                                     name="again.json")
                    self.assertEqual(again.read_bytes(), one.read_bytes())
                self.assertEqual(len({self.ok("predict", one, source, "--proba", "--threads",
                                              threads).out
                                      for source, threads in ((data, 1), (data, 8), (packed, 8))}),
                                 1)


class Figures(SvmTest):
    def test_show_numbers_of_a_sparse_matrix(self):
        rng = random.Random(3)
        lines = []
        for i in range(40):
            cells = [f"{j}:{rng.gauss(i % 2, 1):.3f}" for j in range(1, 5) if rng.random() < 0.8]
            lines.append(" ".join([str(i % 2), *cells]))
        data = self.write("n.svm", "\n".join(lines) + "\n")
        model = self.fit(data)
        for kind in ("regions", "density", "posterior", "predictions", "pairs"):
            self.ok("plot", kind, model, data, "-o", self.folder / "f.svg")
        self.ok("plot", "scatter", data, "-o", self.folder / "f.svg")


class OddForms(SvmTest):
    def setUp(self):
        super().setUp()
        self.plain = counts(seed=20)
        self.lines = self.plain.lines()

    def changed(self, change):
        return "".join(f"{change(i, line)}\n" for i, line in enumerate(self.lines))

    def test_comments(self):
        self.assert_same_as(self.changed(lambda i, line: f"{line} # row {i} 3:1 x:y"), self.plain)
        self.assert_same_as("# written by hand\n#\n" + self.changed(
            lambda i, line: f"{line}\n# after {i}" if i % 9 == 0 else line), self.plain)

    def test_blanks_and_line_ends(self):
        self.assert_same_as(self.changed(lambda i, line: line + "  "), self.plain)
        self.assert_same_as(self.changed(lambda i, line: line.replace(" ", "  ")), self.plain)
        self.assert_same_as(self.changed(lambda i, line: line.replace(" ", "\t")), self.plain)
        self.assert_same_as(self.plain.text().replace("\n", "\r\n"), self.plain)
        self.assert_same_as(self.plain.text().rstrip("\n"), self.plain)
        self.assert_same_as(self.plain.text().replace("\n", "\n\n"), self.plain)

    def test_unsorted_indices(self):
        rng = random.Random(21)

        def shuffled(_, line):
            label, *entries = line.split()
            rng.shuffle(entries)
            return " ".join([label, *entries])
        self.assert_same_as(self.changed(shuffled), self.plain)

    def test_query_ids_are_ignored_with_a_warning(self):
        text = self.changed(lambda i, line: line.replace(" ", f" qid:{i // 5} ", 1)
                            if " " in line else f"{line} qid:{i // 5}")
        self.assert_same_as(text, self.plain)
        result = self.ok("fit", self.folder / "odd.svm", "--model", "multinomial", "-o",
                         self.folder / "m.json")
        self.assertRegex(result.err, "warning.*qid")
        self.assertLess(len(result.err.splitlines()), 10, "one warning, not one a row")

    def test_ways_to_write_numbers(self):
        self.assert_same_as(self.changed(lambda i, line: line.replace(":1", ":1.0")
                                         .replace(":2", ":2e0").replace(":3", ":+3")), self.plain)

    def test_entries_of_zero(self):
        """Written or left out, a zero is a zero."""
        text = self.changed(lambda i, line: line + "".join(
            f" {j}:0" for j in self.plain.indices if j not in self.plain.rows[i]))
        self.assert_same_as(text, self.plain)
        self.assert_same_as(text, self.plain, model="bernoulli")
        self.assert_same_as(text, self.plain, model="gnb")

    def test_rows_without_entries(self):
        rows = [*self.plain.rows, {}, {}]
        sparse = Sparse(rows, [*self.plain.labels, "0", "1"])
        sample, data = sparse.records(), self.sparse_file(sparse)
        expected = Model(sample, Presence(sample, view))
        self.assert_rows_close(self.joint(self.fit(data, "--model", "bernoulli"), data),
                               [expected.log_joint(row) for row in sample.rows], 1e-9)

    def test_labels(self):
        for names in (("-1", "+1"), ("spam", "ham"), ("3", "10"), ("0.5", "1.5")):
            with self.subTest(names=names):
                sparse = Sparse(self.plain.rows, [names[int(y)] for y in self.plain.labels])
                data = self.sparse_file(sparse)
                model = self.fit(data, "--model", "multinomial")
                self.assertEqual({k["name"].lstrip("+") for k in
                                  self.ok_json("inspect", model)["classes"]},
                                 {name.lstrip("+") for name in names})
                self.assertEqual(self.ok_json("evaluate", model, data)["rows"], 80)


class Refused(SvmTest):
    def refuse(self, line, *mentions, model="multinomial"):
        """A file whose fifth line is this one."""
        lines = counts(seed=30).lines()
        lines[4] = line
        data = self.write("bad.svm", "\n".join(lines) + "\n")
        never = self.folder / "never.json"
        self.refused("fit", data, "--model", model, "-o", never, status=1,
                     mentions=("bad.svm:5", *mentions))
        self.assertFalse(never.exists())

    def test_an_index_twice(self):
        self.refuse("1 3:1 5:2 3:4", "3")
        self.refuse("1 3:1 3:1", "3")

    def test_bad_tokens(self):
        for token, shown in (("4", "'4'"), ("x:1", "'x'"), ("4:", "feature 4"), (":1", "index ''"),
                             ("4:x", "'x'"), ("4:1:2", "'1:2'"), ("-2:1", "'-2'"),
                             ("4:1x", "'1x'"), ("4=1", "'4=1'"), ("4,1", "'4,1'"),
                             ("1.5:1", "'1.5'")):
            with self.subTest(token=token):
                self.refuse(f"1 {token} 11:1", shown)

    def test_numbers_that_are_none(self):
        for value in ("inf", "-inf", "1e999"):
            with self.subTest(value=value):
                self.refuse(f"1 4:{value}", model="gnb")

    def test_counts_must_be_whole(self):
        for model in ("multinomial", "complement"):
            for value in ("-1", "0.5"):
                with self.subTest(model=model, value=value):
                    self.refuse(f"1 4:{value}", value, model=model)

    def test_numbers_that_are_too_large(self):
        data = self.write("t.svm", "1 1:1e308 2:3\n1 1:1e308\n2 1:9e307 2:1\n2 2:7\n")
        for model in ("multinomial", "complement"):
            self.refused("fit", data, "--model", model, status=1, mentions=(
                f"{data}:1: feature 1 is 1e308, which is too large for a count", "a larger unit"))
        for model in ("lda", "gnb", "logistic"):
            self.refused("fit", data, "--model", model, status=1, mentions=(
                "the values of '1' are too large to be squared", "a larger unit"))

    def test_counts_are_checked_by_every_verb_that_reads_rows(self):
        model = self.fit(self.write("c.svm", counts(seed=33).text()), "--model", "multinomial")
        broken = self.write("broken.svm", "1 4:0.5\n")
        for verb in ("predict", "evaluate", "score"):
            with self.subTest(verb=verb):
                self.refused(verb, model, broken, status=1, mentions=("broken.svm:1", "0.5"))

    def test_empty_files(self):
        for text in ("", "\n\n", "# only words\n"):
            with self.subTest(text=text):
                self.refused("fit", self.write("e.svm", text), "--model", "bernoulli", status=1,
                             mentions=("e.svm",))

    def test_the_first_error_is_told_by_any_number_of_threads(self):
        lines = counts(seed=31, n=30_000).lines()
        for i in (14_999, 22_000, 29_000):
            lines[i] = "1 oops"
        data = self.write("bad.svm", "\n".join(lines) + "\n")
        for threads in (1, 2, 8, 8):
            self.refused("fit", data, "--model", "bernoulli", "--threads", threads, status=1,
                         mentions=("bad.svm:15000", "'oops'"))

    def test_damaged_gzip(self):
        whole = gzip.compress(counts(seed=32).text().encode())
        data = self.write("d.svm.gz", whole[:len(whole) // 2])
        self.refused("fit", data, "--model", "bernoulli", status=1, mentions=("d.svm.gz",))


class Agaricus(SvmTest):
    def test_errors(self):
        """scikit-learn 1.2.1, BernoulliNB with smoothing 1."""
        train, test = reference_file("agaricus_train.svm"), reference_file("agaricus_test.svm")
        found = self.ok_json("evaluate", self.fit(train, "--model", "bernoulli"), test)
        self.assertEqual((found["errors"], found["rows"]), (116, 1611))


if __name__ == "__main__":
    unittest.main()
