"""Two versions on the same traffic: results for the host to compare, and the time of each call."""
