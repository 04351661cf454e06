"""What people type and read: units, checked inputs, and the one way to refuse."""
