"""Knows a repository: its code, its graph, its orphans. Reads source; never runs it."""
