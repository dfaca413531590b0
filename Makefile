# Set-up and tests on a fresh machine with Python 3.11, make and apt.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed
TORCH ?= torch==2.13.0
APT := $(shell [ "$$(id -u)" = 0 ] || echo sudo -n) env DEBIAN_FRONTEND=noninteractive apt-get
COQ := coq libcoq-interval libcoq-mathcomp-ssreflect libcoq-mathcomp-fingroup \
  libcoq-mathcomp-algebra

.PHONY: demo test test-slow check bench torch coq-packages coq clean

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

# Coq comes from apt: where that is impossible the proofs are skipped, and this is said.
coq-packages:
	@$(PYTHON) proofs/check.py --ready >/dev/null || \
	  { echo 'installing Coq' && $(APT) update -qq && \
	  $(APT) install -qq -y --no-install-recommends $(COQ); } >/dev/null || \
	  echo 'Coq cannot be installed here: the proofs will be skipped'

coq: coq-packages
	$(PYTHON) proofs/check.py

test: torch coq
	$(BIN)/python -m pytest -n 2

test-slow: torch coq-packages
	$(PYTHON) proofs/check.py --coqchk
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
	$(MAKE) -C proofs clean
	rm -rf $(VENV) build dist *.egg-info demo-evidence
