"""What is kept of an output, and how an output of today is compared with it.

An output becomes named lists of cells: the columns of a CSV, the innermost lists (and the single
values) of a JSON document. Each number comes with the absolute difference that is allowed.
"""

import csv
import hashlib
import io
import json
import math
import re
from typing import NamedTuple

TOLERANCE = 1e-12
NUMBER = re.compile(r"[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?")
COLUMN_CELLS = 6  # cells kept of a column of a CSV
LIST_CELLS = 13   # cells kept of a list of a JSON document


class Cell(NamedTuple):
    value: object         # a finite number, or a text
    allowed: float = 0.0  # absolute difference


class CellList(NamedTuple):
    cells: list
    most: int  # cells kept


def is_number(value):
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def cell_of(text):
    """A finite number or else the text itself: an empty cell and infinities are texts."""
    return float(text) if NUMBER.fullmatch(text) else text


def largest(values):
    return max((abs(v) for v in values if is_number(v)), default=0.0)


# Tables -----------------------------------------------------------------------------------------

def columns_of(text):
    header, *rows = csv.reader(io.StringIO(text, newline=""))
    assert len(set(header)) == len(header), header
    return header, [[cell_of(cell) for cell in row] for row in rows]


def answers(text):
    """Log densities, distances and evidence are sums whose terms cancel, of the size of the largest
    number in the row: that is their scale, or 1 nat if it is less. Probabilities are exponentials of
    such sums, so what is absolute there is relative here."""
    header, rows = columns_of(text)
    probable = [name.startswith("p(") or name == "tail" for name in header]
    lists = {name: [] for name in header}
    for row in rows:
        scale = max(1.0, largest(row))
        for name, cell, probability in zip(header, row, probable):
            size = abs(cell) * scale if probability and is_number(cell) else scale
            lists[name].append(Cell(cell, TOLERANCE * size))
    return {name: CellList(cells, COLUMN_CELLS) for name, cells in lists.items()}


def data_rows(text):
    """Rows drawn or filled in: each column has its unit, and its largest number is the scale."""
    header, rows = columns_of(text)
    lists = {}
    for j, name in enumerate(header):
        column = [row[j] for row in rows]
        allowed = TOLERANCE * largest(column)
        lists[name] = CellList([Cell(cell, allowed) for cell in column], COLUMN_CELLS)
    return lists


# Documents --------------------------------------------------------------------------------------

# Words for people, which may change, and the digits that rounding a mean left, which are compared
# as bytes only.
WORDS, LEFT_OVER = {"notes"}, {"mean_low"}


def without(document, keys):
    if isinstance(document, dict):
        return {key: without(value, keys) for key, value in document.items() if key not in keys}
    return [without(v, keys) for v in document] if isinstance(document, list) else document


def is_list_of_numbers(value):
    return isinstance(value, list) and bool(value) and all(map(is_number, value))


def is_matrix(value):
    """Square, or the lower triangle of a square."""
    return (isinstance(value, list) and bool(value) and all(map(is_list_of_numbers, value)) and
            [len(row) for row in value] in ([len(value)] * len(value),
                                            list(range(1, len(value) + 1))))


def scales_of(numbers):
    """Numbers of one sign are sums without cancellation: each is its own scale. Otherwise it is the
    largest of the list."""
    if min(numbers) >= 0:
        return [abs(x) for x in numbers]
    return [largest(numbers)] * len(numbers)


def add_covariance(path, matrix, lists):
    """An entry is a sum of products of deviations: its scale is sqrt(s_ii s_jj)."""
    deviations = [math.sqrt(abs(row[i])) for i, row in enumerate(matrix)]
    for i, row in enumerate(matrix):
        cells = [Cell(x, TOLERANCE * deviations[i] * deviations[j]) for j, x in enumerate(row)]
        lists[f"{path}[{i}]"] = CellList(cells, LIST_CELLS)


def add_lists(path, value, lists):
    key = path.rpartition(".")[2].partition("[")[0]
    if isinstance(value, dict):
        for name, item in value.items():
            add_lists(f"{path}.{name}" if path else name, item, lists)
    elif key in ("covariance", "covariances", "scatter") and is_matrix(value):
        add_covariance(path, value, lists)
    elif is_list_of_numbers(value):
        cells = [Cell(x, TOLERANCE * scale) for x, scale in zip(value, scales_of(value))]
        lists[path] = CellList(cells, LIST_CELLS)
    elif isinstance(value, list) and any(isinstance(item, (dict, list)) for item in value):
        for i, item in enumerate(value):
            add_lists(f"{path}[{i}]", item, lists)
    elif isinstance(value, list):
        lists[path] = CellList([Cell(item) for item in value], LIST_CELLS)
    else:  # a score, a log-odds: differences of sums of the size of 1
        allowed = TOLERANCE * max(1.0, abs(value)) if is_number(value) else 0.0
        lists[path] = CellList([Cell(value, allowed)], LIST_CELLS)


def parsed(text):
    """One JSON document, or one on each line."""
    try:
        return json.loads(text, parse_int=float)
    except json.JSONDecodeError:
        return [json.loads(line, parse_int=float) for line in text.splitlines()]


def document(text):
    lists = {}
    add_lists("", without(parsed(text), WORDS | LEFT_OVER), lists)
    return lists


# What iterates ----------------------------------------------------------------------------------

PER_ROW = 1e-8     # a log-likelihood at the end, divided by the rows
FIRST_STEPS = 1e-10  # the first log-likelihoods of EM, relative


def single(value, allowed=0.0):
    return CellList([Cell(value, allowed)], LIST_CELLS)


def candidate(values, rows, prefix=""):
    """A mixture is compared by what it reached, not by where its components are."""
    kept = {prefix + key: single(values[key])
            for key in ("components", "covariance", "parameters") if key in values}
    kept[prefix + "log_likelihood"] = single(values["log_likelihood"], PER_ROW * rows)
    if "bic" in values:
        kept[prefix + "bic"] = single(values["bic"], 2 * PER_ROW * rows)
    return kept


def mixture(text):
    """Of `evaluate --json`: the log-likelihood."""
    values = parsed(text)
    return {"rows": single(values["rows"]), **candidate(values, values["rows"])}


def clustering(rows):
    def lists_of(text):
        values = parsed(text)
        lists = candidate(values["best"], rows, "best.")
        for i, one in enumerate(values["candidates"]):
            lists.update(candidate(one, rows, f"candidates[{i}]."))
        return lists
    return lists_of


def limit_of(steps):
    """Where a series that converges linearly goes (Aitken): a rule that stops EM earlier or later
    should not change this."""
    if len(steps) < 3:
        return steps[-1]
    before, last = steps[-2] - steps[-3], steps[-1] - steps[-2]
    ratio = min(last / before, 0.95) if before != 0 else 0.0
    return steps[-1] + (last * ratio / (1 - ratio) if ratio > 0 else 0.0)


def em(text):
    """Of em_steps: the way EM takes for three iterations, then only where it leads."""
    values = parsed(text)
    steps = values["log_likelihoods"]
    first = [Cell(x, FIRST_STEPS * abs(x)) for x in steps[:3]]
    return {"rows": single(values["rows"]), "first": CellList(first, LIST_CELLS),
            "limit": single(limit_of(steps), PER_ROW * values["rows"])}


# The record -------------------------------------------------------------------------------------

def digest(text):
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def bytes_of(text):
    """A digest of the whole output; of a document without words for people and without layout."""
    if not text.startswith("{"):
        return digest(text)
    return digest(json.dumps(without(parsed(text), WORDS), sort_keys=True))


def places(count, most):
    """Which cells are kept: the first, the last, and some between."""
    if count <= most:
        return list(range(count))
    return [round(i * (count - 1) / (most - 1)) for i in range(most)]


def weight(i):
    """Weights from 1 to 2 that tell cells apart: a total then changes when two cells swap."""
    return 1 + (i * 0.6180339887498949) % 1


def total_of(cells):
    numbers = [(weight(i), cell) for i, cell in enumerate(cells) if is_number(cell.value)]
    return Cell(math.fsum(w * cell.value for w, cell in numbers),
                math.fsum(w * cell.allowed for w, cell in numbers))


def texts_of(cells):
    return digest("\n".join(f"{i} {cell.value}" for i, cell in enumerate(cells)
                            if not is_number(cell.value)))


def kept(cells, most):
    """All cells if they are few; otherwise some, the sum of all numbers, a digest of all texts."""
    some = [cells[i].value for i in places(len(cells), most)]
    if len(cells) <= most:
        return some
    return {"count": len(cells), "some": some, "total": total_of(cells).value,
            "texts": texts_of(cells)}


def record_of(lists_of, text):
    return {"bytes": bytes_of(text),
            "lists": {name: kept(*item) for name, item in lists_of(text).items()}}


# The comparison ---------------------------------------------------------------------------------

def differs(cell, recorded):
    if is_number(cell.value) and is_number(recorded):
        return not abs(cell.value - recorded) <= cell.allowed
    return cell.value != recorded


def count_of(entry):
    return entry["count"] if isinstance(entry, dict) else len(entry)


def told(where, cell, recorded):
    allowed = f", allowed {cell.allowed:.2g}" if is_number(recorded) else ""
    off = (f" (off by {cell.value - recorded:.2g}{allowed})"
           if is_number(cell.value) and is_number(recorded) else "")
    return f"{where}: {cell.value!r}, recorded {recorded!r}{off}"


def list_differences(name, item, entry):
    cells, most = item
    if len(cells) != count_of(entry):
        yield f"{name}: {len(cells)} cells, recorded {count_of(entry)}"
        return
    some = entry["some"] if isinstance(entry, dict) else entry
    for i, recorded in zip(places(len(cells), most), some, strict=True):
        if differs(cells[i], recorded):
            yield told(f"{name}, cell {i}", cells[i], recorded)
    if not isinstance(entry, dict):
        return
    if differs(total_of(cells), entry["total"]):
        yield told(f"{name}, total of all cells", total_of(cells), entry["total"])
    if texts_of(cells) != entry["texts"]:
        yield f"{name}: some of the {len(cells)} cells hold another text"


def differences(lists_of, text, record):
    """Sentences; what is new in the output is no difference, but changes its bytes."""
    lists = lists_of(text)
    for name, entry in record["lists"].items():
        if name not in lists:
            yield f"{name}: is gone"
        else:
            yield from list_differences(name, lists[name], entry)
