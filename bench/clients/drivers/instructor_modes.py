"""instructor in each of its ways of asking for structure: BASE_URL and KEY come from the environment."""

from typing import Iterable

import anthropic
import instructor
import openai
from check import BASE_URL, KEY, check, finish
from pydantic import BaseModel

ADA = [{"role": "user", "content": "Ada Lovelace is 36"}]
openai_client = openai.OpenAI(base_url=f"{BASE_URL}/v1", api_key=KEY)
anthropic_client = anthropic.Anthropic(base_url=BASE_URL, api_key=KEY)


class Person(BaseModel):
    name: str
    age: int


def asks(client, kind, mode, **more):
    def work():
        wrapped = client(kind, mode=getattr(instructor.Mode, mode))
        person = wrapped.chat.completions.create(model="auto", messages=ADA, response_model=Person, **more)
        assert person.model_dump() == {"name": "Ada Lovelace", "age": 36}, person

    check(mode, work)


def parallel():
    client = instructor.from_openai(openai_client, mode=instructor.Mode.PARALLEL_TOOLS)
    assert list(client.chat.completions.create(model="auto", messages=ADA, response_model=Iterable[Person]))


def partial():
    client = instructor.from_openai(openai_client)
    *_, person = client.chat.completions.create_partial(model="auto", messages=ADA, response_model=Person)
    assert (person.name, person.age) == ("Ada Lovelace", 36), person


for mode in ("TOOLS", "TOOLS_STRICT", "JSON", "JSON_SCHEMA", "MD_JSON"):
    asks(instructor.from_openai, openai_client, mode)
for mode in ("ANTHROPIC_TOOLS", "ANTHROPIC_JSON"):
    asks(instructor.from_anthropic, anthropic_client, mode, max_tokens=500)
check("PARALLEL_TOOLS", parallel)
check("partial", partial)
finish()
