"""Cycles by night: in the machine's own scheduler, once a night, caught up after sleep."""
