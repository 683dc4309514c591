# Two commands do it all: `make run` starts Troupe, `make test` checks it. Each sets itself up in .venv first.

PYTHON ?= python3
BIN := .venv/bin
export UV_SYSTEM_CERTS := 1
INSTALLED := .venv/.installed

.PHONY: run chat test test-local check bench lock clean

run: $(INSTALLED)
	@$(BIN)/troupe run

chat: $(INSTALLED)
	@$(BIN)/troupe chat

# Compiled once, not by every process that a test starts. One worker more than processors: tests wait for programs.
test: export PYTHONDONTWRITEBYTECODE :=
test: check
	$(BIN)/python -m pytest -n $$($(BIN)/python -c 'import os; print(os.cpu_count() + 1)') -q

# The expert server's own tests, on torch: an environment of its own, some 2.5 GB.
test-local: $(INSTALLED)
	@[ -x .venv-local/bin/python ] || $(PYTHON) -m venv .venv-local
	$(BIN)/uv pip install -q --python .venv-local/bin/python --require-hashes -r requirements.lock
	.venv-local/bin/python -m pip install -q --disable-pip-version-check torch==2.13.0 "transformers>=5.23,<6" av diffusers accelerate
	.venv-local/bin/python -m pytest -n auto -q tests/adapters/local

check: $(INSTALLED)
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports

bench: $(INSTALLED)
	$(BIN)/python -m benchmarks

LOCKED := pip compile -q --universal --generate-hashes --no-annotate --no-header --python-version 3.11 \
  --extra embedded --extra postgres pyproject.toml

# requirements-run.lock: the same versions without what only developers need, for the container.
lock: $(INSTALLED)
	$(BIN)/uv $(LOCKED) --extra dev -o requirements.lock
	$(BIN)/uv $(LOCKED) --extra build -c requirements.lock -o requirements-run.lock

clean:
	rm -rf .venv .venv-local .mypy_cache .ruff_cache .pytest_cache .import_linter_cache

# Versions and hashes come from requirements.lock. uv does it in seconds; where it cannot run, pip does it.
$(INSTALLED): requirements.lock pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
	  echo "Troupe needs Python 3.11 or newer; $(PYTHON) is $$($(PYTHON) -V). Try: make $(MAKECMDGOALS) PYTHON=python3.12"; exit 1; }
	@[ -x $(BIN)/python ] || { echo "Setting up .venv (once, a minute or two) ..."; $(PYTHON) -m venv .venv || { \
	  rm -rf .venv; echo "$(PYTHON) cannot make virtual environments. On Debian and Ubuntu: apt install python3-venv"; exit 1; }; }
	@sed -n '/^uv==/,/^[^ ]*==/p' requirements.lock | sed '1!{/^[^ ]/d}' > .venv/uv.txt
	@$(BIN)/python -m pip install -q --disable-pip-version-check --require-hashes -r .venv/uv.txt 2>/dev/null \
	  && VIRTUAL_ENV=.venv $(BIN)/uv pip install -q --require-hashes -r requirements.lock \
	  && VIRTUAL_ENV=.venv $(BIN)/uv pip install -q --no-deps --no-build-isolation -e . \
	  || { $(BIN)/python -m pip install -q --disable-pip-version-check --require-hashes -r requirements.lock \
	  && $(BIN)/python -m pip install -q --disable-pip-version-check --no-deps --no-build-isolation -e . ; }
	@touch $@
