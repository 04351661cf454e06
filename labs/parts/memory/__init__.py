"""The parts of the lab labs/memory.py, one noun a module."""
