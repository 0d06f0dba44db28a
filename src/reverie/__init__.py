"""Reverie improves a Python repository while its people sleep, and proves every change."""

__version__ = "0.1.0"
