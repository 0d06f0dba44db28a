"""Scenarios: a workflow run while the world around it misbehaves, and proof that it did.

    presets = generate_canonical_presets()["high_latency_api"]["high"]

Every fault is injected inside the sandbox and counted where it happens. A scenario whose
fault never fired says nothing about the workflow: it is "not exercised".
"""
