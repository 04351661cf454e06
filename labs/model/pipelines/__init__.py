"""Pipelines: closed forms, and a step carried out operation by operation."""
