"""One night on a repository with a planted opportunity of every kind."""
