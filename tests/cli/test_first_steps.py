"""The first steps of a newcomer, as README and the screen say them: every line is run as it stands."""

from __future__ import annotations

import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import venv
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest

import quorate

HOUSE = Path(__file__).parents[2]
QUORATE = Path(sys.executable).with_name("quorate")
QUIET = {**os.environ, "PYTHONUNBUFFERED": "1"}


class Served:
    """A command that serves, once it has said how to stop it."""

    def __init__(self, process: subprocess.Popen[str], said: list[str]):
        self.process = process
        self.said = "".join(said)
        self.base = re.findall(r"at (http://\S+)", self.said)[0]

    def links(self) -> dict[str, str]:
        return dict(re.findall(r"^  rater (\w+)\s+(\S+)$", self.said, re.MULTILINE))

    def interrupt(self) -> tuple[int, str]:
        """Ctrl+C in a terminal goes to all that was started there."""
        os.killpg(self.process.pid, signal.SIGINT)
        rest, _ = self.process.communicate(timeout=300)
        return self.process.returncode, rest


@contextmanager
def served(command: Sequence[str], folder: Path) -> Iterator[Served]:
    process = subprocess.Popen(
        command, cwd=folder, env=QUIET, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
        start_new_session=True,
    )  # fmt: skip
    assert process.stdout is not None
    said: list[str] = []
    try:
        for line in process.stdout:
            said.append(line)
            if line.startswith("Stop with Ctrl+C"):
                break
        else:
            pytest.fail("it ended: " + "".join(said))
        yield Served(process, said)
    finally:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """What a newcomer has before the first line, with an environment that is installed already."""
    folder = tmp_path / "quorate"
    folder.mkdir()
    for name in ("Makefile", "pyproject.toml", "requirements.lock"):
        shutil.copy2(HOUSE / name, folder)
    venv.create(folder / ".venv", with_pip=False)
    for name in ("quorate", "uv"):
        (folder / ".venv" / "bin" / name).symlink_to(QUORATE.with_name(name))
    (folder / ".venv" / ".installed").touch()
    return folder


def lines_of(readme: str) -> list[list[str]]:
    """The commands of each block of README's shell lines, without their comments."""
    blocks = re.findall(r"^```sh\n(.*?)^```", readme, re.MULTILINE | re.DOTALL)
    return [[re.sub(r"\s+#.*", "", line) for line in block.splitlines()] for block in blocks]


def said_by(readme: str) -> str:
    """What README's first lines of Python print, and a comment beside the last of them says."""
    block = re.findall(r"^```python\n(.*?)^```", readme, re.MULTILINE | re.DOTALL)[0]
    return re.findall(r"#\s*(.*)", block)[-1]


def test_readmes_commands_run_in_order_as_they_stand(checkout: Path) -> None:
    before = ""
    running = None
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(QUIET, "PATH", "/usr/local/bin:/usr/bin:/bin")
        patch.delitem(QUIET, "VIRTUAL_ENV", raising=False)
        for line in [line for block in lines_of((HOUSE / "README.md").read_text("utf-8")) for line in block]:
            command = ["bash", "-ec", f"{before}{line}"]
            if line.startswith(". "):
                subprocess.run(command, cwd=checkout, env=QUIET, check=True)
                before += f"{line}\n"
            elif line == "make demo" or " serve " in line:
                running = served(command, checkout)
                now = running.__enter__()
                if line == "make demo":
                    code, rest = now.interrupt()
                    assert "***" not in rest
            else:
                done = subprocess.run(command, cwd=checkout, env=QUIET, capture_output=True, text=True, check=False)
                assert done.returncode == 0, f"{line}: {done.stderr}"
                if " invite " in line:
                    assert all(link.startswith(f"{now.base}/join/") for link in re.findall(r"http\S+", done.stdout))
                    assert "No server" not in done.stderr
    assert running is not None
    code, rest = now.interrupt()
    assert (code, "Traceback" in rest) == (0, False)
    found = quorate.open(checkout / "my-study").results()["recognise.idiom.fleiss_kappa.correctness"]
    assert str(found.estimate) == said_by((HOUSE / "README.md").read_text("utf-8"))


def test_the_demo_again_takes_a_free_port_and_prints_links_that_work_beside_the_old_ones(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            taken.bind(("127.0.0.1", 8000))
            taken.listen()
        except OSError:
            pass  # somebody else has it, which is as good
        with served([str(QUORATE), "demo"], tmp_path) as first:
            assert "Port 8000 is taken; port " in first.said
            assert not first.base.endswith(":8000")
            old = first.links()
            assert first.interrupt()[0] == 0
        with served([str(QUORATE), "demo", "--port", "0"], tmp_path) as second:
            new = second.links()
            assert list(new) == list(old) == ["A1", "A2", "A3"]
            assert not set(new.values()) & set(old.values())
            for link in (*new.values(), *(second.base + link[link.index("/join/") :] for link in old.values())):
                assert httpx.get(link, timeout=60).status_code == 303
            root = httpx.get(second.base + "/", headers={"accept-language": "en"}, timeout=60)
            assert root.status_code == 200
            assert "There is nothing to see here without a link" in root.text
            assert "pun" not in root.text.lower()
            root = httpx.get(second.base + "/", headers={"accept-language": "zh"}, timeout=60)
            assert "你" in root.text.replace("您", "你")


def test_invite_prints_the_address_of_the_running_server_and_none_of_one_that_was_killed(tmp_path: Path) -> None:
    def invited(*more: str) -> tuple[str, str]:
        command = [str(QUORATE), "invite", "demo", "--again", "A1", *more]
        done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True)
        return done.stdout.split()[1].split("/join/")[0], done.stderr

    with served([str(QUORATE), "demo", "--port", "0"], tmp_path) as server:
        link, said = invited()
        assert link == server.base
        assert "No server" not in said
        assert invited("--public-url", "https://study.example.org")[0] == "https://study.example.org"
    link, said = invited()  # it was killed, and could not take its address back
    assert (tmp_path / "demo" / ".quorate" / "serving").read_text() == server.base
    assert link == "http://localhost:8000"
    assert "No server of this study is known to run" in said


@pytest.mark.parametrize(("host", "name"), [("0.0.0.0", "localhost"), ("::1", "[::1]"), ("127.0.0.1", "localhost")])
def test_the_links_of_a_server_lead_to_it_whatever_it_listens_on(host: str, name: str, tmp_path: Path) -> None:
    subprocess.run([str(QUORATE), "new", "visual-puns", "s"], cwd=tmp_path, check=True, capture_output=True)
    with served([str(QUORATE), "serve", "s", "--host", host, "--port", "0"], tmp_path) as server:
        assert re.fullmatch(rf"http://{re.escape(name)}:\d+", server.base)
        assert httpx.get(server.base + "/", timeout=60).status_code == 200
        assert ("--public-url" in server.said) == (host == "0.0.0.0")
