"""Values of a type, as expressions: `make(draw, type)`; one module per family of types."""

from reverie.inputs.values.draw import Draw, Theme
from reverie.inputs.values.make import make

__all__ = ["Draw", "Theme", "make"]
