"""Longer runs beside the tests: what the sandbox costs, and what it survives."""
