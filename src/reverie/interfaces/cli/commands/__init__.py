"""One module per command, each with a `command`; `registry` says where."""
