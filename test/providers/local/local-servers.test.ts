import { beforeEach, expect, test } from "bun:test";
import { discoverLocalServers } from "../../../src/providers/local/discover-local-servers.ts";
import { type Transport, TransportError } from "../../../src/providers/transport/transport.ts";
import { applySettings, refreshDiscovery } from "../../../src/watch-settings.ts";
import { startGateway } from "../../support/gateway.ts";
import { type Answer, startUpstreamStub, upstreamStubOfFile } from "../../support/upstream-stub.ts";
import { completion, failing } from "../../support/vendor-answers.ts";

const stub = upstreamStubOfFile();

const TEXT = "The largest planet of the solar system is Jupiter.";
let capabilities: Record<string, string[]>;
beforeEach(() => {
  capabilities = { "small:3b": ["completion"], "thinker:8b": ["completion", "thinking"] };
});

stub.answer(({ path, body }) => {
  if (path === "/api/tags") return Response.json({ models: Object.keys(capabilities).map((name) => ({ name })) });
  if (path === "/api/show")
    return Response.json({ capabilities: capabilities[body.model], model_info: { "any.context_length": 131_072 } });
  const isLong = body.messages[0].content.startsWith("Tell everything");
  const wholeAt = isLong ? 30_000 : 0;
  return Response.json({
    model: body.model,
    message: { role: "assistant", content: TEXT },
    done: true,
    done_reason: body.options.num_predict < wholeAt ? "length" : "stop",
    prompt_eval_count: 9,
    eval_count: 10,
  });
});

test("a local Ollama joins the catalog, and is asked for no more room than the prompt and a usual answer need", async () => {
  const gateway = await startGateway({ environment: { OLLAMA_HOST: stub.url } });
  await refreshDiscovery(gateway.platform);
  const key = await gateway.key({ mode: "live" });
  const roomFor = async (body: object): Promise<unknown> => {
    const messages = [{ role: "user", content: "Which planet is the largest?" }];
    expect((await gateway.send(key, "POST", "/v1/chat", { messages, ...body })).status).toBe(200);
    const { num_ctx, num_predict } = stub.seen.at(-1)!.body.options;
    return { num_ctx, num_predict };
  };
  expect(await roomFor({ model: "small:3b" })).toEqual({ num_ctx: 8_192, num_predict: 4_096 });
  expect(await roomFor({ model: "thinker:8b" })).toEqual({ num_ctx: 32_768, num_predict: 16_384 });
  const long = [{ role: "user", content: "Tell everything about the planets." }];
  stub.seen.length = 0;
  expect(await roomFor({ model: "small:3b", messages: long })).toEqual({ num_ctx: 65_536, num_predict: 32_768 });
  expect(stub.seen.map(({ body }) => body.options.num_predict)).toEqual([4_096, 32_768]);
  // For another size Ollama would load the model anew; it forgets an idle one after five minutes.
  expect(await roomFor({ model: "small:3b", max_tokens: 20_000 })).toEqual({ num_ctx: 65_536, num_predict: 20_000 });
  gateway.clock.advance(5 * 60_000);
  expect(await roomFor({ model: "small:3b", max_tokens: 20_000 })).toEqual({ num_ctx: 32_768, num_predict: 20_000 });
  expect(await roomFor({ model: "small:3b", max_tokens: 20 })).toEqual({ num_ctx: 32_768, num_predict: 20 });
  await gateway.stop();
});

test("a model that learns something is known by it, and a server that only embeds or makes pictures is connected", async () => {
  const gateway = await startGateway({ environment: { OLLAMA_HOST: stub.url } });
  const { platform } = gateway;
  await refreshDiscovery(platform);
  const abilities = () => platform.catalog.findChatModel("small:3b")?.abilities;
  expect(abilities()).not.toContain("vision");
  capabilities["small:3b"] = ["completion", "vision", "audio"];
  await refreshDiscovery(platform);
  expect(abilities()).toEqual(expect.arrayContaining(["vision", "audio_input"]));
  for (const name of Object.keys(capabilities)) capabilities[name] = [name === "small:3b" ? "image" : "embedding"];
  platform.discovered = { models: [], connections: [] };
  await refreshDiscovery(platform);
  expect(platform.discovered.connections.map(({ entry }) => entry.id)).toContain("ollama");
  expect(abilities()).toBeUndefined();
  await gateway.stop();
});

test("a model whose server goes away stays known until it comes back, and others that are named answer meanwhile", async () => {
  const local = startUpstreamStub();
  const vendor = startUpstreamStub();
  const OPENAI = { OPENAI_API_KEY: "sk-test", OPENAI_BASE_URL: `${vendor.url}/v1` };
  const gateway = await startGateway({ environment: { ...OPENAI, OLLAMA_HOST: local.url } });
  const { platform } = gateway;
  const here: Answer = ({ path }) =>
    path === "/api/tags"
      ? Response.json({ models: [{ name: "small:3b" }] })
      : Response.json({ message: { role: "assistant", content: TEXT }, done: true, done_reason: "stop", eval_count: 9 });
  local.answer(here);
  vendor.answer(completion(TEXT));
  await refreshDiscovery(platform);
  const key = await gateway.key({ mode: "live" });
  const ask = async (body: object) => {
    const messages = [{ role: "user", content: "Which planet is the largest?" }];
    const response = await gateway.send(key, "POST", "/v1/chat", { messages, ...body });
    return { status: response.status, body: (await response.json()) as any };
  };
  const listed = async () => {
    const { data } = await gateway.read(key, "/v1/models");
    return data.some(({ id }: any) => id === "small:3b");
  };
  expect([(await ask({ model: "small:3b" })).body.model, await listed()]).toEqual(["small:3b", true]);

  local.answer(failing(503));
  for (let looks = 0; looks < 2; looks++) await refreshDiscovery(platform);
  const asked = local.seen.length;
  const alone = await ask({ model: "small:3b" });
  expect([alone.status, alone.body.error.message, alone.body.error.retry_after]).toEqual([
    503,
    "small:3b cannot be asked: its server (ollama) does not answer. It is looked for every minute.",
    60,
  ]);
  const named = await ask({ model: "small:3b", models: ["gpt-4o-mini"] });
  const reason = "gpt-4o-mini is the first of the models named that can answer: small:3b cannot.";
  expect([named.body.model, named.body.svc.routing.reason]).toEqual(["gpt-4o-mini", reason]);
  expect((await ask({ model: "gpt-4o-mini", models: ["small:3b"] })).body.model).toBe("gpt-4o-mini");
  expect((await ask({ model: "small:3b", allow_fallback: true })).status).toBe(200);
  expect((await ask({})).status).toBe(200);
  expect([local.seen.length, await listed()]).toEqual([asked, false]);
  platform.config.environment["OPENAI_API_KEY"] = "";
  await applySettings(platform);
  expect((await ask({ model: "small:3b" })).body.error.message).toBe(alone.body.error.message);

  local.answer(here);
  await refreshDiscovery(platform);
  expect([(await ask({ model: "small:3b" })).body.model, await listed()]).toEqual(["small:3b", true]);
  await gateway.stop();
  local.stop();
  vendor.stop();
});

test("servers of this machine are never asked for through a proxy, whose own machine is another; other addresses are", async () => {
  const asked: string[] = [];
  const refusing =
    (name: string): Transport =>
    ({ url }) => {
      asked.push(`${name} ${new URL(url).host}`);
      return Promise.reject(new TransportError("NOT_CONNECTED"));
    };
  for (const [host, ollama] of [
    ["", "local 127.0.0.1:11434"],
    ["127.0.0.1:9999", "local 127.0.0.1:9999"],
    ["http://localhost:9999", "local localhost:9999"],
    ["box.lan:9999", "proxied box.lan:9999"],
  ] as const) {
    asked.length = 0;
    const gateway = await startGateway({ environment: { OLLAMA_HOST: host } });
    const { platform } = gateway;
    const providers = { ...platform.providers, transport: refusing("proxied"), localTransport: refusing("local") };
    await discoverLocalServers({ ...platform, providers });
    expect(asked.filter((each) => !each.startsWith("local 127.0.0.1:") && each !== ollama)).toEqual([]);
    expect(asked).toContain(ollama);
    expect(asked.length).toBeGreaterThan(2);
    await gateway.stop();
  }
});
