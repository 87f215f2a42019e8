# make play   a table made of software on http://127.0.0.1:8000
# make test   install what the tests need, then run them
# make test-pillow  the panels' tests with every Pillow of PILLOWS
# make check  style and types
# make lint   shell scripts, unit, rules and the rest of deploy/
# make deb    a Debian package in build/; make wheels: only the wheels; ARCH=arm64 for a Pi
# make try-install  installer and package to their end in Debian roots
# make bench  speed and memory
# make hundred-thousand  so many games by chance, every position checked (GAMES=N: another number)
# make attack  what someone in the same network might try, against a table of its own
# make soak   random people at a virtual table where everything breaks, for ten minutes (MINUTES, SEED)
# make fuzz   the readers' decoders against noise, cut and corrupted frames, a million bytes each
# make fuzz-api  the API under a thousand and more made-up requests an operation
# make openapi  renew the API's document after a change that programs shall see
# make pictures  renew the pictures of panel and pages in tests/golden/

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt
PORT ?= 8000
ARCH ?= $(shell dpkg --print-architecture 2>/dev/null || echo amd64)
MINUTES ?= 10
SEED ?= 0
PILLOWS ?= 12.3.0 13.0.0

.PHONY: play test test-pillow check lint deb wheels try-install attack bench hundred-thousand soak broker fuzz fuzz-api openapi pictures clean

play: $(VENV)/.play
	$(BIN)/companion run --simulate --port $(PORT)

test: $(VENV)/.test $(VENV)/.browser broker $(VENV)/.lint
	$(BIN)/python -m pytest -n auto

check: $(VENV)/.test
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

lint: $(VENV)/.test $(VENV)/.lint
	$(BIN)/python -m pytest tests/deploy/test_files.py

# A Debian package, and the wheels alone for deploy/install.sh --wheels; ARCH is amd64, arm64 or armhf.
deb: $(VENV)/.test
	deploy/apt-install debhelper dpkg-dev
	deploy/make-deb $(ARCH) $(BIN)/python

wheels: $(VENV)/.test
	$(BIN)/python deploy/gather-wheels $(ARCH) build/wheels-$(ARCH)

# The installer and the package to their end, in Debian roots; minutes, and root is needed.
try-install: $(VENV)/.test
	deploy/apt-install debootstrap systemd-container debhelper dpkg-dev
	deploy/try-in-debian-root $(BIN)/python $(SUITES)

attack: $(VENV)/.test
	$(BIN)/python -m tests.attacks

bench: $(VENV)/.test
	$(BIN)/python -m tests.bench

hundred-thousand: $(VENV)/.test
	$(BIN)/python -m tests.hundred_thousand $(GAMES)

soak: $(VENV)/.play
	$(BIN)/companion soak --minutes $(MINUTES) --seed $(SEED)

fuzz: $(VENV)/.test
	$(BIN)/python -m tests.fuzz

fuzz-api: $(VENV)/.test
	FUZZ_EXAMPLES=1000 $(BIN)/python -m pytest tests/web/api/test_fuzz.py

openapi: $(VENV)/.test
	$(BIN)/python -m tests.web.api.renew

pictures: $(VENV)/.test $(VENV)/.browser
	$(BIN)/python -m tests.golden.renew
	$(BIN)/python -m tests.journeys.pictures

# The panels over the faked wires, and every picture, with each Pillow that is out there: drivers have broken with a new one.
test-pillow: $(VENV)/.test
	@set -e; for each in $(PILLOWS); do \
	  $(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --upgrade --target $(VENV)/pillow-$$each pillow==$$each; \
	  export PYTHONPATH=$(CURDIR)/$(VENV)/pillow-$$each; \
	  $(BIN)/python -c 'import PIL; print("Pillow", PIL.__version__)'; \
	  $(BIN)/python -m pytest -n auto tests/drivers/test_*panel*.py tests/panel tests/simulator/test_software_panel.py; \
	done

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

# A broker and certificates for the tests of home automation; those tests say by name what they lack.
broker: $(VENV)/.test
	PATH="$$PATH:/usr/sbin" && command -v mosquitto >/dev/null && command -v openssl >/dev/null || deploy/apt-install mosquitto openssl || true

# Where they cannot be had, the tests that want them say so and are skipped.
$(VENV)/.lint: $(VENV)/.test
	-deploy/apt-install shellcheck systemd udev libxml2-utils
	@touch $@
