"""A store of objects for the tests: a real server on loopback that speaks S3, with its keys in the environment."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import boto3
import httpx
from moto.moto_server.threaded_moto_server import ThreadedMotoServer

BUCKET = "media"
ENVIRONMENT = {
    "AWS_ACCESS_KEY_ID": "a-key-of-the-tests",
    "AWS_SECRET_ACCESS_KEY": "a-secret-of-the-tests",
    "AWS_DEFAULT_REGION": "us-east-1",
    # Nobody's own settings come in.
    "AWS_CONFIG_FILE": "/nonexistent",
    "AWS_SHARED_CREDENTIALS_FILE": "/nonexistent",
    "AWS_EC2_METADATA_DISABLED": "true",
}


class Objects:
    """One server: `environment` is what a client needs to reach it."""

    def __init__(self, port: int):
        self.url = f"http://127.0.0.1:{port}"
        self.environment = {**ENVIRONMENT, "AWS_ENDPOINT_URL": self.url}
        self._client = boto3.client(
            "s3",
            endpoint_url=self.url,
            region_name=ENVIRONMENT["AWS_DEFAULT_REGION"],
            aws_access_key_id=ENVIRONMENT["AWS_ACCESS_KEY_ID"],
            aws_secret_access_key=ENVIRONMENT["AWS_SECRET_ACCESS_KEY"],
        )

    def empty(self) -> None:
        """One bucket with nothing in it, which takes every key."""
        httpx.post(f"{self.url}/moto-api/reset", timeout=120).raise_for_status()
        self.let_in(anybody=True)
        self._client.create_bucket(Bucket=BUCKET)

    def put(self, key: str, content: bytes) -> str:
        """Stores an object; its address."""
        self._client.put_object(Bucket=BUCKET, Key=key, Body=content)
        return f"s3://{BUCKET}/{key}"

    def put_folder(self, folder: Path, below: str = "") -> None:
        """Stores every file of a folder."""
        for path in sorted(folder.rglob("*")):
            if path.is_file():
                self.put(below + path.relative_to(folder.parent).as_posix(), path.read_bytes())

    def remove(self, key: str) -> None:
        """Takes an object away."""
        self._client.delete_object(Bucket=BUCKET, Key=key)

    def let_in(self, *, anybody: bool) -> None:
        """Whether keys that the server does not know are good enough."""
        httpx.post(
            f"{self.url}/moto-api/reset-auth", content=b"inf" if anybody else b"0", timeout=120
        ).raise_for_status()


@contextmanager
def running() -> Iterator[Objects]:
    """A server for as long as it is needed."""
    logging.getLogger("werkzeug").setLevel(logging.ERROR)
    server = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    server.start()
    try:
        yield Objects(server.get_host_and_port()[1])
    finally:
        server.stop()
