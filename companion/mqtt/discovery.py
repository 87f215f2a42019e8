"""What Home Assistant is told about the entities, as its MQTT discovery documents it. Pure.

One retained message an entity, below ``PREFIX/PLATFORM/NODE/KEY/config``; all belong to one device, and are available
while the companion is.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from companion.i18n import Translator
from companion.mqtt.reading import STATUSES
from companion.ports import Mood
from companion.rules.portrait import Portrait

ONLINE, OFFLINE = "online", "offline"
NEWS = (Mood.ALARM, Mood.LOSS, Mood.WON, Mood.LOST)
"""What the event entity tells: a danger grew, something is gone for good, the game is won or lost."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where things are published: the companion's own topics below ``topic``, discovery below ``prefix``.

    ``node`` names the companion in topics and ids, ``name`` for people; ``page`` is the table's address, if any.
    """

    topic: str
    prefix: str
    node: str
    name: str
    version: str
    page: str = ""

    @property
    def state(self) -> str:
        """The topic of the table's state, retained."""
        return f"{self.topic}/state"

    @property
    def availability(self) -> str:
        """The topic that says whether the companion is there, retained."""
        return f"{self.topic}/availability"

    @property
    def event(self) -> str:
        """The topic of what just happened, never retained."""
        return f"{self.topic}/event"

    @property
    def birth(self) -> str:
        """Where Home Assistant says that it has started."""
        return f"{self.prefix}/status"

    @property
    def every_config(self) -> str:
        """All discovery messages of this companion, those of an earlier game too."""
        return f"{self.prefix}/+/{self.node}/+/config"


@dataclass(frozen=True, slots=True)
class Entity:
    """One entity: ``config`` is what only it has."""

    platform: str
    key: str
    config: Mapping[str, Any]

    def __or__(self, more: Mapping[str, Any]) -> Entity:
        return replace(self, config={**self.config, **more})


def announcements(place: Place, portrait: Portrait | None, words: Translator) -> dict[str, dict[str, Any]]:
    """By its topic, the discovery message of every entity."""
    shared = {
        "device": _device(place),
        "origin": {"name": "Table companion", "sw_version": place.version},
    }
    return {
        f"{place.prefix}/{entity.platform}/{place.node}/{entity.key}/config": {
            "unique_id": f"{place.node}_{entity.key}",
            "state_topic": place.state,
            **_available(place, entity),
            **shared,
            **entity.config,
        }
        for entity in _entities(place, portrait, words)
    }


def _available(place: Place, entity: Entity) -> dict[str, Any]:
    """While the companion is there; the entity that tells just this is available always."""
    if entity.key == ONLINE:
        return {}
    return {
        "availability_topic": place.availability,
        "payload_available": ONLINE,
        "payload_not_available": OFFLINE,
    }


def _device(place: Place) -> dict[str, Any]:
    device: dict[str, Any] = {
        "identifiers": [place.node],
        "name": place.name,
        "manufacturer": "Table companion",
        "model": "Table companion",
        "sw_version": place.version,
    }
    return {**device, "configuration_url": place.page} if place.page.startswith(("http://", "https://")) else device


def _entities(place: Place, portrait: Portrait | None, words: Translator) -> Iterator[Entity]:
    yield from _always(place, words)
    for meter in portrait.meters if portrait else ():
        yield from _of_meter(place, meter.name, _titled(words, "meter", meter.name), words)
    for pile in portrait.piles if portrait else ():
        name = words.text("mqtt.last_card", pile=_titled(words, "pile", pile.name))
        yield _sensor(f"last_{pile.name}", name, f"value_json.piles.get('{pile.name}', {{}}).get('last')") | {
            **_attributes(place, f"value_json.piles.get('{pile.name}', {{}})"),
            "icon": "mdi:cards-outline",
        }


def _always(place: Place, words: Translator) -> Iterator[Entity]:
    status = _sensor("status", words.text("mqtt.status"), "value_json.status")
    about = "{'game': value_json.game, 'reason': value_json.reason, 'revision': value_json.revision}"
    yield status | {"device_class": "enum", "options": list(STATUSES), **_attributes(place, about)}
    yield _sensor("turn", words.text("mqtt.turn"), "value_json.turn") | {"icon": "mdi:counter"}
    yield _sensor("player", words.text("mqtt.player"), "value_json.player") | {"icon": "mdi:account"}
    awaited = _sensor("awaited", words.text("mqtt.awaited"), "value_json.awaited")
    yield awaited | {"icon": "mdi:timer-sand", **_attributes(place, "{'told': value_json.told}")}
    gone = _sensor("gone", words.text("mqtt.gone"), "value_json.gone")
    lost = "{'names': value_json.gone_names | default([]), 'conditions': value_json.conditions | default({})}"
    yield gone | {"state_class": "measurement", "icon": "mdi:map-marker-off", **_attributes(place, lost)}
    goals = _sensor("goals", words.text("mqtt.goals"), "value_json.goals")
    reached = "{'names': value_json.goal_names | default([])}"
    yield goals | {"state_class": "measurement", "icon": "mdi:trophy", **_attributes(place, reached)}
    trouble = _binary("trouble", words.text("mqtt.trouble"), "value_json.troubles | count > 0")
    told = _attributes(place, "{'troubles': value_json.troubles}")
    yield trouble | {"device_class": "problem", "entity_category": "diagnostic", **told}
    yield _online(place, words)
    news = {"name": words.text("mqtt.event"), "event_types": [mood.value for mood in NEWS], "state_topic": place.event}
    yield Entity("event", "event", {**news, "icon": "mdi:waves-arrow-up"})


def _of_meter(place: Place, name: str, title: str, words: Translator) -> Iterator[Entity]:
    marker = f"value_json.meters.get('{name}', {{}})"
    level = _sensor(f"meter_{name}", title, f"{marker}.get('value')")
    yield level | {"state_class": "measurement", "icon": "mdi:gauge", **_attributes(place, marker)}
    alarming = _binary(f"meter_{name}_danger", words.text("mqtt.danger", meter=title), f"{marker}.get('alarming')")
    yield alarming | {"device_class": "safety"}


def _online(place: Place, words: Translator) -> Entity:
    return Entity(
        "binary_sensor",
        ONLINE,
        {
            "name": words.text("mqtt.online"),
            "state_topic": place.availability,
            "payload_on": ONLINE,
            "payload_off": OFFLINE,
            "device_class": "connectivity",
            "entity_category": "diagnostic",
        },
    )


def _sensor(key: str, name: str, value: str) -> Entity:
    return Entity("sensor", key, {"name": name, "value_template": f"{{{{ {value} }}}}"})


def _binary(key: str, name: str, value: str) -> Entity:
    template = f"{{{{ 'ON' if {value} else 'OFF' }}}}"
    return Entity("binary_sensor", key, {"name": name, "value_template": template})


def _attributes(place: Place, value: str) -> dict[str, str]:
    return {"json_attributes_topic": place.state, "json_attributes_template": f"{{{{ ({value}) | tojson }}}}"}


def _titled(words: Translator, family: str, name: str) -> str:
    code = f"{family}.{name}"
    return words.text(code) if code in words else words.name(name)
