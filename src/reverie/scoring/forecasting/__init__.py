"""The cycles to come: models, those that history chooses, and intervals that history checked."""

from reverie.scoring.forecasting.forecast import forecast

__all__ = ["forecast"]
