"""Stages of change: who dreams for each, how a dream is tried, and what is made of the answer."""
