"""Commits of real maintainers: reverted fixes, refactorings and speed-ups, put to our commands."""
