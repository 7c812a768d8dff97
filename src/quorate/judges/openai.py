"""A model behind any OpenAI-compatible endpoint: hosted ones, vLLM, Ollama, the llama.cpp server."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from time import perf_counter
from typing import Annotated, Any, ClassVar, Literal, Self
from urllib.parse import urlsplit

from pydantic import Field, field_validator, model_validator

from quorate.errors import JudgeError
from quorate.judges import messages
from quorate.judges.base import RECORD, SWAPPED, Call, Judge, Reply, Request, TryAgainError
from quorate.judges.pictures import fitted
from quorate.parts import Part
from quorate.records import Reason

_REFUSALS = ("content_policy", "content_filter", "safety")
_CODES_OF_NO_USE = ("insufficient_quota", "billing_hard_limit_reached")


class Price(Part):
    """What a million tokens cost, in whatever currency `most_cost` is in."""

    input: Annotated[float, Field(ge=0)]
    output: Annotated[float, Field(ge=0)]


class OpenAI(Judge):
    """A vision or language model that is put the rater's page as a chat message, and answers by a JSON Schema."""

    shorthand: ClassVar[str] = "model"
    looks: ClassVar[bool] = True
    batch: ClassVar[int] = 1
    operational: ClassVar[frozenset[str]] = frozenset(
        {"own", "url", "key", "at_once", "tries", "first_wait", "timeout", "price", "most_cost", "most_minutes"}
    )

    model: str
    #: The endpoint, such as http://localhost:8000/v1; without it, OpenAI's own.
    url: str | None = None
    #: The name of the environment variable that holds the key. The key itself stands in no file.
    key: str = "OPENAI_API_KEY"
    temperature: Annotated[float, Field(ge=0, le=2)] = 0
    max_tokens: Annotated[int, Field(ge=1)] = 1000
    seed: int | None = None
    #: How the answer is asked for: by the questions' own JSON Schema, as any JSON, or in plain words.
    output: Literal["schema", "json", "text"] = "schema"
    language: str = "en"
    #: Whether the model also reads the raters' instructions.
    instructions: bool = False
    #: How often each item is asked in the judge's own order; the first reply is the answer, the rest show stability.
    samples: Annotated[int, Field(ge=1, le=50)] = 1
    #: Whether each item is asked once more with sides and options the other way round, to measure position bias.
    swap: bool = False
    #: `asked`: the model is asked how sure it is. `samples`: the share of samples that say the same.
    confidence: Literal["none", "asked", "samples"] = "none"
    #: Pictures above this size get a reason instead of an answer, unless `shrink` makes their longest side this short.
    megapixels: Annotated[float, Field(gt=0)] = 20
    shrink: Annotated[int, Field(ge=64)] | None = None
    at_once: Annotated[int, Field(ge=1, le=256)] = 8
    tries: Annotated[int, Field(ge=1, le=20)] = 6
    #: Seconds before the second try; doubled before each further one, unless the server says how long to wait.
    first_wait: Annotated[float, Field(ge=0)] = 1
    timeout: Annotated[float, Field(gt=0)] = 120
    price: Price | None = None
    #: No further call is begun once this much is spent (needs `price`), or after so many minutes.
    most_cost: Annotated[float, Field(gt=0)] | None = None
    most_minutes: Annotated[float, Field(gt=0)] | None = None

    @field_validator("key")
    @classmethod
    def _is_a_name(cls, given: str) -> str:
        if not re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]*", given):
            raise ValueError(
                "should be the name of an environment variable, such as OPENAI_API_KEY. If this is a key itself, "
                "take it out of the file, and replace it with its provider: it may have been seen."
            )
        return given

    @model_validator(mode="after")
    def _can_be_counted(self) -> Self:
        if self.most_cost is not None and self.price is None:
            raise ValueError("`most_cost` needs `price`: {input: …, output: …} for a million tokens.")
        if self.confidence == "samples" and self.samples < 2:
            raise ValueError("`confidence: samples` needs `samples` of 2 or more.")
        return self

    @property
    def workers(self) -> int:
        return self.at_once

    def purposes(self) -> tuple[str, ...]:
        more = tuple(f"sample {n}" for n in range(2, self.samples + 1))
        return (RECORD, *((SWAPPED,) if self.swap else ()), *more)

    def weaknesses(self) -> tuple[str, ...]:
        found = []
        if self.temperature == 0 and self.samples > 1:
            found.append("several samples at temperature 0 are one sample: they say nothing about stability.")
        if self.confidence == "asked":
            found.append("a model's own word for how sure it is tends to be too high: hold it against the audit.")
        return tuple(found)

    def ask(self, request: Request) -> Reply:
        contents, unfit = fitted(request.contents, self.megapixels, self.shrink)
        if unfit:
            return Reply(reason=Reason.MEDIA_FAILED, note=unfit)
        sent = messages.messages(request, contents, ask_confidence=self.confidence == "asked")
        parameters = self._parameters(request)
        began = perf_counter()
        client = self._client()
        try:
            with self._told_by_its_errors():
                response = client.chat.completions.create(
                    model=self.model, messages=sent, timeout=self.timeout, **parameters
                )
        except UnansweredError as unanswered:
            return unanswered.reply
        seconds = perf_counter() - began
        return self._reply(request, response, self._call(sent, parameters, response, seconds))

    def _parameters(self, request: Request) -> dict[str, Any]:
        parameters: dict[str, Any] = {"temperature": self.temperature, "max_tokens": self.max_tokens}
        if self.seed is not None:
            parameters["seed"] = self.seed
        if self.output == "schema":
            schema = messages.answer_schema(request, ask_confidence=self.confidence == "asked")
            parameters["response_format"] = {
                "type": "json_schema",
                "json_schema": {"name": "answers", "schema": schema, "strict": True},
            }
        elif self.output == "json":
            parameters["response_format"] = {"type": "json_object"}
        return parameters

    def _call(self, sent: Any, parameters: dict[str, Any], response: Any, seconds: float) -> Call:
        usage = response.usage
        spent = (usage.prompt_tokens, usage.completion_tokens) if usage else (None, None)
        said = response.choices[0].message if response.choices else None
        return Call(
            model=response.model or self.model,
            prompt=messages.kept(sent),
            prompt_hash=messages.prompt_hash(sent, parameters),
            parameters=parameters,
            reply=self._scrubbed((said.content or said.refusal or "") if said else ""),
            tokens_in=spent[0],
            tokens_out=spent[1],
            cost=self.cost(*spent),
            seconds=round(seconds, 3),
        )

    def cost(self, tokens_in: int | None, tokens_out: int | None) -> float | None:
        """What so many tokens cost; None where no price is stated or no tokens were counted.

        >>> OpenAI(model="m", price={"input": 2, "output": 10}).cost(500_000, 100_000)
        2.0
        """
        if self.price is None or tokens_in is None or tokens_out is None:
            return None
        return (tokens_in * self.price.input + tokens_out * self.price.output) / 1_000_000

    def _reply(self, request: Request, response: Any, call: Call) -> Reply:
        if not response.choices:
            return Reply(reason=Reason.UNREADABLE, note="the reply holds no choice", call=call)
        choice = response.choices[0]
        if choice.message.refusal or choice.finish_reason == "content_filter":
            return Reply(reason=Reason.REFUSED, note="the model refused to answer", call=call)
        raw = messages.read(call.reply, request, in_words=self.output == "text")
        if raw is None:
            cut = " (it was cut off: raise max_tokens)" if choice.finish_reason == "length" else ""
            return Reply(reason=Reason.UNREADABLE, note=f"the reply is not JSON{cut}", call=call)
        sure = messages.confidence(raw, request) if self.confidence == "asked" else {}
        return Reply(raw={id: raw[id] for id in request.prompts if id in raw}, confidence=sure, call=call)

    def _client(self) -> Any:
        return _client(self.url, self._key())

    def _key(self) -> str:
        found = os.environ.get(self.key, "")
        if found or _is_here(self.url):
            return found or "none"
        raise JudgeError(
            f"The key of {self.model} is not there: set the environment variable {self.key}. It is read from there "
            "alone, and written nowhere."
        )

    def _scrubbed(self, text: str) -> str:
        """A server's words without the key, which some error messages repeat."""
        key = os.environ.get(self.key, "")
        text = text.replace(key, "…") if len(key) > 3 else text
        return re.sub(r"\bsk-[A-Za-z0-9_*.-]{6,}", "…", text)

    @contextmanager
    def _told_by_its_errors(self) -> Iterator[None]:
        """Turns the client's errors into what they mean: try again, one item's fault, or no use at all."""
        import openai

        try:
            yield
        except openai.APITimeoutError as error:
            raise TryAgainError(f"no reply within {self.timeout:g} s") from error
        except openai.APIConnectionError as error:
            raise TryAgainError(f"{self._place()} cannot be reached") from error
        except openai.APIStatusError as error:
            self._tell(error)
        except openai.APIResponseValidationError as error:
            raise UnansweredError(Reason.UNREADABLE, "the reply is no chat completion") from error

    def _tell(self, error: Any) -> None:
        said, code = self._scrubbed(_sentence(error)), str(getattr(error, "code", "") or "")
        status = error.status_code
        if status in (401, 403, 404) or code in _CODES_OF_NO_USE:
            raise JudgeError(f"{self._place()} does not serve {self.model} ({status}): {said}") from error
        if status in (408, 409, 429) or status >= 500:
            raise TryAgainError(f"{status}: {said}", _wait(error)) from error
        if any(word in f"{code} {said}".lower() for word in _REFUSALS):
            raise UnansweredError(Reason.REFUSED, said) from error
        raise UnansweredError(Reason.NOT_REACHED, f"{status}: {said}", again=True) from error

    def _place(self) -> str:
        return urlsplit(self.url).netloc if self.url else "api.openai.com"


class UnansweredError(JudgeError):
    """One item that the endpoint does not answer, with the reason."""

    def __init__(self, reason: Reason, note: str, again: bool = False):
        super().__init__(note)
        self.reply = Reply(reason=reason, note=note, again=again)


@lru_cache(maxsize=16)
def _client(url: str | None, key: str) -> Any:
    try:
        from openai import OpenAI as Client
    except ImportError as error:
        raise JudgeError("Asking a model needs: pip install 'quorate[judges]'") from error
    # Retries are ours: they are counted, kept, and stop at the limits.
    return Client(base_url=url, api_key=key, max_retries=0)


def _is_here(url: str | None) -> bool:
    """Whether the endpoint is on this machine or names no key of its own need."""
    return url is not None and urlsplit(url).hostname in ("localhost", "127.0.0.1", "::1")


def _wait(error: Any) -> float | None:
    given = error.response.headers.get("retry-after", "")
    try:
        return max(0.0, float(given))
    except ValueError:
        return None


def _sentence(error: Any) -> str:
    body = error.body if isinstance(error.body, dict) else {}
    return str(body.get("message") or error.message or "no reason given")[:300]
