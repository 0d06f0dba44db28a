"""The program that runs in the sandbox, in one package with that of the search for tests."""
