"""make_corpus.py GENERA: writes fuzz/corpus, small inputs to begin from, out of data/ and
tests/reference. The choices that a target reads from its first bytes come first. Run it again when
a target or a file format changes; the result is kept in the tree."""

import gzip
import pathlib
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
CORPUS = ROOT / "fuzz" / "corpus"
DATA = ROOT / "data"
MODELS = ROOT / "tests" / "reference" / "models"
REFERENCE = ROOT / "tests" / "reference" / "data"

FAMILY = ("qda", "lda", "gnb", "dlda", "spherical", "centroid", "rda")


def head(text, rows):
    return b"".join(text.splitlines(keepends=True)[:rows])


def every(text, step, most=24):
    """The header and some rows from everywhere, so that all classes occur."""
    header, *rows = text.splitlines(keepends=True)
    return b"".join([header, *rows[::step][:most]])


def tables():
    """Small tables of every kind, by name."""
    found = {}
    for path in sorted(DATA.glob("*.csv")):
        text = path.read_bytes()
        rows = text.count(b"\n")
        if len(text.splitlines()[0]) < 400:
            found[path.stem] = every(text, max(1, rows // 24))
    for name in ("adult_train", "mushroom", "promoters", "sms_spam"):
        text = gzip.decompress((REFERENCE / f"{name}.csv.gz").read_bytes())
        found[name] = every(text, 40, 12)
    iris = found["iris"]
    found["semicolons"] = iris.replace(b".", b"!").replace(b",", b";").replace(b"!", b",")
    found["tabs_crlf"] = iris.replace(b",", b"\t").replace(b"\n", b"\r\n")
    found["bom"] = b"\xef\xbb\xbf" + iris
    found["quotes"] = b'a,"b ""c"" d",label\n1,"x\ny",u\n 2 , "z" ,v\n"3",,u\n,w,\n'
    found["holes"] = iris.replace(b"0.2", b"").replace(b"1.4", b"NA").replace(b"5.1", b"nan")
    found["no_newline"] = b"a,b,label\n1,2,x\n3,4,y"
    found["one_column"] = b"a\n1\n\n2\n"
    found["weights"] = b"a,w,label\n1,2,x\n2,0.5,y\n3,1,x\n4,1,y\n1,0,x\n"
    found["blank_lines"] = b"\n\na,label\n\n1,x\n \n2,y\n\n"
    found["extremes"] = b"a,b,label\n1e308,-1e308,x\n1e-308,5e-324,y\n-0,+1,x\n1e999,1,y\n"
    found["numbers_far"] = b"a,label\n100000000.1,x\n100000000.2,x\n100000000.7,y\n100000000.9,y\n"
    return found


def sparse_texts():
    text = gzip.decompress((REFERENCE / "agaricus_train.svm.gz").read_bytes())
    return {"agaricus": head(text, 8), "comments": b"# c\n1 1:0.5 3:2 # d\n\n-1 2:1e3\n1 qid:3 4:1\n",
            "many": b"0 1:1 2:2 3:3\n1 1:2 5:1\n2 3:1\n0\n", "zero": b"a 0:1 1:1\nb 2:0\n"}


def fitted(genera, tables_by_name):
    """Models and statistics that the program makes of the tables: (name, bytes), by kind."""
    models, statistics = {}, {}
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)

        def make(into, key, *words, ending="json"):
            out = folder / f"out.{ending}"
            out.unlink(missing_ok=True)
            done = subprocess.run([genera, *map(str, words), "-o", out], capture_output=True,
                                  check=False)
            if done.returncode == 0 and out.stat().st_size < 30000:
                into[key] = out.read_bytes()
            else:
                print(f"left out: {key}: {done.stderr.decode()[:100]}", file=sys.stderr)

        for ending in ("json", "cbor"):
            for model in FAMILY:
                make(models, f"{model}.{ending}", "fit", "@iris", "--model", model, ending=ending)
            make(models, f"mda.{ending}", "fit", "@iris", "--model", "mda", "--components", "2",
                 ending=ending)
            for data, model in (("lenses", "categorical"), ("lenses", "joint"),
                                ("house_votes84", "bernoulli"), ("penguins", "lda")):
                make(models, f"{data}_{model}.{ending}", "fit", f"@{data}", "--model", model,
                     ending=ending)
            text = folder / "text.csv"
            text.write_bytes(tables_by_name["sms_spam"])
            counts = folder / "counts.csv"
            counts.write_bytes(b"a,b,label\n1,2,x\n0,3,y\n4,0,x\n2,2,y\n")
            for model in ("multinomial", "bernoulli", "complement"):
                make(models, f"text_{model}.{ending}", "fit", text, "--model", model, "--max-terms",
                     "20", ending=ending)
            for model in ("multinomial", "poisson", "complement"):
                make(models, f"counts_{model}.{ending}", "fit", counts, "--model", model,
                     ending=ending)
            make(statistics, f"iris.{ending}", "stats", "@iris", ending=ending)
            make(statistics, f"lenses.{ending}", "stats", "@lenses", "--model", "categorical",
                 ending=ending)
            make(statistics, f"counts.{ending}", "stats", counts, "--model", "multinomial",
                 ending=ending)
            make(statistics, f"penguins.{ending}", "stats", "@penguins", "--missing", "drop",
                 ending=ending)
            make(statistics, f"text.{ending}", "stats", text, ending=ending)
    return models, statistics


def write(target, name, content):
    folder = CORPUS / target
    folder.mkdir(parents=True, exist_ok=True)
    (folder / name).write_bytes(content)


def main():
    genera = pathlib.Path(sys.argv[1]).resolve()
    shutil.rmtree(CORPUS, ignore_errors=True)
    by_name = tables()
    sparse = sparse_texts()
    for number, (name, text) in enumerate(by_name.items()):
        guess = b"\0\xff\xff\0\xff\0\0\0"  # header; delimiter, decimal, types guessed; nothing kept
        write("csv", name, guess + bytes([number]) + text[:3000])
        told = bytes([number % 8, 255, 255, number % 4, number % 6, number % 8, 0, 0, number % 4, 2])
        write("csv", name + "_told", told + text[:600])
        write("records", name, bytes([0, number % 3, number, number, number, number, 3]) + text[:600])
        write("gzip", name, bytes([1 + number % 3, number, 40]) + text[:800])
        write("gzip", name + "_raw", bytes([0, number]) + gzip.compress(text[:800], mtime=0))
        for recipe in (number % 14, (number + 5) % 14, (number + 9) % 14):
            write("pipeline", f"{name}_{recipe}", bytes([recipe, 255, 0]) + text[:1800])
    for name, text in sparse.items():
        for mode in range(4):
            write("svmlight", f"{name}_{mode}", bytes([mode, 3]) + text[:1500])
    models, statistics = fitted(genera, by_name)
    for path in MODELS.glob("v1_*"):
        (statistics if "statistics" in path.name else models)[path.name] = path.read_bytes()
    for name, content in models.items():
        write("model_cbor" if name.endswith("cbor") else "model_json", name, content)
    for name, content in statistics.items():
        write("statistics", name, content)
        if len(content) < 3000:
            write("statistics", name + "_twice", content + b"\n%%\n" + content)
    messages = b"".join(line.partition(b",")[2] for line in
                        by_name["sms_spam"].splitlines(keepends=True))
    words = "Ein Wörtchen, zwei WÖRTER\nμέγας ΜΈΓΑΣ ß ẞ\nçédille c\u0327 ﬁ\n日本語 テスト\n".encode()
    for name, text in (("sms", messages[:1200]), ("letters", words), ("bytes", bytes(range(256)))):
        for choices in (b"\1\0\0\0", b"\1\1\0\0", b"\2\1\1\0", b"\1\2\0\4"):
            write("text", f"{name}_{choices.hex()}", choices + text)
    for name, text in {"plain": b",a,b,2\na,0,1,2\nb,5,0,1\n2,1,1,0\n",
                       "order": b"truth;b;2;a\n2;1,5;0;1\na;-1;1;0\nb;0;2;3\n",
                       "named": b"x,a,b,2.0\na,0,1,1\nb,1,0,1\n2,1e3,-1e-3,0\n",
                       "wrong": b",a,b\na,0,x\n"}.items():
        write("costs", name, text)
    print(sum(path.stat().st_size for path in CORPUS.rglob("*") if path.is_file()), "bytes")


if __name__ == "__main__":
    main()
