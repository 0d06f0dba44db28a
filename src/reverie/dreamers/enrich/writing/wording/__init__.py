"""The text of a test: its name, its lines, its table of data."""
