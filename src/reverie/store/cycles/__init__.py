"""Cycles in the journal, and all that is recorded about their dreams."""
