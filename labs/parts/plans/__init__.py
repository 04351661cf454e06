"""The parts of the lab labs/plans.py, one noun a module."""
