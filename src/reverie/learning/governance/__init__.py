"""Governance at work: the bucket of what is on the border, its pilots, and every decision."""
