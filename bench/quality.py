#!/usr/bin/python3
"""Held-out log losses of GenerativeClassifier() against six classifiers of scikit-learn.

usage: bench/quality.py [--quick] [--data FOLDER] [--tables NAME,...] [--rows N] [--out FILE]

Run by build/venv/bin/python, which has both. The tables are those of data/; with --data also the
CSV files of that folder (label column last, missing cells empty), and what is not there is skipped
and named. Every classifier gets the same stratified folds in the same run: 5, or twice 5 for tables
of fewer than 1,000 rows. Of tables of more than N rows (5,000), all get the same stratified sample;
classes of fewer than 5 rows are left out. Scikit-learn's classifiers get numbers standardised with
missing values filled by medians, and categories as indicators with missing as one of their own.
Probabilities of the truth are bounded at 1e-15, for all. Prints what `auto` chose in the last fold
of each table and how long each took, then a table in Markdown: our mean log loss, that of the best
of the six in hindsight and their ratio, error rates, and the seconds of our fits and predictions.
The file has the tables so far, so that a run that is cut off has a result.
"""
import argparse
import csv
import math
import os
import time
import warnings

import numpy as np
import pandas
from sklearn.compose import ColumnTransformer
from sklearn.ensemble import (ExtraTreesClassifier, HistGradientBoostingClassifier,
                              RandomForestClassifier)
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LogisticRegressionCV
from sklearn.model_selection import RepeatedStratifiedKFold
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler
from sklearn.svm import SVC

import genera

HERE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "data")
QUICK = ("iris", "wine", "crabs", "sonar", "liver_bupa", "house_votes84")
TABLES = QUICK + (
    "boston", "breast_cancer", "diabetes_chemical", "digits", "ionosphere", "notes3b", "penguins",
    "pima_full_missing", "vowel_train", "breast_cancer_ljubljana", "lymphography", "promoters",
    "sick", "spambase", "letter", "shuttle")
MAX_ROWS = 5000  # so that a run takes minutes
EQUAL = 1.02     # losses whose ratio is smaller are a tie

PEERS = {
    "logistic": lambda: LogisticRegressionCV(Cs=10, cv=5, scoring="neg_log_loss", max_iter=500),
    "forest": lambda: RandomForestClassifier(300, random_state=0),
    "extra": lambda: ExtraTreesClassifier(300, random_state=0),
    "boosting": lambda: HistGradientBoostingClassifier(early_stopping=True, random_state=0),
    "svc": lambda: SVC(probability=True, random_state=0),
    "knn": lambda: KNeighborsClassifier(15),
}


def read(path):
    """Columns by name, as floats or as texts, and labels; rows without a label are left out."""
    with open(path, encoding="utf-8", newline="") as file:
        header, *rows = csv.reader(file)
    rows = [row for row in rows if row[-1]]
    columns = {}
    for name, cells in zip(header[:-1], zip(*[row[:-1] for row in rows])):
        try:
            values = np.array([float(cell) if cell else math.nan for cell in cells])
        except ValueError:
            values = np.array([cell or None for cell in cells], dtype=object)
        if len({str(value) for value in values}) > 1:
            columns[name] = values
    return columns, np.array([row[-1] for row in rows])


def sampled(columns, labels, most):
    """About `most` rows, stratified; classes of fewer rows than folds are left out."""
    rng = np.random.default_rng(0)
    rows = []
    for label in np.unique(labels):
        own = rng.permutation(np.flatnonzero(labels == label))
        count = max(10, math.ceil(len(own) * min(1, most / len(labels))))
        if len(own) >= 5:
            rows.extend(own[:count])
    rows = np.sort(rows)
    return {name: values[rows] for name, values in columns.items()}, labels[rows]


def is_text(values):
    return values.dtype == object


def frame_of(columns):
    """What both sides read: a frame whose categories are texts, and NaN where missing."""
    return pandas.DataFrame(columns).fillna(math.nan)


def preprocessed(columns, peer):
    numbers = [name for name, values in columns.items() if not is_text(values)]
    texts = [name for name in columns if name not in numbers]
    steps = [("numbers", make_pipeline(SimpleImputer(strategy="median"), StandardScaler()), numbers),
             ("texts", make_pipeline(SimpleImputer(strategy="constant", fill_value="missing"),
                                     OneHotEncoder(handle_unknown="ignore", sparse_output=False)),
              texts)]
    return make_pipeline(ColumnTransformer([step for step in steps if step[2]]), peer)


def losses_of(make, frame, labels, folds):
    """Mean log loss, error rate and seconds of all folds, and the classifier of the last."""
    classes = np.unique(labels)
    losses, wrong, seconds = [], [], 0.0
    for train, test in folds:
        start = time.perf_counter()
        fitted = make().fit(frame.iloc[train], labels[train])
        shares = fitted.predict_proba(frame.iloc[test])
        seconds += time.perf_counter() - start
        places = np.searchsorted(fitted.classes_, labels[test])
        truth = shares[np.arange(len(test)), places]
        losses.append(-np.log(np.maximum(truth, 1e-15)))
        wrong.append(fitted.classes_[shares.argmax(axis=1)] != labels[test])
        assert list(fitted.classes_) == list(classes)
    return np.concatenate(losses).mean(), np.concatenate(wrong).mean(), seconds, fitted


def measured(path, most):
    columns, labels = sampled(*read(path), most)
    frame = frame_of(columns)
    repeats = 2 if len(labels) < 1000 else 1
    splitter = RepeatedStratifiedKFold(n_splits=5, n_repeats=repeats, random_state=0)
    folds = list(splitter.split(frame, labels))
    *ours, fitted = losses_of(genera.GenerativeClassifier, frame, labels, folds)
    found = {"genera": ours}
    for name, peer in PEERS.items():
        *found[name], _ = losses_of(lambda: preprocessed(columns, peer()), frame, labels, folds)
    print(str(fitted.report_).splitlines()[-1], flush=True)
    return len(labels), len(columns), len(np.unique(labels)), found


def against(ratios):
    """How losses compare: the geometric mean of their ratios, and how many are not higher."""
    return (f"geometric mean of the ratios {math.exp(np.mean(np.log(ratios))):.3f}, at least as good "
            f"(within 2 %) on {sum(ratio <= EQUAL for ratio in ratios)} of {len(ratios)} tables")


def table_of(results):
    """Lines of Markdown, with the summary below them."""
    lines = ["| table | rows | columns | classes | genera | best of six | its loss | ratio |"
             " errors: genera | best of six | seconds |",
             "| --- |" + " ---: |" * 4 + " --- |" + " ---: |" * 5]
    ratios = {peer: [] for peer in PEERS}
    errors, others = [], []
    for name, (rows, columns, classes, found) in results.items():
        best = min(PEERS, key=lambda peer: found[peer][0])
        loss, error, seconds = found["genera"]
        for peer, list_of in ratios.items():
            list_of.append(loss / found[peer][0])
        errors.append(error)
        others.append(min(found[peer][1] for peer in PEERS))
        lines.append(f"| {name} | {rows} | {columns} | {classes} | {loss:.4f} | {best} |"
                     f" {found[best][0]:.4f} | {ratios[best][-1]:.2f} | {error:.4f} |"
                     f" {others[-1]:.4f} | {seconds:.1f} |")
    hindsight = [max(of_table) for of_table in zip(*ratios.values())]
    lines += ["", f"Log loss against the best of six in hindsight: {against(hindsight)}; mean error "
              f"rate {np.mean(errors):.4f}, of the best of six on each table {np.mean(others):.4f}.",
              ""]
    lines += [f"- Against {peer}: {against(of_peer)}." for peer, of_peer in ratios.items()]
    return "\n".join(lines) + "\n"


def main():
    parser = argparse.ArgumentParser(description="held-out losses against scikit-learn")
    parser.add_argument("--quick", action="store_true", help="six small tables")
    parser.add_argument("--data", help="a folder with more tables")
    parser.add_argument("--tables", help="only these, separated by commas")
    parser.add_argument("--rows", type=int, default=MAX_ROWS, metavar="N",
                        help="a sample of tables of more (%(default)s)")
    parser.add_argument("--out", help="write the table to this file, too")
    given = parser.parse_args()
    names = QUICK if given.quick else TABLES
    if given.tables:
        names = given.tables.split(",")
    warnings.filterwarnings("ignore")
    results = {}
    for name in names:
        folders = [HERE] + ([given.data] if given.data else [])
        paths = [os.path.join(folder, name + ".csv") for folder in folders]
        path = next((path for path in paths if os.path.exists(path)), None)
        if path is None:
            print(f"{name}: skipped, no {name}.csv in {' or '.join(folders)}", flush=True)
            continue
        results[name] = measured(path, given.rows)
        print(f"{name}: " + ", ".join(f"{one} {loss:.4f} ({seconds:.0f} s)" for
                                      one, (loss, _, seconds) in results[name][3].items()),
              flush=True)
        if given.out:
            os.makedirs(os.path.dirname(given.out) or ".", exist_ok=True)
            with open(given.out, "w", encoding="utf-8") as file:
                file.write(table_of(results))
    if not results:
        raise SystemExit("no table was found")
    print("\n" + table_of(results), end="")


if __name__ == "__main__":
    main()
