"""What the pytest plugin costs, and what it works with."""
