"""OpenAI's Python SDK against a gateway: BASE_URL and KEY come from the environment, nothing else is adapted."""

import base64
import io
import threading

import openai
from check import BASE_URL, KEY, check, finish
from pydantic import BaseModel

client = openai.OpenAI(base_url=f"{BASE_URL}/v1", api_key=KEY, max_retries=0)
HELLO = [{"role": "user", "content": "[[sandbox:reply=All lines are clear.]]"}]
WEATHER = {
    "type": "function",
    "function": {
        "name": "get_weather",
        "description": "The weather in a city",
        "parameters": {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]},
    },
}


def create():
    answer = client.chat.completions.create(model="auto", messages=HELLO)
    assert answer.choices[0].message.content == "All lines are clear.", answer
    assert answer.usage.total_tokens > 0 and answer._request_id


def stream():
    text, usage = "", None
    for chunk in client.chat.completions.create(
        model="auto", messages=HELLO, stream=True, stream_options={"include_usage": True}
    ):
        text += (chunk.choices[0].delta.content or "") if chunk.choices else ""
        usage = chunk.usage or usage
    assert text == "All lines are clear." and usage.completion_tokens > 0, (text, usage)


def tools():
    request = dict(
        model="auto", tools=[WEATHER], messages=[{"role": "user", "content": "What is the weather in Paris and Tokyo?"}]
    )
    whole = client.chat.completions.create(**request).choices[0]
    with client.chat.completions.stream(**request) as events:
        for _ in events:
            pass
        streamed = events.get_final_completion().choices[0]
    for choice in (whole, streamed):
        cities = [call.function.arguments for call in choice.message.tool_calls]
        assert choice.finish_reason == "tool_calls" and len(cities) == 2 and "Paris" in cities[0], choice
    answer = client.chat.completions.create(
        model="auto",
        tools=[WEATHER],
        messages=request["messages"]
        + [whole.message]
        + [{"role": "tool", "tool_call_id": call.id, "content": "Sunny"} for call in whole.message.tool_calls],
    )
    assert answer.choices[0].finish_reason == "stop"


REFUSED = "[[sandbox:refuse:always]] Ada Lovelace is 36 years old. Extract name and age."


class Person(BaseModel):
    name: str
    age: int


def structured():
    answer = client.chat.completions.parse(
        model="auto",
        response_format=Person,
        messages=[{"role": "user", "content": "Ada Lovelace is 36 years old. Extract name and age."}],
    )
    assert isinstance(answer.choices[0].message.parsed, Person)
    refused = dict(model="auto", messages=[{"role": "user", "content": REFUSED}], response_format=Person)
    with client.chat.completions.stream(**refused) as events:
        for _ in events:
            pass
        streamed = events.get_final_completion()
    for told in (client.chat.completions.parse(**refused), streamed):
        message = told.choices[0].message
        assert message.refusal and message.parsed is None, message
    assert client.responses.parse(model="auto", input=REFUSED, text_format=Person).output[0].content[0].type == "refusal"


def responses():
    words = HELLO[0]["content"]
    answer = client.responses.create(model="auto", input=words)
    assert answer.output_text == "All lines are clear." and answer.usage.total_tokens > 0, answer
    with client.responses.stream(model="auto", input=words) as events:
        deltas = "".join(event.delta for event in events if event.type == "response.output_text.delta")
        final = events.get_final_response()
    assert deltas == final.output_text == answer.output_text and final.status == "completed", final
    person = dict(model="auto", input="Ada Lovelace is 36 years old. Extract name and age.", text_format=Person)
    assert isinstance(client.responses.parse(**person).output_parsed, Person)
    with client.responses.stream(**person) as events:
        for _ in events:
            pass
        assert isinstance(events.get_final_response().output_parsed, Person)


def responses_tools():
    tools = [{"type": "function", "strict": False, **WEATHER["function"]}]
    question = [{"role": "user", "content": "What is the weather in Paris and Tokyo?"}]
    with client.responses.stream(model="auto", input=question, tools=tools) as events:
        for _ in events:
            pass
        calls = events.get_final_response().output
    assert ["Paris" in calls[0].arguments, "Tokyo" in calls[1].arguments] == [True, True], calls
    asked = [{"type": "function_call", "call_id": c.call_id, "name": c.name, "arguments": c.arguments} for c in calls]
    told = [{"type": "function_call_output", "call_id": call.call_id, "output": "Sunny"} for call in calls]
    assert client.responses.create(model="auto", input=question + asked + told, tools=tools).output_text
    before = client.responses.create(model="auto", input=question, tools=tools)
    told = [{"type": "function_call_output", "call_id": call.call_id, "output": "Sunny"} for call in before.output]
    assert client.responses.create(model="auto", previous_response_id=before.id, input=told, tools=tools).output_text


def responses_broken():
    try:
        for _ in client.responses.create(
            model="auto", stream=True, input="[[sandbox:disconnect:always]] Tell me about railways."
        ):
            pass
    except openai.APIError:
        return
    raise AssertionError("a cut stream looked complete")


def images():
    image = client.images.generate(model="image-a-3", prompt="A signal box", response_format="b64_json").data[0]
    assert base64.b64decode(image.b64_json)[:4] == b"\x89PNG"


def audio():
    spoken = client.audio.speech.create(model="tts-1", voice="alloy", input="Mind the gap.", response_format="wav")
    assert spoken.content[:4] == b"RIFF"
    file = io.BytesIO(spoken.content)
    file.name = "spoken.wav"
    text = client.audio.transcriptions.create(model="transcribe-1", file=file)
    assert isinstance(text.text, str)


def embeddings():
    vectors = client.embeddings.create(model="embed-local", input=["one", "two"]).data
    assert [len(vector.embedding) for vector in vectors] == [256, 256]


def models():
    assert len(list(client.models.list())) > 5


def errors():
    cases = [
        (openai.AuthenticationError, dict(api_key="pk_test_nobody"), {}),
        (openai.NotFoundError, {}, dict(model="no-such-model")),
        (openai.BadRequestError, {}, dict(messages=[{"role": "user"}])),
        (
            openai.InternalServerError,
            {},
            dict(messages=[{"role": "user", "content": "[[sandbox:error-500:always]]"}]),
        ),
    ]
    for kind, options, more in cases:
        try:
            client.with_options(**options).chat.completions.create(**{"model": "auto", "messages": HELLO, **more})
        except kind:
            continue
        raise AssertionError(f"no {kind.__name__}")


def broken_stream():
    try:
        for _ in client.chat.completions.create(
            model="auto", stream=True, messages=[{"role": "user", "content": "[[sandbox:disconnect:always]] Trains?"}]
        ):
            pass
    except openai.APIError:
        return
    raise AssertionError("a cut stream looked complete")


def abort():
    events = client.chat.completions.create(
        model="auto", stream=True, messages=[{"role": "user", "content": "[[sandbox:slow=200]] Write about trains."}]
    )
    next(iter(events))
    events.close()


def parallel():
    answers = []
    ask = lambda: answers.append(client.chat.completions.create(model="auto", messages=HELLO))  # noqa: E731
    threads = [threading.Thread(target=ask) for _ in range(20)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len({answer.id for answer in answers}) == 20


for step in (create, stream, tools, structured, responses, responses_tools, responses_broken, images, audio, embeddings, models, errors, broken_stream, abort, parallel):
    check(step.__name__, step)
finish()
