"""What two versions of a callable reach for when they are imported and called."""
