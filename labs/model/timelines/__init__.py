"""Communication beside computation: closed forms, buckets, and a step on streams."""
