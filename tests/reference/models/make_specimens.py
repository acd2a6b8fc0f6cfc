#!/usr/bin/python3
"""Wrote the v1 specimens beside it from two columns of data/iris.csv, in exact rational arithmetic and with an
encoder of its own, so that they are a second opinion about the format. Specimens are never rewritten: the script is
kept to show where the numbers come from. Usage: make_specimens.py IRIS_CSV FOLDER"""

import csv
import json
import pathlib
import struct
import sys
from fractions import Fraction

FEATURES = ["sepal_length", "petal_length"]
ROWS = list(csv.DictReader(open(sys.argv[1], encoding="utf-8")))
FOLDER = pathlib.Path(sys.argv[2])
CLASSES = sorted({row["species"] for row in ROWS})


def moments(name, shift=0):
    x = [[Fraction(float(row[f]) + shift) if shift else Fraction(row[f]) for f in FEATURES]
         for row in ROWS if row["species"] == name]
    mean = [sum(column) / len(x) for column in zip(*x)]
    scatter = [[sum((r[i] - mean[i]) * (r[j] - mean[j]) for r in x) for j in range(2)] for i in range(2)]
    return len(x), mean, scatter


MOMENTS = [moments(name) for name in CLASSES]
COVARIANCES = [[[float(s / n) for s in row] for row in scatter] for n, _, scatter in MOMENTS]
POOLED = [[float(sum(m[2][i][j] for m in MOMENTS) / len(ROWS)) for j in range(2)] for i in range(2)]


def text(value, indent=0):
    """Sorted keys, two spaces, an array of scalars on one line."""
    pad = "  " * (indent + 1)
    if isinstance(value, dict):
        inside = [f"{pad}{json.dumps(key)}: {text(value[key], indent + 1)}" for key in sorted(value)]
        return "{\n" + ",\n".join(inside) + "\n" + pad[2:] + "}"
    if isinstance(value, list) and any(isinstance(item, (list, dict)) for item in value):
        return "[\n" + ",\n".join(pad + text(item, indent + 1) for item in value) + "\n" + pad[2:] + "]"
    if isinstance(value, list):
        return "[" + ", ".join(text(item) for item in value) + "]"
    return json.dumps(int(value) if isinstance(value, float) and value.is_integer() else value)


def cbor(value):
    def head(major, n):
        if n < 24:
            return bytes([major << 5 | n])
        size = next(s for s in range(4) if n < 1 << (8 << s))
        return bytes([major << 5 | 24 + size]) + n.to_bytes(1 << size, "big")

    if isinstance(value, dict):
        return head(5, len(value)) + b"".join(cbor(key) + cbor(value[key]) for key in sorted(value))
    if isinstance(value, list):
        return head(4, len(value)) + b"".join(cbor(item) for item in value)
    if isinstance(value, str):
        return head(3, len(value.encode())) + value.encode()
    return head(0, int(value)) if float(value).is_integer() else b"\xfb" + struct.pack(">d", value)


def model(kind, key, covariances, of_classes=None):
    means = [[float(m) for m in mean] for _, mean, _ in of_classes or MOMENTS]
    block = {"type": "gaussian", "model": kind, "features": FEATURES, "means": means, key: covariances, "divisor": "mle"}
    if of_classes:
        block["means_low"] = [[float(m - Fraction(float(m))) for m in mean] for _, mean, _ in of_classes]
    classes = [{"name": c, "prior": n / len(ROWS), "count": n} for c, (n, _, _) in zip(CLASSES, MOMENTS)]
    return {"format": "genera-model", "version": 1, "target": "species", "classes": classes, "blocks": [block],
            "notes": ["target: 'species' (the last column)"]}


def statistics(kind):
    classes = []
    for name, (n, mean, scatter) in zip(CLASSES, MOMENTS):
        full = [[float(s) for s in row[: i + 1]] for i, row in enumerate(scatter)]
        classes.append({"name": name, "rows": n, "weight": n, "mean": [float(m) for m in mean],
                        "mean_low": [float(m - Fraction(float(m))) for m in mean],
                        "scatter": full if kind == "full" else [row[-1] for row in full]})
    return {"format": "genera-statistics", "version": 1, "columns": FEATURES, "target": "species", "scatter": kind,
            "classes": classes}


QDA = model("qda", "covariances", COVARIANCES)
(FOLDER / "v1_qda.json").write_text(text(QDA) + "\n", encoding="utf-8")
(FOLDER / "v1_qda.cbor").write_bytes(cbor(QDA))
(FOLDER / "v1_lda.json").write_text(text(model("lda", "covariance", POOLED)) + "\n", encoding="utf-8")
(FOLDER / "v1_gnb.json").write_text(
    text(model("gnb", "variances", [[s[j][j] for j in range(2)] for s in COVARIANCES])) + "\n", encoding="utf-8")
for scatter_kind in ("full", "diagonal"):
    (FOLDER / f"v1_statistics_{scatter_kind}.json").write_text(text(statistics(scatter_kind)) + "\n", encoding="utf-8")

# Means of 1e8, where the last digit of a double is 1.5e-8: the low parts are in the file.
FAR = [moments(name, 1e8) for name in CLASSES]
FAR_COVARIANCES = [[[float(s / n) for s in row] for row in scatter] for n, _, scatter in FAR]
(FOLDER / "v1_qda_far.json").write_text(text(model("qda", "covariances", FAR_COVARIANCES, FAR)) + "\n", encoding="utf-8")
