"""Measurements against peers; never asserted in the test suite."""
