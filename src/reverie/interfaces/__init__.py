"""Interfaces parse, call and render; they decide nothing."""
