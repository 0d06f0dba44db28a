"""What a user keeps outside of every repository: settings, the key, and the seals it makes."""
