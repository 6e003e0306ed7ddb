"""A ZIP archive that is sent while it is made."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterable, Iterator
from datetime import datetime

from bgmail.service.belongings import File

FULL = 64 * 1024


class _Pipe(io.RawIOBase):
    """Takes what the archive writes, until it is sent on."""

    def __init__(self) -> None:
        self._parts: list[bytes] = []
        self.size = 0

    def writable(self) -> bool:
        return True

    def write(self, data: object) -> int:
        piece = bytes(data)  # type: ignore[call-overload]
        self._parts.append(piece)
        self.size += len(piece)
        return len(piece)

    def take(self) -> bytes:
        """What was written since the last time."""
        taken = b"".join(self._parts)
        self._parts, self.size = [], 0
        return taken


def stream(files: Iterable[File], now: datetime) -> Iterator[bytes]:
    """The archive in pieces: no more of it is held than one piece."""
    pipe = _Pipe()
    with zipfile.ZipFile(pipe, "w", zipfile.ZIP_DEFLATED) as archive:
        for file in files:
            entry = zipfile.ZipInfo(file.path, now.timetuple()[:6])
            entry.compress_type = zipfile.ZIP_DEFLATED
            with archive.open(entry, "w") as opened:
                for text in file.text:
                    opened.write(text.encode("utf-8", "surrogatepass"))
                    if pipe.size >= FULL:
                        yield pipe.take()
    yield pipe.take()
