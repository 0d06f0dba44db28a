"""How large the house is, and how far a reader walks in it."""
