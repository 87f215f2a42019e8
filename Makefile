# make play   a table made of software on http://127.0.0.1:8000
# make test   install what the tests need, then run them
# make check  style and types
# make bench  speed and memory
# make pictures  renew the pictures of panel and pages in tests/golden/

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt
PORT ?= 8000

.PHONY: play test check bench pictures clean

play: $(VENV)/.play
	$(BIN)/companion run --simulate --port $(PORT)

test: $(VENV)/.test $(VENV)/.browser
	$(BIN)/python -m pytest -n auto

check: $(VENV)/.test
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

bench: $(VENV)/.test
	$(BIN)/python -m tests.bench

pictures: $(VENV)/.test $(VENV)/.browser
	$(BIN)/python -m tests.golden.renew
	$(BIN)/python -m tests.journeys.pictures

clean:
	rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache .hypothesis

$(VENV)/.play: pyproject.toml constraints.txt
	deploy/make-venv $(PYTHON) $(VENV)
	$(PIP) --editable .
	@touch $@

# inky needs spidev, which has no wheel: a compiler and Python's headers build it.
$(VENV)/.test: $(VENV)/.play
	$(BIN)/python -c 'import spidev' 2>/dev/null || deploy/need-compiler $(BIN)/python
	$(PIP) --editable '.[test]'
	@touch $@

$(VENV)/.browser: $(VENV)/.test
	command -v chromium >/dev/null || deploy/apt-install chromium
	@touch $@
