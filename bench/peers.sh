#!/bin/sh
# peers.sh FOLDER: a virtual environment with the peers as their users have them, the newest wheels of
# PyPI (their OpenBLAS inside). What cannot be had is said, and its lines are left out of the bench.
set -eu
folder=${1:?usage: peers.sh FOLDER}
python=/usr/bin/python3
[ -x "$python" ] || python=python3

[ -x "$folder/bin/pip" ] || "$python" -m venv "$folder"
install() {
  "$folder/bin/pip" install --quiet --disable-pip-version-check --only-binary :all: --upgrade "$@"
}
if ! install numpy scipy scikit-learn pandas threadpoolctl; then
  echo "peers.sh: scikit-learn, pandas and NumPy cannot be had from PyPI: there is no peer" >&2
  exit 1
fi
for extra in polars mlpack; do
  install "$extra" || echo "peers.sh: $extra cannot be had from PyPI; its lines are left out" >&2
done
