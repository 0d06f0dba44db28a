"""Proof bundles: the evidence of one promotion as a folder that anyone can check and re-run."""
