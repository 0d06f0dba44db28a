"""What the subcommands of `reverie workflow` do, a module each."""
