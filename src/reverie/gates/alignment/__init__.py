"""What a change takes away or brings in that a person should look at. Pure."""
