"""Workflows that each scenario should break, and the same made to withstand it."""
