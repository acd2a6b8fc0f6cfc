"""The cases: what is asked of the command line, and how each answer is compared.

A case is a list of steps that run in a folder of their own, one after the other. "data/NAME" is a
file of tests/record/data; every other file is made by an earlier step of the case.
"""

import random
from typing import Callable, NamedTuple

import outputs


class Step(NamedTuple):
    output: str          # its name in the record; empty: it only makes files for later steps
    words: list          # of the command; with "-o FILE" the output is that file
    lists_of: Callable = outputs.answers
    program: str = "genera"


class Case(NamedTuple):
    name: str
    group: str  # of ctest
    steps: list
    files: Callable = dict  # name -> text of files that are made for it


CASES = []


def add(group, name, *steps, files=dict):
    CASES.append(Case(name, group, [step for part in steps for step in part], files))


# Steps ------------------------------------------------------------------------------------------

def fit(train, *options, model="model.json"):
    """Of lda unless a model is named: what auto chooses is not the record's business."""
    if "--model" not in options:
        options = ("--model", "lda", *options)
    return [Step("model", ["fit", train, "-o", model, *options], outputs.document)]


def silent(steps):
    """For what is large and shows in the answers, too."""
    return [step._replace(output="") for step in steps]


def inspect(*options):
    return [Step("inspect", ["inspect", "model.json", "--json", *options], outputs.document)]


def top():
    return [Step("top", ["inspect", "model.json", "--json", "--top", "4"], outputs.document)]


def answers(data, suffix="", joint=True, model="model.json"):
    """Probabilities, and the labels alone, which are decided by a way of their own."""
    return [Step("predict" + suffix,
                 ["predict", model, data, "--proba", *(["--joint"] if joint else [])]),
            Step("labels" + suffix, ["predict", model, data])]


def scores(data, suffix="", model="model.json"):
    return [Step("score" + suffix, ["score", model, data])]


def explanations(data, suffix="", model="model.json"):
    return [Step("explain" + suffix, ["predict", model, data, "--explain", "3"])]


def samples(of_class, given, model="model.json", length=None):
    steps = [Step("sample", ["sample", model, "-n", "40"], outputs.data_rows),
             Step("sample.class", ["sample", model, "-n", "20", "--class", of_class, "--seed", "7"],
                  outputs.data_rows)]
    if given:
        steps.append(Step("sample.given", ["sample", model, "-n", "20", "--given", given],
                          outputs.data_rows))
    if length:
        steps.append(Step("sample.length", ["sample", model, "-n", "20", "--length", length],
                          outputs.data_rows))
    return steps


def imputations(holes, model="model.json"):
    return [Step("impute", ["impute", model, holes], outputs.data_rows),
            Step("impute.draws", ["impute", model, holes, "--draws", "2"], outputs.data_rows)]


def evaluation(data, suffix="", model="model.json"):
    return [Step("evaluate" + suffix, ["evaluate", model, data, "--json"], outputs.document)]


def decisions(data, model="model.json"):
    return [Step("reject", ["predict", model, data, "--reject", "0.9", "--outlier", "0.05"]),
            Step("estimate", ["predict", model, data, "--priors", "estimate", "--proba"]),
            Step("uniform", ["predict", model, data, "--priors", "uniform", "--proba", "--joint"])]


def costs(data, file, model="model.json"):
    return [Step("costs", ["predict", model, data, "--costs", file]),
            Step("evaluate.costs", ["evaluate", model, data, "--costs", file, "--reject", "0.9",
                                    "--json"], outputs.document)]


def short(train, new, holes, *options):
    """For options of an estimate: the model and what it says of complete and incomplete rows."""
    return [*fit(train, *options), *answers(new), *scores(new), *evaluation(new),
            *(answers(holes, ".holes") + scores(holes, ".holes") if holes else [])]


# Gaussian blocks --------------------------------------------------------------------------------

IRIS, IRIS_HOLES = "@iris", "data/iris_holes.csv"
WINE, WINE_HOLES = "@wine", "data/wine_holes.csv"
VOWEL, VOWEL_NEW, VOWEL_HOLES = "@vowel_train", "@vowel_test", "data/vowel_holes.csv"
IRIS_COSTS = "data/iris_costs.csv"


def iris_questions(model="model.json"):
    return [*answers(IRIS, model=model), *answers(IRIS_HOLES, ".holes", model=model),
            *scores(IRIS, model=model), *scores(IRIS_HOLES, ".holes", model=model),
            *explanations(IRIS, model=model), *explanations(IRIS_HOLES, ".holes", model=model),
            *samples("versicolor", "petal_length=4.5,sepal_width=3", model=model),
            *imputations(IRIS_HOLES, model=model), *evaluation(IRIS, model=model),
            *evaluation(IRIS_HOLES, ".holes", model=model), *decisions(IRIS_HOLES, model=model),
            *costs(IRIS, IRIS_COSTS, model=model)]


for family in ("qda", "lda", "gnb", "dlda", "spherical", "centroid", "rda"):
    add("gaussian", f"iris.{family}", fit(IRIS, "--model", family), inspect(), iris_questions())
for family in ("qda", "lda", "gnb"):
    add("gaussian", f"wine.{family}", short(WINE, WINE, WINE_HOLES, "--model", family),
        explanations(WINE_HOLES), imputations(WINE_HOLES))


def variant(name, *options):
    add("options", f"wine.{name}", short(WINE, WINE, WINE_HOLES, *options))


variant("oas.qda", "--model", "qda", "--shrinkage", "oas")
variant("oas.lda", "--model", "lda", "--shrinkage", "oas")
variant("oas.raw", "--model", "qda", "--shrinkage", "oas", "--raw-units")
variant("lw.qda", "--model", "qda", "--shrinkage", "lw")
variant("lw.lda", "--model", "lda", "--shrinkage", "lw")
variant("shrunk.qda", "--model", "qda", "--shrinkage", "0.3")
variant("shrunk.lda", "--model", "lda", "--shrinkage", "0.05", "--divisor", "unbiased")
for family in ("qda", "lda", "gnb", "dlda"):
    variant(f"unbiased.{family}", "--model", family, "--divisor", "unbiased")


def iris_variant(name, *options):
    add("options", f"iris.{name}", short(IRIS, IRIS, IRIS_HOLES, *options))


iris_variant("rda.own", "--model", "rda", "--alpha", "1")
iris_variant("rda.pooled", "--model", "rda", "--alpha", "0", "--gamma", "0.2")
iris_variant("rda.diagonal", "--model", "rda", "--alpha", "0.7", "--gamma", "1")
iris_variant("rda.identity", "--model", "rda", "--alpha", "0.3", "--gamma", "0.4",
             "--toward", "identity")
iris_variant("rda.identity.raw", "--model", "rda", "--alpha", "0.3", "--gamma", "0.4",
             "--toward", "identity", "--raw-units")
iris_variant("spherical.raw", "--model", "spherical", "--raw-units")
iris_variant("centroid.raw", "--model", "centroid", "--raw-units", "--divisor", "unbiased")
iris_variant("priors.uniform", "--model", "qda", "--priors", "uniform",
             "--features", "petal_length,sepal_width")
iris_variant("priors.given", "--model", "lda", "--priors",
             "setosa=0.2,versicolor=0.5,virginica=0.3")
for family in ("qda", "lda", "gnb"):
    add("options", f"weights.{family}",
        short("data/iris_weights.csv", IRIS, IRIS_HOLES, "--model", family, "--weights", "weight"))
for family in ("qda", "lda", "rda"):
    add("options", f"singular.{family}",
        short("data/singular.csv", "data/singular.csv", None, "--model", family,
              "--on-singular", "shrink"), explanations("data/singular.csv"))
add("options", "singular.oas", short("data/singular.csv", "data/singular.csv", None, "--model",
                                     "qda", "--shrinkage", "oas"))
add("options", "vowel.lda", short(VOWEL, VOWEL_NEW, VOWEL_HOLES, "--model", "lda"),
    explanations(VOWEL_HOLES))
add("options", "vowel.rda", silent(fit(VOWEL, "--model", "rda", "--gamma", "0.1")),
    answers(VOWEL_NEW), answers(VOWEL_HOLES, ".holes"), scores(VOWEL_HOLES, ".holes"),
    evaluation(VOWEL_NEW))
for name, options in {"oas": ["--model", "qda", "--shrinkage", "oas"], "gnb": ["--model", "gnb"]}.items():
    add("options", f"digits.{name}", silent(fit("@digits", *options)), answers("@digits"),
        evaluation("@digits"), explanations("@digits"))


# Many rows: several chunks of a file, several tasks of a query -------------------------------------

def many_rows():
    """Numbers with holes in every tenth row, a category; sums of uniforms need no mathematical
    library, so that they are the same everywhere."""
    rng = random.Random(1)
    lines, lacking = ["a,b,c,d,colour,class"], ["a,b,c,d,colour,class"]
    for i in range(9000):
        k = int(rng.random() * 3)
        z = [sum(rng.random() for _ in range(4)) - 2 for _ in range(4)]
        x = [f"{v + 0.6 * z[0] + (j == k):.4f}" for j, v in enumerate(z)]
        colour = ("red", "green", "blue")[int(rng.random() * (2 + (k == 1)))]
        lines.append(",".join([*x, colour, "uvw"[k]]))
        cells = [*x, colour]
        if i % 10 == 0:
            cells = ["" if rng.random() < 0.4 else cell for cell in cells]
        if i % 3 == 0:
            lacking.append(",".join([*cells, "uvw"[k]]))
    return {"many.csv": "\n".join(lines) + "\n", "lacking.csv": "\n".join(lacking) + "\n"}


for family in ("qda", "lda", "gnb"):
    add("many", f"many.{family}", fit("many.csv", "--model", family), answers("many.csv"),
        answers("lacking.csv", ".holes"), scores("lacking.csv", ".holes"),
        explanations("lacking.csv"), evaluation("many.csv"), imputations("lacking.csv"),
        [Step("sample", ["sample", "model.json", "-n", "3000"], outputs.data_rows)],
        files=many_rows)


# Categories -------------------------------------------------------------------------------------

VOTES, LEVELS, LEVELS_HOLES = "@house_votes84", "data/levels.csv", "data/levels_holes.csv"


def level_questions(data, holes, of_class, given):
    return [*answers(data), *answers(holes, ".holes"), *scores(holes), *explanations(holes),
            *samples(of_class, given), *imputations(holes), *evaluation(holes),
            *decisions(holes), *top()]


for name in ("bernoulli", "categorical"):
    add("discrete", f"votes.{name}", fit(VOTES, "--model", name), inspect(),
        level_questions(VOTES, VOTES, "republican", "immigration=y,mx_missile=n"))
add("discrete", "levels.aode", fit(LEVELS, "--model", "aode"), inspect(),
    level_questions(LEVELS, LEVELS_HOLES, "y", "answer=n"))
add("discrete", "iris.aode", short("@iris", "@iris", None, "--model", "aode"))
for name in ("categorical", "joint"):
    add("discrete", f"levels.{name}", fit(LEVELS, "--model", name), inspect(),
        level_questions(LEVELS, LEVELS_HOLES, "y", "answer=n"))
    add("discrete", f"levels.{name}.unsmoothed",
        short(LEVELS, LEVELS, LEVELS_HOLES, "--model", name, "--smoothing", "0"),
        explanations(LEVELS_HOLES), imputations(LEVELS_HOLES))
    add("discrete", f"lenses.{name}", short("@lenses", "@lenses", None, "--model", name,
                                            "--smoothing", "0.5"))


# Counts, text and svmlight ------------------------------------------------------------------------

COUNTS, COUNTS_HOLES = "data/counts.csv", "data/counts_holes.csv"
TEXT, TEXT_NEW = "data/text.csv", "data/text_new.csv"
SVM_NUMBERS, SVM_NUMBERS_NEW = "data/numbers.svm", "data/numbers_new.svm"
SVM_COUNTS, SVM_COUNTS_NEW = "data/counts.svm", "data/counts_new.svm"

add("counts", "counts.multinomial", fit(COUNTS, "--model", "multinomial"), inspect(), top(),
    answers(COUNTS), answers(COUNTS_HOLES, ".holes"), scores(COUNTS),
    scores(COUNTS_HOLES, ".holes"), explanations(COUNTS_HOLES),
    samples("b", "ant=2,fox=0", length="9"), imputations(COUNTS_HOLES), evaluation(COUNTS_HOLES),
    decisions(COUNTS_HOLES))
add("counts", "counts.poisson", fit(COUNTS, "--model", "poisson"), inspect(), top(),
    answers(COUNTS), answers(COUNTS_HOLES, ".holes"), scores(COUNTS_HOLES, ".holes"),
    explanations(COUNTS_HOLES), samples("b", "ant=2,fox=0"), imputations(COUNTS_HOLES),
    evaluation(COUNTS_HOLES))


def scorer_questions(data):
    """Complement is no density."""
    return [*inspect(), *top(), *answers(data, joint=False), *explanations(data),
            *evaluation(data)]


def text_questions(data):
    return [*top(), *answers(data), *scores(data), *explanations(data)]


def counts_of_terms():
    """Draws where terms do not make a text."""
    return [Step("sample", ["sample", "model.json", "-n", "8", "--json"], outputs.document)]


add("counts", "counts.complement", fit(COUNTS, "--model", "complement"),
    scorer_questions(COUNTS_HOLES))
add("counts", "text.multinomial", fit(TEXT, "--model", "multinomial"),
    text_questions(TEXT_NEW), samples("spam", None, length="5"), evaluation(TEXT), decisions(TEXT_NEW))
add("counts", "text.bernoulli", fit(TEXT, "--model", "bernoulli"),
    text_questions(TEXT_NEW), samples("spam", None), evaluation(TEXT), decisions(TEXT_NEW))
add("counts", "text.complement", fit(TEXT, "--model", "complement"), scorer_questions(TEXT))
add("counts", "text.hashed", fit(TEXT, "--model", "multinomial", "--hash-bits", "6"),
    text_questions(TEXT_NEW), counts_of_terms())
add("counts", "text.chars", fit(TEXT, "--model", "multinomial", "--chars", "2-3",
                                "--max-terms", "60"), text_questions(TEXT_NEW), counts_of_terms())
add("counts", "text.words", fit(TEXT, "--model", "bernoulli", "--ngrams", "1-2", "--min-count", "3",
                                "--stop-words", "please,report", "--smoothing", "0.3"),
    text_questions(TEXT_NEW), counts_of_terms())
for family in ("qda", "lda", "gnb"):
    add("counts", f"svm.{family}", fit(SVM_NUMBERS, "--model", family), answers(SVM_NUMBERS_NEW),
        scores(SVM_NUMBERS_NEW), explanations(SVM_NUMBERS_NEW), samples("2", "9=0.5"),
        evaluation(SVM_NUMBERS_NEW))
for name in ("multinomial", "bernoulli"):
    add("counts", f"svm.{name}", fit(SVM_COUNTS, "--model", name), top(), answers(SVM_COUNTS_NEW),
        scores(SVM_COUNTS_NEW), explanations(SVM_COUNTS_NEW), samples("2", None),
        evaluation(SVM_COUNTS_NEW))
add("counts", "svm.complement", fit(SVM_COUNTS, "--model", "complement"),
    scorer_questions(SVM_COUNTS_NEW))


# Mixed tables -----------------------------------------------------------------------------------

MIXED, MIXED_HOLES = "data/mixed.csv", "data/mixed_holes.csv"
for family in ("lda", "qda", "gnb"):
    add("mixed", f"mixed.{family}",
        fit(MIXED, "--model", family, "--target", "kind", "--weights", "weight"), inspect(), top(),
        answers(MIXED), answers(MIXED_HOLES, ".holes"), scores(MIXED),
        scores(MIXED_HOLES, ".holes"), explanations(MIXED), explanations(MIXED_HOLES, ".holes"),
        samples("spam", "colour=red,length=12", length="4"), imputations(MIXED_HOLES),
        evaluation(MIXED), decisions(MIXED_HOLES))
add("mixed", "penguins.qda", fit("@penguins", "--model", "qda", "--missing", "drop"),
    answers("@penguins"), scores("@penguins"), explanations("@penguins"),
    imputations("@penguins"), evaluation("@penguins"),
    samples("Gentoo", "sex=female,island=Biscoe,body_mass_g=5000"))


# Statistics -------------------------------------------------------------------------------------

def stats(data, *options, to="a.json", output=""):
    return [Step(output, ["stats", data, "-o", to, *options], outputs.document)]


def merge_and_forget(first, second, model, *options):
    """The statistics of two files, added and taken away again, and the models of each."""
    def model_of(name, statistics):
        return [Step(name, ["fit", statistics, "--model", model, "-o", f"{name}.json"],
                     outputs.document)]
    return [*stats(first, *options, output="stats"), *stats(second, *options, to="b.json"),
            Step("merge", ["merge", "a.json", "b.json", "-o", "all.json"], outputs.document),
            Step("forget", ["forget", "all.json", "b.json", "-o", "again.json"], outputs.document),
            *model_of("model", "a.json"), *model_of("model.merged", "all.json"),
            *model_of("model.again", "again.json")]


add("statistics", "statistics.qda", merge_and_forget(
    IRIS, "data/iris_weights.csv", "qda", "--features", "sepal_length,petal_length,petal_width"),
    [Step("forget.class", ["forget", "all.json", "--class", "setosa", "-o", "two.json"],
          outputs.document),
     Step("forget.rows", ["forget", "a.json", IRIS_HOLES, "--missing", "drop", "-o", "few.json"],
          outputs.document),
     Step("model.few", ["fit", "few.json", "--model", "lda", "-o", "few_model.json"],
          outputs.document)])
add("statistics", "statistics.gnb", merge_and_forget(VOWEL, VOWEL_NEW, "gnb", "--model", "gnb"))
add("statistics", "statistics.levels",
    merge_and_forget(LEVELS, LEVELS_HOLES, "categorical", "--model", "categorical"))
add("statistics", "statistics.joint", merge_and_forget(LEVELS, LEVELS, "joint", "--model", "joint"))
add("statistics", "statistics.text", merge_and_forget(TEXT, "data/text_more.csv", "multinomial"))
add("statistics", "statistics.counts",
    merge_and_forget(COUNTS, COUNTS, "multinomial", "--model", "multinomial"))
add("statistics", "statistics.svm", merge_and_forget(SVM_NUMBERS, SVM_NUMBERS_NEW, "gnb"))
add("statistics", "statistics.mixed",
    merge_and_forget(MIXED, MIXED, "lda", "--target", "kind", "--weights", "weight"))


# Mixtures: given ones exactly, learned ones by what they reach -----------------------------------------

STRUCTURES = ("qda", "lda", "gnb", "dlda", "spherical", "centroid")
for family in STRUCTURES:
    add("mixtures", f"mixture.{family}", iris_questions(model=f"data/mixture_{family}.json"))


def learned_mixture(name, train, *options):
    model = silent(fit(train, "--model", "mda", *options))
    add("learned", name, model, [Step("evaluate", ["evaluate", "model.json", train, "--json"],
                                     outputs.mixture)])


for family in STRUCTURES:
    learned_mixture(f"mda.{family}", IRIS, "--covariance", family, "--components", "1-3",
                   "--starts", "4")
learned_mixture("mda.wine", WINE, "--covariance", "lda", "--components", "2", "--starts", "3")
add("learned", "cluster.faithful",
    [Step("cluster", ["cluster", "@faithful_unlabelled", "--components", "1-5", "--json"],
          outputs.clustering(272))])
add("learned", "cluster.iris",
    [Step("cluster", ["cluster", IRIS, "--target", "species", "--components", "1-4", "--covariance",
                      ",".join(STRUCTURES), "--json"], outputs.clustering(150))])


# EM ---------------------------------------------------------------------------------------------

def steps_of_em(name, data, target, *models):
    for model in models:
        add("em", f"em.{name}.{model}", [Step("em", [data, target, model], outputs.em, "em_steps")])


GAUSSIANS = ("qda", "lda", "gnb", "dlda", "rda", "oas")
steps_of_em("holes", IRIS_HOLES, "species", *GAUSSIANS)
steps_of_em("labels", "data/iris_labels.csv", "species", *GAUSSIANS)
steps_of_em("both", "data/iris_both.csv", "species", *GAUSSIANS)
steps_of_em("mixed", "data/mixed_train_holes.csv", "kind", "qda", "lda", "gnb")
steps_of_em("penguins", "@penguins", "species", "qda", "lda")
steps_of_em("levels", "data/levels_train_holes.csv", "class", "joint")
steps_of_em("levels_labels", "data/levels_labels.csv", "class", "joint", "categorical")
steps_of_em("counts_holes", COUNTS_HOLES, "class", "multinomial")
steps_of_em("counts_labels", "data/counts_labels.csv", "class", "multinomial")
