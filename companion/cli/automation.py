"""Home automation: the publisher that the settings ask for."""

from __future__ import annotations

from companion import __version__
from companion.i18n import Translator
from companion.mqtt.broker import BrokerSettings
from companion.mqtt.discovery import Place
from companion.mqtt.publisher import Publisher
from companion.mqtt_settings import MqttSettings


def publisher(settings: MqttSettings | None, words: Translator, page: str) -> Publisher | None:
    """A publisher that words the table in its own language, or None; ``page`` is the table's address."""
    if settings is None:
        return None
    broker = BrokerSettings(
        settings.host, settings.port, settings.username, settings.password_file, settings.tls, settings.ca_file
    )
    node = settings.topic.replace("/", "_")
    place = Place(settings.topic, settings.discovery, node, settings.name, __version__, page)
    return Publisher(broker, place, words)
