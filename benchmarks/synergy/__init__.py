"""Planted pairs, planted sets, simulated histories: are they told apart, chosen, learned from?"""
