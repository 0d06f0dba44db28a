"""A shop, twice: `vulnerable` and `hardened`, function by function."""
