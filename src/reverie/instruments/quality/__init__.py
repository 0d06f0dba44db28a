"""How good a piece of code is: every part measured, the tools inside the sandbox."""
