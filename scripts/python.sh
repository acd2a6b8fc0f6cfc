#!/bin/sh
# python.sh install|try|test|debian|cluster|cluster-try-spark: the Python module in the virtual environment
# build/venv, which has the newest packages of PyPI;
# `install` makes both, `try` and `test` use them.
# The library is that of the release build (cmake --preset release), which must be there.
# Without PyPI the tests are skipped, and that is said; where CI=true it is a failure.
set -eu
cd "$(dirname "$0")/.."
venv=build/venv
python=/usr/bin/python3
[ -x "$python" ] || python=python3

skip() {
  echo "python: $1" >&2
  if [ "${CI:-}" = true ]; then
    echo "python: in CI this is a failure" >&2
    exit 1
  fi
  echo "python: THE PYTHON MODULE IS NOT TESTED HERE" >&2
  exit 0
}

# Once a day, and if the list has changed: packages of yesterday are new enough.
packages() {
  [ -z "$(find $venv/ready -mtime -1 -newer scripts/python.sh 2>/dev/null)" ] || return 0
  [ -x $venv/bin/pip ] || "$python" -m venv $venv || return 1
  $venv/bin/pip install --quiet --disable-pip-version-check --only-binary :all: --upgrade \
    numpy scipy scikit-learn pandas polars pyarrow matplotlib plotly tqdm "dask[array,dataframe,distributed]" \
    pytest mypy pyright nanobind scikit-build-core || return 1
  touch $venv/ready
}

install_module() {
  CMAKE_ARGS="-DGENERA_PREBUILT=$PWD/build/release ${CMAKE_ARGS:-}" CMAKE_GENERATOR=Ninja \
    $venv/bin/pip install --quiet --disable-pip-version-check --no-build-isolation --no-deps \
    --no-index --force-reinstall --config-settings build-dir=build/wheel . || exit 1
}

case "${1:-}" in
  install)
    packages || skip "the packages of PyPI cannot be had"
    install_module
    ;;
  try)
    [ -x $venv/bin/python ] || skip "there is no $venv"
    $venv/bin/python -B examples/python/iris.py
    ;;
  test)
    [ -e $venv/ready ] || skip "there is no $venv with its packages"
    $venv/bin/python -B -m pytest -p no:cacheprovider python/tests
    ;;
  debian)
    # The module is built with PyPI's tools and run with Debian's packages.
    packages || skip "the packages of PyPI cannot be had"
    debian=build/venv-debian
    [ -x $debian/bin/pip ] || /usr/bin/python3 -m venv --system-site-packages $debian
    $debian/bin/pip install --quiet --disable-pip-version-check --only-binary :all: pytest plotly
    mkdir -p build/wheel-debian
    CMAKE_ARGS="-DGENERA_PREBUILT=$PWD/build/release" CMAKE_GENERATOR=Ninja \
      $venv/bin/pip wheel --quiet --disable-pip-version-check --no-build-isolation --no-deps \
      --no-index --config-settings build-dir=build/wheel -w build/wheel-debian .
    $debian/bin/pip install --quiet --disable-pip-version-check --no-deps --no-index \
      --force-reinstall build/wheel-debian/*.whl
    $debian/bin/python -c 'import numpy, sklearn, pandas; print("numpy", numpy.__version__, "scikit-learn", sklearn.__version__, "pandas", pandas.__version__)'
    $debian/bin/python -B -m pytest -p no:cacheprovider python/tests
    ;;
  cluster | cluster-try-spark)
    command -v java >/dev/null || skip "Spark needs Java 17 (apt-get install openjdk-17-jre-headless)"
    cluster=build/venv-cluster
    [ -x $cluster/bin/pip ] || $venv/bin/python -m venv $cluster
    $cluster/bin/pip install --quiet --disable-pip-version-check --only-binary :all: \
      numpy scipy scikit-learn pandas pyarrow pytest "dask[array,dataframe,distributed]"
    $cluster/bin/pip install --quiet --disable-pip-version-check "pyspark[connect]>=4"
    mkdir -p build/wheel-cluster
    CMAKE_ARGS="-DGENERA_PREBUILT=$PWD/build/release" CMAKE_GENERATOR=Ninja \
      $venv/bin/pip wheel --quiet --disable-pip-version-check --no-build-isolation --no-deps \
      --no-index --config-settings build-dir=build/wheel -w build/wheel-cluster .
    $cluster/bin/pip install --quiet --disable-pip-version-check --no-deps --no-index \
      --force-reinstall build/wheel-cluster/*.whl
    export PYSPARK_PYTHON="$PWD/$cluster/bin/python"
    if [ "$1" = cluster-try-spark ]; then
      $cluster/bin/python -B -W ignore examples/spark.py
      exit 0
    fi
    status=0
    pytest="$cluster/bin/python -B -m pytest -p no:cacheprovider -c /dev/null -q -W ignore"
    $pytest python/tests_cluster/test_kills.py || status=1
    $pytest python/tests_cluster/test_spark.py || status=1
    GENERA_TEST_CONNECT=1 $pytest python/tests_cluster/test_spark.py || status=1
    exit $status
    ;;
  *)
    echo "usage: python.sh install|try|test|debian|cluster|cluster-try-spark" >&2
    exit 2
    ;;
esac
