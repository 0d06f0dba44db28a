"""The program that runs in the sandbox: relative imports only, standard library only."""
