"""How well equivalence tells the same from the different, and what it costs."""
