"""Clips as bytes: remuxed without tags, looked at frame by frame, turned into a sound that any model takes.

Nothing is encoded anew on the way to a rater: packets go from one container to another as they are.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from quorate.errors import StudyError

#: What a browser plays, by the ending of the file: the ending under which it is served, and the container's name.
CONTAINERS = {
    ".mp4": (".mp4", "mp4"),
    ".m4v": (".mp4", "mp4"),
    ".mov": (".mp4", "mp4"),
    ".webm": (".webm", "webm"),
    ".mkv": (".webm", "webm"),
    ".mp3": (".mp3", "mp3"),
    ".wav": (".wav", "wav"),
    ".flac": (".flac", "flac"),
    ".ogg": (".ogg", "ogg"),
    ".oga": (".ogg", "ogg"),
    ".opus": (".ogg", "ogg"),
    ".m4a": (".m4a", "mp4"),
}
_PLAYED = {"h264", "vp8", "vp9", "av1", "aac", "mp3", "opus", "vorbis", "flac"}
_ADVICE = "Convert it to MP4 (H.264 and AAC) or WebM for video, or to MP3, WAV, FLAC or Opus for sound."
_BITEXACT = {"fflags": "+bitexact"}
_OPTIONS = {
    "mp4": {"movflags": "+faststart"},
    "mp3": {"id3v2_version": "0", "write_id3v1": "0"},
}


def served_suffix(path: str) -> str:
    """The ending under which a clip is served."""
    suffix = Path(path).suffix.lower()
    return CONTAINERS[suffix][0] if suffix in CONTAINERS else suffix


def without_tags(content: bytes, path: str, kind: str) -> bytes:
    """The clip without titles, dates, tool names and other streams; `kind` is what it must have: video or audio."""
    suffix = Path(path).suffix.lower()
    if suffix not in CONTAINERS:
        raise StudyError(f"files that end in '{suffix}' cannot be played in every browser. {_ADVICE}")
    with _opened(content) as source:
        streams = _streams(source, kind)
        _check_riff(content)
        _check_decodes(content, kind)
        return _remuxed(source, streams, *CONTAINERS[suffix])


def coded(file: Path) -> dict[str, str]:
    """How a clip is coded, as anybody can see who has it; nothing of one that cannot be read."""
    import av

    try:
        with av.open(str(file)) as source:
            streams = [*source.streams.video[:1], *source.streams.audio[:1]]
            found = {"coding": ", ".join(stream.codec_context.name for stream in streams)}
            for video in source.streams.video[:1]:
                found["dimensions"] = f"{video.codec_context.width} × {video.codec_context.height}"
                found["frame rate"] = f"{float(video.average_rate or 0):.3g} a second"
            for audio in source.streams.audio[:1]:
                found["sampling rate"] = f"{audio.codec_context.sample_rate} Hz"
            return found
    except (av.FFmpegError, ValueError, EOFError, OSError):
        return {}


@contextmanager
def _opened(content: bytes) -> Iterator[Any]:
    """A clip to read; whatever is wrong with its bytes is one sentence."""
    import av

    try:
        with av.open(BytesIO(content)) as source:
            yield source
    except (av.FFmpegError, ValueError, EOFError, OSError) as error:
        why = _reason(error)
        raise StudyError(f"this clip cannot be played: it is damaged or cut off ({why}). {_ADVICE}") from error


def _reason(error: Exception) -> str:
    return (getattr(error, "strerror", None) or str(error) or type(error).__name__).strip(". ").lower()


def _streams(source: Any, kind: str) -> list[Any]:
    """The picture and the sound: the first of each. Subtitles, covers and data say more than a rater should know."""
    found = [*source.streams.video[:1], *source.streams.audio[:1]] if kind == "video" else [*source.streams.audio[:1]]
    if not any(stream.type == kind for stream in found):
        raise StudyError(f"this clip has no {'picture' if kind == 'video' else 'sound'} in it.")
    for stream in found:
        name = stream.codec_context.codec.canonical_name
        if name not in _PLAYED and not name.startswith("pcm_"):
            raise StudyError(f"its {stream.type} is coded as {name}, which not every browser plays. {_ADVICE}")
    return found


def _check_decodes(content: bytes, kind: str) -> None:
    """Reads the clip once through: key frames of a picture, every sample of a sound, up to its end."""
    with _opened(content) as source:
        stream = source.streams.video[0] if kind == "video" else source.streams.audio[0]
        if kind == "video":
            stream.codec_context.skip_frame = "NONKEY"
        length = float(source.duration or 0) / 1_000_000
        frames, end = 0, 0.0
        for packet in source.demux(stream):
            if packet.pts is not None:
                end = max(end, float((packet.pts + (packet.duration or 0)) * packet.time_base))
            frames += len(packet.decode())
        start = float((stream.start_time or 0) * stream.time_base)
        if not frames:
            raise StudyError(f"this clip has no {'picture' if kind == 'video' else 'sound'} that can be decoded.")
        lasts = end - start
        # Where there is a picture the sound may be the longer of the two.
        short = 0.5 if kind == "video" else min(0.5, length / 4)
        if length - lasts > max(short, 0.1 * length):
            raise StudyError(f"this clip is cut off: it should last {length:.1f} s, and ends after {lasts:.1f} s.")


def _check_riff(content: bytes) -> None:
    """A WAV says at its beginning how many bytes follow; a decoder plays what is there and says nothing."""
    if content[:4] != b"RIFF" or content[8:12] != b"WAVE":
        return
    said, there = int.from_bytes(content[4:8], "little"), len(content) - 8
    # What is written as it sounds cannot know its length, and says 0 or the largest number.
    if 0 < said < 0xFFFF_FFF0 and said > there:
        raise StudyError(f"this clip is cut off: {said + 8:,} bytes should be there, and {there + 8:,} are.")


def _remuxed(source: Any, streams: list[Any], suffix: str, container: str) -> bytes:
    import av

    with TemporaryDirectory() as folder:
        # A file and not memory: the table of an MP4 goes to its front at the end, so that it plays before it is there.
        target = Path(folder) / f"clip{suffix}"
        options = {**_BITEXACT, **_OPTIONS.get(container, {})}
        with av.open(str(target), "w", format=container, options=options) as out:
            ways = {stream.index: _Way(stream, out) for stream in streams}
            for packet in source.demux(streams):
                if packet.dts is not None:
                    for clean in ways[packet.stream.index].through(packet):
                        out.mux(clean)
        return target.read_bytes()


class _Way:
    """The way of one stream's packets; those of H.264 lose the notes that encoders leave about themselves."""

    def __init__(self, stream: Any, out: Any):
        from av.bitstream import BitStreamFilterContext

        self.target = out.add_stream_from_template(stream)
        self.target.metadata.clear()
        is_h264 = stream.codec_context.name == "h264"
        # Type 6 is supplemental information: x264 writes its version and all its settings there.
        self.filter = BitStreamFilterContext("filter_units=remove_types=6", stream) if is_h264 else None

    def through(self, packet: Any) -> Iterator[Any]:
        """The packets to write for one that was read."""
        for clean in self.filter.filter(packet) if self.filter else [packet]:
            clean.stream = self.target
            yield clean


def frames_of(content: bytes, n: int) -> list[tuple[float, bytes]]:
    """So many frames, evenly over the clip, each with its second, as JPEG."""
    with _opened(content) as source:
        length = float(source.duration or 0) / 1_000_000
        wanted = [length * (k + 0.5) / n for k in range(n)]
        found: list[tuple[float, bytes]] = []
        last = None
        for frame in source.decode(video=0):
            last = frame
            while len(found) < n and (frame.time or 0) >= wanted[len(found)]:
                found.append((float(frame.time or 0), _jpeg(frame)))
            if len(found) == n:
                break
        if not found and last is not None:
            found.append((0.0, _jpeg(last)))
        return found


def _jpeg(frame: Any) -> bytes:
    out = BytesIO()
    frame.to_image().save(out, "JPEG", quality=85)
    return out.getvalue()


def as_wav(content: bytes) -> bytes:
    """The sound as 16-bit WAV."""
    import av

    out = BytesIO()
    with _opened(content) as source, av.open(out, "w", format="wav", options=_BITEXACT) as target:
        sound = source.streams.audio[0]
        stream = target.add_stream("pcm_s16le", rate=sound.codec_context.sample_rate)
        for frame in source.decode(sound):
            frame.pts = None
            for packet in stream.encode(frame):
                target.mux(packet)
        for packet in stream.encode(None):
            target.mux(packet)
    return out.getvalue()
