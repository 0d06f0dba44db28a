"""What runs in the sandbox: recipes tried on examples, and a search for expressions."""
