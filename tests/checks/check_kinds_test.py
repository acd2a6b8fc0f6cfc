"""The check of the kinds accepts generic code and refuses each way of asking what a block is."""

import pathlib
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "scripts"))
import check_kinds

LISTS = {
    "include/genera/blocks.hpp": "using Block = std::variant<GaussianBlock,\n    CountBlock>;\n",
    "src/blocks/kinds.hpp": "using AllKinds = Kinds<GaussianKind, CountsKind>;\n",
    "include/genera/linear.hpp": "using LinearFeatures = std::variant<NumberFeatures,\n    TermFeatures>;\n",
}
ADVICE = "what a kind does is in src/blocks/"


class CheckKinds(unittest.TestCase):
    def problems_of(self, files, exceptions=()):
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            for name, text in files.items():
                path = root / name
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text)
            return check_kinds.problems(root, exceptions)

    def refuses(self, name, text, *found):
        self.assertEqual(
            self.problems_of(LISTS | {name: text}), [f"{name}:{what}; {ADVICE}" for what in found]
        )

    def test_accepts_generic_code_and_the_kinds_themselves(self):
        files = {
            "src/score/a.cpp": '#include "blocks/kinds.hpp"\n'
            "// once a CountBlock\n/* or a\nGaussianBlock */\n"
            "visit(block, [](auto kind, const auto& b) { return kind.f(b); });\n"
            "std::get<0>(cells); MyCountBlocks x;\n",
            "src/blocks/counts/a.cpp": '#include "blocks/counts/b.hpp"\nCountBlock b;\n',
            "tests/a.cpp": "std::get_if<CountBlock>(&block)\n",
        }
        self.assertEqual(self.problems_of(LISTS | files), [])

    def test_refuses_the_name_of_a_block(self):
        for folder in ("src/query/a.cpp", "src/io/b.hpp", "apps/cli/show/c.cpp"):
            self.refuses(folder, "// x\nstd::get_if<CountBlock>(&block);\n", "2: names CountBlock")
        self.refuses("src/a.cpp", 'f("//"); GaussianBlock::Linear x;\n', "1: names GaussianBlock")

    def test_refuses_the_name_of_a_kind_and_its_folder(self):
        self.refuses(
            "src/io/a.cpp",
            '#include "blocks/counts/kind.hpp"\nauto x = CountsKind::bind(b);\n',
            "1: includes blocks/counts/, the folder of a kind",
            "2: names CountsKind",
        )

    def test_refuses_alternatives_by_number(self):
        for asked in (
            "std::get<1>(block)",
            "std::get_if<0>(&block)",
            "block.index()",
            "std::get<0>(model.blocks()[0])",
            "model.blocks().front().index()",
        ):
            self.refuses("apps/a.cpp", asked, "1: asks for the number of an alternative")

    def test_lets_exceptions_pass_and_no_more(self):
        files = LISTS | {"src/fit/a.cpp": "CountBlock x;\nGaussianBlock y;\n"}
        whole = check_kinds.Allowed("src/fit/", "", "why")
        one = check_kinds.Allowed("src/fit/a.cpp", "CountBlock", "why")
        self.assertEqual(self.problems_of(files, [whole]), [])
        self.assertEqual(
            self.problems_of(files, [one]), [f"src/fit/a.cpp:2: names GaussianBlock; {ADVICE}"]
        )

    def test_refuses_an_exception_that_is_not_needed(self):
        self.assertEqual(
            self.problems_of(LISTS, [check_kinds.Allowed("src/fit/", "", "why")]),
            ["scripts/check_kinds.py: the exception of src/fit/ is not needed"],
        )

    def test_refuses_to_run_without_the_lists(self):
        self.assertEqual(len(self.problems_of({"src/a.cpp": ""})), 1)
        lists = {name: text for name, text in LISTS.items() if not name.endswith("linear.hpp")}
        self.assertEqual(len(self.problems_of(lists)), 1)

    def test_lets_nobody_ask_for_a_kind_of_features(self):
        asking = "std::get_if<NumberFeatures>(&part);\nstd::holds_alternative<const TermFeatures>(part);\n"
        makes = "parts.push_back(NumberFeatures{}); // std::get<TermFeatures>(part)\n"
        home = {"src/score/linear/features.cpp": asking, "src/fit/a.cpp": makes}
        self.assertEqual(self.problems_of(LISTS | home), [])
        self.assertEqual(
            self.problems_of(LISTS | {"src/score/describe.cpp": asking}),
            [
                f"src/score/describe.cpp:{line}: asks for {kind}; "
                "what it does is in src/score/linear/features.cpp"
                for line, kind in ((1, "NumberFeatures"), (2, "TermFeatures"))
            ],
        )


if __name__ == "__main__":
    unittest.main()
