import { expect, test } from "bun:test";
import type { Call } from "../../src/logs/call.ts";
import { redactCall } from "../../src/logs/redact-call.ts";
import { compileLogRules } from "../../src/policies/content/content-rules.ts";
import { contentPolicy } from "../policies/policy-of.ts";
import type { TestKey } from "../support/gateway.ts";
import { knownCall } from "../support/known-call.ts";

const said = 'Mail {"to":"ann@example.com"} now.';
const json = { to: "ann@example.com" };
const call: Call = {
  ...knownCall({ id: "key_1", project: { id: "proj_1" } } as TestKey),
  promptText: said,
  messages: [{ role: "user", content: [{ type: "text", text: said }] }],
  outputText: JSON.stringify(json),
  parsedJson: json,
  toolCalls: [{ id: "t", name: "mail", arguments: JSON.stringify(json) }],
  errorMessage: said,
  custom: { note: said },
};

test("no text of a call keeps what a policy has redacted in the log", async () => {
  const rules = compileLogRules([contentPolicy({ redact_logs: true, pii_detection: { types: ["email"], action: "warn" } })]);
  const attempts = call.attempts.map((attempt) => ({ ...attempt, failureMessage: said }));
  const kept = await redactCall({ ...call, attempts }, rules);
  expect(JSON.stringify(kept)).not.toContain("ann");
  expect(kept).toMatchObject({
    redacted: true,
    parsedJson: { to: "[REDACTED]" },
    errorMessage: said.replace(json.to, "[REDACTED]"),
  });
  expect(await redactCall(call, undefined)).toBe(call);
});
