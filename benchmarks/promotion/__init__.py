"""How long it takes to be back where one was."""
