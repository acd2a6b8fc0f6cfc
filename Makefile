# `make try` and `make test` need nothing but make: they install what is missing (scripts/setup.sh).
JOBS := $(shell nproc 2>/dev/null || echo 2)
PREFIX ?= /usr/local
CONFIGURE ?=
SECONDS ?= 60
PYTHON := /usr/bin/python3
TIDY = $(CURDIR)/(src|apps|tests|examples|fuzz)/.*\.cpp
SOURCES = find include src apps tests examples bench fuzz python -name '*.hpp' -o -name '*.cpp'

.PHONY: help try cluster-try cluster-try-spark test test-cluster test-sanitized test-tour gallery python python-debian bench bench-compare bench-quality fuzz tsan tidy format format-check \
	install clean setup setup-program setup-browser setup-python setup-tools

help:
	@echo 'make try                  build, then fit, evaluate, predict and plot on the iris data'
	@echo 'make test                 build with GCC (Release), run every test'
	@echo 'make test-sanitized       build with Clang and its sanitizers, run the tests of the library'
	@echo 'make test-tour            the tour alone: its numbers, its commands, and how a browser (Chromium) shows it'
	@echo 'make python               the Python module in build/venv, with the newest packages of PyPI, and try it'
	@echo 'make python-debian        its tests with the packages of Debian (numpy 1.24, scikit-learn 1.2, pandas 1.5)'
	@echo 'make cluster-try          start a Dask cluster of two processes here, and fit on it'
	@echo 'make cluster-try-spark    the same on Spark, which takes Java and 1.1 GB'
	@echo 'make test-cluster         Spark, Spark Connect, and workers that are killed in each phase'
	@echo 'make gallery              draw the figures of docs/gallery again'
	@echo 'make install PREFIX=DIR   library, headers and command line ($(PREFIX))'
	@echo 'make bench                speed against scikit-learn, pandas, polars, mlpack (OPTIONS="--quick")'
	@echo 'make bench-quality        held-out losses against scikit-learn (OPTIONS="--quick --data FOLDER")'
	@echo 'make bench-compare BASE=REV   speed against another revision (OPTIONS="--quick --limit 0.9")'
	@echo 'make fuzz SECONDS=N       every fuzz target for N seconds ($(SECONDS)); what is found: build/fuzz/out/crashes'
	@echo 'make tsan                 every test under the thread sanitizer'
	@echo 'make tidy                 clang-tidy on each source by itself, and how many there are'
	@echo 'make format               clang-format on all sources (format-check: only look)'
	@echo 'make clean                remove build/'

setup-program:
	@sh scripts/setup.sh program
setup:
	@sh scripts/setup.sh build
setup-browser: setup
	@sh scripts/setup.sh browser
setup-python:
	@sh scripts/setup.sh python
setup-tools:
	@sh scripts/setup.sh tools

# The program alone: `make test` configures the same folder with tests.
try: setup-program
	@cmake --preset release -DGENERA_BUILD_TESTS=OFF -DGENERA_BUILD_EXAMPLES=OFF --log-level=WARNING >/dev/null
	@cmake --build --preset release --parallel $(JOBS) --target genera_cli
	@sh scripts/try.sh build/release/bin/genera build/try

# Both suites run even if one fails; that of Python comes last, with pytest's own line of counts.
test: setup setup-browser setup-python
	@$(call build,release)
	@status=0; \
	$(call run_tests,release) || status=1; \
	echo '== build: python'; CMAKE_ARGS='$(CONFIGURE)' sh scripts/python.sh install || status=1; \
	echo '== test: python'; sh scripts/python.sh test || status=1; \
	exit $$status

test-sanitized: setup
	@$(call build,dev)
	@$(call run_tests,dev)

test-tour: setup setup-browser
	@cmake --preset release $(CONFIGURE) --log-level=WARNING >/dev/null
	@cmake --build --preset release --parallel $(JOBS) --target genera_cli
	@ctest --preset release -R '^(cli\.tour|tour\.)'

gallery: setup
	@$(call build,release)
	@sh scripts/gallery.sh build/release/bin/genera docs/gallery

python: setup-python
	@echo '== build: release' && cmake --preset release $(CONFIGURE) --log-level=WARNING >/dev/null
	@cmake --build --preset release --parallel $(JOBS) --target genera
	@CI=true sh scripts/python.sh install
	@sh scripts/python.sh try

cluster-try: python
	@cd build && venv/bin/python -B ../examples/python/cluster.py

cluster-try-spark: python
	@sh scripts/python.sh cluster-try-spark

# Spark and Java take 1.1 GB: they are installed for this target alone, in build/venv-cluster.
test-cluster: python
	@sh scripts/python.sh cluster

python-debian: setup-python
	@sh scripts/setup.sh python-debian
	@cmake --preset release --log-level=WARNING >/dev/null
	@cmake --build --preset release --parallel $(JOBS) --target genera
	@sh scripts/python.sh debian

tsan: setup
	@$(call build,tsan)
	@$(call run_tests,tsan)

fuzz: setup
	@$(call build,fuzz)
	@$(PYTHON) -B fuzz/run.py build/fuzz/bin --out build/fuzz/out --seconds $(SECONDS)

bench:
	@$(PYTHON) -B bench/options.py build/bench $(OPTIONS)
	@sh scripts/setup.sh bench
	@sh bench/peers.sh build/bench-venv
	@$(call build,bench)
	@build/bench-venv/bin/python -B bench/run.py build/bench --out build/bench/table.md $(OPTIONS)
	@$(MAKE) --no-print-directory python
	@build/venv/bin/python -B bench/python_module.py build/bench --out build/bench/python.md $(OPTIONS)
	@echo 'the tables as Markdown: build/bench/table.md, build/bench/python.md'

bench-quality: python
	@build/venv/bin/python -B bench/quality.py --out build/bench/quality.md $(OPTIONS)

bench-compare:
	@sh scripts/setup.sh compare
	@$(PYTHON) -B bench/compare.py $(BASE) $(OPTIONS)

tidy: setup-tools
	@cmake --preset tidy --log-level=WARNING >/dev/null
	@run-clang-tidy -quiet -p build/tidy -j $(JOBS) '$(TIDY)'
	@echo "clang-tidy: $$(grep -cE '"file": "$(TIDY)"' build/tidy/compile_commands.json) files checked"

format: setup-tools
	@$(SOURCES) | xargs clang-format -i

format-check: setup-tools
	@$(SOURCES) | xargs clang-format --dry-run --Werror

install: setup-program
	@cmake --preset release -DGENERA_BUILD_TESTS=OFF -DGENERA_BUILD_EXAMPLES=OFF $(CONFIGURE) --log-level=WARNING >/dev/null
	@cmake --build --preset release --parallel $(JOBS)
	@cmake --install build/release --prefix '$(PREFIX)'

clean:
	@rm -rf build

build = echo '== build: $(1)' && cmake --preset $(1) $(CONFIGURE) --log-level=WARNING >/dev/null && \
	cmake --build --preset $(1) --parallel $(JOBS)
run_tests = (echo '== test: $(1)' && rm -f build/$(1)/tests.log && \
	ctest --preset $(1) --parallel $(JOBS) --output-log build/$(1)/tests.log)
