"""The languages there are, and which of them a browser gets."""

from __future__ import annotations

LANGUAGES = ("en", "pt-BR", "bg")
"""Language tags as in HTML's ``lang``; the first is the default."""

_BY_PRIMARY_TAG = {language.partition("-")[0]: language for language in LANGUAGES}


def negotiate(accept_language: str) -> str:
    """Choose a language for an ``Accept-Language`` header (RFC 9110); any Portuguese gets Brazilian Portuguese.

    A header that is empty, malformed or names none of ours gets the default.
    """
    for tag in _by_preference(accept_language):
        language = _BY_PRIMARY_TAG.get(tag.lower().partition("-")[0])
        if language:
            return language
    return LANGUAGES[0]


def _by_preference(accept_language: str) -> list[str]:
    weighed = []
    for place, part in enumerate(accept_language.split(",")):
        tag, _, parameters = part.partition(";")
        quality = _quality(parameters)
        if quality > 0:
            weighed.append((-quality, place, tag.strip()))
    return [tag for _, _, tag in sorted(weighed)]


def _quality(parameters: str) -> float:
    name, _, number = parameters.strip().partition("=")
    if name.strip().lower() != "q":
        return 1.0
    try:
        return float(number)
    except ValueError:
        return 0.0
