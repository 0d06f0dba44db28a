"""Figures from evidence: pure, so that the same evidence gives the same figures again."""
