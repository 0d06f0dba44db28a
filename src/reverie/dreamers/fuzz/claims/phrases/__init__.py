"""Phrases of documentation, by subject; each says what has to be true of a result."""
