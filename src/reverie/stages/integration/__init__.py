"""Modules that nothing uses: tested with all they need, and made part of the repository."""
