"""What functions do on given calls, seen in the sandbox and compared outside of it."""
