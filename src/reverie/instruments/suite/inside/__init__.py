"""The far side of suite runs: standard library, the target's own pytest, and Reverie's plugin.

Sent into the sandbox as one program; its modules import nothing of the package.
"""
