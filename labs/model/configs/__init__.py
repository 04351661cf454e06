"""A transformer from the config.json that is kept beside a model, one family of models a module."""
