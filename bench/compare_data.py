"""Data for compare.py, made by the standard library: a few thousand rows are drawn and repeated."""
import array
import random
from typing import NamedTuple

DRAWN = 4000  # rows


class Size(NamedTuple):
    arrays: tuple  # rows, columns, classes
    discrete: int  # rows, as all below
    table: int
    em: int
    mixture: int
    repeats: int     # of a job within a process: the best counts
    iterations: int  # of EM


FULL = Size((200_000, 50, 10), 200_000, 200_000, 50_000, 100_000, 3, 4)
QUICK = Size((8_000, 20, 5), 8_000, 8_000, 2_000, 4_000, 2, 2)


class Data:
    """Files in a folder; each method returns the path of what it wrote."""

    def __init__(self, folder):
        self.folder = folder
        self.rng = random.Random(1)

    def _write(self, path, kind, block, times):
        path.parent.mkdir(exist_ok=True)
        with open(path, "wb") as file:
            for _ in range(times):
                array.array(kind, block).tofile(file)
        return path

    def _times(self, rows):
        if rows % DRAWN and rows > DRAWN:
            raise ValueError(f"{rows} rows are not a multiple of {DRAWN}")
        return max(1, rows // DRAWN), min(rows, DRAWN)

    def _labels(self, folder, rows, classes):
        times, drawn = self._times(rows)
        return self._write(folder / "labels.bin", "i", [i % classes for i in range(drawn)], times)

    def _numbers(self, rows, columns, classes):
        """Correlated columns, the mean of which depends on the class."""
        values = []
        for i in range(rows):
            common = self.rng.gauss(0, 1)
            values.extend(self.rng.gauss(0, 1) + 0.7 * common + 1.5 * (j % classes == i % classes)
                          for j in range(columns))
        return values

    def arrays(self, rows, columns, classes):
        times, drawn = self._times(rows)
        path = self._write(self.folder / "arrays" / "x.bin", "d", self._numbers(drawn, columns, classes), times)
        return path, self._labels(self.folder / "arrays", rows, classes)

    def mixture(self, rows, columns):
        times, drawn = self._times(rows)
        return self._write(self.folder / "mixture" / "x.bin", "d", self._numbers(drawn, columns, 8), times)

    def levels(self, rows, columns=40):
        """Two-valued codes, which serve as categories too."""
        times, drawn = self._times(rows)
        codes = [int(self.rng.random() < (0.2 if (i + j) % 4 else 0.6))
                 for i in range(drawn) for j in range(columns)]
        self._write(self.folder / "levels" / "codes.bin", "i", codes, times)
        self._labels(self.folder / "levels", rows, 4)
        return self.folder / "levels"

    def counts(self, rows, columns=40):
        times, drawn = self._times(rows)
        values = [float(int(self.rng.random() * (2 if (i + j) % 4 else 6)))
                  for i in range(drawn) for j in range(columns)]
        self._write(self.folder / "counts" / "counts.bin", "d", values, times)
        self._labels(self.folder / "counts", rows, 4)
        return self.folder / "counts"

    def sparse(self, rows, columns=5000, entries=30):
        """Rows of so many different terms each, frequent ones more often."""
        folder = self.folder / "sparse"
        times, drawn = self._times(rows)
        places = []
        for _ in range(drawn):
            row = set()
            while len(row) < entries:
                row.add(int(columns * self.rng.random() ** 2))
            places.extend(sorted(row))
        self._write(folder / "places.bin", "i", places, times)
        self._write(folder / "values.bin", "d", [1.0 + i % 3 for i in range(len(places))], times)
        self._write(folder / "begins.bin", "q", range(0, rows * entries + 1, entries), 1)
        self._labels(folder, rows, 4)
        return folder

    def texts(self, rows):
        path = self.folder / "texts.csv"
        words = [f"word{i}" for i in range(3000)]
        times, drawn = self._times(rows)
        lines = [f"kind{i % 4}," + " ".join(words[int(3000 * self.rng.random() ** (1 + i % 4))] for _ in range(60))
                 for i in range(drawn)]
        path.write_text("label,text\n" + ("\n".join(lines) + "\n") * times, encoding="utf-8")
        return path

    def table(self, rows, columns=20):
        path = self.folder / "table.csv"
        times, drawn = self._times(rows)
        values = self._numbers(drawn, columns, 5)
        lines = [",".join(f"{x:.6g}" for x in values[i * columns:(i + 1) * columns]) + f",class_{i % 5}"
                 for i in range(drawn)]
        header = ",".join(f"x{j}" for j in range(columns)) + ",label\n"
        path.write_text(header + ("\n".join(lines) + "\n") * times, encoding="utf-8")
        return path
