"""Answers of a careful author and of a careless one, on tapes: how many are promoted, and which."""
