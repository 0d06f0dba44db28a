"""Governance: is it safe to promote, by foresight, by the owner's rules, and by people's word."""
