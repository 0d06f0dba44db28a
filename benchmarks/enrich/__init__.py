"""Tests that write themselves: ours, Pynguin's, and the package's own, on the same modules."""
