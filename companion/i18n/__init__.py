"""Messages by code in English, Brazilian Portuguese and Bulgarian: ``translator("bg").say(phrase)``."""

from companion.i18n.languages import LANGUAGES, negotiate
from companion.i18n.translator import Translator, translator

__all__ = ["LANGUAGES", "Translator", "negotiate", "translator"]
