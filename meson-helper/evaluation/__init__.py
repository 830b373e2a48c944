"""Scores the mattes of vbgfilter, seen from outside, against the truth."""
