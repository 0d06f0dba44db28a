"""The program that runs in the sandbox, bundled with modules of the search for tests."""
