/** The OpenAPI document, made from the routes themselves: what is reachable is in it, what is in it is reachable. */

import type { RouteDescription, RouteEntry } from "../describe.ts";
import { componentsFor, type Json } from "./openapi-components.ts";
import { operationOf } from "./openapi-operation.ts";

/** `basePath`: what comes before `/v1`. */
export const openApiDocument = (routes: readonly RouteEntry[], version: string, basePath = ""): Json => {
  const paths: Record<string, Json> = {};
  for (const route of routes) {
    const described = route.hooks?.detail?.signalbox as RouteDescription | undefined;
    if (described === undefined || route.method === "OPTIONS") continue;
    const path = route.path.replace(/:(\w+)/g, "{$1}").replace(/\*$/, "{path}");
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operationOf(route, path, described) };
  }
  return {
    openapi: "3.1.0",
    info: {
      title: "Signalbox",
      version,
      description: "One API in front of many AI models: it decides, checks, falls back, and writes down why.",
      license: { name: "Apache-2.0", identifier: "Apache-2.0" },
    },
    servers: [{ url: basePath || "/" }],
    security: [{ bearer: [] }],
    tags: tagsOf(paths).map((name) => ({ name, description: TAGS[name] ?? name })),
    paths,
    components: componentsFor(statusesOf(paths)),
  };
};

const operationsIn = (paths: Record<string, Json>): Json[] =>
  Object.values(paths).flatMap((item) => Object.values(item) as Json[]);

const tagsOf = (paths: Record<string, Json>): string[] =>
  [...new Set(operationsIn(paths).flatMap((each) => each["tags"] as string[]))].sort();

const statusesOf = (paths: Record<string, Json>): string[] => [
  ...new Set(operationsIn(paths).flatMap((each) => Object.keys(each["responses"] as Json))),
];

const TAGS: Record<string, string> = {
  anthropic: "Anthropic's Messages API, over the same story as chat",
  chat: "Conversations, answered by the model that fits",
  documentation: "This document, and the page made from it",
  documents: "Uploads, and what is found in them",
  files: "Generated media, by signed link",
  health: "Whether the process is up and takes work",
  logs: "Every call: what it was, what was decided, what it cost",
  media: "Images, video, speech, transcription",
  memory: "Sessions that chat remembers",
  metrics: "Sums over calls",
  openai: "OpenAI's API, over the same story as chat",
  policies: "A project's rules for models, money, personal data and words",
  routing: "Decisions explained without a call",
  schemas: "Saved JSON Schemas for structured output",
  tools: "Web search",
  usage: "What was used of each limit",
};
