"""Settings of the property tests."""

from hypothesis import settings

# No deadline: a shared machine is slow at times, and speed is measured elsewhere.
settings.register_profile("model", deadline=None)
settings.load_profile("model")
