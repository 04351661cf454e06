"""What a reader's code prints, on its way to the page: in order, in batches, and never without end."""

import codecs
import io
import sys
import time
from collections.abc import Callable

type Send = Callable[[str, str], object]  # stream ("stdout", "stderr" or "note"), text

LIMIT = 100_000  # characters of one run that the page gets
SWITCH = 100  # characters that a change between the streams counts for: each is a part of its own in the page
BATCH = 8_192  # characters that are sent at once, however short the time since the last batch
BURST = 200  # lines that are sent as they come, before …
PACE = 0.05  # … they are sent in batches, one in this time [s]
CUT = f"The output is longer than {LIMIT:,} characters; the rest of it is not shown."


class Console:
    """The output of one run. A loop that prints for ever costs the page 100 kB, a few messages a second, and a note."""

    def __init__(self, send: Send) -> None:
        self._send = send
        self._room = LIMIT
        self._stream = ""
        self._waiting: list[str] = []
        self._size = 0
        self._tokens = float(BURST)
        self._refilled = time.monotonic()
        self.open = True
        self.out = self._text_file("stdout")
        self.err = self._text_file("stderr")

    def put(self, stream: str, text: str) -> None:
        """Take text; it goes out now if it ends a line and there was a pause, and with what follows otherwise."""
        if not text or self._room <= 0:
            return
        if stream != self._stream:
            self._flush()
            self._room -= SWITCH if self._stream else 0
            self._stream = stream
        kept = text[: max(self._room, 0)]
        self._room -= len(kept)
        self._waiting.append(kept)
        self._size += len(kept)
        if self._room <= 0:
            self.note(CUT)
        elif self._size >= BATCH or "\n" in kept:
            self.flush()

    def flush(self) -> None:
        """Send what waits, unless too much has been sent a moment ago."""
        now = time.monotonic()
        self._tokens = min(BURST, self._tokens + (now - self._refilled) / PACE)
        self._refilled = now
        if self._size >= BATCH or self._tokens >= 1:
            self._flush()

    def note(self, sentence: str) -> None:
        """Say something about the output, after what was printed so far."""
        self._flush()
        self._send("note", sentence)

    def close(self) -> None:
        """Send what is left. What is written later belongs to whichever run is then at work."""
        self._flush()
        self.open = False

    def _flush(self) -> None:
        if self._waiting:
            text = "".join(self._waiting)
            self._waiting.clear()
            self._size = 0
            self._tokens -= 1
            self._send(self._stream, sendable(text))

    def _text_file(self, stream: str) -> io.TextIOWrapper:
        # A real text file over a raw one: print, csv.writer, sys.stdout.buffer and reconfigure are all at home with it.
        raw = _Raw(self, stream)
        return io.TextIOWrapper(raw, "utf-8", "backslashreplace", newline="\n", write_through=True)  # type: ignore[arg-type]


class _Raw(io.RawIOBase):
    """Bytes of one stream, back into text."""

    def __init__(self, console: Console, stream: str) -> None:
        super().__init__()
        self._console = console
        self._stream = stream
        self._decode = codecs.getincrementaldecoder("utf-8")("replace").decode

    def writable(self) -> bool:
        return True

    def write(self, data: bytes) -> int:  # type: ignore[override]
        text = self._decode(data)
        if self._console.open:
            self._console.put(self._stream, text)
        elif (current := getattr(sys, self._stream)) is not None and getattr(current, "buffer", None) is not self:
            # A logging handler of an earlier run still holds this stream.
            current.write(text)
        return len(data)

    def flush(self) -> None:
        if self._console.open:
            self._console.flush()


class NoInput(io.TextIOBase):
    """A standard input that says why it can't be read."""

    def readable(self) -> bool:
        return True

    def read(self, size: int | None = -1, /) -> str:
        raise EOFError("nobody can answer input() on this page; write the value into the code")

    def readline(self, size: int = -1, /) -> str:  # type: ignore[override]
        return self.read()


def no_debugger(*_: object, **__: object) -> None:
    """Stand in for breakpoint(): its prompt would wait for an answer."""
    raise EOFError("nobody can answer a debugger on this page; print what you want to see")


def sendable(text: str) -> str:
    r"""Return the text with half surrogates written out: they are no characters, and no JSON reader has to take them.

    >>> sendable("a\ud800")
    'a\\ud800'
    """
    return text.encode("utf-8", "backslashreplace").decode("utf-8")
