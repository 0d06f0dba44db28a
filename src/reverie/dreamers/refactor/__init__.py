"""Refactorings: the same behaviour, in code that is easier to read and to change."""
