"""Serving: the cache, the two kinds of passes, and what readers wait for."""
