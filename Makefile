# Set-up and tests on a fresh machine with Python 3.11, make and apt.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed
TORCH ?= torch==2.13.0

.PHONY: demo test test-slow check bench torch clean

$(STAMP): pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade pip
	$(BIN)/python -m pip install --quiet -e '.[dev]'
	touch $@

demo: $(STAMP)
	$(BIN)/identcert demo --out demo-evidence

# The PyTorch reader is an extra: without it its tests skip and say so.
torch: $(STAMP)
	$(BIN)/python -c 'import torch' 2>/dev/null || \
	  $(BIN)/python -m pip install --quiet '$(TORCH)' || \
	  echo 'PyTorch cannot be installed here: its tests will be skipped'

test: torch
	$(BIN)/python -m pytest -n 2

test-slow: torch
	$(BIN)/python -m pytest -n 2 --slow
	SYMPY_GROUND_TYPES=python $(BIN)/python -m pytest -n 2

check: $(STAMP)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

bench: torch
	$(BIN)/python -m pip install --quiet -e '.[bench]'
	$(BIN)/python benchmarks/run_all.py

clean:
	rm -rf $(VENV) build dist *.egg-info demo-evidence
