"""Compares the mattes that are visible in vbgfilter's output with true mattes."""
