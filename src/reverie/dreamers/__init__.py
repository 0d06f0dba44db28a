"""Where dreams come from: one folder for each kind of dreamer."""
