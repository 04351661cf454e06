# Parallelism Atlas. A fresh machine needs Python 3.12 or newer; everything else is installed here, beside the code.
#   make site      build the site into site/                make check    validate the cards, in seconds
#   make test      all tests                                make serve    live preview
#   make offline   one zip to read without a network        make bench    speed and size, against plain Pyodide
#   make lock      resolve pyproject.toml and package.json anew

PYTHON3 := $(firstword $(foreach python,python3 python3.14 python3.13 python3.12 python,$(shell \
  $(python) -c 'import sys; sys.exit(sys.version_info < (3, 12))' 2>/dev/null && echo $(python))))
BIN := .venv/bin
export PATH := $(CURDIR)/$(BIN):$(PATH)
export PYTHONPATH := $(CURDIR)
export NO_MKDOCS_2_WARNING := 1
SOURCES := $(shell find cards docs labs macros -type f -not -name '*.pyc' -not -path '*/__pycache__/*') mkdocs.yml pyproject.toml $(wildcard bench/results.json)

.PHONY: site test check bench serve offline lock clean
ifneq ($(ATLAS_SITE_URL)$(ATLAS_EDIT_URL),)  # make looks at files alone; with these the site is built anew
.PHONY: site/index.html
endif
.DELETE_ON_ERROR:

site: site/index.html
	@echo "Open site/index.html in a browser, or run: make serve"

site/index.html: node_modules/.installed $(SOURCES)
	@$(BIN)/python -m macros site --cards cards --out site --strict
	@touch $@

test: site
	$(BIN)/python -m pytest

check: .venv/.installed
	@$(BIN)/python -m macros check --strict

bench: site
	@$(BIN)/node bench/run.mjs

serve: node_modules/.installed
	$(BIN)/python -m mkdocs serve

offline: parallelism-atlas.zip
parallelism-atlas.zip: site/index.html
	@$(BIN)/python -m macros.offline site $@

.venv/.installed: requirements.lock
	@$(if $(PYTHON3),,echo "expected Python 3.12 or newer, found $$(python3 --version 2>&1 || echo no python3)"; echo "  hint: install it, or put it first in PATH"; exit 1)
	@echo "Installing the Python side into .venv …"
	@$(PYTHON3) -m venv .venv
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements.lock
	@touch $@

node_modules/.installed: package-lock.json .venv/.installed
	@echo "Installing the browser side into node_modules …"
	@$(BIN)/npm ci --ignore-scripts --silent
	@touch $@

lock: .venv/.installed
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check uv
	$(BIN)/uv pip compile --universal --generate-hashes --python-version 3.12 --no-header --group site --group test --quiet -o requirements.lock
	$(BIN)/npm install --package-lock-only --ignore-scripts

clean:
	rm -rf site .build node_modules .venv parallelism-atlas.zip
