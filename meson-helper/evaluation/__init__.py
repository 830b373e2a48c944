"""Scores the visible mattes of vbgfilter against the truth."""
