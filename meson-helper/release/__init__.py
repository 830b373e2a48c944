"""Modules of `package` and `check-packages`."""
