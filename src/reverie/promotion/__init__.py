"""From evidence to a branch, and back; the proof that goes with it; what git knows."""
