"""Cards as HTML: what the pages show, and nothing of how MkDocs puts them together."""
