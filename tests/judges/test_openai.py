"""One call of an endpoint: what is sent, and what each kind of reply or failure means."""

from __future__ import annotations

import base64
import json
from io import BytesIO
from typing import Any

import pytest
from PIL import Image
from pydantic import ValidationError

from openai_server import Behaviour, Drops, Fails, Hangs, Says, Sends, answers, scripted, words_of
from quorate.errors import JudgeError
from quorate.judges import OpenAI, Reply, Request, TryAgainError
from quorate.records import Item, Reason, Shown

SCHEMA = {"type": "string", "enum": ["yes", "no"]}


def request(**changes: Any) -> Request:
    made = {"prompts": {"q": "Is it so?"}, "schemas": {"q": SCHEMA}, "contents": [{"type": "text", "text": "A text."}]}
    return Request(Item("i1", {}), "s", Shown(), **{**made, **changes})


def asked(what: Behaviour, one: Request | None = None, **options: Any) -> Reply:
    with scripted(lambda body, n: what) as server:
        return OpenAI(model="m", url=server.url, **options).ask(one or request())


def test_a_reply_is_read_and_the_call_is_kept() -> None:
    reply = asked(answers(q="yes"), price={"input": 1, "output": 100})
    assert reply.raw == {"q": "yes"}
    assert reply.reason is None
    assert reply.call is not None
    assert (reply.call.tokens_in, reply.call.tokens_out, reply.call.cost) == (100, 10, pytest.approx(0.0011))
    assert "Is it so?" in reply.call.prompt
    assert reply.call.reply == '{"q": "yes"}'
    assert reply.call.model == "m"


def test_the_page_is_sent_in_its_order_with_the_schema_of_its_questions() -> None:
    with scripted(lambda body, n: answers(q="yes")) as server:
        OpenAI(model="m", url=server.url, temperature=0.5, seed=3).ask(request(instructions="Read me first."))
        (body,) = server.requests
    words = words_of(body)
    assert words.index("Read me first.") < words.index("A text.") < words.index("Is it so?")
    assert body["response_format"]["json_schema"]["schema"]["properties"] == {"q": SCHEMA}
    assert (body["temperature"], body["seed"], body["model"]) == (0.5, 3, "m")


def test_what_may_be_left_out_may_be_null() -> None:
    with scripted(lambda body, n: answers(q=None)) as server:
        OpenAI(model="m", url=server.url).ask(request(optional=frozenset({"q"})))
        schema = server.requests[0]["response_format"]["json_schema"]["schema"]
    assert schema["properties"]["q"] == {"anyOf": [SCHEMA, {"type": "null"}]}
    assert schema["required"] == ["q"]


@pytest.mark.parametrize(
    ("what", "reason"),
    [
        (Says('{"q": "ye'), Reason.UNREADABLE),
        (Says("I think it is so."), Reason.UNREADABLE),
        (Says('["yes"]'), Reason.UNREADABLE),
        (Says("", finish="length"), Reason.UNREADABLE),
        (Says("", refusal="I cannot help with that."), Reason.REFUSED),
        (Says("", finish="content_filter"), Reason.REFUSED),
        (Fails(400, "rejected by our safety system", "content_policy_violation"), Reason.REFUSED),
        (Fails(400, "image too large"), Reason.NOT_REACHED),
        (Fails(422, "no such schema"), Reason.NOT_REACHED),
        (Sends(b'{"choices": [], "model": "m", "usage": null}'), Reason.UNREADABLE),
    ],
)
def test_a_reply_that_is_no_answer_has_its_reason(what: Behaviour, reason: Reason) -> None:
    reply = asked(what)
    assert reply.reason is reason
    assert reply.raw == {}
    assert reply.note


@pytest.mark.parametrize(
    "text", ['```json\n{"q": "no"}\n```', 'Here it is: {"q": "no"}', ' \n{"q": "no"}', '{"q": "no", "more": 1}']
)
def test_json_is_found_where_a_model_wraps_it_in_words(text: str) -> None:
    assert asked(Says(text)).raw == {"q": "no"}


def test_in_words_a_single_question_takes_the_whole_reply() -> None:
    assert asked(Says(" no \n"), output="text").raw == {"q": "no"}


@pytest.mark.parametrize("what", [Fails(429), Fails(500), Fails(503), Fails(408), Drops()])
def test_what_may_pass_is_worth_another_try(what: Behaviour) -> None:
    with pytest.raises(TryAgainError):
        asked(what)


def test_a_server_that_says_how_long_to_wait_is_believed() -> None:
    with pytest.raises(TryAgainError) as told:
        asked(Fails(429, headers={"retry-after": "7"}))
    assert told.value.wait == 7


def test_a_reply_that_does_not_come_in_time_is_worth_another_try() -> None:
    with pytest.raises(TryAgainError, match="no reply within"):
        asked(Hangs(), timeout=0.2)


@pytest.mark.parametrize(
    "what", [Fails(401), Fails(403), Fails(404, "the model m does not exist"), Fails(429, "pay", "insufficient_quota")]
)
def test_an_endpoint_that_does_not_serve_the_model_is_no_use(what: Behaviour) -> None:
    with pytest.raises(JudgeError, match="does not serve m") as told:
        asked(what)
    assert not isinstance(told.value, TryAgainError)


def test_the_key_comes_from_the_environment_and_goes_to_the_server_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MY_KEY", "sk-secret-123456")
    with scripted(lambda body, n: Fails(400, "bad key sk-secret-123456, or so")) as server:
        reply = OpenAI(model="m", url=server.url, key="MY_KEY").ask(request())
        sent = server.headers[0]
    assert sent.get("authorization", sent.get("Authorization")) == "Bearer sk-secret-123456"
    assert "secret" not in repr(reply)


def test_a_missing_key_is_told_before_anything_is_sent(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    with pytest.raises(JudgeError, match="OPENAI_API_KEY"):
        OpenAI(model="m").ask(request())


def test_a_key_written_into_the_study_file_is_refused() -> None:
    with pytest.raises(ValidationError, match="name of an environment variable"):
        OpenAI(model="m", key="sk-abc-123")


def picture(side: int) -> dict[str, Any]:
    buffer = BytesIO()
    Image.new("L", (side, side)).save(buffer, "PNG")
    data = base64.b64encode(buffer.getvalue()).decode()
    return {"type": "image_url", "image_url": {"url": f"data:image/png;base64,{data}"}}


def test_a_picture_of_forty_megapixels_has_a_reason_and_is_not_sent() -> None:
    with scripted(lambda body, n: answers(q="yes")) as server:
        reply = OpenAI(model="m", url=server.url).ask(request(contents=[picture(6400)]))
        assert server.requests == []
    assert reply.reason is Reason.MEDIA_FAILED
    assert "41 megapixels" in reply.note


def test_pictures_are_made_smaller_where_the_study_file_says_so() -> None:
    with scripted(lambda body, n: answers(q="yes")) as server:
        reply = OpenAI(model="m", url=server.url, shrink=512).ask(request(contents=[picture(6400)]))
        url = server.requests[0]["messages"][1]["content"][0]["image_url"]["url"]
    assert reply.raw == {"q": "yes"}
    with Image.open(BytesIO(base64.b64decode(url.split(",")[1]))) as sent:
        assert sent.size == (512, 512)


def test_a_picture_is_kept_by_its_hash_and_changes_the_hash_of_the_prompt() -> None:
    one, two = (asked(answers(q="yes"), request(contents=[picture(side)])).call for side in (8, 9))
    assert one is not None
    assert two is not None
    assert "base64,sha256:" in one.prompt
    assert one.prompt_hash != two.prompt_hash


def test_confidence_is_asked_for_and_read() -> None:
    with scripted(lambda body, n: answers(q="yes", confidence=0.4)) as server:
        reply = OpenAI(model="m", url=server.url, confidence="asked").ask(request())
        assert "confidence" in json.dumps(server.requests[0]["response_format"])
    assert reply.confidence == {"q": 0.4}
    assert reply.raw == {"q": "yes"}


def test_a_confidence_that_is_no_share_is_none() -> None:
    assert asked(answers(q="yes", confidence="very"), confidence="asked").confidence == {}
    assert asked(answers(q="yes", confidence=True), confidence="asked").confidence == {}


def test_a_limit_on_cost_needs_a_price() -> None:
    with pytest.raises(ValidationError, match="needs `price`"):
        OpenAI(model="m", most_cost=5)
