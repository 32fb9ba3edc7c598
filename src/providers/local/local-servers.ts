/** OpenAI-compatible servers to look for on this machine, with their default ports. */

export const LOCAL_OPENAI_SERVERS = [
  { id: "lmstudio", name: "LM Studio", baseUrl: "http://127.0.0.1:1234/v1" },
  { id: "llamacpp", name: "llama.cpp", baseUrl: "http://127.0.0.1:8080/v1" },
  { id: "vllm", name: "vLLM", baseUrl: "http://127.0.0.1:8000/v1" },
] as const;
