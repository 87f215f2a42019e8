"""How many examples a property is tried with, on machines that are busy with other things as well."""

from __future__ import annotations

from hypothesis import HealthCheck, settings


def examples(number: int) -> settings:
    """No deadline, and no complaint where drawing the examples takes long."""
    quiet = [HealthCheck.too_slow, HealthCheck.function_scoped_fixture]
    return settings(max_examples=number, deadline=None, suppress_health_check=quiet)
