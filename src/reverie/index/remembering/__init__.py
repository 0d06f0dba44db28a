"""An index that is remembered: brought up to date, loaded whole, searched."""
