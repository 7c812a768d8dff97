"""Scores by the similarity of two texts: the cosine of their sentence embeddings, cut by stated thresholds."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any, ClassVar, Literal, Self

from pydantic import Field, model_validator

from quorate.encoders import text_encoder
from quorate.judges.base import Call, Judge, Reply, Request
from quorate.judges.thresholds import Thresholds, text_of
from quorate.messages import Message
from quorate.records import Reason

CAPTION_WITH_DESCRIPTION = "caption with description"
_RECIPE = {"caption_score": ("caption", "vlm_description"), "vlm_score": ("caption", "vlm_description")}


class Similarity(Judge):
    """Two fields of the item for each question, compared; each score keeps its cosine.

    The recipe `caption with description` compares the extracted caption with the model's description, gives both scores
    the same number, and 0 where a text is empty.
    """

    batch: ClassVar[int] = 256
    told: ClassVar[Message] = Message(
        "{name} compares two texts of each item and answers with the point of the scale that their similarity reaches."
    )

    #: Question → the two fields to compare: {caption_score: [caption, reference_caption]}.
    compare: dict[str, tuple[str, str]] = {}
    recipe: Literal["caption with description"] | None = None
    thresholds: Thresholds = Thresholds()
    #: `minilm`, `lexical`, or a model of the Hugging Face hub by its id or of this machine by its folder. It is always
    #: named: another one would silently give other scores.
    encoder: Annotated[str, Field(pattern=r"^(minilm|lexical|\.?[\w.-]*/[\w./-]+)$")] = "minilm"
    #: What an empty text gives: a reason, or the lowest point.
    empty: Literal["reason", "lowest"] = "reason"

    @model_validator(mode="before")
    @classmethod
    def _from_recipe(cls, given: Any) -> Any:
        if isinstance(given, dict) and given.get("recipe") == CAPTION_WITH_DESCRIPTION:
            return {"compare": _RECIPE, "empty": "lowest", **given}
        return given

    @model_validator(mode="after")
    def _compares(self) -> Self:
        if not self.compare:
            raise ValueError(
                "`compare` should name two fields for each question: {caption_score: [caption, reference]}."
            )
        return self

    @property
    def is_offline(self) -> bool:
        return self.encoder == "lexical"

    def fields(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(field for pair in self.compare.values() for field in pair))

    def answers(self, questions: Sequence[str]) -> tuple[str, ...]:
        return tuple(question for question in questions if question in self.compare)

    def weaknesses(self) -> tuple[str, ...]:
        pairs = [frozenset(pair) for pair in self.compare.values()]
        if len(set(pairs)) == len(pairs):
            return ()
        shared = sorted(question for question, pair in self.compare.items() if pairs.count(frozenset(pair)) > 1)
        return (
            f"{' and '.join(shared)} are one number: they compare the same two fields, neither of which is the truth. "
            "Two texts can be alike and both wrong. Compare with a reference field where there is one.",
        )

    def ask(self, request: Request) -> Reply:
        return self.ask_all([request])[0]

    def ask_all(self, requests: Sequence[Request]) -> list[Reply]:
        encoder = text_encoder(self.encoder)
        texts = [text_of(request.item[field]) for request in requests for field in self.fields()]
        vectors = dict(zip(texts, encoder.encode(texts), strict=True))
        return [self._reply(request, vectors, f"{encoder.method}: {encoder.model}") for request in requests]

    def _reply(self, request: Request, vectors: dict[str, Any], model: str) -> Reply:
        raw, details, confidence, reasons, notes = {}, {}, {}, {}, []
        for question, pair in self.compare.items():
            if question not in request.prompts:
                continue
            one, other = (text_of(request.item[field]) for field in pair)
            if not one or not other:
                notes.append(f"{pair[0] if not one else pair[1]} is empty")
                if self.empty == "reason":
                    reasons[question] = Reason.CANNOT_JUDGE
                else:
                    raw[question] = self.thresholds.otherwise
                continue
            cosine = float(vectors[one] @ vectors[other])
            raw[question] = self.thresholds.point(cosine)
            details[question] = {"cosine": round(cosine, 6)}
            confidence[question] = self.thresholds.confidence(cosine)
        note = "; ".join(dict.fromkeys(notes))
        return Reply(raw, note=note, reasons=reasons, confidence=confidence, details=details, call=Call(model=model))
