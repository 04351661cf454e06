"""Where a value stands in a card's text: JSON pointer -> line and column.

The tree comes from tree-sitter and is built only for a file that has something to place. It counts bytes;
people and editors count characters.
"""

import json
from bisect import bisect_right
from collections.abc import Iterator, Mapping
from functools import cached_property
from pathlib import Path

from tree_sitter import Language, Node, Parser

from macros.problem import Finding, Pointer, Problem, json_pointer

HEX_ESCAPE = 6  # characters of \u00b5


class Places:
    """The places of one text."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._bytes = text.encode("utf-8", "surrogatepass")
        self._children: dict[int, Mapping[str | int, Node]] = {}  # by the node's id: a list may hold many problems

    @cached_property
    def _root(self) -> Node:
        import tree_sitter_json

        return Parser(Language(tree_sitter_json.language())).parse(self._bytes).root_node

    @cached_property
    def _lines(self) -> list[int]:
        starts = [0]
        while (found := self._bytes.find(b"\n", starts[-1])) >= 0:
            starts.append(found + 1)
        return starts

    def place(self, at: Pointer, *, on_key: bool = False, character: int | None = None) -> tuple[int, int]:
        """Return line and column of a value, of its key, or of a character of the text that it holds.

        What is not there (a missing key) has the place of what should hold it.
        """
        node, found_all = self._descend(at)
        if node is None:
            return 1, 1
        if on_key and found_all and node.parent is not None and node.parent.type == "pair":
            key = node.parent.child_by_field_name("key")
            return self._line_and_column((key or node).start_byte)
        if character is not None and found_all and node.type == "string":
            return self._line_and_column(node.start_byte + self._bytes_before(node, character))
        return self._line_and_column(node.start_byte)

    def repeated_keys(self) -> Iterator[tuple[Pointer, str, tuple[int, int], tuple[int, int]]]:
        """Yield each key that stands twice in one object: pointer, key, its place, and the place of the first."""
        waiting: list[tuple[Pointer, Node]] = [((), node) for node in self._root.named_children]
        while waiting:
            at, node = waiting.pop()
            if node.type == "array":
                waiting.extend(((*at, index), child) for index, child in enumerate(_values(node)))
            elif node.type == "object":
                first: dict[str, Node] = {}
                for key_node, key, value in self._entries(node):
                    waiting.append(((*at, key), value))
                    if first.setdefault(key, key_node) is not key_node:
                        yield (*at, key), key, self._of(key_node), self._of(first[key])

    def _descend(self, at: Pointer) -> tuple[Node | None, bool]:
        node = next(iter(_values(self._root)), None)
        for part in at:
            child = self._children_of(node).get(part) if node is not None else None
            if child is None:
                return node, False
            node = child
        return node, True

    def _children_of(self, node: Node) -> Mapping[str | int, Node]:
        if node.id not in self._children:
            if node.type == "object":  # of two equal keys readers take the last, so its place is the one that counts
                self._children[node.id] = {key: value for _, key, value in self._entries(node)}
            else:
                self._children[node.id] = dict(enumerate(_values(node))) if node.type == "array" else {}
        return self._children[node.id]

    def _entries(self, node: Node) -> Iterator[tuple[Node, str, Node]]:
        for pair in node.named_children:
            key, value = pair.child_by_field_name("key"), pair.child_by_field_name("value")
            if key is not None and value is not None:
                yield key, _decoded(self._bytes[key.start_byte : key.end_byte]), value

    def _bytes_before(self, node: Node, character: int) -> int:
        """Return how many bytes of the string's source stand before a character of the string it means."""
        source = self._bytes[node.start_byte : node.end_byte].decode("utf-8", "surrogatepass")
        position = 1  # after the quote
        for _ in range(character):
            if position >= len(source) - 1:
                break
            if source[position] != "\\":
                position += 1
            elif source[position + 1] == "u":
                pair = source[position + 2 : position + 4].lower() in ("d8", "d9", "da", "db")
                position += 2 * HEX_ESCAPE if pair else HEX_ESCAPE
            else:
                position += 2
        return len(source[:position].encode("utf-8", "surrogatepass"))

    def _of(self, node: Node) -> tuple[int, int]:
        return self._line_and_column(node.start_byte)

    def _line_and_column(self, byte: int) -> tuple[int, int]:
        line = bisect_right(self._lines, byte)
        return line, len(self._bytes[self._lines[line - 1] : byte].decode("utf-8", "replace")) + 1


def placed(file: Path, places: Places, finding: Finding) -> Problem:
    """Return the finding with its file, line and column."""
    line, column = places.place(finding.at, on_key=finding.on_key, character=finding.character)
    return Problem(
        file=file,
        line=line,
        column=column,
        pointer=json_pointer(finding.at),
        message=finding.message,
        hint=finding.hint,
        severity=finding.severity,
    )


def _values(node: Node) -> list[Node]:
    return [child for child in node.named_children if child.type != "comment"]


def _decoded(source: bytes) -> str:
    text = source.decode("utf-8", "surrogatepass")
    return str(json.loads(text)) if "\\" in text else text[1:-1]
