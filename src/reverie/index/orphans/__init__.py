"""Modules that nothing uses, copies of others, and what is out of date."""
