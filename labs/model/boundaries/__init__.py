"""What crosses a device boundary in a training step."""
