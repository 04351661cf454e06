"""Cards as plain Markdown: CommonMark with tables, for any engine that builds sites."""
