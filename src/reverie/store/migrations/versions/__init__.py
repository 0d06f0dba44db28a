"""One file per step, never changed once released. Journals go forward only."""
