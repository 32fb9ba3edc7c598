/** Where an upstream is, from what users have set already. */

import { expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PROVIDERS } from "../../src/catalog/providers.ts";
import { connectionsFrom } from "../../src/providers/connections.ts";

const connect = (environment: Record<string, string>) => connectionsFrom({ known: PROVIDERS, environment, file: {}, stored: {} });

test.each([
  ["127.0.0.1:11434", "http://127.0.0.1:11434"],
  ["0.0.0.0", "http://127.0.0.1:11434"],
  ["0.0.0.0:9000", "http://127.0.0.1:9000"],
  [":9000", "http://127.0.0.1:9000"],
  ["[::]:9000", "http://127.0.0.1:9000"],
  ["[::1]", "http://[::1]:11434"],
  ["gpu-box", "http://gpu-box:11434"],
  [" gpu-box:9000/ ", "http://gpu-box:9000"],
  ["http://gpu-box", "http://gpu-box"],
  ["https://models.example.com/ollama/", "https://models.example.com/ollama"],
])("OLLAMA_HOST=%s is where Ollama itself would look", (value, baseUrl) => {
  expect(connect({ OLLAMA_HOST: value })).toMatchObject([{ entry: { id: "ollama" }, baseUrl }]);
});

test.each([
  ["OLLAMA_HOST", "ftp://gpu-box"],
  ["OLLAMA_HOST", "gpu box"],
  ["OLLAMA_HOST", "gpu-box:99999"],
  ["SEARXNG_URL", "not a url"],
  ["OPENAI_BASE_URL", "gpu-box:8000"],
  // The runtime's `fetch`, used behind a proxy, would read it.
  ["OPENAI_BASE_URL", "file:///etc"],
  ["TAVILY_BASE_URL", "ftp://gpu-box"],
])("%s=%s is refused by name", (name, value) => {
  expect(() => connect({ [name]: value })).toThrow(`${name} is "${value}"; it may be an http or https URL.`);
});

test("an address with a query, behind which no path can be put, is refused by name", () => {
  expect(() => connect({ OPENAI_API_KEY: "k", OPENAI_BASE_URL: "https://h/v1?api-version=1" })).toThrow(
    'OPENAI_BASE_URL is "https://h/v1?api-version=1"; it may be an http or https URL without a query or a fragment.',
  );
});

test("blanks and line ends around a key are no part of it, and a blank key is none", () => {
  expect(connect({ OPENAI_API_KEY: " sk-x\n" })).toMatchObject([{ entry: { id: "openai" }, keys: [{ key: "sk-x" }] }]);
  expect(connect({ OPENAI_API_KEY: " " })).toEqual([]);
});

test.each(['"sk-x"', "'sk-x'", "Bearer sk-x", '"Bearer sk-x"', '" sk-x "'])(
  "%s is the key sk-x: the quotes of an env file and the word of its header are no part of it",
  (written) => {
    expect(connect({ OPENAI_API_KEY: written })).toMatchObject([{ keys: [{ key: "sk-x" }] }]);
    const connected = (settings: object, environment = {}) =>
      connectionsFrom({ known: PROVIDERS, environment, file: { providers: { openai: settings } }, stored: {} });
    expect(connected({ key: written })).toMatchObject([{ keys: [{ key: "sk-x" }] }]);
    expect(connected({ key: "env:HOUSE_KEY" }, { HOUSE_KEY: written })).toMatchObject([{ keys: [{ key: "sk-x" }] }]);
  },
);

test.each(['""', "''", "Bearer", "'Bearer '"])("%s is no key", (written) => {
  expect(connect({ OPENAI_API_KEY: written })).toEqual([]);
});

test("the quotes of an env file are no part of an address", () => {
  expect(connect({ OPENAI_API_KEY: "k", OPENAI_BASE_URL: '"https://h/v1"' })).toMatchObject([{ baseUrl: "https://h/v1" }]);
});

test.each([
  ["OPENAI_BASE_URL", "https://h/v1/chat/completions", "https://h/v1"],
  ["OPENAI_BASE_URL", "https://h/v1/responses/", "https://h/v1"],
  ["OPENAI_BASE_URL", "https://h/v1/embeddings", "https://h/v1"],
  ["OPENAI_BASE_URL", "https://h/models", "https://h/models"],
  ["ANTHROPIC_BASE_URL", "https://h/anthropic/v1/messages", "https://h/anthropic/v1"],
  ["OLLAMA_HOST", "http://h:1/api/chat", "http://h:1"],
])("%s=%s, the whole address of an endpoint, is the base of all", (name, written, baseUrl) => {
  expect(connect({ OPENAI_API_KEY: "k", ANTHROPIC_API_KEY: "k", [name]: written })).toContainEqual(
    expect.objectContaining({ baseUrl }),
  );
});

test.each(["local", "sandbox"])("no server can have the name of Signalbox's own %s", (id) => {
  const file = { providers: { [id]: { base_url: "http://gpu-box:8000/v1" } } };
  expect(() => connectionsFrom({ known: PROVIDERS, environment: {}, file, stored: {} })).toThrow(
    `providers.${id}: "${id}" is Signalbox's own`,
  );
});

test("a key may be in a file that a variable names, and an address in a variable that the settings name", () => {
  const folder = mkdtempSync(join(tmpdir(), "signalbox-secrets-"));
  const path = join(folder, "key");
  writeFileSync(path, "sk-of-a-file\n");
  try {
    const connected = connectionsFrom({
      known: PROVIDERS,
      environment: { OPENAI_API_KEY_FILE: path, HOUSE_KEY_FILE: path, HOUSE_URL: "https://h/v1/" },
      file: { providers: { house: { base_url: "env:HOUSE_URL", key: "env:HOUSE_KEY" } } },
      stored: {},
    });
    const keys = [{ key: "sk-of-a-file" }];
    expect(connected).toMatchObject([
      { entry: { id: "openai" }, keys },
      { entry: { id: "house" }, keys, baseUrl: "https://h/v1" },
    ]);
  } finally {
    rmSync(folder, { recursive: true });
  }
  const unset = { house: { base_url: "env:HOUSE_URL" } };
  expect(() => connectionsFrom({ known: PROVIDERS, environment: {}, file: { providers: unset }, stored: {} })).toThrow(
    "providers.house.base_url names the environment variable HOUSE_URL, which is not set.",
  );
});

test("a provider with a key and a list of keys is refused: one of them would not be used", () => {
  const file = { providers: { openai: { key: "a", keys: [{ key: "b" }] } } };
  expect(() => connectionsFrom({ known: PROVIDERS, environment: {}, file, stored: {} })).toThrow(
    "providers.openai has both `key` and `keys`; put all into `keys`.",
  );
});

test("each key of a list has the weight that is set, or one", () => {
  const file = { providers: { openai: { keys: [{ key: "a" }, { key: "b", weight: 3 }] } } };
  const [{ keys } = { keys: [] }] = connectionsFrom({ known: PROVIDERS, environment: {}, file, stored: {} });
  expect(keys).toEqual([
    { id: "openai-1", key: "a", weight: 1 },
    { id: "openai-2", key: "b", weight: 3 },
  ]);
});

test.each([
  ..."{HOUSE_KEY} {env:HOUSE_KEY} HOUSE_KEY".split(" ").map((name) => `$${name}`),
  "os.environ/HOUSE_KEY",
  "env.HOUSE_KEY",
])("a reference to the environment as other programs write it, %s, is refused in place of being sent as the key", (written) => {
  const house = { base_url: "http://gpu-box:8000/v1" };
  const settle = (settings: object) =>
    connectionsFrom({
      known: PROVIDERS,
      environment: { HOUSE_KEY: "k" },
      file: { providers: { house: { ...house, ...settings } } },
      stored: {},
    });
  const rule = `is "${written}"; an environment variable is written env:HOUSE_KEY.`;
  expect(() => settle({ key: written })).toThrow(`providers.house.key ${rule}`);
  expect(() => settle({ headers: { "x-key": written } })).toThrow(`providers.house.headers.x-key ${rule}`);
  expect(settle({ key: "env:HOUSE_KEY" })).toMatchObject([{ keys: [{ key: "k" }] }]);
  for (const key of ["$ecret", "$ECRET-key"]) expect(settle({ key })).toMatchObject([{ keys: [{ key }] }]);
});
