"""Code from a specification: a recipe that fits, or an expression that the examples lead to.

Examples are oracles: what fails one is never returned, and when nothing is found nothing is
written that pretends.
"""
