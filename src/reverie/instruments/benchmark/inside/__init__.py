"""Runs inside the sandbox, bundled by `rounds`: standard library only."""
