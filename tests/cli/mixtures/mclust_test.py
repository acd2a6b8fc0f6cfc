"""cluster against the maxima that R's mclust finds (tests/reference/mixtures)."""

import csv
import unittest

from support import DATA, CliTest

REFERENCE = DATA.parent / "tests" / "reference" / "mixtures" / "mclust.csv"
SETS = {
    "iris": ("species", 4),
    "faithful_unlabelled": (None, 2),
    "crabs": ("group", 5),
    "wine": ("cultivar", 13),
    "diabetes_chemical": ("class", 3),
    "liver_bupa": ("selector", 6),
    "pima_train": ("diabetes", 7),
}
FLOOR = 1e-4
MISSED = 0.1  # at the most


STRUCTURES = {"qda": "full", "lda": "tied", "gnb": "diag", "spherical": "spherical"}


def rows_needed(structure, columns):
    return {"full": columns + 1, "tied": 0}.get(structure, 2)


class Mclust(CliTest):
    def test_is_nowhere_above(self):
        with open(REFERENCE, encoding="utf-8") as file:
            reference = list(csv.DictReader(file))
        compared = 0
        for name, (target, columns) in SETS.items():
            options = ["--target", target] if target else []
            said = self.ok_json("cluster", "@" + name, *options)
            ours = {(c["covariance"], c["components"]): c for c in said["candidates"]}
            self.assertEqual(len(ours), 36)
            for row in reference:
                structure = STRUCTURES[row["covariance"]]
                if row["data"] != name:
                    continue
                # What mclust found is a maximum for us, too, only if nothing of it collapsed.
                few = float(row["rows"]) < rows_needed(structure, columns)
                if few or float(row["spread"]) < FLOOR:
                    continue
                found = ours[structure, int(row["components"])]
                what = f"{name}, {row['components']} components, {structure}"
                self.assertFalse(found["on_floor"], what)
                least = float(row["log_likelihood"]) - MISSED
                self.assertGreater(found["log_likelihood"], least, what)
                compared += 1
        self.assertGreater(compared, 225)


if __name__ == "__main__":
    unittest.main()
