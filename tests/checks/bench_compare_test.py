"""bench/compare.py on builds made of stubs: ratios, what is too slow, what the base does not know."""

import pathlib
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
COMPARE = ROOT / "bench" / "compare.py"
sys.path.insert(0, str(ROOT / "bench"))

import compare  # noqa: E402


class Compare(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def build(self, name, program, script):
        path = self.folder / name / "bin" / program
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"#!/bin/sh\n{script}\n")
        path.chmod(0o755)

    def compare(self, only, *options):
        return subprocess.run(
            [sys.executable, "-B", COMPARE, "--quick", "--rounds", "1", "--only", only, *options,
             "--builds", self.folder / "base", self.folder / "new"],
            capture_output=True, text=True, check=False)

    def missing(self, base, new):
        """Seconds that bench_missing says, with the job that it was asked for."""
        for name, seconds in (("base", base), ("new", new)):
            self.build(name, "bench_missing", f'echo "{{\\"job\\": \\"$1\\", \\"seconds\\": {seconds}}}"')

    def test_ratios(self):
        self.missing(0.3, 0.2)
        done = self.compare("semi-supervised: qda")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("| 0.3000 | 0.2000 | 1.50 |", done.stdout)

    def test_too_slow(self):
        self.missing(0.09, 0.1)
        done = self.compare("semi-supervised: qda")
        self.assertEqual(done.returncode, 1)
        self.assertIn("0.90 SLOWER", done.stdout)
        self.assertEqual(self.compare("semi-supervised: qda", "--limit", "0.85").returncode, 0)

    def test_a_job_that_the_base_does_not_know(self):
        self.missing(1, 1)
        for script in ('echo "an older one, for people"', "exit 1",
                       'echo "{\\"job\\": \\"another\\", \\"seconds\\": 1}"'):
            self.build("base", "bench_missing", script)
            done = self.compare("semi-supervised: qda")
            self.assertEqual(done.returncode, 0)
            self.assertIn("not in base", done.stdout)

    def test_a_job_that_fails_here(self):
        self.missing(1, 1)
        self.build("new", "bench_missing", "exit 1")
        done = self.compare("semi-supervised: qda")
        self.assertEqual(done.returncode, 1)
        self.assertIn("FAILED", done.stdout)

    def test_commands_are_timed_from_outside(self):
        self.build("base", "genera", "sleep 0.5")
        self.build("new", "genera", "true")
        done = self.compare("CSV to gnb")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertRegex(done.stdout, r"\| 0\.[5-9]\d+ \|")

    def test_needs_something_to_compare_with(self):
        done = subprocess.run([sys.executable, "-B", COMPARE], capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 2)
        self.assertIn("make bench-compare BASE=REV", done.stderr)


class Turns(unittest.TestCase):
    def test_sides_take_turns_and_the_best_counts(self):
        asked = []

        class Job:
            def seconds(self, binaries, _folder):
                asked.append(binaries)
                return 1 / len(asked)

        class Side:
            folder = None

            def __init__(self, binaries):
                self.binaries = binaries

        best = compare.timed(Job(), [Side("base"), Side("new")], 3)
        self.assertEqual(asked, ["base", "new"] * 3)
        self.assertEqual(best, [1 / 5, 1 / 6])


if __name__ == "__main__":
    unittest.main()
