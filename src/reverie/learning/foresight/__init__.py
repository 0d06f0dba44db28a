"""What was measured cycle by cycle, remembered, and what follows from it for the cycles to come."""
