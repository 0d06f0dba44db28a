"""Walks over source the way Python would run it, on abstract values, and reports what it sees.

It never runs the code under check. `machine.Machine` is the way in; `events` is what comes out.
"""
