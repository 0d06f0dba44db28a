"""Workflows, chains of steps: found, declared, run in the sandbox, compared and evolved."""
