"""What code reaches besides its arguments: a table of what is pure, and how code is read by it."""
