"""What a trial must have measured: gates on evidence alone."""
