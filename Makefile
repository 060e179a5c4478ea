# Two commands: `make crawl` and `make test`. Everything they need is installed into .venv.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
WORKERS ?= auto

# An edited one is compiled by installing anew.
PARTS := $(wildcard cleancrawl/core/native/*.py cleancrawl/core/native/*.pyx cleancrawl/core/native/*.pxd)

export MAX_PAGES

.PHONY: env crawl egg test lint types unit clean

env: $(VENV)/.installed

$(VENV)/.installed: pyproject.toml $(PARTS)
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --upgrade pip
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable ".[dev]"
	touch $@

# What a crawl needs, without the tools for development.
$(VENV)/.crawls: pyproject.toml $(PARTS)
	@$(PYTHON) -c 'import sys; sys.exit("Python 3.11 or newer is needed: make PYTHON=…" if sys.version_info < (3, 11) else 0)'
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable ".[feeds,search]"
	touch $@

crawl: $(VENV)/.crawls
	@$(BIN)/python -m tests.site.demo $(SITES)

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
	$(BIN)/python -m pytest -q -n $(WORKERS) --dist loadgroup --cov --cov-report=term --cov-fail-under=90

clean:
	rm -rf $(VENV) build dist output *.egg-info .coverage* .mypy_cache .pytest_cache .ruff_cache .hypothesis cleancrawl/core/native/*.so
