"""The parts of the sandbox contract, one per promise; `reverie.testing.sandbox` puts them together.

Every hostile payload here limits itself, acts only on what the test made for it, and speaks
to nothing but this machine's loopback.
"""
