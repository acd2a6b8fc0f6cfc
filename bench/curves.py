#!/usr/bin/python3
"""curves.py GENERA ROOT [NAME ...]: the tables of docs/generative-or-discriminative.md.

Runs `genera compare` on fifteen data sets of the repository, or on those named, and prints a line for each pair of
models: the mean errors at the smallest and the largest number of training rows, and where the curves cross.
"""
import json
import subprocess
import sys
import time

REFERENCE = "tests/reference/data"
REPEATS = "100"
NUMBERS = "dlda,lda"
SETS = {
    "boston": ("@boston", "--pairs", NUMBERS),
    "breast_cancer": ("@breast_cancer", "--pairs", NUMBERS),
    "crabs": ("@crabs", "--pairs", NUMBERS),
    "diabetes_chemical": ("@diabetes_chemical", "--pairs", NUMBERS),
    "digits 2, 3": ("@digits", "--classes", "2,3", "--pairs", NUMBERS),
    "house_votes84": ("@house_votes84", "--missing", "drop", "--pairs", "categorical"),
    "ionosphere": ("@ionosphere", "--pairs", NUMBERS),
    "iris": ("@iris", "--pairs", NUMBERS),
    "liver_bupa": ("@liver_bupa", "--pairs", NUMBERS),
    "penguins": ("@penguins", "--missing", "drop", "--drop", "year", "--pairs", NUMBERS),
    "pima_zeros": (f"{REFERENCE}/pima_zeros.csv.gz", "--pairs", NUMBERS),
    "promoters": (f"{REFERENCE}/promoters.csv.gz", "--pairs", "categorical"),
    "sms_spam": (f"{REFERENCE}/sms_spam.csv.gz", "--pairs", "multinomial", "--ridge", "1",
                 "--sizes", "20,50,100,200,500", "--repeats", "10"),
    "sonar": ("@sonar", "--pairs", NUMBERS),
    "wine": ("@wine", "--pairs", NUMBERS),
}


def compare(genera, root, words):
    repeats = () if "--repeats" in words else ("--repeats", REPEATS)
    done = subprocess.run([genera, "compare", *words, *repeats, "--json", "--quiet"], cwd=root,
                          check=True, capture_output=True)
    return json.loads(done.stdout)


def where(crossing):
    if crossing["size"] is None:
        return f"no: {crossing['better_after']}"
    low = "fewer" if crossing["low"] is None else f"{crossing['low']:.0f}"
    high = "more" if crossing["high"] is None else f"{crossing['high']:.0f}"
    way = "" if crossing["better_after"] == crossing["discriminative"] else ", the other way round"
    return f"{crossing['size']:.0f} ({low} to {high}){way}"


def lines(name, found):
    error = {(c["model"], c["size"]): c["error_mean"] for c in found["curves"]}
    first, last = found["sizes"][0], found["sizes"][-1]
    for crossing in found["crossings"][::2]:
        pair = crossing["generative"], crossing["discriminative"]
        loss = found["crossings"][found["crossings"].index(crossing) + 1]
        cells = [name, f"{pair[0]}, {pair[1]}"]
        for size in (first, last):
            cells.append(f"{size}: " + " / ".join(f"{error[m, size]:.3f}" for m in pair))
        yield "| " + " | ".join([*cells, where(crossing), where(loss)]) + " |"


def main():
    genera, root, *names = sys.argv[1:]
    print("| data | pair | error, fewest rows | error, most rows | errors cross at | log losses cross at |")
    print("|---|---|---|---|---|---|")
    for name in names or SETS:
        begun = time.monotonic()
        for line in lines(name, compare(genera, root, SETS[name])):
            print(line, flush=True)
        print(f"{name}: {time.monotonic() - begun:.0f} s", file=sys.stderr)


if __name__ == "__main__":
    main()
