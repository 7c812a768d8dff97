"""Where a study's media come from: files of its folder, or objects of a store that speaks S3, read through fsspec.

The address of the store and the keys to it come from the environment, as every S3 client reads them (AWS_ENDPOINT_URL,
AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_PROFILE): they are in no file of the study.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cached_property
from hashlib import blake2b
from itertools import groupby
from pathlib import Path
from typing import Any, TypeVar

from quorate.errors import StudyError
from quorate.files import read_bounded

SCHEME = "s3://"
#: Where a copy of an object lies in a folder that holds it itself, such as that of a bundle.
COPIES = "objects"
#: How many objects are asked for at the same time: enough to hide the way there, few enough for the memory.
AT_ONCE = 8
_BLOCK = 1 << 20
_PATIENCE = {"connect_timeout": 5, "read_timeout": 30, "retries": {"max_attempts": 2}}

_ADDRESS = re.compile(r"s3://[A-Za-z0-9][A-Za-z0-9._-]*/[^/].*")

T = TypeVar("T")


def is_object(path: str) -> bool:
    """Whether this names an object of a store, and not a file.

    >>> is_object("s3://bucket/images/one.png"), is_object("images/one.png")
    (True, False)
    """
    return path.startswith(SCHEME)


def wrong_address(path: str) -> str:
    """What is wrong with the name of an object, as a sentence; "" for nothing.

    >>> wrong_address("s3://bucket/images/one.png")
    ''
    >>> wrong_address("s3://key:word@bucket/one.png")
    'keys do not belong in a study: they are read from the environment. Write s3://bucket/name.'
    """
    if "@" in path.removeprefix(SCHEME).split("/")[0]:
        return "keys do not belong in a study: they are read from the environment. Write s3://bucket/name."
    if not _ADDRESS.fullmatch(path) or ".." in path.split("/"):
        return f"'{path}' is not the address of an object. Write s3://bucket/name."
    return ""


def place_in_folder(path: str) -> str:
    """The path at which a folder holds what this names: a file is where it is, a copy of an object has a place.

    >>> place_in_folder("images/one.png"), place_in_folder("s3://bucket/images/one.png")
    ('images/one.png', 'objects/bucket/images/one.png')
    """
    return f"{COPIES}/{path.removeprefix(SCHEME)}" if is_object(path) else path


class Originals:
    """The media of one study as the researcher keeps them; paths are as the items name them."""

    def __init__(self, folder: Path, root: str = ""):
        self._folder = folder
        self._root = root.rstrip("/")

    def address(self, path: str) -> str:
        """The object that a path names, "" where it names a file of the folder."""
        if not is_object(path) and not self._root:
            return ""
        if self.file(path).is_file():
            return ""  # a copy in the folder stands for the object
        return path if is_object(path) else f"{self._root}/{path}"

    def file(self, path: str) -> Path:
        """Where the folder holds it, if it does."""
        return self._folder / place_in_folder(path)

    def read(self, path: str) -> bytes:
        """The content; a StudyError where there is none to be had."""
        address = self.address(path)
        if address:
            content: bytes = self._asked(address, lambda store: store.cat_file(address))
            return content
        try:
            return read_bounded(self.file(path))
        except StudyError as error:
            raise StudyError(f"{path}: {error}") from error

    def parts(self, path: str) -> Iterator[bytes]:
        """The content, some at a time: a clip may be larger than the memory."""
        if self.address(path):
            yield self.read(path)
            return
        with self.file(path).open("rb") as file:
            while part := file.read(_BLOCK):
                yield part

    def read_kept(self, path: str, *, anew: bool = False) -> bytes:
        """The content of what every command reads: an object is fetched once, and a copy of it is kept."""
        if not self.address(path):
            return self.read(path)
        kept = self._folder / ".quorate" / place_in_folder(path)
        if anew or not kept.is_file():
            content = self.read(path)
            kept.parent.mkdir(parents=True, exist_ok=True)
            kept.write_bytes(content)
        return kept.read_bytes()

    def read_if_there(self, path: str) -> bytes | None:
        """The content, or None where it cannot be had."""
        try:
            return self.read(path)
        except (OSError, StudyError):
            return None

    def read_all(self, paths: Iterable[str]) -> Iterator[bytes]:
        """The content of each; what is named several times in a row is read once."""
        rows = [(path, sum(1 for _ in same)) for path, same in groupby(paths)]
        contents = self._each(self.read, [path for path, _ in rows])
        for (_, times), content in zip(rows, contents, strict=True):
            for _ in range(times):
                yield content

    def marks(self, paths: Iterable[str], *, objects: bool = True) -> dict[str, str]:
        """What tells, without reading, whether each has changed; without `objects`, of files alone."""
        distinct = list(dict.fromkeys(paths))
        chosen = distinct if objects else [path for path in distinct if not self.address(path)]
        return dict(zip(chosen, self._each(self._mark, chosen), strict=True))

    def missing_objects(self, paths: Iterable[str]) -> list[str]:
        """The objects among these that are not there; a StudyError where nobody can say."""
        addresses = {path: address for path in dict.fromkeys(paths) if (address := self.address(path))}
        found = self._each(self._is_there, list(addresses.values()))
        return [path for path, is_there in zip(addresses, found, strict=True) if not is_there]

    def _is_there(self, address: str) -> bool:
        return self._asked(address, lambda store: store.exists(address))

    def _mark(self, path: str) -> str:
        address = self.address(path)
        if not address:
            # By text: making a Path of each of many thousand files takes longer than looking at them.
            stat = os.stat(f"{self._folder}/{place_in_folder(path)}")
            return _digest(f"{stat.st_size}/{stat.st_mtime_ns}")
        info = self._asked(address, lambda store: store.info(address))
        return _digest(f"{info.get('ETag')}/{info.get('size')}")

    def _each(self, look: Callable[[str], T], paths: Sequence[str]) -> Iterator[T]:
        """One after the other; objects some at a time, since each has a long way to come."""
        if not any(map(self.address, paths)):
            yield from map(look, paths)
            return
        _ = self._store  # made before several threads ask for it
        with ThreadPoolExecutor(AT_ONCE) as pool:
            for begin in range(0, len(paths), AT_ONCE):
                yield from pool.map(look, paths[begin : begin + AT_ONCE])

    def _asked(self, address: str, ask: Callable[[Any], T]) -> T:
        store = self._store
        from botocore.exceptions import BotoCoreError, NoCredentialsError

        try:
            return ask(store)
        except FileNotFoundError as error:
            sentence = "there is no such object, or no such bucket. Check the name, and AWS_ENDPOINT_URL if it is set."
            raise StudyError(f"{address}: {sentence}") from error
        except PermissionError as error:
            sentence = (
                "the store does not let you read this. Check AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY (or "
                "AWS_PROFILE), and what the bucket allows."
            )
            raise StudyError(f"{address}: {sentence}") from error
        except NoCredentialsError as error:
            sentence = (
                "there are no keys to the store. Set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or AWS_PROFILE."
            )
            raise StudyError(f"{address}: {sentence}") from error
        except (OSError, BotoCoreError) as error:
            sentence = f"the store cannot be reached ({error}). Check AWS_ENDPOINT_URL and the network, and try again."
            raise StudyError(f"{address}: {sentence}") from error

    @cached_property
    def _store(self) -> Any:
        try:
            from s3fs import S3FileSystem
        except ImportError as error:
            raise StudyError(
                "Media on s3:// need one package more. Install it with: pip install 'quorate[s3]'"
            ) from error
        return S3FileSystem(config_kwargs=_PATIENCE, use_listings_cache=False, skip_instance_cache=True)


def _digest(text: str) -> str:
    return blake2b(text.encode(), digest_size=8).hexdigest()
