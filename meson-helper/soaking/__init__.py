"""Live streams that run for a long time under continuous changes."""
