"""Clips reach the rater as they were made, but for what their bytes tell about who made them."""

from __future__ import annotations

import re
import wave
from base64 import b64decode
from io import BytesIO

import av
import numpy
import pytest

from clips import SECRET, sound, video
from quorate.errors import StudyError
from quorate.media import Audio, Plays, Video
from quorate.media.clips import frames_of, served_suffix, without_tags
from quorate.records import Item, Shown

SOUNDS = {
    "a.wav": ("wav", "pcm_s16le"),
    "a.flac": ("flac", "flac"),
    "a.mp3": ("mp3", "libmp3lame"),
    "a.ogg": ("ogg", "libopus"),
    "a.m4a": ("ipod", "aac"),
}


def pictures(content: bytes) -> list[numpy.ndarray]:
    with av.open(BytesIO(content)) as source:
        return [frame.to_ndarray() for frame in source.decode(video=0)]


def samples(content: bytes) -> numpy.ndarray:
    with av.open(BytesIO(content)) as source:
        return numpy.concatenate([frame.to_ndarray() for frame in source.decode(audio=0)], axis=1)


@pytest.mark.parametrize("container", ["mp4", "webm"])
def test_a_video_loses_its_tags_and_keeps_every_pixel(container: str) -> None:
    made = video(container=container)
    assert SECRET.encode() in made
    staged = without_tags(made, f"x.{container}", "video")
    assert re.search(rb"x264|Lav[fc]\d", made)
    assert not re.search(SECRET.encode() + rb"|x264|Lav[fc]\d", staged)
    before, after = pictures(made), pictures(staged)
    assert len(before) == len(after) == 12
    assert all(numpy.array_equal(one, other) for one, other in zip(before, after, strict=True))


@pytest.mark.parametrize("path", SOUNDS)
def test_a_sound_loses_its_tags_and_keeps_every_sample(path: str) -> None:
    made = sound(container=SOUNDS[path][0], codec=SOUNDS[path][1])
    assert SECRET.encode() in made
    staged = without_tags(made, path, "audio")
    assert SECRET.encode() not in staged
    before, after = samples(made), samples(staged)
    # An MP3's own note on its padding goes with its tags: the samples are the same, with silence before or behind.
    shorter = min(before.shape[1], after.shape[1])
    assert abs(before.shape[1] - after.shape[1]) < 2400
    if path != "a.mp3":
        assert numpy.array_equal(before[:, :shorter], after[:, :shorter])


def test_a_video_begins_with_its_table_so_that_it_plays_at_once() -> None:
    staged = without_tags(video(), "x.mp4", "video")
    assert staged.index(b"moov") < staged.index(b"mdat")


def test_the_same_clip_is_staged_to_the_same_bytes() -> None:
    made = video()
    assert without_tags(made, "x.mp4", "video") == without_tags(made, "x.mp4", "video")


def cut_off() -> bytes:
    whole = without_tags(video(4.0, size=320), "x.mp4", "video")
    return whole[: len(whole) * 6 // 10]


@pytest.mark.parametrize(
    ("content", "path", "sentence"),
    [
        (b"", "x.mp4", "cannot be played"),
        (b"not a clip at all" * 100, "x.mp4", "cannot be played"),
        (video()[:300], "x.mp4", "cannot be played"),
        (cut_off(), "x.mp4", "cut off"),
        (sound(), "x.mp4", "no picture"),
        (video(), "x.avi", "cannot be played in every browser"),
    ],
)
def test_a_clip_that_does_not_decode_is_a_sentence(content: bytes, path: str, sentence: str) -> None:
    with pytest.raises(StudyError, match=sentence):
        without_tags(content, path, "video")


@pytest.mark.parametrize("seconds", [0.6, 3.0])
def test_a_wav_that_is_cut_off_is_a_sentence_however_short(seconds: float) -> None:
    whole = wav(seconds)
    assert without_tags(whole, "x.wav", "audio")
    with pytest.raises(StudyError, match="cut off"):
        without_tags(whole[: len(whole) // 3], "x.wav", "audio")


def wav(seconds: float) -> bytes:
    """A tone as a WAV file."""
    file = BytesIO()
    with wave.open(file, "wb") as out:
        out.setnchannels(1)
        out.setsampwidth(2)
        out.setframerate(16_000)
        n = int(16_000 * seconds)
        out.writeframes((8000 * numpy.sin(numpy.arange(n) / 6)).astype("<i2").tobytes())
    return file.getvalue()


def test_a_sound_without_sound_is_a_sentence() -> None:
    with pytest.raises(StudyError, match="no sound"):
        without_tags(video(), "x.m4a", "audio")


@pytest.mark.parametrize(
    ("path", "suffix"), [("a.MOV", ".mp4"), ("a.mkv", ".webm"), ("a.opus", ".ogg"), ("a.mp3", ".mp3")]
)
def test_a_clip_is_served_under_the_ending_of_what_it_becomes(path: str, suffix: str) -> None:
    assert served_suffix(path) == suffix


ITEM = Item("1", {"clip": "clips/a.mp4", "tone": "a.ogg"})


def test_plays_are_owed_until_the_evidence_shows_them() -> None:
    clip = Video(field="clip", plays=Plays(full=2))
    assert clip.owed(ITEM, Shown(), {})
    assert clip.owed(ITEM, Shown(), {"clips/a.mp4": {"full_plays": 1}})
    assert clip.owed(ITEM, Shown(), {"clips/b.mp4": {"full_plays": 2}})
    assert not clip.owed(ITEM, Shown(), {"clips/a.mp4": {"full_plays": 2}})
    assert not clip.owed(ITEM, Shown(), clip.done(ITEM))


def test_plays_in_step_count_only_where_the_protocol_says_so() -> None:
    evidence = {"clips/a.mp4": {"full_plays": 1, "full_plays_together": 1}}
    assert Video(field="clip", plays=Plays(full=2)).owed(ITEM, Shown(), evidence)
    assert not Video(field="clip", plays=Plays(full=2, together=True)).owed(ITEM, Shown(), evidence)


@pytest.mark.parametrize("forged", ["2", 2.0, True, -2, None, [2], {"n": 2}])
def test_evidence_that_is_no_count_counts_nothing(forged: object) -> None:
    clip = Video(field="clip", plays=Plays(full=1))
    assert clip.owed(ITEM, Shown(), {"clips/a.mp4": {"full_plays": forged}})


def test_a_clip_without_a_rule_owes_nothing() -> None:
    assert not Video(field="clip").owed(ITEM, Shown(), {})


def test_passes_name_every_play() -> None:
    with pytest.raises(ValueError, match="passes"):
        Plays(full=2, passes=("adherence",))


def test_a_judge_sees_frames_from_the_whole_video() -> None:
    contents = Video(field="clip", frames=4).as_content(ITEM, Shown(), {"clips/a.mp4": video()})
    assert [part["type"] for part in contents] == ["text", *["image_url"] * 4]
    seconds = [second for second, _ in frames_of(video(), 4)]
    assert seconds == sorted(set(seconds))
    assert 0 < seconds[0] < 0.3
    assert 0.7 < seconds[-1] < 1


def test_a_judge_hears_a_sound_as_wav() -> None:
    staged = without_tags(sound(container="ogg", codec="libopus"), "a.ogg", "audio")
    (part,) = Audio(field="tone").as_content(ITEM, Shown(), {"a.ogg": staged})
    assert part["input_audio"]["format"] == "wav"
    assert b64decode(part["input_audio"]["data"]).startswith(b"RIFF")
