"""Results of instruments: of code, of tests, and of two versions of one callable."""
