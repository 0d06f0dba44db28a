"""What runs inside the sandbox, with parts of the equivalence instrument."""
