"""What replies with media tell before anybody looks at what they show: addresses, headers, times and sizes."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping

from quorate.audit.browser import Reply
from quorate.protocol import Protocol
from quorate.web.files import NEVER

#: Ways to ask for a file: browsers ask for the parts of clips, and whether what they keep is still good.
ASKED: tuple[Mapping[str, str], ...] = (
    {},
    {"Range": "bytes=0-99"},
    {"If-None-Match": '"another"'},
    {"If-Modified-Since": "Thu, 01 Jan 1970 00:00:01 GMT"},
)
_ADDRESS = re.compile(r"/media/([2-9a-z]{12})")
#: What a file's bytes tell anyway, and the clock of the reply.
_OF_BYTES = {"content-type", "content-length", "content-range", "date"}
#: A file is larger for one system in so many items, and so often of them: whoever sees sizes could know the system.
_FEWEST, _SHARE = 6, 0.9

Told = tuple[str, Reply, str]
"""What is told, in which reply, and in which part of it."""


def is_medium(reply: Reply) -> bool:
    """Whether a reply is a file of the study."""
    return reply.url.startswith("/media/") and "nonsense" not in reply.url and reply.status < 400


def told_by_headers(replies: Iterable[Reply]) -> Iterator[Told]:
    """Whatever differs from file to file and does not follow from its bytes and from its opaque name."""
    seen: dict[tuple[int, str], tuple[str, ...]] = {}
    for reply in filter(is_medium, replies):
        found = _ADDRESS.fullmatch(reply.url)
        if found is None:
            yield "more than an opaque name, such as the ending of a file name,", reply, "address"
        headers: defaultdict[str, list[str]] = defaultdict(list)
        for name, value in reply.headers:
            headers[name.lower()].append(value)
        if any(value != NEVER for value in headers.pop("last-modified", ())):
            yield (
                "a time of a file (Last-Modified), from which follows in which order files were staged,",
                reply,
                "headers",
            )
        etags = headers.pop("etag", [])
        if found is not None and any(value != f'"{found[1]}"' for value in etags):
            yield "an ETag that does not follow from the address, and may be made of a file's time,", reply, "headers"
        for name in sorted(headers.keys() - _OF_BYTES):
            values = tuple(headers[name])
            if seen.setdefault((reply.status, name), values) != values:
                yield f"the header '{name}', which differs from file to file,", reply, "headers"


def told_by_sizes(
    protocol: Protocol, copied: Protocol, ids: Mapping[str, str], names: Mapping[str, str], replies: Iterable[Reply]
) -> Iterator[str]:
    """Systems whose files are nearly always the larger ones; `ids` are the items' own, by those in the copy."""
    sizes = {
        reply.url.removeprefix("/media/"): len(reply.body)
        for reply in replies
        if reply.status == 200 and reply.method == "GET"
    }
    items = {item.id: item for item in protocol.pool}
    larger: Counter[tuple[str, str]] = Counter()
    n: Counter[frozenset[str]] = Counter()
    for section, same in zip(protocol.sections, copied.sections, strict=True):
        for show, again in zip(section.show, same.show, strict=True):
            for item in copied.pool:
                original = items.get(ids.get(item.id, ""))
                if original is None:
                    continue
                systems = show.part.paths_by_system(original)
                served = again.part.paths_by_system(item).values()
                weigh = {
                    system: sum(sizes.get(names.get(path, ""), 0) for path in paths)
                    for system, paths in zip(systems, served, strict=True)
                }
                for a in weigh:
                    for b in weigh:
                        if a < b and weigh[a] and weigh[b]:
                            n[frozenset((a, b))] += 1
                            larger[(a, b) if weigh[a] > weigh[b] else (b, a)] += weigh[a] != weigh[b]
    for (one, other), count in larger.items():
        of = n[frozenset((one, other))]
        if of >= _FEWEST and count >= _SHARE * of:
            yield f"the file of '{one}' is larger than that of '{other}' in {count} of {of} items"
