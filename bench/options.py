#!/usr/bin/python3
"""The options of `make bench`, checked before anything is installed, built or timed.

usage: bench/options.py BUILD [--quick] [--tiny] [--mnist DIR] [--newsgroups DIR] [--out FILE]
"""
import argparse
import pathlib

MNIST = ("train-images-idx3-ubyte.gz", "train-labels-idx1-ubyte.gz")
NEWSGROUPS = ("newsgroups20_train.csv.gz", "newsgroups20_test.csv.gz")


def folder_with(*names):
    def folder(path):
        missing = [name for name in names if not (pathlib.Path(path) / name).is_file()]
        if missing:
            raise argparse.ArgumentTypeError(f"{path}: there is no {' and no '.join(missing)}")
        return path
    return folder


def options(description):
    parser = argparse.ArgumentParser(description=description, allow_abbrev=False)
    parser.add_argument("build", help="build folder")
    parser.add_argument("--quick", action="store_true", help="only the reference size")
    parser.add_argument("--tiny", action="store_true", help="small data, only to see that it works")
    parser.add_argument("--mnist", type=folder_with(*MNIST), help="folder with the MNIST idx files")
    parser.add_argument("--newsgroups", type=folder_with(*NEWSGROUPS),
                        help="folder with newsgroups20_train.csv.gz and _test.csv.gz (label,text)")
    parser.add_argument("--out", help="also write the table to this file")
    return parser.parse_args()


if __name__ == "__main__":
    options(__doc__.splitlines()[0])
