"""What `package` and `check-packages` are made of."""
