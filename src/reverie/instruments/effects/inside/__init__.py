"""What runs inside the sandbox: read as text there, never imported here."""
