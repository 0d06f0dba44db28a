"""Calls whose behaviour is known by name."""

import tomllib
from functools import cache
from importlib.resources import files


@cache
def known_calls() -> dict[str, frozenset[str]]:
    """The lists of `calls.toml`."""
    text = files("reverie.dreamers.rewriting").joinpath("calls.toml").read_text("utf-8")
    return {name: frozenset(calls) for name, calls in tomllib.loads(text).items()}
