/** `POST /v1/moderations`, as OpenAI's SDKs ask it: OpenAI's endpoint or Mistral's behind it, and the sandbox's list of words. */

import { describe, expect, test } from "bun:test";
import OpenAI from "openai";
import type { TestKey } from "../support/gateway.ts";
import { gatewayOfFile } from "../support/gateway-of-file.ts";
import { mediaStubOfFile, says, TINY_PNG } from "../support/media-stub.ts";

const stub = mediaStubOfFile();
const gateway = await gatewayOfFile({
  environment: {
    OPENAI_API_KEY: "sk-secret",
    OPENAI_BASE_URL: `${stub.url}/openai/v1`,
    MISTRAL_API_KEY: "mistral-secret",
    MISTRAL_BASE_URL: `${stub.url}/mistral/v1`,
  },
  settings: `media_aliases: { house-moderation: omni-moderation-latest }`,
});
const key = await gateway.key();
const live = await gateway.key({ project: "live", mode: "live" });

const moderate = async (body: object, as: TestKey = key) => {
  const response = await gateway.send(as, "POST", "/v1/moderations", body);
  const requestId = response.headers.get("x-svc-request-id")!;
  return { status: response.status, headers: response.headers, requestId, body: (await response.json()) as any };
};
const rowOf = ({ requestId }: { requestId: string }, as: TestKey = live) => gateway.read(as, `/v1/logs/${requestId}`);

/** As OpenAI's reference shows it, with fewer categories. */
const verdict = (isViolent: boolean) => ({
  flagged: isViolent,
  categories: { harassment: false, illicit: null, violence: isViolent },
  category_scores: { harassment: 0.001, illicit: null, violence: isViolent ? 0.97 : 0.0002 },
  category_applied_input_types: { harassment: ["text"], violence: ["text", "image"] },
});
const answers = (...verdicts: object[]) => ({
  "POST /openai/v1/moderations": says({ id: "modr-1", model: "omni-moderation-latest", results: verdicts }),
});
const PICTURE = `data:image/png;base64,${TINY_PNG.toString("base64")}`;

describe("by OpenAI", () => {
  test("texts are judged one by one, for nothing; the log has the call and its attempt", async () => {
    stub.answer(answers(verdict(true), verdict(false)));
    const answer = await moderate({ input: ["I will kill it.", "Good morning."] }, live);
    expect(stub.asks[0]!.headers.get("authorization")).toBe("Bearer sk-secret");
    expect(stub.asks[0]!.json).toEqual({ model: "omni-moderation-latest", input: ["I will kill it.", "Good morning."] });
    expect(answer.body).toEqual({
      id: answer.requestId,
      model: "omni-moderation-latest",
      results: [
        {
          flagged: true,
          categories: { harassment: false, violence: true },
          category_scores: { harassment: 0.001, violence: 0.97 },
          category_applied_input_types: { harassment: ["text"], violence: ["text", "image"] },
        },
        expect.objectContaining({ flagged: false }),
      ],
      svc: {
        request_id: answer.requestId,
        model_selected: "omni-moderation-latest",
        cost_usd: 0,
        latency_ms: expect.any(Number),
      },
    });
    const row = await rowOf(answer);
    expect(row.execution).toMatchObject({ status: 200, cost_usd: 0, attempts: [{ provider: "openai", success: true }] });
    expect([row.metadata.kind, row.prompt.text, row.output.text]).toEqual([
      "moderation",
      "I will kill it.\nGood morning.",
      "flagged: violence\nnot flagged",
    ]);
  });

  test("parts of one message get one verdict; pictures go along as they are", async () => {
    stub.answer(answers(verdict(true)));
    const input = [
      { type: "text", text: "Look at this." },
      { type: "image_url", image_url: { url: PICTURE } },
      { type: "image_url", image_url: { url: "https://example.com/a picture.png" } },
    ];
    const answer = await moderate({ model: "omni-moderation-2024-09-26", input }, live);
    expect(answer.body.results).toHaveLength(1);
    expect(stub.asks[0]!.json).toEqual({
      model: "omni-moderation-latest",
      input: [input[0], input[1], { type: "image_url", image_url: { url: "https://example.com/a%20picture.png" } }],
    });
    const row = await rowOf(answer);
    expect([row.prompt.text, JSON.stringify(row).includes("base64")]).toEqual(["Look at this.", false]);
  });

  test("a failure that passes is retried, one that stays is a 503, and a 400 is the caller's", async () => {
    let failures = 1;
    const judged = answers(verdict(false))["POST /openai/v1/moderations"];
    stub.answer({ "POST /openai": (ask) => (failures-- > 0 ? says({}, 500)(ask) : judged(ask)) });
    const saved = await moderate({ input: "x" }, live);
    expect((await rowOf(saved)).execution.attempts.map(({ success }: any) => success)).toEqual([false, true]);
    failures = 9;
    const failed = await moderate({ input: "x" }, live);
    expect([failed.status, failed.body.error.type, (await rowOf(failed)).execution.cost_usd]).toEqual([
      503,
      "service_unavailable",
      0,
    ]);
    gateway.clock.advance(3_600_000);
    stub.answer({ "POST /openai": says({ error: { message: "Too many images: sk-secret" } }, 400) });
    const wrong = await moderate({ input: "x" }, live);
    expect([wrong.status, wrong.body.error.param, wrong.body.error.message.includes("images")]).toEqual([400, "input", false]);
  });

  test("an answer that does not judge every input is a failure, never harmless", async () => {
    for (const wrong of [
      [],
      [verdict(false)],
      [verdict(false), {}],
      [verdict(false), "ok"],
      [verdict(false), "ok", verdict(false)],
      [verdict(false), verdict(false), {}],
      [verdict(false), { categories: {} }],
      [verdict(false), { categories: { violence: null } }],
    ]) {
      gateway.clock.advance(3_600_000);
      stub.answer(answers(...(wrong as object[])));
      expect((await moderate({ input: ["a", "b"] }, live)).status).toBe(503);
    }
    gateway.clock.advance(3_600_000);
  });
});

test("Mistral judges by its own categories, flags nothing itself, and is paid by the token", async () => {
  const results = [
    { categories: { sexual: false, pii: true }, category_scores: { sexual: 0.01, pii: 0.93 } },
    { categories: { sexual: false, pii: false }, category_scores: { sexual: 0.01, pii: 0.1 } },
  ];
  // Neither nothing nor more than anybody can count has been counted.
  for (const total_tokens of [0, 1e300]) {
    const said = { id: "m", model: "mistral-moderation-latest", results, usage: { total_tokens } };
    stub.answer({ "POST /mistral/v1/moderations": says(said) });
    const answer = await moderate({ model: "mistral-moderation-latest", input: ["x".repeat(400), "y".repeat(400)] }, live);
    expect(answer.body).toMatchObject({
      results: [{ flagged: true, category_applied_input_types: { sexual: ["text"], pii: ["text"] } }, { flagged: false }],
      svc: { cost_usd: 0.0000174 },
    });
    expect((await rowOf(answer)).execution).toMatchObject({ input_tokens: 174, usage_source: "estimated", cost_usd: 0.0000174 });
  }
  for (const usage of [{ prompt_tokens: 120, total_tokens: 150 }, { total_tokens: 120 }]) {
    stub.answer({ "POST /mistral/v1/moderations": says({ results: results.slice(1), usage }) });
    const told = await moderate({ model: "mistral-moderation-latest", input: "x" }, live);
    expect((await rowOf(told)).execution).toMatchObject({ input_tokens: 120, usage_source: "provider", cost_usd: 0.000012 });
  }
});

describe("by the sandbox", () => {
  test("a word of its list flags its category, in every category of OpenAI's", async () => {
    const { body } = await moderate({ input: ["You IDIOT!", "An idiotic skill.", "[[sandbox:slow=1]] He would kill for it."] });
    expect(body.results.map(({ flagged }: any) => flagged)).toEqual([true, false, true]);
    const [first] = body.results;
    expect(Object.keys(first.categories)).toHaveLength(13);
    expect([first.categories.harassment, first.categories.violence]).toEqual([true, false]);
    expect([first.category_scores.harassment, first.category_scores.violence]).toEqual([0.99, 0.0001]);
    expect((await moderate({ input: ["You IDIOT!"] })).body.results).toEqual([first]);
  });

  test("parts are one input, whose pictures nobody looks at", async () => {
    const picture = { type: "image_url", image_url: { url: PICTURE } };
    const both = await moderate({ input: [{ type: "text", text: "Nothing." }, picture, { type: "text", text: "A murder." }] });
    expect(both.body.results).toMatchObject([
      { flagged: true, category_applied_input_types: { violence: ["text", "image"], hate: ["text"] } },
    ]);
    const alone = await moderate({ input: [picture] });
    expect(alone.body.results).toMatchObject([
      { flagged: false, category_applied_input_types: { violence: ["image"], hate: [] } },
    ]);
  });

  test("fault triggers work", async () => {
    const failed = await moderate({ input: "[[sandbox:error-500:always]] x" });
    expect([failed.status, (await rowOf(failed, key)).execution.attempts.length]).toEqual([503, 2]);
    expect((await moderate({ input: "[[sandbox:rate-limit]] x" })).status).toBe(200);
    expect((await moderate({ input: "[[sandbox:refuse]] x" })).status).toBe(400);
  });

  test("OpenAI's SDK reads the answer", async () => {
    const client = new OpenAI({ apiKey: key.text, baseURL: `${gateway.url}/v1` });
    const { model, results } = await client.moderations.create({ model: "text-moderation-latest", input: "A murder." });
    expect([model, results[0]!.flagged, results[0]!.categories["violence/graphic"]]).toEqual([
      "omni-moderation-latest",
      true,
      false,
    ]);
    expect(results[0]!.category_scores.violence).toBeGreaterThan(0.9);
    const wrong = await client.moderations.create({ input: [] }).catch((error: unknown) => error);
    expect(wrong).toBeInstanceOf(OpenAI.BadRequestError);
    expect((wrong as any).param).toBe("input");
  });
});

describe("what a request may be", () => {
  test("bad fields are named", async () => {
    const paramOf = async (body: object) => {
      const { status, body: answer } = await moderate(body);
      return [status, answer.error?.param];
    };
    for (const input of [undefined, null, "", [], 7, {}, Array(2_049).fill("x")])
      expect(await paramOf({ input })).toEqual([400, "input"]);
    for (const wrong of ["", 7, null]) expect(await paramOf({ input: ["x", wrong] })).toEqual([400, "input.1"]);
    const part = { type: "text", text: "x" };
    expect(await paramOf({ input: [part, { type: "text" }] })).toEqual([400, "input.1.text"]);
    for (const mixed of [
      [part, "x"],
      ["x", part],
    ])
      expect(await paramOf({ input: mixed })).toEqual([400, "input.1"]);
    for (const url of [
      "https://127.0.0.1/x.png",
      "http://example.com/x.png",
      "file:///etc/passwd",
      "data:text/plain;base64,QUJD",
      "x",
    ])
      expect(await paramOf({ input: [part, { type: "image_url", image_url: { url } }] })).toEqual([400, "input.1.image_url.url"]);
  });

  test("an unknown model is a 404, an alias of the operator's or a name with its vendor is known, a bound key keeps to its models", async () => {
    const unknown = await moderate({ model: "gpt-4o", input: "x" });
    expect([unknown.status, unknown.body.error.param, unknown.body.error.code]).toEqual([404, "model", "model_not_found"]);
    expect(unknown.body.error.message).toBe(
      'The moderation model "gpt-4o" was not found; there are omni-moderation-latest, mistral-moderation-latest. `media_aliases` in signalbox.yaml gives them other names.',
    );
    for (const model of ["house-moderation", "openai/omni-moderation-latest", "auto", null])
      expect((await moderate({ model, input: "x" })).status).toBe(200);
    const bound = await gateway.key({ terms: { models: ["embed-local"] } });
    expect((await moderate({ input: "x" }, bound)).status).toBe(403);
    expect((await moderate({ input: "x" }, await gateway.key({ scopes: ["search"] }))).status).toBe(403);
  });

  test("counts with embeddings, and belongs to the user it names", async () => {
    const free = await gateway.key({ project: "free", tier: "free" });
    const answer = await moderate({ input: "x", user: "ann" }, free);
    expect([answer.headers.get("x-ratelimit-limit"), answer.headers.get("x-ratelimit-remaining")]).toEqual(["60", "59"]);
    expect((await rowOf(answer, free)).metadata.user_id).toBe("ann");
  });
});

describe("under policies", () => {
  test("personal data is redacted before it is sent, in texts and parts, and in the log", async () => {
    const as = await gateway.key({ project: "redacting", mode: "live" });
    const pii = { types: ["email"], action: "redact" };
    await gateway.policy(as, "content", { evaluate_input: true, redact_logs: true, pii_detection: pii });
    stub.answer(answers(verdict(false)));
    const part = { type: "text", text: "Write to ann@example.com." };
    for (const input of [part.text, [part, { type: "image_url", image_url: { url: PICTURE } }, part]]) {
      const answer = await moderate({ input }, as);
      expect(answer.status).toBe(200);
      expect(JSON.stringify(await rowOf(answer, as))).not.toContain("@example.com");
    }
    const redacted = { type: "text", text: "Write to [REDACTED]." };
    expect(stub.asks.map(({ json }) => json.input)).toEqual([
      [redacted.text],
      [redacted, { type: "image_url", image_url: { url: PICTURE } }, redacted],
    ]);
  });

  test("of a number within which the log ends, no half stands there", async () => {
    const as = await gateway.key({ project: "torn", mode: "live" });
    const pii = { types: ["credit_card"], action: "redact" };
    await gateway.policy(as, "content", { redact_logs: true, pii_detection: pii });
    stub.answer(answers(verdict(false)));
    const card = "4111 1111 1111 1111";
    const input = `${"x ".repeat(40)}${card} ${"y ".repeat(60_000)}`;
    const torn = `${"y ".repeat(49_995)}${card} ${"y ".repeat(100)}`;
    for (const text of [input, torn]) {
      const { text: logged } = (await rowOf(await moderate({ input: text }, as), as)).prompt;
      expect([logged.includes("4111"), logged.length > 99_000, logged.length <= 100_000]).toEqual([false, true, true]);
    }
  });

  test("a project that stores no prompts and answers stores none of these", async () => {
    const as = await gateway.key({ project: "bodiless", mode: "live", settings: { storeBodies: false } });
    stub.answer(answers(verdict(true)));
    const row = await rowOf(await moderate({ input: "A private thought." }, as), as);
    expect([row.execution.status, row.prompt.text, row.output.text, JSON.stringify(row).includes("private")]).toEqual([
      200,
      null,
      null,
      false,
    ]);
  });

  test("a provider that a policy rules out is not asked", async () => {
    const as = await gateway.key({ project: "routing", mode: "live" });
    await gateway.policy(as, "routing", { provider_block_list: ["openai"], on_violation: "hard_block" });
    stub.answer({});
    const { status, body } = await moderate({ input: "x" }, as);
    expect([status, body.error.code, stub.asks.length]).toEqual([403, "POLICY_BLOCKED", 0]);
  });
});

test("without a provider the answer names the variable", async () => {
  const bare = await gatewayOfFile();
  const as = await bare.key({ mode: "live" });
  const response = await bare.send(as, "POST", "/v1/moderations", { input: "x" });
  expect([response.status, ((await response.json()) as any).error.message]).toEqual([
    503,
    "No provider is configured for omni-moderation-latest: set OPENAI_API_KEY.",
  ]);
});
