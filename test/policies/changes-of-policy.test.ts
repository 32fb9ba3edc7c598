/** What the history tells of a policy: its options, but no free text. */

import { expect, test } from "bun:test";
import { changesOfPolicy } from "../../src/policies/changes-of-policy.ts";
import { CONFIG_SCHEMAS, type Policy } from "../../src/policies/policy.ts";

/** An object that has a value for each option of the schema, and the same text wherever any text may stand. */
const filled = (schema: any, text: string): any => {
  if (schema.properties)
    return Object.fromEntries(Object.entries(schema.properties).map(([name, member]) => [name, filled(member, text)]));
  if (schema.type === "array") return [filled(schema.items, text)];
  if (schema.anyOf) return schema.anyOf[0].const;
  return { string: text, boolean: true, number: 1, integer: 1 }[schema.type as string];
};

const POLICY = { id: "pol_1", name: "all", priority: 1, enabled: true, template: null, createdAtMs: 0, updatedAtMs: 0 };
const policyOf = (text: string) =>
  ({ ...POLICY, type: "content", config: filled(CONFIG_SCHEMAS.content, text) }) as unknown as Policy;

test("of no option that takes any text is the text told, but that it was set", () => {
  const made = changesOfPolicy(undefined, policyOf("the heron"));
  expect(made["blocked_terms.terms"]).toEqual({ before: null, after: "set" });
  const all = [
    made,
    changesOfPolicy(policyOf("the heron"), policyOf("heron 2")),
    changesOfPolicy(policyOf("the heron"), undefined),
  ];
  expect(all.map((fields) => Object.keys(fields).length)).toEqual([Object.keys(made).length, 3, Object.keys(made).length]);
  expect(JSON.stringify(all)).not.toContain("heron");
});
