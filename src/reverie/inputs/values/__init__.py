"""Values of a type, as expressions; one module per family of types, `make` in front."""
