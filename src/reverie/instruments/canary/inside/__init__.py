"""What runs in the sandbox, with parts of the equivalence instrument; standard library only."""
