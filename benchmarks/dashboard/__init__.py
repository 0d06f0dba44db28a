"""How long the dashboard's pages take over a journal of years."""
