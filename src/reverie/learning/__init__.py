"""What failures teach: which come back, and which come and go."""
