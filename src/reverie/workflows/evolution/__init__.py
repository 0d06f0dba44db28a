"""Workflows made better: variants, judged by their results and by paired times."""
