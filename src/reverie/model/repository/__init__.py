"""What is known of a repository: its code, its past, its quality, its environment."""
