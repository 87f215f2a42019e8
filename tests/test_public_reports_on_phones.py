"""The list of public reports on phones and pages is true: it has all of them, each with tests that speak of it."""

from __future__ import annotations

import pytest

from tests.test_public_reports import ROOT, Entry, docstring, read_list, speaks_of

PAGE = "public-reports-on-phones.md"
REPORTS = 33


def test_every_report_is_listed_once() -> None:
    assert [entry.number for entry in read_list(PAGE)] == list(range(1, REPORTS + 1))
    assert all(entry.addresses for entry in read_list(PAGE))


@pytest.mark.parametrize("entry", read_list(PAGE), ids=lambda entry: str(entry.number))
def test_each_report_has_a_test_that_names_its_address(entry: Entry) -> None:
    told = [docstring(*test) for test in entry.tests]
    assert [at for at in entry.addresses if not any(speaks_of(each, *at) for each in told)] == []
    assert all(any(speaks_of(each, *at) for at in entry.addresses) for each in told)


def test_the_page_on_hotspots_says_what_a_phone_will_ask() -> None:
    """https://github.com/jasbur/RaspiWiFi/issues/72 and
    https://github.com/publiclab/pi-builder/issues/41: phones left a hotspot that had no internet."""
    page = (ROOT / "docs" / "install.md").read_text(encoding="utf-8")
    hotspot = page[page.index("hotspot of its own") :]
    assert "stay connected" in hotspot[: hotspot.index("\n## ")]
