"""The far side of mutation: standard library and the target's own pytest, nothing of ours.

These modules are sent into the sandbox as text (see `reverie.instruments.mutation.program`).
"""
