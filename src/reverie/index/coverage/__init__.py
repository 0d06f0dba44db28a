"""Coverage that somebody measured: files of coverage.py, read with the trust they deserve."""
