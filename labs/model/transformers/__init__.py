"""A transformer: its weights, its count of parameters, and the named ones."""
