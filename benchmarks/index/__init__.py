"""What the index costs, beside its peers."""
