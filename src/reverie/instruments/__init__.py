"""Measure one thing in the sandbox. Each instrument proves itself first: see `proof`."""
