"""Which of two callables is faster: paired, interleaved, isolated, and with intervals."""
