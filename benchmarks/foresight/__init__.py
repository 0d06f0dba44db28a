"""How well forecasts hold and collapses are seen, on series whose truth is known."""
