import { describe, expect, test } from "bun:test";
import { contentBlocked, mergeEvaluations } from "../../../src/policies/content/content-evaluation.ts";
import { compileContentPolicies, compileLogRules } from "../../../src/policies/content/content-rules.ts";
import { isBlocked, reviewText } from "../../../src/policies/content/review-content.ts";
import { reviewAnyText, reviewJsonText } from "../../../src/policies/content/review-json.ts";
import { contentPolicy } from "../policy-of.ts";

const emails = (action: "warn" | "redact" | "block", format?: string) =>
  contentPolicy({
    pii_detection: { enabled: true, types: ["email"], action, ...(format !== undefined && { redaction_format: format }) },
  });

describe("a content review", () => {
  test("replaces what it finds and tells everything it did", () => {
    const rules = compileContentPolicies([contentPolicy({ pii_detection: { enabled: true, action: "redact" } })]);
    const { text, evaluation, findings } = reviewText(rules, "Mail a@b.co or call 415-555-2671.");
    expect(text).toBe("Mail [REDACTED] or call [REDACTED].");
    expect(evaluation).toEqual({
      result: "redact",
      phase: "post_response",
      pii_detected: true,
      pii_count: 2,
      redacted: true,
      criteria_passed: 0,
      criteria_failed: 0,
      latency_ms: evaluation.latency_ms,
    });
    expect(Number.isInteger(evaluation.latency_ms)).toBe(true);
    expect(findings.map(({ type, action }) => [type, action])).toEqual([
      ["email", "redact"],
      ["phone_us", "redact"],
    ]);
  });

  test.each([
    ["warn", "a@b.co"],
    ["redact", "[REDACTED]"],
    ["block", ""],
  ] as const)("with the action %s gives %p", (action, text) => {
    const review = reviewText(compileContentPolicies([emails(action)]), "a@b.co");
    expect(review).toMatchObject({ text, evaluation: { result: action, pii_count: 1, redacted: action === "redact" } });
  });

  test("a text that is blocked is not called redacted, whatever else was found in it", () => {
    const secret = contentPolicy({ blocked_terms: { enabled: true, terms: ["secret"], action: "block" } });
    const review = reviewText(compileContentPolicies([emails("redact"), secret]), "a@b.co is secret");
    expect(review.evaluation).toMatchObject({ result: "block", redacted: false, pii_count: 1 });
  });

  test.each([
    [undefined, "warn", "x secret"],
    ["info", "allow", "x secret"],
    ["warn", "warn", "x secret"],
    ["soft_block", "redact", "x [REDACTED]"],
    ["hard_block", "block", ""],
  ] as const)("a part without an action follows on_violation %s", (onViolation, result, text) => {
    const rules = compileContentPolicies([
      contentPolicy({ blocked_terms: { enabled: true, terms: ["secret"] }, ...(onViolation && { on_violation: onViolation }) }),
    ]);
    expect(reviewText(rules, "x secret")).toMatchObject({ text, evaluation: { result, pii_detected: false, pii_count: 0 } });
  });

  test("lets a part's own action win over on_violation, and redacts terms in the policy's format", () => {
    const rules = compileContentPolicies([
      contentPolicy({
        pii_detection: { types: ["email"], redaction_format: "<{type}>" },
        blocked_terms: { terms: ["secret"], action: "redact" },
        on_violation: "hard_block",
      }),
    ]);
    expect(reviewText(rules, "a secret").text).toBe("a <blocked_term>");
    expect(isBlocked(reviewText(rules, "a@b.co"))).toBe(true);
  });

  test("finds nothing where a part is switched off or the phase is not asked for", () => {
    const off = compileContentPolicies([
      contentPolicy({ pii_detection: { enabled: false }, blocked_terms: { enabled: false, terms: ["x"] } }),
      contentPolicy({ evaluate_output: false, pii_detection: {} }),
    ]);
    expect(reviewText(off, "x a@b.co")).toMatchObject({ text: "x a@b.co", findings: [], evaluation: { result: "allow" } });
    expect(isBlocked(reviewText(compileContentPolicies([emails("block")], "pre_request"), "a@b.co"))).toBe(false);
    const input = compileContentPolicies(
      [contentPolicy({ evaluate_input: true, pii_detection: { action: "block" } })],
      "pre_request",
    );
    expect(reviewText(input, "a@b.co").evaluation).toMatchObject({ result: "block", phase: "pre_request" });
  });

  test("applies the strictest of several policies, with the first one's format among equals", () => {
    const rules = compileContentPolicies([emails("warn"), emails("redact", "<one>"), emails("redact", "<two>")]);
    expect(reviewText(rules, "a@b.co").text).toBe("<one>");
    expect(isBlocked(reviewText(compileContentPolicies([emails("redact"), emails("block")]), "a@b.co"))).toBe(true);
  });

  test("leaves no character of overlapping findings and gives the cluster the strictest treatment", () => {
    const rules = compileContentPolicies([
      emails("warn"),
      contentPolicy({ blocked_terms: { terms: ["to john", "com now"], action: "redact" } }),
    ]);
    const { text, findings } = reviewText(rules, "write to john@example.com now");
    expect(text).toBe("write [REDACTED]");
    expect(findings).toHaveLength(1);
    const blocking = compileContentPolicies([
      emails("warn"),
      contentPolicy({ blocked_terms: { terms: ["example"], action: "block" } }),
    ]);
    expect(isBlocked(reviewText(blocking, "john@example.com"))).toBe(true);
  });

  test.each([
    [["new york city"], ["york"]],
    [["new york"], ["york city"]],
    [["new york"], ["new"]],
    [["City"], ["cITY"]],
    [["straße"], ["STRASSE"]],
  ])("no term %p with a milder action hides the blocked term %p", (milder, blocked) => {
    for (const action of ["info", "warn", "redact"] as const) {
      const redacting = contentPolicy({
        blocked_terms: { terms: milder, ...(action !== "info" && { action }) },
        on_violation: "info",
      });
      const blocking = contentPolicy({ blocked_terms: { terms: blocked, action: "block" } });
      for (const both of [
        [redacting, blocking],
        [blocking, redacting],
      ])
        expect(isBlocked(reviewText(compileContentPolicies(both), "in New York City, Straße 1"))).toBe(true);
    }
  });

  test("of terms that overlap the longest wins, and nothing of either is left", () => {
    const rules = compileContentPolicies([
      contentPolicy({ blocked_terms: { terms: ["new york", "york city"], action: "redact" } }),
    ]);
    const { text, findings } = reviewText(rules, "in New York City, in New York");
    expect(text).toBe("in [REDACTED], in [REDACTED]");
    expect(findings).toHaveLength(2);
  });

  test("takes a redaction format literally", () => {
    expect(reviewText(compileContentPolicies([emails("redact", "$& $1 \\")]), "a@b.co!").text).toBe("$& $1 \\!");
    expect(reviewText(compileContentPolicies([emails("redact", "")]), "<a@b.co>").text).toBe("<>");
  });

  test("redacts for the logs whatever the caller gets", () => {
    expect(compileLogRules([emails("warn")])).toBeUndefined();
    const rules = compileLogRules([
      contentPolicy({ redact_logs: true, evaluate_output: false, pii_detection: { action: "block" } }),
    ])!;
    expect(reviewText(rules, "a@b.co said").text).toBe("[REDACTED] said");
  });

  test("adds up over the texts of one call", () => {
    const rules = compileContentPolicies([emails("redact")]);
    const merged = mergeEvaluations(reviewText(rules, "x").evaluation, reviewText(rules, "a@b.co").evaluation);
    expect(merged).toMatchObject({ result: "redact", pii_count: 1, redacted: true });
  });

  test("is refused as 403 with the evaluation beside the error", () => {
    const { evaluation } = reviewText(compileContentPolicies([emails("block")]), "a@b.co");
    const error = contentBlocked(evaluation);
    expect(error).toMatchObject({ status: 403, type: "content_policy_violation" });
    expect(error.options).toMatchObject({
      code: "CONTENT_BLOCKED",
      beside: { content_evaluation: { result: "block", pii_count: 1 } },
    });
  });
});

describe("the review of JSON text", () => {
  const rules = compileContentPolicies([
    contentPolicy({ pii_detection: { action: "redact" }, blocked_terms: { terms: ["secret"], action: "redact" } }),
  ]);

  test("sees through escapes and leaves valid JSON", () => {
    const { text, evaluation } = reviewJsonText(
      rules,
      '{ "to": "john\\u0040example.com", "n": [1, 2.5e3, true, null], "say": "a \\"secret\\" \\n b" }',
    );
    expect(text).toBe('{ "to": "[REDACTED]", "n": [1, 2.5e3, true, null], "say": "a \\"[REDACTED]\\" \\n b" }');
    expect(JSON.parse(text).to).toBe("[REDACTED]");
    expect(evaluation).toMatchObject({ result: "redact", pii_count: 1, redacted: true });
  });

  test("reads a value in the light of its key", () => {
    expect(reviewJsonText(rules, '{"order_id": 301557623, "ssn": 301557623, "x": "301557623"}').text).toBe(
      '{"order_id": 301557623, "ssn": "[REDACTED]", "x": "[REDACTED]"}',
    );
    // A key is read in the light of the object around it, not of the key before it.
    expect(reviewJsonText(rules, '["order_id", 301557623]').text).toBe('["order_id", "[REDACTED]"]');
    expect(reviewJsonText(rules, '{"order_id": 1, "301557623": 2, "orders": {"301557623": 3}}').text).toBe(
      '{"order_id": 1, "[REDACTED]": 2, "orders": {"301557623": 3}}',
    );
    expect(reviewJsonText(rules, '{"invoice_date":"04/08/2021","dob":"04/08/1947"}').text).toBe(
      '{"invoice_date":"04/08/2021","dob":"[REDACTED]"}',
    );
  });

  test("reads a value in the light of the object it stands in, but of none further out", () => {
    const harmless =
      '{"order":{"number":301557623},"invoices":[{"number":301557623}],"version":{"now":["10.0.0.1"]},"orders":{"301557623":1}}';
    expect(reviewJsonText(rules, harmless).text).toBe(harmless);
    expect(
      reviewJsonText(rules, '{"birth":{"date":"04/08/1947"},"order":{"by":{"ssn":301557623,"x":301557623},"n":1},"x":301557623}')
        .text,
    ).toBe('{"birth":{"date":"[REDACTED]"},"order":{"by":{"ssn":"[REDACTED]","x":"[REDACTED]"},"n":1},"x":"[REDACTED]"}');
  });

  test("reviews keys too, and keeps untouched text as it was", () => {
    expect(reviewJsonText(rules, '{"a@b.co":1,"b":{"c":[]}}').text).toBe('{"[REDACTED]":1,"b":{"c":[]}}');
    const plain = ' [ "a\\u00e9", {"k" : -0.0} ] ';
    expect(reviewJsonText(rules, plain).text).toBe(plain);
  });

  test("treats what is no JSON as text, and blocks empty", () => {
    expect(reviewJsonText(rules, '{"to": "a@b.co').text).toBe('{"to": "[REDACTED]');
    const cut = String.raw`{"to":"a\u0040b.co","say":"\"secr\u0065t\"","why":"a \u0040","also":"c\u0040d.co \u00`;
    const { text, evaluation } = reviewJsonText(rules, cut);
    expect(text).toBe(String.raw`{"to":"[REDACTED]","say":"\"[REDACTED]\"","why":"a \u0040","also":"[REDACTED] \u00`);
    expect(evaluation).toMatchObject({ result: "redact", pii_count: 2, redacted: true });
    const blocking = compileContentPolicies([emails("block")]);
    expect(reviewJsonText(blocking, '{"a":["x","a@b.co"]}')).toMatchObject({ text: "", evaluation: { result: "block" } });
    expect(reviewJsonText(blocking, String.raw`{"a":["x","a\u0040b.co"`)).toMatchObject({
      text: "",
      evaluation: { result: "block" },
    });
  });

  test("reads escapes wherever they stand, in values of JSON among prose, and leaves those as valid", () => {
    const review = (text: string) => reviewAnyText(rules, text).text;
    expect(review('Here:\n```json\n{"to":"john\\u0040example.com","born":"04\\/08\\/1947"}\n```')).toBe(
      'Here:\n```json\n{"to":"[REDACTED]","born":"[REDACTED]"}\n```',
    );
    const quoting = review(
      String.raw`So: {"say":"Hello\njohn@example.com","path":"C:\\temp","again":"{\"to\":\"c\\u0040d.co\"}"}`,
    );
    expect(JSON.parse(quoting.slice(4))).toEqual({
      say: "Hello\n[REDACTED]",
      path: "C:\\temp",
      again: '{"to":"[REDACTED]"}',
    });
    expect(review(String.raw`The files are in C:\secret and \\host\reports, 5" wide: "s\u0065cret"`)).toBe(
      String.raw`The files are in C:\[REDACTED] and \\host\reports, 5" wide: "[REDACTED]"`,
    );
  });

  test("reads escapes of Markdown, whose rendered text shows none of them", () => {
    const review = (text: string) => reviewAnyText(rules, text).text;
    expect(review(String.raw`Write to john\_doe@example.com or ann\@example.com, **or** call \(415\) 555\-2671.`)).toBe(
      "Write to [REDACTED] or [REDACTED], **or** call [REDACTED].",
    );
    expect(review(String.raw`The pattern /^\d{3}\.\d{2}$/ and \$301.55 stay.`)).toBe(
      String.raw`The pattern /^\d{3}\.\d{2}$/ and \$301.55 stay.`,
    );
  });

  test("reads references of HTML, in terms too", () => {
    const set = compileContentPolicies([contentPolicy({ blocked_terms: { terms: ["top secret", "AT&T"], action: "redact" } })]);
    expect(reviewText(set, "top&nbsp;secret, sec&#114;et, t&#x6f;p secret, AT&amp;T").text).toBe(
      "[REDACTED], sec&#114;et, [REDACTED], [REDACTED]",
    );
  });

  test("reads the signs of personal data in a URL, and no other of its escapes", () => {
    const review = (text: string) => reviewAnyText(rules, text).text;
    expect(
      review("https://example.com/?dob=04%2F08%2F1947&phone=%2B14155552671&ssn=219%2d09%2D9999&fax=%28415%29%20555-2671"),
    ).toBe("https://example.com/?dob=[REDACTED]&phone=[REDACTED]&ssn=[REDACTED]&fax=[REDACTED]");
    expect(review("[Stop](https://example.com/stop?mail=ann%40example.com&n=1) or (mailto:bo%40example.com)")).toBe(
      "[Stop](https://example.com/stop?mail=[REDACTED]&n=1) or (mailto:[REDACTED])",
    );
    for (const other of [
      "https://example.com/?q=100%400&a%3D219099999 costs 5%40x",
      "https://ann:a%2F%2Fb@pypi.example.com/simple",
    ])
      expect(review(other)).toBe(other);
  });

  test("ends soon, however deep strings quote strings, and however often a long key is said again", () => {
    const quoteWithin = (level: number) => (level === 0 ? '"' : `\\${"u005c".repeat(level - 1)}u0022`);
    const deep = (levels: number) => `${Array.from({ length: levels }, (_, level) => quoteWithin(level)).join("")} a`;
    expect(reviewJsonText(rules, `${deep(4)}\\u0040b.co`).evaluation.pii_count).toBe(1);
    expect(reviewJsonText(rules, deep(1_000)).findings).toEqual([]);
    const keyed = `{"${"k".repeat(700_000)} ssn": [${"301557623,".repeat(4_000)}1]}`;
    expect(reviewJsonText(rules, keyed).evaluation.pii_count).toBe(4_000);
  });
});
