"""What runs beside the function that is looked at; standard library only."""
