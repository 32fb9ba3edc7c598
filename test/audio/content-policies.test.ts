import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { compileContentPolicies } from "../../src/policies/content/content-rules.ts";
import { reviewTranscript } from "../../src/policies/content/review-transcript.ts";
import { contentPolicy } from "../policies/policy-of.ts";
import type { TestKey } from "../support/gateway.ts";
import { gatewayOfFile } from "../support/gateway-of-file.ts";

const gateway = await gatewayOfFile();
const tone = await Bun.file(join(import.meta.dir, "../fixtures/audio/tone.wav")).bytes();

const project = async (name: string, config: object): Promise<TestKey> => {
  const key = await gateway.key({ project: name });
  await gateway.policy(key, "content", config);
  return key;
};
const speech = (input: string) => ({ model: "tts-1", voice: "alloy", input });
const transcribe = (key: TestKey, said: string, format = "json", hint = "") => {
  const form = new FormData();
  form.set("file", new File([tone], "tone.wav"));
  form.set("model", "transcribe-1");
  form.set("response_format", format);
  form.set("timestamp_granularities[]", "word");
  form.set("prompt", `${hint}[[sandbox:reply=${said}]]`);
  return gateway.send(key, "POST", "/v1/audio/transcriptions", form);
};
const jsonOf = async (response: Promise<Response>): Promise<any> => (await response).json();
const logOf = async (key: TestKey, response: Response): Promise<any> =>
  gateway.read(key, `/v1/logs/${response.headers.get("x-svc-request-id")}`);

describe("a transcript under content policies", () => {
  test("is redacted in every format, and says so", async () => {
    const key = await project("redacting", { pii_detection: { enabled: true, action: "redact" } });
    const response = await transcribe(key, "Mail me at ada@example.com please.", "verbose_json");
    const body = (await response.json()) as any;
    expect(body.text).toBe("Mail me at [REDACTED] please.");
    expect(body.segments.map(({ text }: any) => text)).toEqual(["Mail me at [REDACTED] please."]);
    expect(body.svc.content_evaluation).toMatchObject({
      result: "redact",
      phase: "post_response",
      pii_detected: true,
      pii_count: 1,
      redacted: true,
    });
    expect((await logOf(key, response)).policies.content_evaluation).toEqual(body.svc.content_evaluation);
    // What was taken out would stand among the words.
    expect(body.words).toBeUndefined();
    expect((await jsonOf(transcribe(key, "Mail me.", "verbose_json"))).words).toHaveLength(2);
    for (const format of ["text", "srt", "vtt"])
      expect(await (await transcribe(key, "Mail me at ada@example.com please.", format)).text()).not.toContain("ada@");
  });

  test("is held back where a policy blocks it; what the upstream cost stands in the ledger", async () => {
    const key = await project("blocking", { blocked_terms: { enabled: true, terms: ["fox"], action: "block" } });
    const response = await transcribe(key, "The quick brown fox.");
    const body = (await response.json()) as any;
    expect([response.status, body.error.type, body.error.code, body.content_evaluation.result]).toEqual([
      403,
      "content_policy_violation",
      "CONTENT_BLOCKED",
      "block",
    ]);
    const row = await logOf(key, response);
    expect(row.execution.cost_usd).toBe(0.00015);
  });

  /** Segments of a second each under a policy that redacts. */
  const reviewed = (said: string[], whole = said.join(" ")) => {
    const rules = compileContentPolicies([contentPolicy({ pii_detection: { action: "redact" } })]);
    const segments = said.map((text, id) => ({ id, start: id, end: id + 1, text }));
    return reviewTranscript(rules, whole, segments);
  };

  test("a number spoken over two segments is found, and the two become one", () => {
    const { segments, text } = reviewed(["My card is 4111 1111", "1111 1111 and that is all.", "Bye."]);
    expect(text).toBe("My card is [REDACTED] and that is all. Bye.");
    expect(segments).toEqual([
      { id: 0, start: 0, end: 2, text: "My card is [REDACTED] and that is all." },
      { id: 1, start: 2, end: 3, text: "Bye." },
    ]);
  });

  test("each segment says what the whole text says: what makes a number harmless may come in the next", () => {
    const { segments, text } = reviewed(["Then 301557623", "is my order number,", "and 301557624", "is my SSN."]);
    expect(segments.map((segment) => segment.text).join(" ")).toBe(text);
    expect(text).toBe("Then 301557623 is my order number, and [REDACTED] is my SSN.");
  });

  test("what a cut between two segments goes through is found as well", () => {
    const said = ["My number is 536-22-", "1234, mail ann@", "example.com or", "call."];
    const { segments } = reviewed(said, "My number is 536-22-1234, mail ann@example.com or call.");
    expect(segments).toEqual([
      { id: 0, start: 0, end: 3, text: "My number is [REDACTED], mail [REDACTED] or" },
      { id: 1, start: 3, end: 4, text: "call." },
    ]);
  });
});

describe("prompts under a policy with evaluate_input", () => {
  test("are redacted before they leave, and blocked ones leave not at all", async () => {
    const redacting = await project("input-redacting", {
      evaluate_input: true,
      pii_detection: { enabled: true, action: "redact" },
    });
    const asked = { prompt: "a card for ada@example.com", model: "image-a-2", size: "256x256" };
    const image = await jsonOf(gateway.send(redacting, "POST", "/v1/images/generations", asked));
    expect(image.data[0].revised_prompt).toBe("a card for [REDACTED]");
    const blocking = await project("input-blocking", {
      evaluate_input: true,
      blocked_terms: { enabled: true, terms: ["fox"], action: "block" },
    });
    const asks: [string, object][] = [
      ["/v1/images/generations", { prompt: "a fox" }],
      ["/v1/video/generations", { prompt: "a fox" }],
      ["/v1/audio/speech", speech("a fox")],
      ["/v1/tools/search", { query: "fox" }],
    ];
    for (const [path, body] of asks) {
      const response = await gateway.send(blocking, "POST", path, body);
      expect([path, response.status, ((await response.json()) as any).error.code]).toEqual([path, 403, "CONTENT_BLOCKED"]);
      expect(await logOf(blocking, response)).toMatchObject({ execution: { cost_usd: 0 } });
    }
    expect((await gateway.send(blocking, "POST", "/v1/audio/speech", speech("a hound"))).status).toBe(200);
  });
});

test("what the policies said of a prompt stands in the ledger of every kind of media", async () => {
  const key = await project("looked-at", { evaluate_input: true, pii_detection: { enabled: true, action: "redact" } });
  const asks: [string, object][] = [
    ["/v1/images/generations", { prompt: "a card for ada@example.com", model: "image-a-2", size: "256x256" }],
    ["/v1/video/generations", { prompt: "a card for ada@example.com" }],
    ["/v1/audio/speech", speech("Call ada@example.com.")],
    ["/v1/tools/search", { query: "ada@example.com" }],
    ["/v1/audio/speech", speech("Call ada@example.com. [[sandbox:error-500:always]]")],
  ];
  for (const [path, body] of asks) {
    const response = await gateway.send(key, "POST", path, body);
    await response.bytes();
    const { policies } = await logOf(key, response);
    expect([path, policies.content_evaluation?.result, policies.content_evaluation?.phase]).toEqual([
      path,
      "redact",
      "pre_request",
    ]);
  }
});

test("a transcript is told with what was found in its prompt: in the answer, in the ledger, and where it is blocked", async () => {
  const key = await project("hinted", { evaluate_input: true, pii_detection: { types: ["email"], action: "redact" } });
  const response = await transcribe(key, "Good morning.", "json", "A call with ada@example.com. ");
  const { svc } = (await response.json()) as any;
  expect(svc.content_evaluation).toMatchObject({ result: "redact", phase: "pre_request", pii_count: 1, redacted: true });
  expect((await logOf(key, response)).policies.content_evaluation).toEqual(svc.content_evaluation);
  await gateway.policy(key, "content", { blocked_terms: { terms: ["fox"], action: "block" } });
  const blocked = await jsonOf(transcribe(key, "The fox.", "json", "A call with ada@example.com. "));
  expect(blocked.content_evaluation).toMatchObject({ result: "block", phase: "post_response", pii_count: 1 });

  const prompts = { evaluate_input: true, evaluate_output: false, pii_detection: { types: ["email"], action: "warn" } };
  const alone = transcribe(await project("hinted alone", prompts), "Good morning.", "json", "A call with ada@example.com. ");
  expect((await jsonOf(alone)).svc.content_evaluation).toMatchObject({ result: "warn", phase: "pre_request" });
});

test("with redact_logs the ledger keeps the redacted words only", async () => {
  const key = await project("quiet", { redact_logs: true, pii_detection: { enabled: true, action: "warn" } });
  const response = await gateway.send(key, "POST", "/v1/audio/speech", speech("Call ada@example.com."));
  await response.bytes();
  const row = await logOf(key, response);
  expect(row.prompt.text).toBe("Call [REDACTED].");
});
