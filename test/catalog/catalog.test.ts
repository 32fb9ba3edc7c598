import { describe, expect, test } from "bun:test";
import { createCatalog, isServed } from "../../src/catalog/catalog.ts";
import { CHAT_MODELS, REFERENCE_MODEL_ID } from "../../src/catalog/chat-models.ts";
import type { ChatModel } from "../../src/catalog/model.ts";
import { type Ability, quirksOf, spokenDialect } from "../../src/catalog/model.ts";
import { overridesFrom } from "../../src/catalog/overrides-from-settings.ts";
import { PROVIDERS } from "../../src/catalog/providers.ts";
import type { ModelSettings } from "../../src/config/settings-file.ts";
import { TEXT_TASKS } from "../../src/config/vocabulary.ts";

const plain = createCatalog({ overrides: [] });
const required = (id: string, catalog = plain): ChatModel => {
  const model = catalog.findChatModel(id);
  if (!model) throw new Error(`no model ${id}`);
  return model;
};
const withOverrides = (...overrides: ModelSettings[]) => createCatalog({ overrides });

describe("the built-in tables", () => {
  test("give every chat model a known provider that serves chat, prices, and room for an answer", () => {
    for (const model of CHAT_MODELS) {
      const provider = plain.provider(model.provider);
      expect(provider?.services, model.id).toContain("chat");
      expect(model.prices?.outputNanoUsd, model.id).toBeGreaterThan(0);
      expect(model.prices?.cacheReadNanoUsd, model.id).toBeLessThanOrEqual(model.prices?.inputNanoUsd ?? 0);
      expect(model.maxOutputTokens, model.id).toBeLessThan(model.contextWindow);
      for (const task of TEXT_TASKS) expect(model.strength[task], `${model.id} ${task}`).toBeWithin(0.05, 1);
    }
  });

  test("hold no id, alias or upstream id twice", () => {
    const names = CHAT_MODELS.flatMap((model) => [...new Set([model.id, model.upstreamModel, ...(model.aliases ?? [])])]);
    expect(new Set(names).size).toBe(names.length);
    expect(new Set(PROVIDERS.map((entry) => entry.id)).size).toBe(PROVIDERS.length);
  });

  test("hold the model that metrics compare with", () => {
    expect(required(REFERENCE_MODEL_ID).prices).toEqual({
      inputNanoUsd: 2_500,
      cacheReadNanoUsd: 1_250,
      cacheWriteNanoUsd: 2_500,
      outputNanoUsd: 10_000,
    });
  });

  test("rank the classes of one family the same way in every task", () => {
    for (const task of TEXT_TASKS) {
      const strengths = ["gpt-6-luna", "gpt-6.1-terra", "gpt-6-sol", "gpt-6-astra"].map((id) => required(id).strength[task]);
      expect(strengths).toEqual([...strengths].sort((a, b) => a - b));
    }
  });

  test("offer tools where they are taken: on Responses, or without thinking where it can be turned off", () => {
    const tools = ["any"];
    const thinking = plain.chatModels().filter(({ quirks }) => quirks?.toolDialect && !quirks.noReasoningWithTools);
    expect(thinking.map(({ id }) => id)).toContain("gpt-6-astra");
    for (const { id, abilities, quirks } of thinking) {
      expect([id, abilities.includes("tools"), quirks?.efforts?.includes("none")]).toEqual([id, true, false]);
      expect([{ tools }, {}].map((asked) => spokenDialect("openai", quirks, asked))).toEqual(["openai-responses", "openai"]);
    }
    const quiet = plain.chatModels().filter(({ quirks }) => quirks?.noReasoningWithTools);
    expect(quiet.length).toBeGreaterThan(0);
    for (const { id, quirks } of quiet) {
      expect([id, quirks?.efforts]).toEqual([id, expect.arrayContaining(["none"])]);
      const asked = [
        { tools, reasoningEffort: "low" },
        { tools, reasoningEffort: "none" },
        { tools },
        { reasoningEffort: "low" },
      ] as const;
      const spoken = asked.map((each) => spokenDialect("openai", quirks, each));
      expect(spoken).toEqual(["openai-responses", "openai", "openai", "openai"]);
    }
  });

  test("tell OpenAI's models an effort if they reason", () => {
    const openAis = plain.chatModels().filter(({ provider }) => provider === "openai");
    for (const { id, abilities, quirks } of openAis)
      expect([id, quirks?.efforts?.length !== 0]).toEqual([id, abilities.includes("reasoning")]);
  });

  test("have the local encoder as an embedding model that costs nothing", () => {
    expect(plain.findEmbeddingModel("embed-local")).toMatchObject({ provider: "local", dimensions: 256, inputNanoUsd: 0 });
  });

  test("give media and search vendors the variables that their own tools use", () => {
    expect(plain.provider("runway")?.keyVariables).toContain("RUNWAYML_API_SECRET");
    expect(plain.provider("tavily")?.baseUrlVariables).toEqual(["TAVILY_BASE_URL"]);
    expect(plain.provider("searxng")?.baseUrl).toBeUndefined();
  });
});

describe("finding a model", () => {
  test("takes its id, a dated snapshot, the provider's own id, and each of them behind the provider's name", () => {
    for (const name of ["gpt-4o", "gpt-4o-2024-08-06", "openai/gpt-4o", "openai/gpt-4o-2024-08-06"])
      expect(required(name).id).toBe("gpt-4o");
    expect(required("claude-haiku-4-5-20251001").id).toBe("claude-haiku-4-5");
    expect(required("openai/gpt-oss-120b").provider).toBe("groq");
    expect(required("groq/openai/gpt-oss-120b").id).toBe("gpt-oss-120b");
  });

  test("takes it as other gateways write it: their prefix for the provider, versions with a dot", () => {
    for (const [name, id] of [
      ["gemini/gemini-3.8-flash", "gemini-3.8-flash"],
      ["x-ai/grok-4.7", "grok-4.7"],
      ["mistralai/mistral-medium-3.5", "mistral-medium-3-5"],
      ["anthropic/claude-haiku-4.5", "claude-haiku-4-5"],
      ["claude-opus-5.5", "claude-opus-5-5"],
    ] as const)
      expect(required(name).id).toBe(id);
  });

  test("takes a prefixed name for the model that has it as a whole, and a prefix for the operator's provider of that name", () => {
    const catalog = withOverrides(
      { id: "sonnet", provider: "openrouter", upstream_model: "anthropic/claude-sonnet-5.5" },
      { id: "mine", provider: "gemini", upstream_model: "gemini-3.8-flash" },
    );
    const [whole, prefixed] = ["anthropic/claude-sonnet-5.5", "gemini/gemini-3.8-flash"].map((name) =>
      catalog.findChatModel(name),
    );
    expect([whole?.id, prefixed?.id]).toEqual(["sonnet", "mine"]);
    expect(required("anthropic/claude-sonnet-5-5", catalog).id).toBe("claude-sonnet-5-5");
  });

  test("finds nothing for an unknown name or one of the object prototype's", () => {
    for (const name of ["gpt-99", "", "constructor", "__proto__", "GPT-4O"]) expect(plain.findChatModel(name)).toBeUndefined();
  });

  test("finds nothing for a name that two models claim, but an id always means its own model", () => {
    const catalog = withOverrides(
      { id: "a", provider: "openrouter", upstream_model: "llama", input_usd_per_million: 1, output_usd_per_million: 1 },
      { id: "b", provider: "together", upstream_model: "llama", input_usd_per_million: 1, output_usd_per_million: 1 },
      { id: "c", provider: "together", upstream_model: "a", input_usd_per_million: 1, output_usd_per_million: 1 },
    );
    expect(catalog.findChatModel("llama")).toBeUndefined();
    expect(catalog.findChatModel("together/llama")?.id).toBe("b");
    expect(catalog.findChatModel("a")?.id).toBe("a");
  });

  test("knows a model by its provider's name for it, the first of several", () => {
    const catalog = withOverrides(
      { id: "a", provider: "openrouter", upstream_model: "llama" },
      { id: "b", provider: "together", upstream_model: "llama" },
      { id: "c", provider: "together", upstream_model: "llama" },
    );
    expect(catalog.findUpstream("together", "llama")?.id).toBe("b");
    expect(catalog.findUpstream("together", "b")).toBeUndefined();
  });
});

describe("prices", () => {
  test("an unknown price is the dearest of the catalog in every class, and never zero", () => {
    const catalog = withOverrides({ id: "mystery", provider: "openrouter" });
    const prices = catalog.pricesOf(required("mystery", catalog));
    for (const model of CHAT_MODELS) {
      expect(prices.inputNanoUsd).toBeGreaterThanOrEqual(model.longPrompt?.prices.inputNanoUsd ?? 0);
      expect(prices.outputNanoUsd).toBeGreaterThanOrEqual(model.prices?.outputNanoUsd ?? 0);
    }
    expect(prices.cacheReadNanoUsd).toBeGreaterThan(0);
  });

  test("a hidden model still counts for what the dearest is", () => {
    const unknown = { id: "mystery", provider: "openrouter" };
    const open = withOverrides(unknown);
    const hidden = createCatalog({ overrides: [unknown], hidden: ["gpt-6-astra", "claude-fable-5-1"] });
    expect(hidden.pricesOf(required("mystery", hidden))).toEqual(open.pricesOf(required("mystery", open)));
  });

  test("long prompts cost more where the vendor says so, from the first token beyond its threshold", () => {
    const model = required("gpt-6-luna");
    expect(plain.pricesOf(model, 272_000).inputNanoUsd).toBe(100);
    expect(plain.pricesOf(model, 272_001)).toMatchObject({ inputNanoUsd: 200, outputNanoUsd: 750 });
    expect(plain.pricesOf(required("gpt-4o"), 120_000).inputNanoUsd).toBe(2_500);
  });
});

test("a dialect that is chosen for a model holds with tools and without, where the provider speaks one of OpenAI's", () => {
  const { quirks } = required("gpt-6-astra", withOverrides({ id: "gpt-6-astra", dialect: "openai" }));
  expect([{ tools: ["any"] }, {}].map((asked) => spokenDialect("openai", quirks, asked))).toEqual(["openai", "openai"]);
  expect(spokenDialect("anthropic", required("gpt-6-astra").quirks, { tools: ["any"] })).toBe("anthropic");
  for (const id of ["claude-opus-5", "gemini-3.8-flash"])
    expect(() => withOverrides({ id, dialect: "openai-responses" })).toThrow(`models: "${id}"`);
});

describe("the operator's overrides", () => {
  test("a model added in the dashboard is as the file says where the file has it too", () => {
    const added = [
      { id: "m", provider: "openai" },
      { id: "n", provider: "openai" },
    ];
    const { overrides } = overridesFrom([{ id: "m", provider: "groq" }], { added });
    expect(overrides.map(({ id, provider }) => [id, provider])).toEqual([
      ["m", "groq"],
      ["n", "openai"],
    ]);
  });

  test("name each model once, and a day of the calendar for its end", () => {
    expect(() => overridesFrom([{ id: "m" }, { id: "n" }, { id: "m" }])).toThrow('models: "m" is given twice; put both in one.');
    expect(() => overridesFrom([{ id: "m", shutdown_date: "2027-02-30" }])).toThrow('shutdown_date of "m" is "2027-02-30"');
    expect(overridesFrom([{ id: "m", shutdown_date: "2028-02-29" }]).overrides).toEqual([
      { id: "m", shutdown_date: "2028-02-29" },
    ]);
  });

  test("change one field and leave the rest as it was", () => {
    const before = required("gpt-4o-mini");
    const after = required(
      "gpt-4o-mini",
      withOverrides({ id: "gpt-4o-mini", max_output_tokens: 1_000, strength: { code: 0.9 } }),
    );
    expect(after).toEqual({ ...before, maxOutputTokens: 1_000, strength: { ...before.strength, code: 0.9 } });
  });

  test("give prices in USD per million tokens, for prompts of any length", () => {
    const catalog = withOverrides({ id: "gpt-6-luna", input_usd_per_million: 0.08, output_usd_per_million: 0.4 });
    const expected = { inputNanoUsd: 80, cacheReadNanoUsd: 80, cacheWriteNanoUsd: 80, outputNanoUsd: 400 };
    expect(catalog.pricesOf(required("gpt-6-luna", catalog), 10)).toEqual(expected);
    expect(catalog.pricesOf(required("gpt-6-luna", catalog), 900_000)).toEqual(expected);
  });

  test("take a shutdown date back with null", () => {
    expect(required("gpt-4o", withOverrides({ id: "gpt-4o", shutdown_date: null })).shutdownDate).toBeUndefined();
  });

  test("point a known model at another provider, which is how a neutral name is remapped", () => {
    const catalog = withOverrides({ id: "gpt-4o", provider: "openrouter", upstream_model: "openai/gpt-4o" });
    expect(required("gpt-4o", catalog)).toMatchObject({ provider: "openrouter", upstreamModel: "openai/gpt-4o" });
    // The vendor's date says nothing of who serves it elsewhere.
    expect(required("gpt-4o", catalog).shutdownDate).toBeUndefined();
    expect(catalog.findChatModel("openrouter/openai/gpt-4o")?.id).toBe("gpt-4o");
  });

  test("add chat models, and change the price of embedding models", () => {
    const catalog = withOverrides(
      { id: "house-model", provider: "together", context_window: 8_000, input_usd_per_million: 0, output_usd_per_million: 0 },
      { id: "text-embedding-3-small", input_usd_per_million: 0.01, output_usd_per_million: 0 },
    );
    expect(required("house-model", catalog)).toMatchObject({ upstreamModel: "house-model", contextWindow: 8_000 });
    expect(catalog.pricesOf(required("house-model", catalog)).outputNanoUsd).toBe(0);
    expect(catalog.findEmbeddingModel("text-embedding-3-small")).toEqual({
      ...plain.findEmbeddingModel("text-embedding-3-small")!,
      inputNanoUsd: 10,
    });
  });

  test("give a model all that the file says of it, and take no price whose other half is missing", () => {
    const house = {
      ...{
        id: "house",
        provider: "together",
        name: "House",
        context_window: 9_000,
        strength: { code: 0.9 },
        first_byte_ms: 90_000,
      },
      ...{
        input_usd_per_million: 2,
        cached_input_usd_per_million: 0.5,
        cache_write_usd_per_million: 2.5,
        output_usd_per_million: 8,
      },
    };
    const model = required("house", withOverrides(house));
    expect(model).toMatchObject({ name: "House", contextWindow: 9_000, quirks: { firstByteMs: 90_000 } });
    expect([model.strength.code, model.strength.writing < 0.9]).toEqual([0.9, true]);
    expect(model.prices).toEqual({
      inputNanoUsd: 2_000,
      cacheReadNanoUsd: 500,
      cacheWriteNanoUsd: 2_500,
      outputNanoUsd: 8_000,
    });
    expect(() => withOverrides({ ...house, output_usd_per_million: undefined })).toThrow('"house" needs both');
  });

  test("offer a model of the catalog a second time, from another provider: its figures, and neither its names nor its dates", () => {
    const base = required("gpt-4o");
    const catalog = withOverrides({
      id: "azure-4o",
      provider: "azure",
      base_model: "gpt-4o",
      upstream_model: "our-4o",
      max_output_tokens: 99,
    });
    const { aliases: _, shutdownDate, ...figures } = base;
    const other = { id: "azure-4o", name: "azure-4o", provider: "azure", upstreamModel: "our-4o", maxOutputTokens: 99 };
    expect(shutdownDate).toBeDefined();
    expect(required("azure-4o", catalog)).toEqual({ ...figures, ...other });
    expect(required("gpt-4o", catalog)).toEqual(base);
    expect(catalog.findChatModel("gpt-4o-2024-08-06")).toEqual(plain.findChatModel("gpt-4o-2024-08-06"));
  });

  test("give a model of the same provider another id, with its figures and its date", () => {
    const { aliases = [], ...figures } = required("gpt-4o");
    const snapshot = aliases.find((alias) => alias.startsWith("gpt-4o-2"))!;
    for (const upstreamModel of ["gpt-4o", snapshot]) {
      const catalog = withOverrides({ id: "fast", provider: "openai", upstream_model: upstreamModel });
      expect(required("fast", catalog)).toEqual({ ...figures, id: "fast", name: "fast", upstreamModel });
      for (const name of ["gpt-4o", "openai/gpt-4o", snapshot]) expect(required(name, catalog)).toEqual(required("gpt-4o"));
    }
    const prices = { input_usd_per_million: 1, output_usd_per_million: 2 };
    const agreed = withOverrides({ id: "fast", provider: "openai", upstream_model: "gpt-4o" }, { id: "gpt-4o", ...prices });
    expect(required("fast", agreed).prices).toEqual(required("gpt-4o", agreed).prices!);
    expect(required("fast", agreed).prices).toMatchObject({ inputNanoUsd: 1_000, outputNanoUsd: 2_000 });
    const elsewhere = withOverrides({ id: "fast", provider: "together", upstream_model: "gpt-4o" });
    expect(required("fast", elsewhere).prices).toBeUndefined();
  });

  test("add embedding models: those of the catalog from elsewhere, and any that say how long their vectors are", () => {
    const overrides = [
      { id: "azure-small", provider: "azure", base_model: "text-embedding-3-small", upstream_model: "our-small" },
      { id: "bge-m3", provider: "house", dimensions: 1024, input_usd_per_million: 0.01, context_window: 512 },
      { id: "unpriced", provider: "house", dimensions: 384 },
    ];
    const catalog = withOverrides(...overrides);
    const { shutdownDate: _, ...small } = plain.findEmbeddingModel("text-embedding-3-small")!;
    const elsewhere = { id: "azure-small", name: "azure-small", provider: "azure", upstreamModel: "our-small" };
    expect(catalog.findEmbeddingModel("azure-small")).toEqual({ ...small, ...elsewhere });
    expect(catalog.findEmbeddingModel("house/bge-m3")).toMatchObject({ dimensions: 1024, maxInputTokens: 512, inputNanoUsd: 10 });
    const dearest = Math.max(...plain.embeddingModels().map(({ inputNanoUsd }) => inputNanoUsd));
    expect(catalog.findEmbeddingModel("unpriced")).toMatchObject({ dimensions: 384, inputNanoUsd: dearest });
    for (const { id } of overrides) expect(catalog.findChatModel(id)).toBeUndefined();
    expect(() => withOverrides({ id: "gpt-4o", dimensions: 4 })).toThrow('"gpt-4o" is a chat model, so it has no dimensions');
    expect(() => withOverrides({ id: "text-embedding-3-small", dimensions: 4 })).toThrow("has 1536 dimensions, not 4");
  });

  test("are refused with the model and the missing field named", () => {
    expect(() => withOverrides({ id: "nowhere" })).toThrow('models: "nowhere" is not in the catalog, so it needs "provider"');
    for (const base_model of ["nowhere", "embed-local"])
      expect(() => withOverrides({ id: "m", provider: "azure", base_model })).toThrow(
        `base_model of "m" is "${base_model}", which is no`,
      );
    expect(() => withOverrides({ id: "gpt-4o", base_model: "gpt-4.1" })).toThrow('"gpt-4o" is in the catalog itself');
  });
});

describe("a catalog that changes while the server runs", () => {
  const local = (id: string): ChatModel => ({ ...required("gpt-4o"), id, upstreamModel: id, provider: "ollama", aliases: [] });

  test("takes a model for the same built-in one before and after its local server is found", () => {
    const overrides = [{ id: "gpt-oss:120b", provider: "ollama", base_model: "gpt-oss-120b" }];
    const catalog = createCatalog({ overrides });
    const before = required("gpt-oss:120b", catalog);
    expect(before.contextWindow).toBe(required("gpt-oss-120b").contextWindow);
    catalog.replace({ overrides, discovered: [local("gpt-oss:120b")] });
    expect(required("gpt-oss:120b", catalog)).toEqual(before);
  });

  test("refuses as base_model what only a local server knows: the next start would not find it", () => {
    const overrides = [{ id: "copy", provider: "azure", base_model: "qwen3:8b" }];
    expect(() => createCatalog({ overrides, discovered: [local("qwen3:8b")] })).toThrow('base_model of "copy" is "qwen3:8b"');
  });

  test("an embedding model that its local server lists like any other is none of chat", () => {
    const overrides = [{ id: "nomic", provider: "ollama", dimensions: 768 }];
    const catalog = createCatalog({ overrides, discovered: [local("nomic")] });
    expect([catalog.findChatModel("nomic"), catalog.findEmbeddingModel("nomic")?.dimensions]).toEqual([undefined, 768]);
  });

  test("takes new entries without a restart and forgets the old ones", () => {
    const catalog = createCatalog({ overrides: [{ id: "one", provider: "together" }] });
    catalog.replace({ overrides: [], discovered: [local("qwen3:8b")] });
    expect(catalog.findChatModel("one")).toBeUndefined();
    expect(catalog.findChatModel("qwen3:8b")?.provider).toBe("ollama");
  });

  test("keeps what it had when the new entries are wrong", () => {
    const catalog = createCatalog({ overrides: [{ id: "one", provider: "together" }] });
    expect(() => catalog.replace({ overrides: [{ id: "two" }] })).toThrow();
    expect(catalog.findChatModel("one")?.provider).toBe("together");
  });

  test("never lets a discovered model take a known id over", () => {
    const catalog = createCatalog({ overrides: [], discovered: [local("gpt-4.1")] });
    expect(catalog.findChatModel("gpt-4.1")?.provider).toBe("openai");
  });

  test("lists no hidden model and finds none", () => {
    const catalog = createCatalog({ overrides: [], hidden: ["gpt-4o", "text-embedding-3-small"] });
    expect(catalog.chatModels().some((model) => model.id === "gpt-4o")).toBe(false);
    expect(catalog.findChatModel("openai/gpt-4o")).toBeUndefined();
    expect(catalog.findEmbeddingModel("text-embedding-3-small")).toBeUndefined();
  });
});

describe("isServed", () => {
  test("ends when the shutdown date begins", () => {
    const model = { shutdownDate: "2027-01-14" };
    expect(isServed(model, Date.UTC(2027, 0, 14) - 1)).toBe(true);
    expect(isServed(model, Date.UTC(2027, 0, 14))).toBe(false);
    expect(isServed({}, Date.UTC(2100, 0, 1))).toBe(true);
  });
});

test("a model that does not hold to a schema is asked for it in the prompt, unless the operator says otherwise", () => {
  const model = (abilities: readonly Ability[], quirks = {}) => quirksOf({ abilities, quirks });
  expect(model(["json_mode"])).toEqual({ schemaBy: "prompt" });
  expect(model(["json_mode"], { schemaBy: "native" })).toEqual({ schemaBy: "native" });
  expect(model(["json_mode", "json_schema"])).toEqual({});
  expect(quirksOf(undefined)).toBeUndefined();
});
