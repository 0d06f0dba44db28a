"""The far side of mutation: standard library and the target's own pytest, nothing else of ours.

These modules are bundled into the sandbox (see `reverie.instruments.mutation.program`).
"""
