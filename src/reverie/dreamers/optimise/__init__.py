"""Dreams of the same answers in less time: rewrites of slow patterns, tried and combined."""
