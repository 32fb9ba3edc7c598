"""Pydantic AI over OpenAI's chat completions and responses and Anthropic's messages: BASE_URL and KEY come from the environment."""

import asyncio

from anthropic import AsyncAnthropic
from check import BASE_URL, KEY, check, finish
from pydantic import BaseModel
from pydantic_ai import Agent, NativeOutput, PromptedOutput
from pydantic_ai.models.anthropic import AnthropicModel
from pydantic_ai.models.openai import OpenAIChatModel, OpenAIResponsesModel
from pydantic_ai.providers.anthropic import AnthropicProvider
from pydantic_ai.providers.openai import OpenAIProvider

OPENAI = OpenAIProvider(base_url=f"{BASE_URL}/v1", api_key=KEY)
ANTHROPIC = AnthropicProvider(anthropic_client=AsyncAnthropic(base_url=BASE_URL, api_key=KEY))
MODELS = {
    "chat": OpenAIChatModel("auto", provider=OPENAI),
    "responses": OpenAIResponsesModel("auto", provider=OPENAI),
    "anthropic": AnthropicModel("auto", provider=ANTHROPIC),
}


class Person(BaseModel):
    name: str
    age: int


def drive(name, model):
    def run():
        assert Agent(model).run_sync("[[sandbox:reply=All lines are clear.]]").output == "All lines are clear."

    def typed():
        # Of a model named `auto` it does not believe that Anthropic gives it structured output.
        kinds = (Person, PromptedOutput(Person)) if name == "anthropic" else (Person, NativeOutput(Person), PromptedOutput(Person))
        for kind in kinds:
            output = Agent(model, output_type=kind).run_sync("Ada Lovelace is 36").output
            assert output == Person(name="Ada Lovelace", age=36), (kind, output)

    def tools():
        cities = []
        agent = Agent(model)

        @agent.tool_plain
        def get_weather(city: str) -> str:
            """The weather in a city"""
            cities.append(city)
            return "Sunny"

        first = agent.run_sync("What is the weather in Paris and Tokyo?")
        assert len(cities) == 2, cities
        assert agent.run_sync("[[sandbox:reply=You are welcome.]]", message_history=first.all_messages()).output == "You are welcome."

    def stream():
        async def words():
            async with Agent(model).run_stream("[[sandbox:reply=All lines are clear.]]") as answer:
                return "".join([piece async for piece in answer.stream_text(delta=True)])

        assert asyncio.run(words()) == "All lines are clear."

    for work in (run, typed, tools, stream):
        check(f"{name}: {work.__name__}", work)


for each in MODELS.items():
    drive(*each)
finish()
