"""Verified procedures, a subject to a file: read as text, never imported by the generator.

A recipe is a function: its signature says what it takes, its docstring what it does, the line
that begins with `Also:` how else people say it, and its doctests are run by our own suite.
"""
