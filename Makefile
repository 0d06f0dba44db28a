# Needs Python 3.11 or newer, git and make. Everything else goes into .venv in this folder.
# PYTHON=/path/to/python chooses the interpreter.

SHELL := /bin/bash
BIN := .venv/bin
# Many more than there are cores: tests with the sandbox wait for two thirds of their time; the fast ones compute.
ALL_TESTS = $(BIN)/python -m pytest -q --side-by-side 8 --durations 20
FAST_TESTS = $(BIN)/python -m pytest -q --side-by-side 3 tests/unit tests/golden tests/repo
unexport PYTHONPATH PYTHONHOME PYTHONDONTWRITEBYTECODE

.DEFAULT_GOAL := help
.PHONY: help setup run demo test quick lint unit format bench soak soak-cycles screenshots docs site lock clean

help: ## show this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## /{printf "make %-11s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

setup: ## make .venv and install everything into it
	@scripts/setup.sh

run: setup ## run Reverie's main job on the bundled sample repository
	@$(BIN)/python examples/run_sample.py

demo: setup ## show what the sandbox does with good, broken and hostile code
	@$(BIN)/python examples/sandbox_demo.py

test: setup ## lint and all tests, side by side
	@$(call BESIDE_LINT,$(ALL_TESTS))

quick: setup ## lint and the fast tests: tests/unit, tests/golden, tests/repo
	@$(call BESIDE_LINT,$(FAST_TESTS))

lint: setup ## ruff, mypy and the import contracts
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

unit: setup ## run all tests, without lint
	$(ALL_TESTS)

# What lint has to say is shown in one piece, when the tests are through; it fails as they do.
define BESIDE_LINT
mkdir -p build; $(MAKE) --no-print-directory lint >build/lint.txt 2>&1 & lint=$$!; \
$(1); tests=$$?; wait $$lint; linted=$$?; \
echo; echo "lint:"; cat build/lint.txt; \
[ $$tests = 0 ] || echo "make: the tests failed" >&2; \
[ $$linted = 0 ] || echo "make: lint failed" >&2; \
exit $$((tests ? tests : linted))
endef

format: setup ## format the code
	$(BIN)/ruff check --fix-only --quiet .
	$(BIN)/ruff format .

bench: setup ## measure the sandbox beside its peers (benchmarks/sandbox/peers.sh installs them)
	$(BIN)/python -m benchmarks.sandbox

soak: setup ## 20,000 executions with hostile ones among them, 100 killed supervisors, 100 killed cycles
	$(BIN)/python -m benchmarks.soak
	$(BIN)/python -m benchmarks.soak.kill
	$(BIN)/python -m benchmarks.soak.cycle
	$(BIN)/python -m benchmarks.soak.cycle --real

soak-cycles: setup ## 500 short cycles in a row: memory, descriptors, files, branches, journal
	$(BIN)/python -m benchmarks.soak.cycles

screenshots: setup ## every page of the dashboard and the report, both themes, three widths: build/screenshots
	$(BIN)/python scripts/screenshots.py

docs: setup ## write the generated parts of docs/
	$(BIN)/python scripts/write_docs.py

site: docs ## build docs/ as a site into build/site; a link that leads nowhere stops it
	@scripts/site.sh

lock: setup ## write requirements/: every package by version and hash; UPGRADE=1 takes newer ones
	@scripts/lock.sh

clean: ## remove .venv, caches and built files
	rm -rf .venv .mypy_cache .ruff_cache .pytest_cache .import_linter_cache .hypothesis build dist
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
