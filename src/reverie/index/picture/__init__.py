"""The module map as one self-contained page."""

from reverie.index.picture.page import render_page
from reverie.index.picture.scene import Scene, compose_scene

__all__ = ["Scene", "compose_scene", "render_page"]
