"""Runs in the sandbox, beside the modules of the search; the host judges with the same words."""
