"""A second search, for what the first one left unnoticed: inputs that set a mutant apart."""
