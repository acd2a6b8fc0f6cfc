"""The mirror check accepts a tree whose tests mirror src/ and refuses any other."""

import pathlib
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "scripts"))
import check_mirror
from check_mirror import MIN_LINES, Covered


class CheckMirror(unittest.TestCase):
    def problems_of(self, lines_by_file, covered=()):
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            for name, lines in lines_by_file.items():
                path = root / name
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text("x\n" * lines)
            return check_mirror.problems(root, covered)

    def test_accepts_tests_of_a_source_a_header_a_folder_and_a_public_header(self):
        files = {
            "src/a/b.cpp": MIN_LINES,
            "src/a/c/d.hpp": 1,
            "src/a/c/e.cpp": MIN_LINES,
            "include/genera/p.hpp": 1,
            "tests/a/b_test.cpp": 1,
            "tests/a/b_with_aspect_test.cpp": 1,
            "tests/a/c/d_test.cpp": 1,
            "tests/a/c_test.cpp": 1,
            "tests/a/p_test.cpp": 1,
            "tests/laws/anything_test.cpp": 1,
        }
        self.assertEqual(self.problems_of(files), [])

    def test_refuses_a_test_of_nothing(self):
        self.assertEqual(
            self.problems_of({"src/a/b.cpp": 1, "tests/a/c/b_test.cpp": 1, "tests/a/ab_test.cpp": 1}),
            [
                "tests/a/ab_test.cpp: there is no such file or folder in src/",
                "tests/a/c/b_test.cpp: there is no such file or folder in src/",
            ],
        )

    def test_refuses_a_large_source_without_a_test(self):
        self.assertEqual(
            self.problems_of({"src/a/b.cpp": MIN_LINES, "src/a/c.cpp": MIN_LINES - 1}),
            [f"src/a/b.cpp: {MIN_LINES} lines without a test; add tests/a/b_test.cpp"],
        )

    def test_a_test_of_the_folder_does_not_cover_its_folders(self):
        files = {"src/a/b/c/d.cpp": MIN_LINES, "tests/a/b_test.cpp": 1}
        self.assertEqual(
            self.problems_of(files),
            [f"src/a/b/c/d.cpp: {MIN_LINES} lines without a test; add tests/a/b/c/d_test.cpp"],
        )

    def test_the_list_covers_sources_and_names_files_that_exist(self):
        files = {"src/a/b.cpp": MIN_LINES, "src/a/c.cpp": 1, "tests/a/c_test.cpp": 1}
        self.assertEqual(self.problems_of(files, [Covered("a/c_test", "a", "b", "reason")]), [])
        self.assertEqual(
            self.problems_of(files, [Covered("a/x_test", "a", "b y", "reason")]),
            ["src/a/y.cpp: listed in COVERED, but not there", "tests/a/x_test.cpp: listed in COVERED, but not there"],
        )


if __name__ == "__main__":
    unittest.main()
