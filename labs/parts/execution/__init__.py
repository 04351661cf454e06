"""The parts of the lab labs/execution.py, one noun a module."""
