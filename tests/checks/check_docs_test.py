"""The docs check accepts true quotations and links and refuses others."""

import pathlib
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "scripts"))
import check_docs

SOURCE = "int main() {\n  // [part]\n  one();\n    two();\n  // [part]\n}\n"


def page(block, name="a.cpp#part"):
    return f"Text\n\n<!-- quote: {name} -->\n```cpp\n{block}```\n"


class CheckDocs(unittest.TestCase):
    def problems_of(self, text):
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            (root / "a.cpp").write_text(SOURCE)
            (root / "page.md").write_text(text)
            return check_docs.problems(root)

    def test_accepts_a_true_quotation(self):
        self.assertEqual(self.problems_of(page("one();\n  two();\n")), [])
        self.assertEqual(self.problems_of(page(SOURCE, "a.cpp")), [])

    def test_refuses_a_quotation_that_drifted(self):
        self.assertEqual(self.problems_of(page("one();\n  three();\n")),
                         ["page.md: the quotation of a.cpp#part differs from its source"])

    def test_refuses_an_unknown_source_and_an_unknown_mark(self):
        self.assertEqual(self.problems_of(page("x\n", "b.cpp#part")),
                         ["page.md: quotes b.cpp, which does not exist"])
        self.assertEqual(len(self.problems_of(page("x\n", "a.cpp#other"))), 1)

    def test_refuses_a_dead_link(self):
        self.assertEqual(self.problems_of("see [there](gone.md) and [here](a.cpp)"),
                         ["page.md: links to gone.md, which does not exist"])

    def test_refuses_a_link_to_a_heading_that_is_not_there(self):
        page = "# New rows, filled holes\n\n## 7. Why `so`?\n\n[a](#7-why-so) [b](page.md#new-rows-filled-holes) "
        self.assertEqual(self.problems_of(page), [])
        self.assertEqual(self.problems_of(page + "[c](#7-why) [d](page.md#rows)"),
                         ["page.md: links to #7-why, a heading that does not exist",
                          "page.md: links to page.md#rows, a heading that does not exist"])

    def test_takes_no_comment_in_code_for_a_heading(self):
        self.assertEqual(self.problems_of("```sh\n# build\n```\n[a](#build)"),
                         ["page.md: links to #build, a heading that does not exist"])


if __name__ == "__main__":
    unittest.main()
