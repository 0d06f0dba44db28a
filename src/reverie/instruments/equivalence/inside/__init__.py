"""Runs inside the sandbox: standard library only, and of Reverie only what is bundled with it.

`reverie.instruments.equivalence.program` says which functions are called.
"""
