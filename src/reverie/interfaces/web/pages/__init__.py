"""The pages, one module each: what an address asks for, and what the journal says to that."""
