"""Discovery: callables are called in many ways, and held to their word."""
