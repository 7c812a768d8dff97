"""What raters are shown is frozen too: a file that holds something else is noticed, named, and can be amended."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from quorate.collect import way
from quorate.collect.freeze import media_kept
from quorate.collect.links import invite
from quorate.collect.staging import unproven_media
from quorate.errors import FrozenError
from quorate.study import Study
from quorate.verify import verify


def consented(folder: Path) -> Path:
    study = Study(folder)
    study.prepare()
    study.store.do(way.open_study)
    (invitation,) = study.store.do(lambda tx: invite(tx, study.protocol, 1))
    study.store.do(lambda tx: way.consent(tx, study.protocol, invitation.person, True))
    study.close()
    return folder


def shown(folder: Path) -> Path:
    """A picture of an item that is drawn."""
    study = Study(folder)
    path = folder / str(study.plan.items[0]["image"])
    study.close()
    return path


def repaint(path: Path) -> None:
    other = next(one for one in sorted(path.parent.iterdir()) if one.read_bytes() != path.read_bytes())
    shutil.copyfile(other, path)


def test_every_file_that_raters_are_shown_is_kept_as_a_hash(study_folder: Path) -> None:
    study = Study(study_folder)
    staged = study.prepare()
    kept = study.store.read(media_kept)
    assert set(kept) == set(staged.names)
    study.prepare()
    assert len(study.store.read(lambda tx: tx.events(kinds=["media"]))) == 1
    study.close()


def test_before_the_first_consent_a_picture_can_simply_be_replaced(study_folder: Path) -> None:
    study = Study(study_folder)
    study.prepare()
    repaint(shown(study_folder))
    study.prepare()
    assert len(study.store.read(lambda tx: tx.events(kinds=["media"]))) == 2
    study.close()


def test_a_picture_that_changed_after_the_first_consent_is_refused_by_name_every_time(study_folder: Path) -> None:
    consented(study_folder)
    path = shown(study_folder)
    repaint(path)
    for _ in range(2):
        study = Study(study_folder)
        with pytest.raises(FrozenError, match=rf"{path.name} has changed .* quorate amend"):
            study.prepare()
        study.close()


def test_a_picture_that_was_only_touched_or_copied_is_the_same(study_folder: Path, tmp_path: Path) -> None:
    consented(study_folder)
    os.utime(shown(study_folder), ns=(1, 1))
    Study(study_folder).prepare()
    elsewhere = shutil.copytree(study_folder, tmp_path / "elsewhere", copy_function=shutil.copyfile)
    Study(elsewhere).prepare()


def test_verify_names_the_picture_and_an_amendment_settles_it(study_folder: Path) -> None:
    consented(study_folder)
    study = Study(study_folder)
    assert verify(study.protocol, study.store).ok
    path = shown(study_folder)
    repaint(path)
    findings = verify(study.protocol, study.store).findings
    assert [(finding.kind, finding.where) for finding in findings] == [("protocol", f"images/{path.name}")]
    assert study.amend("a sharper scan") == 1
    study.prepare()
    assert verify(study.protocol, study.store).ok
    assert [version.reason for version in study.store.read(lambda tx: tx.protocols())][1:] == ["a sharper scan"]
    with pytest.raises(FrozenError, match="Nothing has changed"):
        study.amend("once more")
    study.close()


def test_check_says_what_has_changed_since_the_first_consent(study_folder: Path) -> None:
    consented(study_folder)
    Study(study_folder).check_frozen()
    path = shown(study_folder)
    repaint(path)
    study = Study(study_folder)
    with pytest.raises(FrozenError, match=rf"{path.name} has changed .* quorate amend"):
        study.check_frozen()
    study.close()


def test_a_picture_of_the_same_size_and_time_is_read_where_media_are_verified_whole(study_folder: Path) -> None:
    consented(study_folder)
    path = shown(study_folder)
    before, content = path.stat(), path.read_bytes()
    path.write_bytes(content[:-1] + bytes([content[-1] ^ 1]))
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))
    study = Study(study_folder)
    assert verify(study.protocol, study.store).ok
    findings = verify(study.protocol, study.store, media=True).findings
    assert [finding.where for finding in findings] == [f"images/{path.name}"]
    path.unlink()
    (finding,) = verify(study.protocol, study.store, media=True).findings
    assert "is not here" in finding.what
    study.close()


def test_what_is_staged_is_not_read_again_by_check_until_it_changes(study_folder: Path) -> None:
    study = Study(study_folder)
    assert unproven_media(study.protocol, study.plan.items)
    study.prepare()
    assert unproven_media(study.protocol, study.plan.items) == {}
    path = shown(study_folder)
    repaint(path)
    assert list(unproven_media(study.protocol, study.plan.items)) == [f"images/{path.name}"]
    study.close()
