"""Precision and recall of the safety rules beside bandit and ruff, on labelled snippets."""
