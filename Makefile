# Two commands: `make crawl` and `make test`. Everything they need is installed into .venv.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
WORKERS ?= auto

.PHONY: env test lint types unit clean

env: $(VENV)/.installed

$(VENV)/.installed: pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --upgrade pip
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable ".[dev]"
	touch $@

test: lint types unit

lint: env
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: env
	$(BIN)/mypy

unit: env
	$(BIN)/python -m pytest -q -n $(WORKERS) --cov --cov-report=term --cov-fail-under=90

clean:
	rm -rf $(VENV) build dist output *.egg-info .coverage* .mypy_cache .pytest_cache .ruff_cache .hypothesis
