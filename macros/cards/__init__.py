"""The cards: read, typed, checked, each problem with its place."""
