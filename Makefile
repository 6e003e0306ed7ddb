# What there is to do here; `make help` lists it.

BIN := .venv/bin
PYTEST := $(BIN)/pytest -n auto --maxprocesses 8 --dist worksteal
# Compiles the tests while lint leaves a processor idle: else each worker would, which takes fifteen seconds.
COLLECT = $(BIN)/pytest -n0 --collect-only -qq $(WITHOUT) $(ARGS) >/dev/null 2>&1
FLASK := $(BIN)/flask --app app
BABEL := $(BIN)/pybabel --quiet
SAYINGS := instance/messages.pot
# Desktops set BROWSER for purposes of their own: only "no" counts there, anything else only when typed to make.
choice = $(if $(filter command,$(firstword $(origin $1))),$($1),$(filter no,$($1)))
SWITCHES = BROWSER='$(call choice,BROWSER)' GNUBG='$(call choice,GNUBG)' PG='$(call choice,PG)' \
	POSTFIX='$(call choice,POSTFIX)'
WITHOUT = $(if $(filter no,$(BROWSER)),--without browser) $(if $(filter no,$(GNUBG)),--without gnubg) \
	$(if $(filter no,$(PG)),--without pg) $(if $(filter no,$(POSTFIX)),--without postfix)

# Some machines forbid to keep what was compiled, for their images' sake.
unexport PYTHONDONTWRITEBYTECODE
.NOTPARALLEL:
.PHONY: help run test check lint format bench soak translations lock setup-app setup-bench setup-tests

help: ## this list
	@sed -n 's/^\([a-z][a-z-]*\):.*## /    make \1\t/p' Makefile

run: setup-app ## play: everything that is needed, a first database with demo people, the server
	$(FLASK) dev

test: setup-tests check ## the whole suite and what it needs; BROWSER=no, GNUBG=no, PG=no, POSTFIX=no leave out; ARGS=... to pytest

check: ## the same without looking for what is needed
	@$(COLLECT) & $(MAKE) --no-print-directory lint; code=$$?; wait; exit $$code
	$(PYTEST) $(WITHOUT) $(ARGS)

lint: ## format, lint, types and import arrows
	$(BIN)/ruff format --check --quiet .
	$(BIN)/ruff check --quiet .
	$(BIN)/mypy
	$(BIN)/lint-imports

format: setup-tests ## puts the code in its form
	$(BIN)/ruff check --quiet --fix .
	$(BIN)/ruff format .

bench: setup-bench ## every figure, or ONLY=name
	$(BIN)/python -m tests.bench $(ONLY)

soak: setup-tests ## thousands of random games and matches, and hundreds of random rounds; MATCHES=5000
	$(PYTEST) --matches $(or $(MATCHES),5000) tests/rules/test_properties.py tests/ledger/test_random_matches.py tests/pairing/test_swiss.py

translations: setup-tests ## after a change of what people read: fills the catalogues, and lists what they miss
	$(BABEL) extract --mapping pyproject.toml --keywords lazy_gettext --no-location --sort-output --output $(SAYINGS) .
	for language in de ru; do $(BABEL) update --locale $$language --input-file $(SAYINGS) --no-wrap \
		--ignore-obsolete --no-fuzzy-matching --ignore-pot-creation-date --output-dir bgmail/translations || exit; done
	$(BIN)/python -m tests.translations.missing

lock: ## after a change of the requirement files: pins what they need in turn
	.ci/setup lock

setup-app:
	@.ci/setup app

setup-tests:
	@$(SWITCHES) .ci/setup tests

setup-bench:
	@.ci/setup bench
