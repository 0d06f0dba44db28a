"""Subjects of the commands, a module each: documents for `--json`, tables for people."""
