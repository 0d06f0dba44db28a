"""What an answer of `reverie search` takes, as a person waits for it."""
