"""Runs inside the sandbox, sent there as text: standard library only, no imports of Reverie.

`reverie.instruments.equivalence.program` puts these files one after the other into one program.
"""
