"""The cycles to come: models, the one that history chooses, and intervals that history has checked."""

from reverie.scoring.forecasting.forecast import forecast

__all__ = ["forecast"]
