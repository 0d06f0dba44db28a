"""The loop that composes dreamers, trials and promotion, and its single passes."""
