"""Workflows that a repository has without saying so, found in its source; nothing is run."""
