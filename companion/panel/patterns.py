"""Patterns that tell states apart without colour, as one-bit masks kept by size."""

from __future__ import annotations

from functools import lru_cache

from PIL import Image, ImageDraw


@lru_cache(maxsize=64)
def waves_of(width: int, height: int, least: int) -> Image.Image:
    """Rows of small waves, as coarse as the panel's least text."""
    mask = Image.new("1", (max(1, width), max(1, height)), 0)
    draw = ImageDraw.Draw(mask)
    half = max(3, round(least / 3))
    swing = max(1, half // 3)
    thick = max(1, round(least / 11))
    apart = max(5, round(least / 2.2))
    for row, line in enumerate(range(apart // 2, height + apart, apart)):
        shift = half if row % 2 else 0
        crests = range(-shift, width + 2 * half, half)
        points = [(x, line + (swing if place % 2 else -swing)) for place, x in enumerate(crests)]
        draw.line(points, fill=255, width=thick)
    return mask


@lru_cache(maxsize=64)
def dots_of(width: int, height: int, dot: int) -> Image.Image:
    """A dotted rectangle."""
    mask = Image.new("1", (max(1, width), max(1, height)), 0)
    draw = ImageDraw.Draw(mask)
    step = dot * 4
    for x in range(0, width, step):
        for y in (0, height - dot):
            draw.rectangle((x, y, x + dot - 1, y + dot - 1), fill=255)
    for y in range(0, height, step):
        for x in (0, width - dot):
            draw.rectangle((x, y, x + dot - 1, y + dot - 1), fill=255)
    return mask
