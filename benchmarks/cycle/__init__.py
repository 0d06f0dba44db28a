"""Whole cycles on packages that people wrote, with half of their tests taken away."""
