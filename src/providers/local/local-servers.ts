/** OpenAI-compatible servers that are looked for on this machine, at the ports where they listen by default. */

export const LOCAL_OPENAI_SERVERS = [
  { id: "lmstudio", name: "LM Studio", baseUrl: "http://127.0.0.1:1234/v1" },
  { id: "llamacpp", name: "llama.cpp", baseUrl: "http://127.0.0.1:8080/v1" },
  { id: "vllm", name: "vLLM", baseUrl: "http://127.0.0.1:8000/v1" },
] as const;
