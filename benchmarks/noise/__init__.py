"""How often the benchmark claims a gain that is not there, and misses one that is."""
