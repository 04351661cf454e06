"""The parts of the lab labs/pipeline.py, one noun a module."""
