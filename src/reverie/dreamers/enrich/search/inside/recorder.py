"""Steps from line to line; inside, the module that this one names is here itself."""

from reverie.instruments.mutation.inside.recorder import Recorder

__all__ = ["Recorder"]
