"""LiteLLM's library as a caller, over both wire formats: BASE_URL and KEY come from the environment."""

import os

os.environ["LITELLM_LOCAL_MODEL_COST_MAP"] = "True"

import litellm  # noqa: E402
from check import BASE_URL, KEY, check, finish  # noqa: E402

HELLO = [{"role": "user", "content": "[[sandbox:reply=All lines are clear.]]"}]
CITIES = [{"role": "user", "content": "What is the weather in Paris and Tokyo?"}]
WEATHER = {
    "type": "function",
    "function": {
        "name": "get_weather",
        "parameters": {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]},
    },
}
OPENAI = dict(model="openai/auto", api_base=f"{BASE_URL}/v1", api_key=KEY)
ANTHROPIC = dict(model="anthropic/auto", api_base=BASE_URL, api_key=KEY)


def drive(name, model):
    def create():
        assert litellm.completion(messages=HELLO, **model).choices[0].message.content == "All lines are clear."

    def stream():
        pieces = list(litellm.completion(messages=HELLO, stream=True, stream_options={"include_usage": True}, **model))
        assert "".join(piece.choices[0].delta.content or "" for piece in pieces if piece.choices) == "All lines are clear."
        assert any(getattr(piece, "usage", None) for piece in pieces)

    def tools():
        asked = litellm.completion(messages=CITIES, tools=[WEATHER], **model).choices[0].message
        results = [{"role": "tool", "tool_call_id": call.id, "content": "Sunny"} for call in asked.tool_calls]
        answer = litellm.completion(messages=[*CITIES, asked.model_dump(), *results], tools=[WEATHER], **model)
        assert len(results) == 2 and answer.choices[0].finish_reason == "stop", answer

    def wrong_key():
        try:
            litellm.completion(messages=HELLO, **{**model, "api_key": "pk_test_nobody"})
        except litellm.AuthenticationError:
            return
        raise AssertionError("It was answered.")

    for work in (create, stream, tools, wrong_key):
        check(f"{name}: {work.__name__}", work)


def responses():
    answer = litellm.responses(input=HELLO[0]["content"], **OPENAI)
    assert answer.output[0].content[0].text == "All lines are clear.", answer


def embedding():
    assert len(litellm.embedding(input=["a signal", "a box"], **OPENAI).data) == 2


def image():
    made = litellm.image_generation(prompt="A signal box", **{**OPENAI, "model": "openai/image-a-3"})
    assert made.data[0].url.startswith(BASE_URL), made


def speech():
    assert len(litellm.speech(voice="alloy", input="All clear", **{**OPENAI, "model": "openai/tts-1"}).content) > 100


drive("openai", OPENAI)
drive("anthropic", ANTHROPIC)
for work in (responses, embedding, image, speech):
    check(work.__name__, work)
finish()
