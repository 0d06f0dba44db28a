"""How many specifications are solved, and how many wrongly."""
