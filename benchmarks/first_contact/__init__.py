"""First contact: a plain clone of somebody's repository, and one command."""
