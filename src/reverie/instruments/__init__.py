"""Measure one thing in the sandbox; each instrument proves itself before it is believed."""
