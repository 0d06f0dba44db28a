"""Dreamers: each proposes changes of one kind to a repository."""
