"""The memory of a device in training."""
