"""A plan: how a model is split, why that is impossible, and what each device then holds of each weight."""
