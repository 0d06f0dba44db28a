"""Many executions with hostile ones among them, and supervisors killed at random moments."""
