"""The parts of the lab labs/engineering.py, one noun a module."""
