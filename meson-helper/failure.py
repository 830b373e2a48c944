"""Errors of the developers' programs."""


class Failure(Exception):
    """An error, described by a sentence for the user."""
