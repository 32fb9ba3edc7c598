"""
LangChain's own test suite for chat models and embeddings (langchain-tests), run on its clients for OpenAI and Anthropic. The suite fetches its media
from the internet; here it is given small files of the same kinds.
"""

import io
import struct
import sys
import wave
import zlib

import httpx
import pytest
from check import BASE_URL, KEY
from langchain_anthropic import ChatAnthropic
from langchain_openai import ChatOpenAI, OpenAIEmbeddings
from langchain_tests.integration_tests import ChatModelIntegrationTests, EmbeddingsIntegrationTests


def png():
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    rows = b"".join(b"\0" + b"\x30\x80\xc0" * 64 for _ in range(64))
    header = struct.pack(">IIBBBBB", 64, 64, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")


def wav():
    file = io.BytesIO()
    with wave.open(file, "wb") as sound:
        sound.setnchannels(1)
        sound.setsampwidth(2)
        sound.setframerate(8000)
        sound.writeframes(b"\0\0" * 8000)
    return file.getvalue()


def pdf():
    text = b"BT /F1 12 Tf 20 100 Td (All lines are clear.) Tj ET"
    objects = [
        b"<</Type/Catalog/Pages 2 0 R>>",
        b"<</Type/Pages/Kids[3 0 R]/Count 1>>",
        b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 200]/Contents 4 0 R/Resources<</Font<</F1 5 0 R>>>>>>",
        b"<</Length %d>>stream\n%s\nendstream" % (len(text), text),
        b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>",
    ]
    return b"%PDF-1.4\n" + b"".join(b"%d 0 obj%s endobj\n" % (n + 1, each) for n, each in enumerate(objects)) + b"trailer<</Root 1 0 R>>"


class Fetched:
    def __init__(self, content):
        self.content = content


KINDS = {"png": png, "wav": wav, "pdf": pdf}
httpx.get = lambda url, **_: Fetched(KINDS[url.rsplit(".", 1)[1]]())


class ChatModel(ChatModelIntegrationTests):
    supports_image_inputs = True
    supports_pdf_inputs = True
    supports_image_tool_message = True


class TestChat(ChatModel):
    supports_audio_inputs = True
    supports_json_mode = True
    chat_model_class = ChatOpenAI
    chat_model_params = {"model": "auto", "base_url": f"{BASE_URL}/v1", "api_key": KEY, "stream_usage": True}


class TestResponses(ChatModel):
    supports_json_mode = True
    chat_model_class = ChatOpenAI
    chat_model_params = {"model": "auto", "base_url": f"{BASE_URL}/v1", "api_key": KEY, "use_responses_api": True}


class TestAnthropic(ChatModel):
    supports_anthropic_inputs = True
    chat_model_class = ChatAnthropic
    chat_model_params = {"model": "auto", "base_url": BASE_URL, "api_key": KEY, "max_tokens": 1000}


class TestEmbeddings(EmbeddingsIntegrationTests):
    embeddings_class = OpenAIEmbeddings
    embedding_model_params = {
        "model": "auto",
        "base_url": f"{BASE_URL}/v1",
        "api_key": KEY,
        "check_embedding_ctx_length": False,
    }


if __name__ == "__main__":
    # LangChain keeps its connections, so all tests share one event loop.
    options = ["asyncio_mode=auto", "asyncio_default_test_loop_scope=session", "asyncio_default_fixture_loop_scope=session"]
    sys.exit(pytest.main([__file__, "-q", "-p", "no:cacheprovider", *(word for option in options for word in ("-o", option))]))
