/** The OpenAPI document as a list of operations, and requests made from it. */

import type { Random } from "../random.ts";
import { generateValue, type Schema } from "./generate-value.ts";

export type Operation = {
  method: string;
  path: string;
  /** False where no key is asked for. */
  keyed: boolean;
  pathNames: string[];
  query: { name: string; required: boolean; schema: Schema }[];
  json?: Schema;
  multipart?: Schema;
  /** Documented statuses. */
  statuses: number[];
  /** Documented headers by status, in lower case. */
  headers: Record<number, string[]>;
  /** Media types of the success. */
  mediaTypes: string[];
};

export const operationsOf = (document: any): Operation[] =>
  Object.entries<any>(document.paths).flatMap(([path, item]) =>
    Object.entries<any>(item).map(([method, operation]) => {
      const parameters = operation.parameters as any[];
      const success = Object.entries<any>(operation.responses).find(([status]) => status.startsWith("2"))?.[1];
      return {
        method: method.toUpperCase(),
        path,
        keyed: operation.security === undefined,
        pathNames: parameters.filter((each) => each.in === "path").map(({ name }) => name),
        query: parameters.filter((each) => each.in === "query"),
        ...(operation.requestBody?.content["application/json"] && {
          json: operation.requestBody.content["application/json"].schema,
        }),
        ...(operation.requestBody?.content["multipart/form-data"] && {
          multipart: operation.requestBody.content["multipart/form-data"].schema,
        }),
        statuses: Object.keys(operation.responses).map(Number),
        headers: Object.fromEntries(
          Object.entries<any>(operation.responses).map(([status, response]) => [
            status,
            Object.keys((response.$ref ? document.components.responses[`Error${status}`] : response).headers).map((name) =>
              name.toLowerCase(),
            ),
          ]),
        ),
        mediaTypes: Object.keys(success?.content ?? {}),
      };
    }),
  );

const IDS = ["unknown", "doc_0", "..", "%2e%2e", "a%2Fb", "%00", "%F0%9F%9A%82", "'--", "x".repeat(3_000), "-1", "%E0%A4%A"];

export const pathOf = ({ path }: Operation, id: string): string => path.replace(/\{\w+\}/g, id);

type Made = { path: string; init: RequestInit };

/** One request for an operation: what fits, or with `wildness` what does not. */
export const generateRequest = (operation: Operation, random: Random, wildness: number): Made => {
  const query = new URLSearchParams();
  for (const { name, schema } of operation.query) {
    // Longer lines are refused by the HTTP parser (431), before any of our code.
    if (random.chance(0.4)) query.append(name, String(generateValue(schema, random, wildness)).slice(0, 1_000));
  }
  const search = query.size > 0 ? `?${query}` : "";
  const headers: Record<string, string> = {};
  const init: RequestInit = { method: operation.method, headers };
  if (operation.multipart !== undefined && (operation.json === undefined || random.chance(0.5))) {
    init.body = generateForm(operation.multipart, random, wildness);
  } else if (operation.json !== undefined) {
    headers["content-type"] = "application/json";
    init.body = generateBody(operation.json, random, wildness);
  }
  if (operation.method === "POST" && random.chance(0.1))
    headers["idempotency-key"] = random.pick(["one", "two", "x".repeat(300)]);
  return { path: pathOf(operation, random.pick(IDS)) + search, init };
};

const generateBody = (schema: Schema, random: Random, wildness: number): string => {
  if (random.chance(wildness / 3))
    return random.pick(["", "{", "null", "[]", '"text"', "{}", "\ufeff{}", "[".repeat(500), '{"a":1}}']);
  return JSON.stringify(generateValue(schema, random, wildness)) ?? "null";
};

const generateForm = (schema: Schema, random: Random, wildness: number): FormData => {
  const form = new FormData();
  for (const [name, property] of Object.entries((schema["properties"] ?? {}) as Record<string, Schema>)) {
    if (!random.chance(0.8)) continue;
    if (property["format"] === "binary" && !random.chance(wildness)) {
      const bytes = random.pick([
        new Uint8Array(0),
        new Uint8Array(2_000).fill(255),
        new TextEncoder().encode("# Title\n\nSome text."),
      ]);
      form.append(name, new File([bytes], random.pick(["a.txt", "a.md", "a.pdf", "a.wav", "a.mp3", "a", "../a.txt", "ü.md"])));
    } else form.append(name, String(generateValue(property, random, wildness)));
  }
  return form;
};
