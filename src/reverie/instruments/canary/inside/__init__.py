"""What runs in the sandbox: sent there as source, after parts of the equivalence instrument."""
