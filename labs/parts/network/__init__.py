"""The parts of the lab labs/network.py, one noun a module."""
