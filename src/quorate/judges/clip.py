"""An automatic metric as a judge: how well a picture fits a text, cut by stated thresholds."""

from __future__ import annotations

from base64 import b64decode
from collections.abc import Sequence
from typing import ClassVar

from quorate.encoders.clip import VIT_L_14, clip
from quorate.errors import StudyError
from quorate.judges.base import Call, Judge, Reply, Request
from quorate.judges.thresholds import Thresholds, text_of
from quorate.messages import Message
from quorate.records import Reason


class Clip(Judge):
    """The cosine of CLIP's embeddings of the first picture shown and of a field's text, as a point of a scale."""

    looks: ClassVar[bool] = True
    batch: ClassVar[int] = 16
    told: ClassVar[Message] = Message(
        "{name} compares what is pictured with a text of the item, by CLIP’s embeddings, and answers with the point of "
        "the scale that their similarity reaches."
    )

    question: str
    #: The field that holds the text, such as the target concept.
    text: str
    #: A model id or a folder with its weights.
    model: str = VIT_L_14
    thresholds: Thresholds

    def fields(self) -> tuple[str, ...]:
        return (self.text,)

    def answers(self, questions: Sequence[str]) -> tuple[str, ...]:
        return (self.question,) if self.question in questions else ()

    def weaknesses(self) -> tuple[str, ...]:
        return ("CLIP sees what is pictured, not what is meant: metaphors and counts are beyond it.",)

    def ask(self, request: Request) -> Reply:
        urls = [part["image_url"]["url"] for part in request.contents if part.get("type") == "image_url"]
        text = text_of(request.item[self.text])
        if not urls or not text:
            why = f"{self.text} is empty" if urls else "no picture is shown"
            return Reply(reason=Reason.CANNOT_JUDGE, note=why)
        model = clip(self.model)
        try:
            (cosine,) = model.score([b64decode(urls[0].split(",", 1)[1])], [text])
        except StudyError as error:
            return Reply(reason=Reason.MEDIA_FAILED, note=str(error))
        return Reply(
            {self.question: self.thresholds.point(cosine)},
            confidence={self.question: self.thresholds.confidence(cosine)},
            details={self.question: {"cosine": cosine}},
            call=Call(model=model.model),
        )
