"""The parts of the lab labs/calibrate.py, one noun a module."""
