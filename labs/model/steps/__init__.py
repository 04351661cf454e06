"""The time of a training step, and all plans ranked by it."""
