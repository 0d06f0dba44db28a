"""From evidence to a branch, and back; the proof that goes with it; what git knows."""

BUNDLES, PATCHES = "bundles", "patches"
"""Folders of the data directory where what is promoted lies."""
