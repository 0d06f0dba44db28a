"""Texts that a pattern matches; inside, the module that this one names is here itself."""

from reverie.instruments.equivalence.patterns import matching_texts

__all__ = ["matching_texts"]
