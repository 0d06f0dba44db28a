"""Rewrites that Reverie finds by the entry point `reverie.rewrites`."""

from importlib.resources import files

FILE = files(__name__) / "rewrites.toml"
