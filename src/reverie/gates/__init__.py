"""Judgement: pure functions from evidence and thresholds to an answer with its numbers."""
