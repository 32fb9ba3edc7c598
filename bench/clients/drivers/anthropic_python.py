"""Anthropic's Python SDK against a gateway: BASE_URL and KEY come from the environment, nothing else is adapted."""

import anthropic
from check import BASE_URL, KEY, check, finish

client = anthropic.Anthropic(base_url=BASE_URL, api_key=KEY, max_retries=0)
HELLO = dict(model="auto", max_tokens=200, messages=[{"role": "user", "content": "[[sandbox:reply=All lines are clear.]]"}])
WEATHER = {
    "name": "get_weather",
    "description": "The weather in a city",
    "input_schema": {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]},
}


def create():
    message = client.messages.create(**HELLO, system="Be brief.")
    assert message.content[0].text == "All lines are clear." and message.stop_reason == "end_turn", message
    assert message._request_id


def stream():
    with client.messages.stream(**HELLO) as events:
        text = "".join(events.text_stream)
        assert text == "All lines are clear." and events.get_final_message().usage.output_tokens > 0


def tools():
    request = dict(
        model="auto",
        max_tokens=500,
        tools=[WEATHER],
        messages=[{"role": "user", "content": "What is the weather in Paris and Tokyo?"}],
    )
    whole = client.messages.create(**request)
    with client.messages.stream(**request) as events:
        streamed = events.get_final_message()
    for message in (whole, streamed):
        uses = [block for block in message.content if block.type == "tool_use"]
        assert [use.input["city"] for use in uses] == ["Paris", "Tokyo"], message
    results = [{"type": "tool_result", "tool_use_id": use.id, "content": "Sunny"} for use in uses]
    request["messages"] += [{"role": "assistant", "content": streamed.content}, {"role": "user", "content": results}]
    assert client.messages.create(**request).stop_reason == "end_turn"


def count_tokens():
    assert client.messages.count_tokens(model="auto", messages=HELLO["messages"]).input_tokens > 0


def errors():
    cases = [
        (anthropic.AuthenticationError, dict(api_key="pk_test_nobody"), {}),
        (anthropic.NotFoundError, {}, dict(model="no-such-model")),
        (anthropic.BadRequestError, {}, dict(max_tokens=-1)),
        (
            anthropic.InternalServerError,
            {},
            dict(messages=[{"role": "user", "content": "[[sandbox:error-500:always]]"}]),
        ),
    ]
    for kind, options, more in cases:
        try:
            client.with_options(**options).messages.create(**{**HELLO, **more})
        except kind:
            continue
        raise AssertionError(f"no {kind.__name__}")


def broken_stream():
    request = {**HELLO, "messages": [{"role": "user", "content": "[[sandbox:disconnect:always]] Trains?"}]}
    try:
        with client.messages.stream(**request) as events:
            events.get_final_message()
    except (anthropic.APIError, anthropic.AnthropicError):
        return
    raise AssertionError("a cut stream looked complete")


for step in (create, stream, tools, count_tokens, errors, broken_stream):
    check(step.__name__, step)
finish()
