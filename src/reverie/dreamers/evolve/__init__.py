"""Faster code by a population: variants bred from rewrites, raced, and kept where they differ."""
