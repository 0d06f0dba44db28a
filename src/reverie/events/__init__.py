"""What happened, told: a file first, then webhooks and queues that are behind it."""
