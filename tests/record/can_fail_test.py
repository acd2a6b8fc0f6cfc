"""The comparison notices what it must: a number, a text or a row that changed, bytes, threads."""

import contextlib
import io
import json
import os
import pathlib
import sys
import tempfile
import unittest
from unittest import mock

import outputs
import record_test

CASE = "lenses.joint"


class Comparing(unittest.TestCase):
    """Compares one case with a record of its own."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="genera_record_")
        self.addCleanup(folder.cleanup)
        self.answers = pathlib.Path(folder.name)
        self.path = self.answers / f"{CASE}.json"
        self.record = json.loads((record_test.HERE / "answers" / f"{CASE}.json").read_text())

    def outcome(self, *options):
        """Exit status and report of a comparison with the record as it is now."""
        self.path.write_text(json.dumps(self.record))
        words = ["record_test.py", "--answers", str(self.answers), *options, CASE]
        with mock.patch.object(sys, "argv", words), contextlib.redirect_stdout(io.StringIO()) as out:
            status = record_test.main()
        return status, out.getvalue()


class Perturbed(Comparing):
    """The record is changed before the comparison; the answers need to be had only once."""

    @classmethod
    def setUpClass(cls):
        case, = (case for case in record_test.CASES if case.name == CASE)
        texts = record_test.texts_of(case)
        patch = mock.patch.object(record_test, "texts_of", lambda _: texts)
        patch.start()
        cls.addClassCleanup(patch.stop)

    def test_the_record_itself_agrees(self):
        status, report = self.outcome()
        self.assertEqual(status, 0, report)

    def test_a_number(self):
        joint = self.record["predict"]["lists"]["logjoint(soft)"]["some"]
        joint[2] *= 1 + 1e-14
        self.assertEqual(self.outcome()[0], 0)
        joint[2] *= 1 + 1e-11
        status, report = self.outcome()
        self.assertEqual(status, 1)
        self.assertIn("predict: logjoint(soft), cell ", report)

    def test_a_number_of_a_row_that_is_not_kept(self):
        self.record["predict"]["lists"]["logjoint(soft)"]["total"] *= 1 + 1e-11
        status, report = self.outcome()
        self.assertEqual(status, 1)
        self.assertIn("logjoint(soft), total of all cells", report)

    def test_a_parameter(self):
        self.record["model"]["lists"]["classes[0].prior"][0] += 1e-11
        status, report = self.outcome()
        self.assertEqual(status, 1)
        self.assertIn("model: classes[0].prior, cell 0", report)

    def test_a_label(self):
        self.record["labels"]["lists"]["prediction"]["texts"] = "0" * 16
        status, report = self.outcome()
        self.assertEqual(status, 1)
        self.assertIn("labels: prediction: some of the 24 cells hold another text", report)

    def test_a_column_that_is_gone(self):
        self.record["predict"]["lists"]["logjoint(z)"] = [0.0]
        status, report = self.outcome()
        self.assertEqual(status, 1)
        self.assertIn("logjoint(z): is gone", report)

    def test_an_output_that_is_not_asked_for(self):
        self.record["other"] = self.record["predict"]
        status, report = self.outcome()
        self.assertEqual(status, 1)
        self.assertIn("other: is in the record", report)

    def test_an_output_without_a_record(self):
        del self.record["predict"]
        status, report = self.outcome()
        self.assertEqual(status, 1)
        self.assertIn("predict: is not in the record", report)

    def test_bytes_are_reported_and_fail_if_asked(self):
        self.record["score"]["bytes"] = "0" * 16
        status, report = self.outcome()
        self.assertEqual(status, 0)
        self.assertRegex(report, "other bytes in .*score")
        self.assertRegex(report, "[1-5] of 5 outputs no longer have the same bytes")
        self.assertEqual(self.outcome("--strict-bytes")[0], 1)

    def test_a_record_without_a_case(self):
        (self.answers / "nothing.json").write_text("{}")
        status, report = self.outcome()
        self.assertEqual(status, 1)
        self.assertIn("answers/nothing.json belongs to no case", report)

    def test_a_case_without_a_record(self):
        with mock.patch.object(pathlib.Path, "exists", lambda path: False):
            status, report = self.outcome()
        self.assertEqual(status, 1)
        self.assertIn("write it with --write " + CASE, report)


class Program(Comparing):
    """A program that is not right."""

    def with_program(self, script):
        path = self.answers / "genera"
        path.write_text("#!/bin/sh\n" + script)
        path.chmod(0o755)
        with mock.patch.dict(os.environ, {"GENERA": str(path)}):
            return self.outcome()

    def test_bytes_that_depend_on_the_threads(self):
        real = os.path.abspath(os.environ["GENERA"])
        status, report = self.with_program(f'''
          "{real}" "$@" || exit
          case "$1 $*" in predict*"--threads 3") echo more;; esac''')
        self.assertEqual(status, 1)
        self.assertIn("predict: 1 and 3 threads give different bytes", report)

    def test_a_failure(self):
        status, report = self.with_program("echo 'no such verb' >&2; exit 2")
        self.assertEqual(status, 1)
        self.assertIn("no such verb", report)


class Limits(unittest.TestCase):
    """How close is close, where terms cancel and where EM has not arrived."""

    def differs(self, lists_of, recorded, now):
        record = outputs.record_of(lists_of, recorded)
        return list(outputs.differences(lists_of, now, record))

    def test_log_densities_are_measured_by_the_largest_of_the_row(self):
        table = "logjoint(a),logjoint(b),p(a)\n{},-2000,0.5\n".format
        self.assertFalse(self.differs(outputs.answers, table("0.001"), table("0.001000001")))
        self.assertTrue(self.differs(outputs.answers, table("0.001"), table("0.00100001")))

    def test_small_probabilities_count(self):
        table = "logjoint(a),p(a)\n-50,{}\n".format
        self.assertFalse(self.differs(outputs.answers, table("1e-20"), table("1.00000000001e-20")))
        self.assertTrue(self.differs(outputs.answers, table("1e-20"), table("1.000000001e-20")))

    def test_infinities_and_empty_cells_are_texts(self):
        table = "logjoint(a),prediction\n{},{}\n".format
        self.assertTrue(self.differs(outputs.answers, table("-inf", "a"), table("-1e300", "a")))
        self.assertTrue(self.differs(outputs.answers, table("-inf", "a"), table("-inf", "")))

    def test_covariances_are_measured_by_deviations(self):
        model = '{{"covariance": [[4, {}], [0, 1e6]]}}'.format
        self.assertFalse(self.differs(outputs.document, model("0"), model("1e-9")))
        self.assertTrue(self.differs(outputs.document, model("0"), model("3e-9")))

    def test_swapped_rows_are_noticed(self):
        rows = [f"{x}" for x in range(20)]
        swapped = rows[:]
        swapped[1], swapped[2] = rows[2], rows[1]
        table = lambda cells: "x\n" + "\n".join(cells) + "\n"
        self.assertTrue(self.differs(outputs.data_rows, table(rows), table(swapped)))

    def test_notes_are_words(self):
        model = '{{"notes": ["{}"], "x": 1}}'.format
        self.assertEqual(outputs.bytes_of(model("a")), outputs.bytes_of(model("b")))
        self.assertFalse(self.differs(outputs.document, model("a"), model("b")))

    def test_em_may_stop_earlier_or_later_but_not_elsewhere(self):
        def run(count, limit=-100.0):
            steps = [limit - 0.5 ** i for i in range(count)]
            return json.dumps({"rows": 10, "log_likelihoods": steps})
        self.assertFalse(self.differs(outputs.em, run(15), run(30)))
        self.assertTrue(self.differs(outputs.em, run(15), run(15, -100.000001)))
        first = json.loads(run(15))
        first["log_likelihoods"][1] += 1e-7
        self.assertTrue(self.differs(outputs.em, run(15), json.dumps(first)))

    def test_mixtures_are_compared_by_likelihood(self):
        def run(log_likelihood):
            one = {"components": 2, "covariance": "qda", "log_likelihood": log_likelihood,
                   "parameters": 5, "bic": -2 * log_likelihood + 7}
            return json.dumps({"best": one, "candidates": [one]})
        lists_of = outputs.clustering(100)
        self.assertFalse(self.differs(lists_of, run(-50.0), run(-50.0000005)))
        self.assertTrue(self.differs(lists_of, run(-50.0), run(-50.000002)))


if __name__ == "__main__":
    unittest.main()
