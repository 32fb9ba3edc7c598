"""LangChain for Python over OpenAI's chat completions and responses and Anthropic's messages: BASE_URL and KEY come from the environment."""

import asyncio

from check import BASE_URL, KEY, check, finish
from langchain.agents import create_agent
from langchain_anthropic import ChatAnthropic
from langchain_core.output_parsers import PydanticOutputParser
from langchain_core.tools import tool
from langchain_openai import ChatOpenAI, OpenAIEmbeddings
from pydantic import BaseModel

MODELS = {
    "chat": ChatOpenAI(model="auto", base_url=f"{BASE_URL}/v1", api_key=KEY, stream_usage=True),
    "responses": ChatOpenAI(model="auto", base_url=f"{BASE_URL}/v1", api_key=KEY, use_responses_api=True),
    "anthropic": ChatAnthropic(model="auto", base_url=BASE_URL, api_key=KEY, max_tokens=1000),
}
ADA = "Ada Lovelace, 36 years old"
CITIES = {"messages": [("user", "What is the weather in Paris and Tokyo?")]}


class Person(BaseModel):
    name: str
    age: int


@tool
def get_weather(city: str) -> str:
    """The weather in a city"""
    return f"Sunny in {city}"


def drive(name, model):
    def invoke():
        answer = model.invoke("[[sandbox:reply=All lines are clear.]]")
        assert answer.text == "All lines are clear." and answer.usage_metadata["total_tokens"] > 0, answer

    def stream():
        whole = None
        for piece in model.stream("[[sandbox:reply=All lines are clear.]]"):
            whole = piece if whole is None else whole + piece
        assert whole.text == "All lines are clear." and whole.usage_metadata["output_tokens"] > 0, whole

    def structured():
        ways = ({},) if name == "anthropic" else ({}, {"method": "function_calling"}, {"method": "json_schema", "strict": True})
        for way in ways:
            person = model.with_structured_output(Person, **way).invoke(ADA)
            assert person == Person(name="Ada Lovelace", age=36), (way, person)

    def parsed():
        parser = PydanticOutputParser(pydantic_object=Person)
        person = (model | parser).invoke(f"{ADA}\n\n{parser.get_format_instructions()}")
        assert person == Person(name="Ada Lovelace", age=36), person

    def agent():
        kinds = [type(message).__name__ for message in create_agent(model, tools=[get_weather]).invoke(CITIES)["messages"]]
        assert kinds.count("ToolMessage") == 2 and kinds[-1] == "AIMessage", kinds

    def agent_streamed():
        updates = list(create_agent(model, tools=[get_weather]).stream(CITIES, stream_mode="updates"))
        assert any("tools" in update for update in updates), updates

    def batch():
        answers = model.batch([f"[[sandbox:reply=Track {track}]]" for track in range(10)])
        assert [answer.text for answer in answers] == [f"Track {track}" for track in range(10)], answers

    for work in (invoke, stream, structured, parsed, agent, agent_streamed, batch):
        check(f"{name}: {work.__name__}", work)


def embeddings():
    embedder = OpenAIEmbeddings(model="auto", base_url=f"{BASE_URL}/v1", api_key=KEY, check_embedding_ctx_length=False)
    assert len(asyncio.run(embedder.aembed_documents(["a signal", "a box"]))) == 2


for each in MODELS.items():
    drive(*each)
check("embeddings", embeddings)
finish()
