"""What every dreamer that changes code stands on: source with positions, and edits of spans."""
