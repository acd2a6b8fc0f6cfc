"""What is counted, against scikit-learn: text to model and to labels, and fits of arrays. Used by run.py."""
import csv
import gzip
import json
import os
import subprocess
import sys
import tempfile

import numpy as np

from clock import best, peak_megabytes
from options import NEWSGROUPS
from report import Cost

TEXT_AIM = 10
FIT_AIM = 5
OUR_REPEATS = "15"  # of jobs that last milliseconds


def read_texts(path):
    csv.field_size_limit(sys.maxsize)
    with open(path, encoding="utf-8", newline="") as file:
        rows = list(csv.reader(file))[1:]
    return [row[1] for row in rows], [row[0] for row in rows]


def text_peer_main(train, test, job):
    from sklearn.feature_extraction.text import CountVectorizer
    from sklearn.naive_bayes import MultinomialNB
    texts, labels = read_texts(train)

    def learn():
        vectorizer = CountVectorizer()
        return vectorizer, MultinomialNB().fit(vectorizer.fit_transform(texts), labels)

    if job == "fit":
        seconds = best(2, learn)
    else:
        vectorizer, model = learn()
        asked, _ = read_texts(test)
        seconds = best(2, lambda: model.predict(vectorizer.transform(asked)))
    print(json.dumps({"seconds": seconds, "peak_mb": peak_megabytes()}))


def array_peer_main(folder, model):
    from scipy import sparse
    from sklearn.naive_bayes import BernoulliNB, CategoricalNB, MultinomialNB
    y = np.fromfile(os.path.join(folder, "labels.bin"), np.int32)
    if os.path.exists(os.path.join(folder, "begins.bin")):
        x = sparse.csr_matrix((np.fromfile(os.path.join(folder, "values.bin")),
                               np.fromfile(os.path.join(folder, "places.bin"), np.int32),
                               np.fromfile(os.path.join(folder, "begins.bin"), np.int64)))
    elif model == "multinomial":
        x = np.fromfile(os.path.join(folder, "counts.bin")).reshape(len(y), -1)
    else:
        x = np.fromfile(os.path.join(folder, "codes.bin"), np.int32).reshape(len(y), -1)
    make = {"multinomial": MultinomialNB, "bernoulli": BernoulliNB, "categorical": CategoricalNB}[model]
    seconds = best(2, lambda: make().fit(x, y))
    print(json.dumps({"seconds": seconds, "peak_mb": peak_megabytes()}))


def peer(*words):
    out = subprocess.run([sys.executable, os.path.abspath(__file__), *words], check=True, capture_output=True,
                         text=True).stdout
    return json.loads(out)


def ours(build, *words):
    out = subprocess.run([os.path.join(build, "bin", "bench_discrete"), *words], check=True, capture_output=True,
                         text=True).stdout
    return json.loads(out)


def unpacked(path, folder):
    """A plain copy of a packed CSV, for both sides."""
    copy = os.path.join(folder, os.path.basename(path).removesuffix(".gz"))
    with gzip.open(path) as source, open(copy, "wb") as target:
        target.write(source.read())
    return copy


def bench_text(build, where, report):
    """20 newsgroups by date, `label,text`: files to model and to labels. The peer starts from texts in memory."""
    with tempfile.TemporaryDirectory() as folder:
        train = unpacked(os.path.join(where, NEWSGROUPS[0]), folder)
        test = unpacked(os.path.join(where, NEWSGROUPS[1]), folder)
        for job in ("fit", "predict"):
            us = ours(build, "text", job, train, test, "multinomial", "5")
            read = os.path.getsize(train if job == "fit" else test)
            report.add("20 newsgroups, 130,107 terms, 20", f"text multinomial {job}", "scikit-learn",
                       peer("text", train, test, job), us, TEXT_AIM, Cost(read=read))


def save_dense(folder, rng, n, d, k):
    rng.integers(0, k, n).astype(np.int32).tofile(os.path.join(folder, "labels.bin"))
    rng.integers(0, 2, (n, d)).astype(np.int32).tofile(os.path.join(folder, "codes.bin"))
    rng.poisson(0.5, (n, d)).astype(np.float64).tofile(os.path.join(folder, "counts.bin"))


def save_sparse(folder, rng, n, d, k):
    per_row = d // 100
    rng.integers(0, k, n).astype(np.int32).tofile(os.path.join(folder, "labels.bin"))
    places = np.sort(rng.integers(0, d // per_row, (n, per_row)) + np.arange(per_row) * (d // per_row), axis=1)
    places.astype(np.int32).tofile(os.path.join(folder, "places.bin"))
    rng.integers(1, 5, n * per_row).astype(np.float64).tofile(os.path.join(folder, "values.bin"))
    (np.arange(n + 1, dtype=np.int64) * per_row).tofile(os.path.join(folder, "begins.bin"))


def bench_counts(build, divided_by, report):
    """Rows are divided by a number, to see quickly that it works."""
    rng = np.random.default_rng(1)
    with tempfile.TemporaryDirectory() as folder:
        n, d, k = 500_000 // divided_by, 50, 10
        save_dense(folder, rng, n, d, k)
        for model in ("bernoulli", "multinomial", "categorical"):
            report.add(f"{n:,} × {d}, {k}", f"{model} fit, dense", "scikit-learn", peer("array", folder, model),
                       ours(build, "array", folder, model, OUR_REPEATS), FIT_AIM,
                       Cost(read=(8 if model == "multinomial" else 4) * n * d))
    with tempfile.TemporaryDirectory() as folder:
        n, d, k = 200_000 // divided_by, 10_000, 10
        save_sparse(folder, rng, n, d, k)
        for model in ("bernoulli", "multinomial"):
            report.add(f"{n:,} × {d:,}, {k}, 1 % filled", f"{model} fit, sparse", "scikit-learn",
                       peer("array", folder, model), ours(build, "array", folder, model, OUR_REPEATS), FIT_AIM,
                       Cost(read=12 * n * (d // 100)))


if __name__ == "__main__":
    if sys.argv[1] == "text":
        text_peer_main(*sys.argv[2:5])
    else:
        array_peer_main(*sys.argv[2:4])
