"""Coverage that somebody measured: files of coverage.py, read with as much trust as they deserve."""
