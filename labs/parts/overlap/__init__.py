"""The parts of the lab labs/overlap.py, one noun a module."""
