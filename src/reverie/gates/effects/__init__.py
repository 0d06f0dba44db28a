"""What code reaches besides its arguments: one table of what is pure, and how code is read by it."""
