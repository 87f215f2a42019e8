"""The table for home automation: what lies there is published over MQTT, with Home Assistant's discovery."""
