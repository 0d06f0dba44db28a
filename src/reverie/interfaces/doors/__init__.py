"""What every server of ours puts between itself and a stranger's connection."""
