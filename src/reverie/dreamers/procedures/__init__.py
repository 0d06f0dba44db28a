"""Variants of procedures, imagined offline: each is told apart from its base before it counts."""
