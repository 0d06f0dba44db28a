"""Runs in the sandbox, beside the modules of the search and of the mutants."""
