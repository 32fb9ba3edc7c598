/** The API reference as one static page: no script, nothing loaded from other hosts. */

import { fieldsOf, type SchemaField } from "./schema-fields.ts";

type Json = Record<string, any>;

/** Renders the page for an `origin`, the address by which the caller reaches this server, so that the example works as pasted. */
export const docsPage = (document: Json): ((origin: string) => Response) => {
  const operations = Object.entries(document["paths"] as Json).flatMap(([path, item]) =>
    Object.entries(item as Json).map(([method, operation]) => ({ path, method, operation: operation as Json })),
  );
  const inUse = [...new Set(operations.map(({ operation }) => operation["tags"][0] as string))];
  const about = new Map((document["tags"] as Json[]).map(({ name, description }) => [name as string, description as string]));
  const groups = inUse.map((tag) =>
    group(
      tag,
      about.get(tag) ?? "",
      operations
        .filter(({ operation }) => operation["tags"][0] === tag)
        .map(({ path, method, operation }) => operationHtml(document, path, method, operation)),
    ),
  );
  const base = escapeHtml(document["servers"][0].url.replace(/\/$/, ""));
  const head = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>Signalbox API</title><link rel="icon" href="data:,"><style>${STYLE}</style></head><body>
<header><h1>Signalbox API</h1><p>Version ${escapeHtml(document["info"].version)}. Every request carries <code>Authorization: Bearer &lt;key&gt;</code>
unless stated otherwise. A <code>pk_test_</code> key is answered by the built-in sandbox, free; a <code>pk_live_</code> key by your providers.
Bodies and answers are JSON. The machine-readable form is <a href="${base}/openapi.json">openapi.json</a>; keys are made in the <a href="${base}/dashboard">dashboard</a>.</p>`;
  const rest = `</header>
<nav aria-label="Groups"><ul>${inUse.map((tag) => `<li><a href="#${escapeHtml(tag)}">${escapeHtml(titleOf(tag))}</a></li>`).join("")}</ul></nav>
<main>${groups.join("")}</main>
</body></html>`;
  const headers = {
    "content-type": "text/html; charset=utf-8",
    // The empty icon, without which browsers ask for one of the server's and complain that they may not.
    "content-security-policy": `default-src 'none'; style-src 'sha256-${STYLE_HASH}'; img-src data:; base-uri 'none'; form-action 'none'`,
    "x-content-type-options": "nosniff",
  };
  return (origin) => new Response(`${head}<pre>${escapeHtml(exampleAt(origin))}</pre>${rest}`, { headers });
};

const exampleAt = (
  origin: string,
): string => `curl ${origin}/v1/chat -H "Authorization: Bearer pk_test_…" -H "Content-Type: application/json" \\
  -d '{"messages":[{"role":"user","content":"Which planet is the largest?"}]}'`;

const titleOf = (tag: string): string => (tag === "openai" ? "OpenAI" : tag.charAt(0).toUpperCase() + tag.slice(1));

const group = (tag: string, about: string, operations: string[]): string =>
  `<section id="${escapeHtml(tag)}"><h2>${escapeHtml(titleOf(tag))}</h2><p class="soft">${prose(about)}</p>${operations.join("")}</section>`;

const operationHtml = (document: Json, path: string, method: string, operation: Json): string => {
  const parameters = (operation["parameters"] as Json[]).map(({ name, in: place, required, schema, description }) => {
    const [field] = fieldsOf({ properties: { [name]: schema }, required: required ? [name] : [] });
    const where = place === "query" ? "" : ` (${place})`;
    return row({ ...field!, meaning: field!.meaning || (description ?? "") }, where);
  });
  const bodies = Object.entries((operation["requestBody"]?.content ?? {}) as Json).map(
    ([type, { schema }]) => `<h3>Body, ${escapeHtml(type)}</h3>${fieldTable(schema)}`,
  );
  const open = Array.isArray(operation["security"]) && operation["security"].length === 0;
  const notes = [operation["description"], open ? "No key needed." : undefined].filter(Boolean).join(" ");
  return `<details><summary><b class="m">${method.toUpperCase()}</b> <code>${escapeHtml(path)}</code> <span>${escapeHtml(operation["summary"] ?? "")}</span></summary>
${notes === "" ? "" : `<p>${prose(notes)}</p>`}
${parameters.length > 0 ? `<h3>Parameters</h3>${table(parameters)}` : ""}${bodies.join("")}
<h3>Answers</h3>${answers(document, operation["responses"] as Json)}</details>`;
};

/** The fields of a success; then each status with its reason, and the headers of a success. */
const answers = (document: Json, responses: Json): string => {
  const resolved = Object.entries(responses).map(([status, response]) => {
    const name = (response["$ref"] as string | undefined)?.split("/").at(-1);
    return { status, response: (name === undefined ? response : document["components"].responses[name]) as Json };
  });
  const fine = resolved
    .filter(({ status }) => status.startsWith("2"))
    .flatMap(({ status, response }) =>
      Object.entries((response["content"] ?? {}) as Json).map(
        ([type, { schema }]) => `<p><code>${status}</code> ${escapeHtml(type)}</p>${fieldTable(schema ?? {}, { answer: true })}`,
      ),
    );
  const list = resolved.map(
    ({ status, response }) =>
      `<li><code>${status}</code> ${prose(String(response["description"] ?? ""))}${status.startsWith("2") ? headersOf(response) : ""}</li>`,
  );
  return `${fine.join("")}<ul class="plain">${list.join("")}</ul>`;
};

const headersOf = ({ headers = {} }: Json): string => {
  const names = Object.keys(headers).map((name) => `<code>${escapeHtml(name)}</code>`);
  return names.length === 0 ? "" : ` <span class="soft">with ${names.join(", ")}</span>`;
};

/** Fields of answers are not marked as required. */
const fieldTable = (schema: Json, { answer = false } = {}): string => {
  const rows = fieldsOf(schema).map((field) => row(answer ? { ...field, required: false } : field));
  const about = schema["description"] ? `<p>${prose(schema["description"])}</p>` : "";
  if (rows.length > 0) return about + table(rows);
  return about || (answer ? "" : "<p>Any JSON object.</p>");
};

const table = (rows: string[]): string =>
  `<div class="wide" tabindex="0"><table><tr><th>Name</th><th>Type</th><th>Meaning</th></tr>${rows.join("")}</table></div>`;

const row = ({ name, type, required, meaning }: SchemaField, where = ""): string =>
  `<tr><td><code>${escapeHtml(name)}</code>${where}${required ? " <b>required</b>" : ""}</td><td>${escapeHtml(type)}</td><td>${prose(meaning)}</td></tr>`;

/** Text between backticks is code. */
const prose = (text: string): string =>
  text
    .split("`")
    .map((part, at) => (at % 2 === 1 ? `<code>${escapeHtml(part)}</code>` : escapeHtml(part)))
    .join("");

const escapeHtml = (text: unknown): string =>
  String(text).replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");

const STYLE = `:root{color-scheme:light dark;--line:light-dark(#d8dce3,#333a45);--ink:light-dark(#1b2430,#e6eaf0);--soft:light-dark(#5a6675,#9aa6b5);--page:light-dark(#fff,#12161c);--link:light-dark(#0f6b4a,#6fd3a6);--sunken:light-dark(#f2f1ec,#1b2129)}
body{font:16px/1.5 system-ui,sans-serif;color:var(--ink);background:var(--page);max-width:64rem;margin:2rem auto;padding:0 1rem}
a{color:var(--link)}h2{margin:2.5rem 0 .2rem}h3{font-size:1rem;margin:1rem 0 .3rem}.soft{color:var(--soft);margin:0 0 .6rem}nav ul{display:flex;flex-wrap:wrap;gap:.4rem 1rem;padding:0;list-style:none}
pre{background:var(--sunken);padding:.7rem .9rem;border-radius:6px;white-space:pre-wrap;overflow-wrap:anywhere;font-size:.85rem}
details{border-bottom:1px solid var(--line);padding:.6rem 0}summary{cursor:pointer}summary span{color:var(--soft)}.plain{padding-left:1.2rem;margin:.4rem 0}
.wide{overflow-x:auto}table{border-collapse:collapse;width:100%;font-size:.9rem}th,td{text-align:left;padding:.35rem .9rem .35rem 0;border-bottom:1px solid var(--line);vertical-align:top}td:first-child{white-space:nowrap}td:nth-child(2){color:var(--soft);min-width:8rem}td:last-child{min-width:12rem}td b{font-size:.75rem;font-weight:500;color:var(--soft)}
@media(max-width:640px){td:first-child{white-space:normal}td:nth-child(2){min-width:0}td:last-child{min-width:8rem}}
.m{display:inline-block;min-width:4.2rem;font-size:.8rem}code{font:.9em ui-monospace,monospace;overflow-wrap:anywhere}`;
const STYLE_HASH = new Bun.CryptoHasher("sha256").update(STYLE).digest("base64");
