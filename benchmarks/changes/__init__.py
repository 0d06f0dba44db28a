"""Refactorings and optimisations of packages that people wrote, through whole cycles."""
