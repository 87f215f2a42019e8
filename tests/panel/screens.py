"""The screens to draw, by name; the golden pictures take turns through them."""

from __future__ import annotations

from companion.rules.portrait import Phrase
from companion.views.screens import (
    EndScreen,
    Footer,
    JoinScreen,
    PausedScreen,
    ReaderLostScreen,
    Screen,
    SetUpScreen,
    TableScreen,
)
from tests.panel import samples

URL = "http://192.168.1.37:8000/#482913"
ADVICE = Phrase("advice.reader.gone", {"port": "/dev/serial/by-id/usb-1a86_USB_Serial-if00-port0"})
MENU = ("move", "shore_up", "give", "capture", "helicopter_lift", "end_actions", "deal", "undo")
NOW = Footer(142, 7)
LOST_READER = Phrase("device.lost", {"device": "NFC"})

SCREENS: dict[str, Screen] = {
    "join": JoinScreen(URL, "482913", Footer(3)),
    "set-up": SetUpScreen(samples.START, Footer(4, 1)),
    "table": TableScreen(samples.TURN, NOW),
    "first-turn": TableScreen(samples.START, Footer(5, 1)),
    "seven-results": TableScreen(samples.WORST, Footer(1388, 19)),
    "cards-only": TableScreen(samples.CARDS_ONLY, NOW),
    "options": TableScreen(samples.TURN, NOW, None, tuple(Phrase(f"verb.{verb}") for verb in MENU), 4),
    "notice": TableScreen(
        samples.TURN, Footer(142, 7, (LOST_READER,)), Phrase("refusal.not_flooded", {"tile": "cliffs_of_abandon"})
    ),
    "paused": PausedScreen(samples.TURN, NOW, URL, "482913"),
    "won": EndScreen(samples.WON, Footer(417, 21)),
    "lost": EndScreen(samples.LOST, Footer(1391, 19)),
    "reader-lost": ReaderLostScreen("NFC", ADVICE, samples.TURN, Footer(143, 7, (LOST_READER,))),
}
