# `make try` and `make test` need nothing but make: they install what is missing (scripts/setup.sh).
JOBS := $(shell nproc 2>/dev/null || echo 2)
PREFIX ?= /usr/local
CONFIGURE ?=
SECONDS ?= 60
PYTHON := /usr/bin/python3
SOURCES = find include src apps tests examples bench fuzz -name '*.hpp' -o -name '*.cpp'

.PHONY: help try test test-sanitized test-tour gallery bench bench-compare fuzz tsan tidy format format-check \
	install clean setup setup-bench setup-browser setup-compare setup-tools

help:
	@echo 'make try                  build, then fit, evaluate, predict and plot on the iris data'
	@echo 'make test                 build with GCC (Release), run every test'
	@echo 'make test-sanitized       build with Clang and its sanitizers, run the tests of the library'
	@echo 'make test-tour            the tour alone: its numbers, its commands, and how a browser (Chromium) shows it'
	@echo 'make gallery              draw the figures of docs/gallery again'
	@echo 'make install PREFIX=DIR   library, headers and command line ($(PREFIX))'
	@echo 'make bench                speed against scikit-learn, pandas, polars, mlpack (OPTIONS="--quick")'
	@echo 'make bench-compare BASE=REV   speed against another revision (OPTIONS="--quick --limit 0.9")'
	@echo 'make fuzz SECONDS=N       every fuzz target for N seconds ($(SECONDS)); what is found: build/fuzz/out/crashes'
	@echo 'make tsan                 every test under the thread sanitizer'
	@echo 'make tidy                 clang-tidy on all sources'
	@echo 'make format               clang-format on all sources (format-check: only look)'
	@echo 'make clean                remove build/'

setup:
	@sh scripts/setup.sh build
setup-bench:
	@sh scripts/setup.sh bench
setup-browser: setup
	@sh scripts/setup.sh browser
setup-compare:
	@sh scripts/setup.sh compare
setup-tools:
	@sh scripts/setup.sh tools

try: setup
	@cmake --preset release --log-level=WARNING >/dev/null
	@cmake --build --preset release --parallel $(JOBS) --target genera_cli
	@sh scripts/try.sh build/release/bin/genera build/try

test: setup setup-browser
	@$(call build,release)
	@$(call run_tests,release)

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

tsan: setup
	@$(call build,tsan)
	@$(call run_tests,tsan)

fuzz: setup
	@$(call build,fuzz)
	@$(PYTHON) -B fuzz/run.py build/fuzz/bin --out build/fuzz/out --seconds $(SECONDS)

bench: setup-bench
	@sh bench/peers.sh build/bench-venv
	@$(call build,bench)
	@build/bench-venv/bin/python -B bench/run.py build/bench --out build/bench/table.md $(OPTIONS)
	@echo 'the table as Markdown: build/bench/table.md'

bench-compare: setup-compare
	@$(PYTHON) -B bench/compare.py $(BASE) $(OPTIONS)

tidy: setup-tools
	@$(call build,dev)
	@run-clang-tidy -quiet -p build/dev -j $(JOBS) '$(CURDIR)/(src|apps|tests|examples)/.*\.cpp$$'

format: setup-tools
	@$(SOURCES) | xargs clang-format -i

format-check: setup-tools
	@$(SOURCES) | xargs clang-format --dry-run --Werror

install: setup
	@$(call build,release)
	@cmake --install build/release --prefix '$(PREFIX)'

clean:
	@rm -rf build

build = echo '== build: $(1)' && cmake --preset $(1) $(CONFIGURE) --log-level=WARNING >/dev/null && \
	cmake --build --preset $(1) --parallel $(JOBS)
run_tests = (echo '== test: $(1)' && rm -f build/$(1)/tests.log && \
	ctest --preset $(1) --parallel $(JOBS) --output-log build/$(1)/tests.log)
