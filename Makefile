# Two commands do it all: `make run` starts Troupe, `make test` checks it. Each sets itself up in .venv first.

PYTHON ?= python3
BIN := .venv/bin
export UV_SYSTEM_CERTS := 1
# What .venv was set up for: to run Troupe, or to work on it, which needs the same and more.
TO_RUN := .venv/.installed-run
TO_WORK := .venv/.installed

.PHONY: run chat install local test quick test-local test-engines cluster test-cluster check bench lock clean

run: $(TO_RUN)
	@echo "Starting Troupe ..."
	@$(BIN)/troupe run

chat: $(TO_RUN)
	@$(BIN)/troupe chat

# For a service, whose user may not write here.
install: $(TO_RUN)
	@$(BIN)/python -m compileall -q .venv/lib bot evaluation adapters pipeline migrations || true

# Compiled once, not by every process that a test starts. One worker more than processors: tests wait for programs.
test: export PYTHONDONTWRITEBYTECODE :=
test: check
	$(BIN)/python -m pytest -n $$($(BIN)/python -c 'import os; print(os.cpu_count() + 1)') -q

# Without the tests that start programs, workers, browsers or databases: what to run between two edits.
quick: export PYTHONDONTWRITEBYTECODE :=
quick: $(TO_WORK)
	$(BIN)/python -m pytest -n $$($(BIN)/python -c 'import os; print(os.cpu_count() + 1)') -q -m "not program" \
	  $(foreach folder,e2e engines cluster adapters/local adapters/workers evaluation servers cassettes,--ignore tests/$(folder))

# What the expert server runs with, besides: the extras [local] and [diffusion]. Torch is in no lock: its builds differ by
# machine, and so do their hashes. pip takes one that is installed already, such as the build for processors only.
TORCH := pip install -q --disable-pip-version-check torch==2.13.0
local: $(TO_RUN)
	$(BIN)/python -m pip install -q --disable-pip-version-check --no-deps --require-hashes -r requirements-local.lock
	$(BIN)/python -m $(TORCH)

# The expert server's own tests, on torch: an environment of its own, some 2.5 GB.
test-local: $(TO_WORK)
	@[ -x .venv-local/bin/python ] || $(PYTHON) -m venv .venv-local
	$(BIN)/uv pip install -q --python .venv-local/bin/python --require-hashes -r requirements.lock
	$(BIN)/uv pip install -q --python .venv-local/bin/python --no-deps --require-hashes -r requirements-local.lock
	.venv-local/bin/python -m $(TORCH)
	.venv-local/bin/python -m pytest -n auto -q tests/adapters/local

# Servers and grammars that others wrote, in an environment of their own, some 1.7 GB: litellm, llama.cpp, transformers serve,
# xgrammar, llguidance. What is not installed there is left out, and the tests say so.
test-engines: $(TO_WORK)
	@[ -x .venv-engines/bin/python ] || $(PYTHON) -m venv .venv-engines
	$(BIN)/uv pip install -q --python .venv-engines/bin/python --no-deps --require-hashes -r tests/engines/requirements.lock \
	  || echo "The engines can't be installed here: their tests are left out."
	.venv-engines/bin/python -m $(TORCH)
	$(BIN)/python -m pytest -q -rs tests/engines

# Experts beyond one machine: Ray, besides what `make local` installs.
cluster: local
	$(BIN)/python -m pip install -q --disable-pip-version-check --no-deps --require-hashes -r requirements-cluster.lock

# Two nodes of Ray on loopback, in an environment of their own: some 0.6 GB, without torch.
test-cluster: $(TO_WORK)
	@[ -x .venv-cluster/bin/python ] || $(PYTHON) -m venv .venv-cluster
	$(BIN)/uv pip install -q --python .venv-cluster/bin/python --no-deps --require-hashes -r requirements-cluster.lock \
	  || echo "Ray can't be installed here: its tests are left out."
	$(BIN)/python -m pytest -q -rs tests/cluster

check: $(TO_WORK)
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports

bench: $(TO_WORK)
	$(BIN)/python -m benchmarks

LOCKED := pip compile -q --universal --generate-hashes --no-annotate --no-header --python-version 3.11 pyproject.toml

# requirements-run.lock: the same versions without what only developers need, for `make run` and the container.
# requirements-replicas.lock: that and the extras for many machines, for the container of replicas.
# requirements-local.lock: what `make local` adds, with what torch needs but without torch.
lock: $(TO_WORK)
	$(BIN)/uv $(LOCKED) --extra embedded --extra postgres --extra dev -o requirements.lock
	$(BIN)/uv $(LOCKED) --extra embedded --extra postgres --extra build -c requirements.lock -o requirements-run.lock
	$(BIN)/uv $(LOCKED) --extra embedded --extra postgres --extra s3 --extra telemetry --extra build -c requirements.lock \
	  -o requirements-replicas.lock
	@echo 'torch; python_version < "3"' > .venv/without.txt
	@printf '%s\n' jinja2 networkx setuptools sympy > .venv/beside.txt
	$(BIN)/uv $(LOCKED) --extra local --extra diffusion --overrides .venv/without.txt .venv/beside.txt \
	  -c requirements.lock -o requirements-local.lock
	$(BIN)/uv $(LOCKED) --extra cluster -c requirements.lock -c requirements-local.lock -o requirements-cluster.lock
	@printf '%s\n' 'torch; python_version < "3"' 'triton; python_version < "3"' > .venv/without.txt
	$(BIN)/uv $(subst pyproject.toml,tests/engines/requirements.in,$(LOCKED)) --overrides .venv/without.txt \
	  -o tests/engines/requirements.lock
	@rm .venv/without.txt .venv/beside.txt

clean:
	rm -rf .venv .venv-local .venv-engines .venv-cluster .mypy_cache .ruff_cache .pytest_cache .import_linter_cache

# Versions and hashes come from a lock. uv installs in seconds; where it cannot run, pip does it. $(1) is the lock, $(2) says
# for what. uv itself is pinned in requirements.lock, and gone again afterwards.
define INSTALL
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
	  echo "Troupe needs Python 3.11 or newer; $(PYTHON) is $$($(PYTHON) -V). Try: make $(MAKECMDGOALS) PYTHON=python3.12"; exit 1; }
	@echo "$$($(PYTHON) -V) found. Setting Troupe up in the folder .venv here; this takes a minute or two."
	@[ -x $(BIN)/python ] || { echo "  1 of 3  making .venv ..."; $(PYTHON) -m venv .venv || { \
	  rm -rf .venv; echo "$(PYTHON) cannot make virtual environments. On Debian and Ubuntu: apt install python3-venv"; exit 1; }; }
	@echo "  2 of 3  fetching $$(grep -c '^[a-z0-9].*==' $(1)) libraries $(2) ..."
	@rm -rf .venv/.uv; sed -n '/^uv==/,/^[^ ]*==/p' requirements.lock | sed '1!{/^[^ ]/d}' > .venv/uv.txt
	@{ $(BIN)/python -m pip install -q --disable-pip-version-check --target .venv/.uv --require-hashes -r .venv/uv.txt 2>/dev/null \
	  && VIRTUAL_ENV=.venv .venv/.uv/bin/uv pip install -q --require-hashes -r $(1) \
	  && echo "  3 of 3  installing Troupe ..." \
	  && VIRTUAL_ENV=.venv .venv/.uv/bin/uv pip install -q --no-deps --no-build-isolation -e . ; } \
	  || { echo "          with pip, as uv can't be used here: this takes a few minutes longer ..." \
	  && $(BIN)/python -m pip install -q --disable-pip-version-check --no-compile --require-hashes -r $(1) \
	  && echo "  3 of 3  installing Troupe ..." \
	  && $(BIN)/python -m pip install -q --disable-pip-version-check --no-deps --no-build-isolation -e . ; }
	@rm -rf .venv/.uv .venv/uv.txt
	@echo "  Done."
endef

$(TO_RUN): requirements-run.lock pyproject.toml
	$(call INSTALL,requirements-run.lock,to run Troupe: 1.3 GB on disk)
	@touch $@

$(TO_WORK): requirements.lock pyproject.toml
	$(call INSTALL,requirements.lock,to run and to test Troupe: 1.6 GB on disk)
	@touch $(TO_RUN) $@
