"""The words of the house as frozen values. Standard library only; no clock, no file, no process."""
