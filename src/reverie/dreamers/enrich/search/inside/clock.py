"""The clock that stands still; inside, the module that this one names is here itself."""

from reverie_pytest.clock import clock

__all__ = ["clock"]
