"""Tables come in as they are, or a sentence names the line that is wrong."""

from __future__ import annotations

import codecs
import sys
from pathlib import Path

import polars
import pytest

from quorate.errors import StudyError
from quorate.importers import read_rows
from quorate.importers.tables import decode

TEXT = "image_id,target_idiom\r\nimg_1,déjà vu – “really”\r\nimg_2,break the ice\r\n"
FIELDS = [
    {"image_id": "img_1", "target_idiom": "déjà vu – “really”"},
    {"image_id": "img_2", "target_idiom": "break the ice"},
]


def table(folder: Path, content: bytes | str, name: str = "items.csv") -> Path:
    path = folder / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


@pytest.mark.parametrize(
    "content",
    [
        TEXT.encode("utf-8"),
        codecs.BOM_UTF8 + TEXT.encode("utf-8"),
        codecs.BOM_UTF16_LE + TEXT.encode("utf-16-le"),
        codecs.BOM_UTF16_BE + TEXT.encode("utf-16-be"),
        TEXT.encode("cp1252"),
    ],
    ids=["utf-8", "utf-8 with a mark", "utf-16 little", "utf-16 big", "windows-1252"],
)
def test_a_table_reads_the_same_in_every_common_encoding(tmp_path: Path, content: bytes) -> None:
    assert [row.fields for row in read_rows(table(tmp_path, content))] == FIELDS


@pytest.mark.parametrize(
    ("line", "content"),
    [
        (3, b"image_id,target\nimg_1,fine\nimg_2,\xe9\x81\nimg_3,fine\n"),
        (3, codecs.BOM_UTF8 + b"image_id,target\nimg_1,fine\nimg_2,\xff\n"),
        (3, codecs.BOM_UTF16_LE + "image_id,target\nimg_1,fine\nimg_2,".encode("utf-16-le") + b"\x00\xd8a\x00"),
        (1, "image_id,target\nimg_1,fine\nimg_2,x".encode("utf-16-le")),
    ],
    ids=["neither utf-8 nor windows-1252", "after a mark", "half a utf-16 pair", "utf-16 without a mark"],
)
def test_broken_bytes_are_named_by_their_line(line: int, content: bytes) -> None:
    with pytest.raises(StudyError, match=rf"^line {line}: .*Save the file as UTF-8\.$"):
        decode(content)


def test_every_row_knows_its_line_also_after_a_cell_with_several_lines(tmp_path: Path) -> None:
    rows = read_rows(table(tmp_path, 'id,text\na,"one\ntwo\nthree"\n\nb,x\n'))
    assert [(row.line, row.fields["id"]) for row in rows] == [(2, "a"), (6, "b")]
    assert rows[0].fields["text"] == "one\ntwo\nthree"


def test_tabs_separate_a_tsv(tmp_path: Path) -> None:
    rows = read_rows(table(tmp_path, "id\ttext\na\tone, two\n", "items.tsv"))
    assert rows[0].fields == {"id": "a", "text": "one, two"}


@pytest.mark.parametrize(
    ("content", "says"),
    [
        ("id,text\na,1\nb,2,3\nc,1\n", r"line 3: 3 cells where the header has 2\. A cell"),
        ("id,text\na\n", r"line 2: 1 cells where the header has 2\. A cell"),
        ("id,text\na\nb\nc\n", r"line 2: 1 cells .* \(and 2 more lines like it\)\."),
        ("id,text\na\nb\n", r"line 2: 1 cells .* \(and 1 more line like it\)\."),
        ("id,text,id\na,1,b\n", "line 1: two columns are named 'id'"),
        ("id,,text\na,1,b\n", "line 1: column 2 has no name"),
        ("", "line 1: the table is empty"),
        ('id,text\na,"open\nb,2\n', "line 2: a quote is opened and never closed"),
        ('id,text\na,"x"y\n', "line 2: "),
    ],
    ids=["long", "short", "several", "two", "twice", "unnamed", "empty", "open quote", "text after a quote"],
)
def test_a_table_that_cannot_be_right_is_refused_with_its_line(tmp_path: Path, content: str, says: str) -> None:
    with pytest.raises(StudyError, match=says):
        read_rows(table(tmp_path, content))


def test_a_table_with_a_header_alone_has_no_rows(tmp_path: Path) -> None:
    assert read_rows(table(tmp_path, "id,text\n")) == []


def test_lines_of_empty_cells_are_not_rows(tmp_path: Path) -> None:
    assert len(read_rows(table(tmp_path, "id,text\na,1\n,\n\nb,2\n"))) == 2


def test_a_cell_may_hold_a_whole_document_of_fifty_megabytes(tmp_path: Path) -> None:
    long = "x" * 50_000_000
    assert read_rows(table(tmp_path, f"id,text\na,{long}\n"))[0].fields["text"] == long


def test_json_lines_keep_their_types(tmp_path: Path) -> None:
    rows = read_rows(table(tmp_path, '{"id": "a", "n": 1, "turns": ["x"]}\n\n{"id": "b", "n": null}\n', "items.jsonl"))
    assert [(row.line, row.fields) for row in rows] == [
        (1, {"id": "a", "n": 1, "turns": ["x"]}),
        (3, {"id": "b", "n": None}),
    ]


def test_a_line_separator_inside_a_json_text_does_not_end_the_row(tmp_path: Path) -> None:
    content = '{"id": "a", "text": "one\u2028two\u0085three"}\r\n{"id": "b", "text": ""}\r\n'
    rows = read_rows(table(tmp_path, content, "items.jsonl"))
    assert [row.fields["text"] for row in rows] == ["one\u2028two\u0085three", ""]


@pytest.mark.parametrize("words", ['"a\\u0000"', '[{"x": ["\\u0000"]}]', '{"\\u0000": 1}'])
def test_a_text_that_no_database_keeps_is_named_by_its_row(tmp_path: Path, words: str) -> None:
    path = table(tmp_path, f'{{"id": "a", "words": "\\\\u0000"}}\n{{"id": "b", "words": {words}}}\n', "items.jsonl")
    with pytest.raises(StudyError, match="line 2: a text holds the character NUL"):
        read_rows(path)


def test_a_parquet_file_with_such_a_text_is_refused_too(tmp_path: Path) -> None:
    polars.DataFrame({"id": ["a", "b"], "words": ["x", "y\0"]}).write_parquet(tmp_path / "items.parquet")
    with pytest.raises(StudyError, match="line 2: a text holds the character NUL"):
        read_rows(tmp_path / "items.parquet")


@pytest.mark.parametrize(
    ("line", "says"), [('{"id": "b"', "line 2: this is not JSON"), ("[1, 2]", r"line 2: this is no object \{…\}")]
)
def test_a_broken_json_line_is_named(tmp_path: Path, line: str, says: str) -> None:
    with pytest.raises(StudyError, match=says):
        read_rows(table(tmp_path, '{"id": "a"}\n' + line + "\n", "items.jsonl"))


def test_parquet_reads_as_rows(tmp_path: Path) -> None:
    polars.DataFrame({"id": ["a", "b"], "n": [1, None]}).write_parquet(tmp_path / "items.parquet")
    rows = read_rows(tmp_path / "items.parquet")
    assert [(row.line, row.fields) for row in rows] == [(1, {"id": "a", "n": 1}), (2, {"id": "b", "n": None})]


def test_without_the_package_for_parquet_a_sentence_says_how_to_get_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    polars.DataFrame({"id": ["a"]}).write_parquet(tmp_path / "items.parquet")
    monkeypatch.setitem(sys.modules, "polars", None)
    with pytest.raises(StudyError, match=r"pip install 'quorate\[parquet\]'"):
        read_rows(tmp_path / "items.parquet")


def test_a_file_that_is_not_parquet_gives_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(StudyError, match="this is not a Parquet file"):
        read_rows(table(tmp_path, "id,text\n", "items.parquet"))


def test_another_kind_of_file_is_refused_with_the_kinds_there_are(tmp_path: Path) -> None:
    with pytest.raises(StudyError, match=r"'\.xlsx' is not a kind of table.*\.csv"):
        read_rows(table(tmp_path, "", "items.xlsx"))
    with pytest.raises(StudyError, match=r"Did you mean '\.jsonl'"):
        read_rows(table(tmp_path, "", "items.jsnl"))


def test_several_broken_json_lines_are_counted(tmp_path: Path) -> None:
    with pytest.raises(StudyError, match=r"line 2: this is not JSON: .* \(and 1 more line like it\)\. Every line"):
        read_rows(table(tmp_path, '{"id": "a"}\n{"id"\n[1]\n{"id": "b"}\n', "items.jsonl"))


def test_a_table_that_says_it_is_larger_than_memory_is_not_read(tmp_path: Path) -> None:
    """A file with holes is small on the disk, whatever it says."""
    for name in ("items.csv", "items.jsonl", "items.json"):
        path = table(tmp_path, "id,text\na,b\n", name)
        with path.open("r+b") as file:
            file.truncate(1 << 40)
        with pytest.raises(StudyError, match="larger than 500 MB"):
            read_rows(path)


def test_a_small_file_that_stands_for_any_number_of_rows_is_not_unpacked(tmp_path: Path) -> None:
    path = tmp_path / "items.parquet"
    polars.DataFrame({"id": polars.repeat("a", 11_000_000, eager=True)}).write_parquet(path)
    assert path.stat().st_size < 100_000
    with pytest.raises(StudyError, match="it has 11,000,000 rows"):
        read_rows(path)


def test_rows_whose_fields_are_all_different_do_not_multiply(tmp_path: Path) -> None:
    """Every row has every field that any of them has: a file of a few hundred kilobytes would fill the memory."""
    path = table(tmp_path, "".join(f'{{"id": {k}, "f{k}": 1}}\n' for k in range(5000)), "items.jsonl")
    with pytest.raises(StudyError, match="it has 5,000 rows, and 5,001 columns in all"):
        read_rows(path)


def test_a_small_parquet_file_that_stands_for_gigabytes_of_text_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "items.parquet"
    # Text that repeats is kept once in the file, and once for each row in memory.
    polars.DataFrame({"id": polars.repeat("x" * 1000, 600_000, eager=True)}).write_parquet(path)
    assert path.stat().st_size < 100_000
    with pytest.raises(StudyError, match="it holds 600 MB"):
        read_rows(path)
