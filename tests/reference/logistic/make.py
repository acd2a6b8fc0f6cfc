"""Posteriors of scikit-learn's softmax regression, kept in posteriors.json.

    python make.py > posteriors.json      (scikit-learn and pandas from PyPI; run in this folder)

scikit-learn minimises C sum(loss) + 1/2 ||w||^2, so C = 1/ridge; of two classes it has one vector of
coefficients where genera has two that mirror each other, so C = 2/ridge. Numbers are standardised
here (divisor n), indicators of all levels and counts of words are as they are.
"""
import gzip
import json
import pathlib
import sys

import numpy as np
import pandas as pd
import sklearn
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.linear_model import LogisticRegression

ROOT = pathlib.Path(__file__).resolve().parents[3]
TEXTS = 150


def standardised(numbers):
    numbers = np.asarray(numbers, float)
    return (numbers - numbers.mean(axis=0)) / numbers.std(axis=0)


def with_products(z, terms):
    columns = [z]
    if terms != "linear":
        columns.append(z ** 2)
    if terms == "quadratic":
        d = z.shape[1]
        columns += [z[:, i:i + 1] * z[:, j:j + 1] for i in range(d) for j in range(i + 1, d)]
    return np.hstack(columns)


def posterior(x, y, ridge):
    classes = len(set(y))
    model = LogisticRegression(C=(2 if classes == 2 else 1) / ridge, solver="newton-cg", tol=1e-12, max_iter=10000)
    return model.fit(x, y).predict_proba(x)


def table(name):
    return pd.read_csv(ROOT / "data" / f"{name}.csv")


def main():
    cases = []

    def add(name, data, options, p):
        cases.append({"name": name, "data": data, "options": options,
                      "posterior": [[float(f"{v:.10g}") for v in row] for row in p]})

    for name in ("iris", "wine"):
        frame = table(name)
        x, y = frame.iloc[:, :-1], frame.iloc[:, -1]
        z = standardised(x)
        for terms, ridge in (("linear", 1), ("linear", 0.01), ("squares", 1), ("quadratic", 0.5)):
            add(f"{name} {terms} {ridge}", name, ["--ridge", str(ridge), "--terms", terms],
                posterior(with_products(z, terms), y, ridge))
    two = table("iris").iloc[50:]
    add("iris, two classes", "iris, two", ["--ridge", "0.1"], posterior(standardised(two.iloc[:, :-1]), two.iloc[:, -1], 0.1))

    penguins = table("penguins").dropna()
    numbers = [c for c in penguins.columns if penguins[c].dtype != object and c != "species"
               and pd.api.types.is_numeric_dtype(penguins[c])]
    others = [c for c in penguins.columns if c not in numbers and c != "species"]
    x = np.hstack([standardised(penguins[numbers]), pd.get_dummies(penguins[others]).to_numpy(float)])
    add("penguins", "penguins, complete", ["--ridge", "0.3"], posterior(x, penguins["species"], 0.3))

    with gzip.open(ROOT / "tests/reference/data/sms_spam.csv.gz", "rt", encoding="utf-8") as file:
        sms = pd.read_csv(file).iloc[:TEXTS]
    text = [c for c in sms.columns if c.lower() not in ("label", "class")][0]
    label = [c for c in sms.columns if c != text][0]
    counts = CountVectorizer().fit_transform(sms[text])
    add("sms", "sms", ["--ridge", "1"], posterior(counts, sms[label], 1))

    json.dump({"scikit-learn": sklearn.__version__, "cases": cases}, sys.stdout, separators=(",", ":"))
    sys.stdout.write("\n")


main()
