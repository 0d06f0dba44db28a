"""From evidence to a branch, and back: so far, what git knows of a repository."""
