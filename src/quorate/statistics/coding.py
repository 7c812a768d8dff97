"""Values as people write them become small integers, with the list of categories they stand for."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from numbers import Number
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate.errors import DataError
from quorate.messages import Message

from .columns import dense, distinct, is_missing

Codes = NDArray[np.signedinteger[Any]]
NONE = -1
INFINITE = Message("a rating is infinite; correct it, or put None where there is no rating")
BLOCK = 1 << 15


def as_array(data: Any) -> NDArray[Any]:
    """An array of numbers where every value is one, of objects otherwise: 1 never becomes the text '1'."""
    if isinstance(data, np.ma.MaskedArray):
        values = np.asarray(data.data).astype(object)
        values[np.ma.getmaskarray(data)] = None
        return values
    if isinstance(data, np.ndarray):
        return data if data.dtype.kind in "iufb" else data.astype(object)
    try:
        array = np.array(data)
        if array.dtype.kind in "iufb":
            return array
        return np.array(data, dtype=object)
    except ValueError:
        raise DataError(_ragged(data)) from None


def _ragged(data: Any) -> str:
    try:
        lengths = [len(row) for row in data]
    except TypeError:
        return "the ratings are not a table; give a row for each item and a column for each rater."
    if len(set(lengths)) == 1:
        return "a cell of the ratings holds a list; each cell holds one rating or none."
    usual = max(set(lengths), key=lengths.count)
    odd = next((place for place, n in enumerate(lengths) if n != usual), 0)
    return (
        f"row {odd + 1} of the ratings has {lengths[odd]} columns and most rows have {usual}; "
        "put None where a rater gave no rating."
    )


def code(array: NDArray[Any], categories: Iterable[Any] | None = None) -> tuple[Codes, tuple[Any, ...]]:
    """Each value's place among the categories (−1: no rating), and the categories in order.

    >>> code(np.array([[3, 1], [1, 5]]))
    (array([[1, 0],
           [0, 2]], dtype=int8), (1, 3, 5))
    """
    declared = None if categories is None else _declared(categories)
    if array.dtype.kind in "iub":
        coded = _code_integers(array, declared)
    elif array.dtype.kind == "f":
        coded = _code_floats(array, declared)
    else:
        coded = None
    return coded if coded is not None else _code_objects(array.astype(object), declared)


def _declared(categories: Iterable[Any]) -> tuple[Any, ...]:
    listed = tuple(c.item() if isinstance(c, np.generic) else c for c in categories)
    if not listed:
        raise DataError("categories= is empty; list the categories a rater could choose, or leave it out.")
    if len(set(listed)) < len(listed):
        twice = next(c for c in listed if listed.count(c) > 1)
        raise DataError(f"categories= holds {twice!r} twice; list each category once.")
    return listed


def _code_integers(array: NDArray[Any], declared: tuple[Any, ...] | None) -> tuple[Codes, tuple[Any, ...]] | None:
    if array.size == 0:
        return array.astype(np.int8), declared or ()
    kind = bool if array.dtype.kind == "b" else int
    array = array.view(np.uint8) if kind is bool else array
    return _code_whole(array, int(array.min()), int(array.max()), kind, declared)


def _code_floats(array: NDArray[Any], declared: tuple[Any, ...] | None) -> tuple[Codes, tuple[Any, ...]] | None:
    if array.size == 0:
        return array.astype(np.int8), declared or ()
    low, high = np.fmin.reduce(array, axis=None), np.fmax.reduce(array, axis=None)
    if np.isnan(low):
        return np.full(array.shape, NONE, np.int8), declared or ()
    if not (np.isfinite(low) and np.isfinite(high)):
        raise DataError(INFINITE)
    whole = _code_whole(array, low, high, _plain, declared) if float(low).is_integer() else None
    return whole or _code_sorted(array, np.isnan(array), declared)


def _code_whole(
    array: NDArray[Any], low: Any, high: Any, kind: Callable[[Any], Any], declared: tuple[Any, ...] | None
) -> tuple[Codes, tuple[Any, ...]] | None:
    """Whole numbers in a short range, block by block so that each stays in the cache; None if they are not that."""
    if high - low >= 30_000:
        return None
    top = int(high - low)
    kind_of_code = np.int8 if top < 126 else np.int16
    codes: Codes = np.empty(array.shape, kind_of_code)
    # Rows of items are read as they lie in memory, and turned over when they are small.
    lying = array.ndim == 2 and array.strides[0] < array.strides[1]
    unseen = np.arange(top + 1)
    for start in range(0, array.shape[-1], BLOCK):
        block = array[..., start : start + BLOCK]
        block = block.T if lying else block
        with np.errstate(invalid="ignore"):
            shifted = (block - low).astype(kind_of_code)
        if array.dtype.kind == "f":
            # NaN is no whole number, so the two differ exactly where a rating is missing, or is not whole. What is tiny
            # beside the lowest rating is lost in the difference, and so the ratings themselves are compared.
            odd = shifted + low != block
            if np.count_nonzero(odd) != np.count_nonzero(np.isnan(block)):
                return None
            shifted |= -odd.astype(kind_of_code)  # anything or −1 is −1: several times faster than by mask
        unseen = _still_unseen(unseen, shifted)
        codes[..., start : start + BLOCK] = shifted.T if lying else shifted
    seen = np.setdiff1d(np.arange(top + 1), unseen)
    return _recode(codes, [kind(low + at) for at in seen], seen, top, declared)


def _still_unseen(unseen: NDArray[Any], codes: Codes) -> NDArray[Any]:
    """The codes that no block has held so far: soon none, so that later blocks need not be counted."""
    if len(unseen) <= 16:
        return np.array([code for code in unseen if not (codes == code).any()], int)
    return unseen[np.bincount(codes.ravel() + 1, minlength=unseen[-1] + 2)[unseen + 1] == 0]


def _recode(
    codes: Codes, values: list[Any], seen: NDArray[Any], top: int, declared: tuple[Any, ...] | None
) -> tuple[Codes, tuple[Any, ...]]:
    categories = tuple(values) if declared is None else declared
    if declared is None and len(seen) == top + 1:
        return codes, categories
    place = {category: at for at, category in enumerate(categories)}
    lookup = np.full(top + 2, NONE, smallest_type(len(categories)))  # no rating is −1, the last place
    for value, at in zip(values, seen, strict=True):
        if value not in place:
            raise DataError(_outside(value, categories))
        lookup[at] = place[value]
    return lookup[codes], categories


def _code_sorted(
    array: NDArray[Any], missing: NDArray[np.bool_], declared: tuple[Any, ...] | None
) -> tuple[Codes, tuple[Any, ...]] | None:
    if declared is not None:
        return None
    given = array[~missing]
    with np.errstate(invalid="ignore"):
        whole = given.astype(np.int64)
    is_whole = bool((whole == given).all())
    if is_whole:
        places, values = dense(whole), distinct(whole)
    else:
        values, places = np.unique(given, return_inverse=True)
    codes = np.full(array.shape, NONE, smallest_type(len(values)))
    codes[~missing] = places
    return codes, tuple(values.tolist() if is_whole else map(_plain, values.tolist()))


def _code_objects(array: NDArray[Any], declared: tuple[Any, ...] | None) -> tuple[Codes, tuple[Any, ...]]:
    flat = array.ravel().tolist()
    try:
        distinct = dict.fromkeys(flat)
    except TypeError:
        odd = next(v for v in flat if getattr(v, "__hash__", None) is None)
        raise DataError(f"the rating {odd!r} is not a single value; each cell holds one rating or none.") from None
    found = [value for value in distinct if not is_missing(value)]
    for value in found:
        if isinstance(value, float) and np.isinf(value):
            raise DataError(INFINITE)
    categories = declared if declared is not None else tuple(sorted(found, key=_sorting))
    place = {category: at for at, category in enumerate(categories)}
    for value in found:
        if value not in place:
            raise DataError(_outside(value, categories))
    coded = np.array([place.get(value, NONE) for value in flat], smallest_type(len(categories)))
    return coded.reshape(array.shape), tuple(_plain(c) for c in categories)


def _sorting(value: Any) -> tuple[int, Any]:
    if isinstance(value, Number) and not isinstance(value, complex):
        return 0, value
    return (1, value) if isinstance(value, str) else (2, repr(value))


def _plain(value: Any) -> Any:
    """A number as Python writes it: 3 rather than 3.0 or np.int64(3)."""
    if isinstance(value, np.generic):
        value = value.item()
    return int(value) if isinstance(value, float) and value.is_integer() else value


def smallest_type(categories: int) -> type[np.signedinteger[Any]]:
    """The smallest integer type that holds every code and −1."""
    return np.int8 if categories < 127 else np.int16 if categories < 32_000 else np.int32


def _outside(value: Any, categories: tuple[Any, ...]) -> str:
    shown = ", ".join(map(str, categories[:8])) + (", …" if len(categories) > 8 else "")
    return f"the rating {value!r} is not one of the declared categories ({shown}); add it there or correct the rating."
