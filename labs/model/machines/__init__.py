"""Machines: links in levels, where a group of devices lies on them, and what an exchange costs there."""
