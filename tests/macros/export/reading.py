"""Exported Markdown as readers get it: rendered by a CommonMark library, then taken apart into tags and text."""

from html.parser import HTMLParser

from markdown_it import MarkdownIt

COMMONMARK = MarkdownIt("commonmark").enable("table")  # raw HTML is let through: what is not escaped shows as a tag


class Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.parts: list[str] = []
        self.links: list[str] = []
        self.alts: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        given = dict(attrs)
        self.links += [value for name in ("href", "src") if (value := given.get(name))]
        self.alts += [value for name, value in attrs if name == "alt" and value is not None]

    def handle_comment(self, data: str) -> None:
        self.tags.append("!--")

    def handle_decl(self, decl: str) -> None:
        self.tags.append("!")

    def handle_pi(self, data: str) -> None:
        self.tags.append("?")

    def handle_data(self, data: str) -> None:
        self.parts.append(data)

    @property
    def text(self) -> str:
        return "".join(self.parts)


def read(html: str) -> Reader:
    reader = Reader()
    reader.feed(html)
    reader.close()
    return reader


def rendered(markdown: str) -> Reader:
    return read(COMMONMARK.render(markdown))


def body(page: str) -> str:
    """Return what follows the front matter."""
    opening, front, rest = page.split("---\n", 2)
    assert opening == "" and front
    return rest
