"""Sent into the sandbox and run there, in the process of the tests.

Standard library only, and Python as old as the targets: nothing here imports Reverie.
"""
