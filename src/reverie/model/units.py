"""Units that limits and settings are written in."""

MIB = 1 << 20
