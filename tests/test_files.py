"""Files are whole or not there: a full disk leaves what was there before, and a sentence."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from quorate.errors import StudyError
from quorate.files import write_files, written_beside
from quorate.study import Study
from studies import visual_puns

#: Runs a command where no file may be larger: to a program, that is a full disk.
LIMITED = """
import resource, sys
from quorate.cli import main
resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[1]), int(sys.argv[1])))
sys.argv = ["quorate", *sys.argv[2:]]
main()
"""


def contents(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.fixture(scope="module")
def rehearsed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A rehearsed study with its report."""
    study = Study(visual_puns(tmp_path_factory.mktemp("written") / "study"))
    study.prepare()
    study.rehearse(seed=1)
    study.report(formats=("html", "md"))
    study.close()
    return study.folder


@pytest.mark.parametrize(
    ("room", "command"),
    [
        (20_000, ["report", "DIR"]),
        (3_000, ["report", "DIR"]),
        (3_000, ["export", "DIR"]),
        (3_000, ["export", "DIR", "--layout", "paper"]),
        (20_000, ["export", "DIR", "--bundle", "DIR/study.zip"]),
        (3_000, ["export", "DIR", "--huggingface", "DIR/hf"]),
        (3_000, ["export", "DIR", "--label-studio", "DIR/ls.json"]),
        (100_000, ["backup", "DIR", "DIR/copy.sqlite"]),
        (3_000, ["new", "dialogue", "DIR/made"]),
    ],
)
def test_a_full_disk_ends_in_a_sentence_and_leaves_what_was_there(
    rehearsed: Path, room: int, command: list[str]
) -> None:
    known = contents(rehearsed)
    arguments = [part.replace("DIR", str(rehearsed)) for part in command]
    done = subprocess.run(
        [sys.executable, "-c", LIMITED, str(room), *arguments], capture_output=True, text=True, check=False
    )
    assert done.returncode == 1
    assert "Traceback" not in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1
    assert any(words in done.stderr for words in ("the disk is full", "could not store this"))
    now = {
        name: content for name, content in contents(rehearsed).items() if name not in known or known[name] != content
    }
    assert not [name for name in now if not name.endswith(("-wal", "-shm"))]


@pytest.mark.parametrize("room", [5_000, 60_000, 100_000])
def test_a_bundle_that_finds_no_room_is_not_said_to_be_damaged(rehearsed: Path, tmp_path: Path, room: int) -> None:
    """A full disk says nothing about the bundle, and nobody is accused."""
    study = Study(rehearsed)
    bundle = study.bundle(tmp_path / "study.zip", "include")
    study.close()
    done = subprocess.run(
        [sys.executable, "-c", LIMITED, str(room), "verify", str(bundle)], capture_output=True, text=True, check=False
    )
    assert done.returncode == 1
    assert "no room here to unpack and check it" in done.stderr
    assert "so nothing was found out about it" in done.stderr
    assert "changed" not in done.stdout + done.stderr


def test_of_several_files_none_is_written_where_one_cannot_be(tmp_path: Path) -> None:
    write_files(tmp_path, {"a": b"old", "b/c": b"old", "stale": b"old"})
    (tmp_path / "d.part").mkdir()
    with pytest.raises(StudyError, match="cannot be written"):
        write_files(tmp_path, {"a": b"new", "b/c": b"new", "d": b"new"}, [tmp_path / "stale"])
    (tmp_path / "d.part").rmdir()
    assert contents(tmp_path) == {"a": b"old", "b/c": b"old", "stale": b"old"}
    write_files(tmp_path, {"a": b"new"}, [tmp_path / "stale"])
    assert contents(tmp_path) == {"a": b"new", "b/c": b"old"}


def test_what_fails_half_way_leaves_nothing(tmp_path: Path) -> None:
    def half(part: Path) -> None:
        part.write_bytes(b"half")
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError), written_beside(tmp_path / "x") as beside:
        half(beside)
    assert contents(tmp_path) == {}
    with written_beside(tmp_path / "x") as part:
        part.write_bytes(b"whole")
    assert contents(tmp_path) == {"x": b"whole"}
