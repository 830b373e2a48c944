"""Live streams that run for a long time while everything is changed."""
