"""Calls that a repository's own tests make of its functions."""
