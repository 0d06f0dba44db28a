"""Tests run under chosen conditions, each run in a process of its own, and proven each time."""
