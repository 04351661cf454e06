"""Everything that runs when the site is built. Only main.py and hooks.py know MkDocs."""
