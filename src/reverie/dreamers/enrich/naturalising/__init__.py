"""Between the search and the writing: what was found is told again with values that people use.

A value is a whole known one, or a known one with one edit; see `known` for where they come from.
"""
