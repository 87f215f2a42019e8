"""Players without hands: what a bot is, who may be one, and the referee who has them play.

Everything here plays any game of :data:`companion.rules.registry.QUICK`; ``docs/bots.md`` tells how to write a player.
"""
