"""Python source as trees: what reads it, finds shapes in it and writes it anew."""
