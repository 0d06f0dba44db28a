"""Mutation beside its peers: speed, agreement, and how many projects run at all."""
