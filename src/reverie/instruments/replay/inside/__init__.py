"""Sent into the sandbox and run there, in the process of the tests.

Standard library, parts of mutation and equivalence, and Python as old as the targets.
"""
