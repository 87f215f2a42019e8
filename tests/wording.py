"""What devices tell, as people read it."""

from __future__ import annotations

from companion.i18n import LANGUAGES, translator
from companion.ports import Advice


def worded(advice: Advice | None, language: str = LANGUAGES[0]) -> str:
    """An advice in words; AssertionError where there is none, or no message that it fills in."""
    assert advice is not None
    told = translator(language).text(advice.code, **advice.params)
    assert told != advice.code
    return told
