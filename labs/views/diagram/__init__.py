"""The parts of the picture labs/views/model.py, one noun a module."""
