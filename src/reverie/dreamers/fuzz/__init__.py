"""Discovery: callables are called in ways their authors did not think of, and held to their word."""
