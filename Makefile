# Two commands: `make crawl` and `make test`. Everything they need is installed into .venv.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
# One more than there are cores, as most of the long tests wait (tests/together.py); each takes up to 0.7 GB.
WORKERS ?= auto
COVERAGE ?= --cov --cov-report=term --cov-fail-under=90
# What is installed: `make test EXTRAS=dev,spark` also tests Spark, which is 400 MB, where there is Java.
EXTRAS ?= dev
# Which tests, and options of pytest; all of them where it is empty.
TESTS ?=
# Also where the environment wants no bytecode: the package is started some hundred times, and collected by each worker.
BYTECODE := PYTHONDONTWRITEBYTECODE= PYTHONPYCACHEPREFIX=$(abspath $(VENV))/bytecode

# An edited one is compiled by installing anew.
PARTS := $(wildcard cleancrawl/core/native/*.py cleancrawl/core/native/*.pyx cleancrawl/core/native/*.pxd)

export MAX_PAGES

.PHONY: env crawl egg wheels test lint types unit clean

env: $(VENV)/.installed

$(VENV)/.installed: pyproject.toml $(PARTS)
	@echo "Making $(VENV) with all tools for development, and compiling what is costly: some minutes, once …"
	@$(PYTHON) -m venv $(VENV)
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --upgrade pip
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable ".[$(EXTRAS)]"
	@touch $@

# What a crawl needs, without the tools for development.
$(VENV)/.crawls: pyproject.toml $(PARTS)
	@$(PYTHON) -c 'import sys; sys.exit("Python 3.11 or newer is needed: make PYTHON=…" if sys.version_info < (3, 11) else 0)'
	@test -x $(BIN)/python || { echo "Making the environment $(VENV) …"; $(PYTHON) -m venv $(VENV); }
	@echo "Installing Scrapy and the rest into $(VENV), and compiling what is costly: a minute or two, once …"
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable ".[search,report,serve]"
	@$(BIN)/python -c 'from cleancrawl.core import native; print("Installed;", native.in_use())'
	@touch $@

crawl: $(VENV)/.crawls
	@$(BIN)/python -m tests.site.demo $(SITES)

# What pip installs: a source distribution, and a wheel built from it with its parts compiled.
wheels:
	$(PYTHON) -m venv build/wheels
	build/wheels/bin/python -m pip install --quiet --disable-pip-version-check build
	build/wheels/bin/python -m build --outdir dist .
	rm -rf build/wheels

# For Scrapyd: see docs/scheduling.md.
egg: $(VENV)/.crawls
	@$(BIN)/python -m cleancrawl.crawl.egg

test: lint types unit

lint: env
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: env
	$(BIN)/mypy

unit: env
	$(BYTECODE) $(BIN)/python -m pytest -q -n $(WORKERS) --dist loadgroup $(COVERAGE) $(TESTS)

clean:
	rm -rf .venv* build dist output *.egg-info .coverage* .mypy_cache .pytest_cache .ruff_cache .hypothesis cleancrawl/core/native/*.so
