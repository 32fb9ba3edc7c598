/** The API reference as one static page: no script, nothing loaded from other hosts. */

type Json = Record<string, any>;

export const docsPage = (document: Json): Response => {
  const operations = Object.entries(document["paths"] as Json).flatMap(([path, item]) =>
    Object.entries(item as Json).map(([method, operation]) => ({ path, method, operation: operation as Json })),
  );
  const tags = [...new Set(operations.flatMap(({ operation }) => operation["tags"] as string[]))];
  const html = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>Signalbox API</title><style>${STYLE}</style></head><body>
<header><h1>Signalbox API</h1><p>Version ${escapeHtml(document["info"].version)}. Every request carries <code>Authorization: Bearer &lt;key&gt;</code>.
The machine-readable form is <a href="/openapi.json">openapi.json</a>.</p></header>
<nav aria-label="Groups"><ul>${tags.map((tag) => `<li><a href="#${escapeHtml(tag)}">${escapeHtml(tag)}</a></li>`).join("")}</ul></nav>
<main>${tags
    .map((tag) =>
      group(
        tag,
        operations.filter(({ operation }) => operation["tags"][0] === tag),
      ),
    )
    .join("")}</main>
</body></html>`;
  return new Response(html, {
    headers: {
      "content-type": "text/html; charset=utf-8",
      "content-security-policy": `default-src 'none'; style-src 'sha256-${STYLE_HASH}'; base-uri 'none'; form-action 'none'`,
      "x-content-type-options": "nosniff",
    },
  });
};

const group = (tag: string, operations: { path: string; method: string; operation: Json }[]): string =>
  `<section id="${escapeHtml(tag)}"><h2>${escapeHtml(tag)}</h2>${operations.map(operationHtml).join("")}</section>`;

const operationHtml = ({ path, method, operation }: { path: string; method: string; operation: Json }): string => {
  const parameters = (operation["parameters"] as Json[]).map((parameter) =>
    row(parameter["name"], parameter["schema"], parameter["required"], parameter["in"]),
  );
  const bodies = Object.entries((operation["requestBody"]?.content ?? {}) as Json).map(
    ([type, { schema }]) => `<h4>Body, ${escapeHtml(type)}</h4>${schemaTable(schema)}`,
  );
  return `<details><summary><b class="m ${method}">${method.toUpperCase()}</b> <code>${escapeHtml(path)}</code> <span>${escapeHtml(operation["summary"] ?? "")}</span></summary>
${operation["description"] ? `<p>${escapeHtml(operation["description"])}</p>` : ""}
${parameters.length > 0 ? `<h4>Parameters</h4><table>${HEAD}${parameters.join("")}</table>` : ""}${bodies.join("")}
<h4>Answers</h4><p>${Object.keys(operation["responses"])
    .map((status) => `<code>${status}</code>`)
    .join(" ")}</p></details>`;
};

const HEAD = "<tr><th>Name</th><th>Type</th><th>Required</th><th>Meaning</th></tr>";

const schemaTable = (schema: Json): string => {
  const required = new Set((schema["required"] as string[] | undefined) ?? []);
  const rows = Object.entries((schema["properties"] ?? {}) as Json).map(([name, property]) =>
    row(name, property, required.has(name)),
  );
  return rows.length > 0 ? `<table>${HEAD}${rows.join("")}</table>` : "<p>Any JSON object.</p>";
};

const row = (name: string, schema: Json, required: boolean, place = ""): string =>
  `<tr><td><code>${escapeHtml(name)}</code>${["path", "header"].includes(place) ? ` (${place})` : ""}</td><td>${escapeHtml(typeOf(schema))}</td><td>${required ? "yes" : "no"}</td><td>${escapeHtml(meaning(schema))}</td></tr>`;

const typeOf = (schema: Json): string => {
  if (schema["const"] !== undefined) return JSON.stringify(schema["const"]);
  if (schema["enum"]) return (schema["enum"] as unknown[]).map((item) => JSON.stringify(item)).join(" | ");
  if (schema["anyOf"]) return [...new Set((schema["anyOf"] as Json[]).map(typeOf))].join(" | ");
  if (schema["type"] === "array") return `${typeOf((schema["items"] as Json | undefined) ?? {})}[]`;
  return String(schema["type"] ?? "any");
};

const meaning = (schema: Json): string =>
  [
    schema["description"],
    schema["default"] === undefined ? undefined : `default ${JSON.stringify(schema["default"])}`,
    schema["minimum"] === undefined ? undefined : `from ${schema["minimum"]}`,
    schema["maximum"] === undefined ? undefined : `to ${schema["maximum"]}`,
  ]
    .filter((part) => part !== undefined)
    .join("; ");

const escapeHtml = (text: unknown): string =>
  String(text).replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");

const STYLE = `:root{color-scheme:light dark;--line:light-dark(#d8dce3,#333a45);--ink:light-dark(#1b2430,#e6eaf0);--soft:light-dark(#5a6675,#9aa6b5);--page:light-dark(#fff,#12161c)}
body{font:16px/1.5 system-ui,sans-serif;color:var(--ink);background:var(--page);max-width:60rem;margin:2rem auto;padding:0 1rem}
h2{margin-top:2.5rem;text-transform:capitalize}nav ul{display:flex;flex-wrap:wrap;gap:.75rem;padding:0;list-style:none}
details{border-bottom:1px solid var(--line);padding:.6rem 0}summary{cursor:pointer}summary span{color:var(--soft)}
table{border-collapse:collapse;width:100%;font-size:.9rem}th,td{text-align:left;padding:.35rem .6rem .35rem 0;border-bottom:1px solid var(--line);vertical-align:top}
.m{display:inline-block;min-width:4.2rem;font-size:.8rem}code{font:.9em ui-monospace,monospace;overflow-wrap:anywhere}`;
const STYLE_HASH = new Bun.CryptoHasher("sha256").update(STYLE).digest("base64");
