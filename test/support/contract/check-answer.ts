/** What every answer must be, whatever was asked: a documented status, a request id, and errors in the one envelope. */

import type { Operation } from "./operations.ts";

/** Headers that callers act upon, not those of the connection, of browsers' security, or the same value again for an SDK. */
const OURS = /^(?:x-svc-|x-ratelimit-|x-should-retry|retry-after$|content-(?:disposition|range)$|accept-ranges$|etag$)/;

/** What is wrong with the answer; empty where nothing is. Reads the body to its end. */
export const faultsOf = async (operation: Operation, response: Response): Promise<string[]> => {
  const text = await response.text();
  const { status } = response;
  const id = response.headers.get("x-svc-request-id");
  const faults: string[] = [];
  if (status >= 500 && status !== 503) faults.push(`status ${status}: ${text.slice(0, 300)}`);
  if (![...operation.statuses, 404, 405].includes(status))
    faults.push(`status ${status} is not documented: ${text.slice(0, 300)}`);
  if (!id || response.headers.get("x-request-id") !== id) faults.push("no request id");
  for (const name of response.headers.keys())
    if (OURS.test(name) && operation.headers[status]?.includes(name) === false)
      faults.push(`status ${status}: header ${name} is not documented`);
  const type = response.headers.get("content-type")?.split(";")[0] ?? "none";
  if (status < 300 && text !== "" && operation.mediaTypes.length > 0 && !operation.mediaTypes.some((known) => fits(known, type)))
    faults.push(`a success of type ${type} is not documented`);
  if (status >= 400) faults.push(...envelopeFaults(operation.path, status, type, text));
  if ((status === 429 || status === 503) && !(Number(response.headers.get("retry-after")) >= 1)) faults.push("no Retry-After");
  return faults.map((fault) => `${operation.method} ${operation.path}: ${fault}`);
};

const fits = (known: string, type: string): boolean =>
  known === type || (known.endsWith("/*") && type.startsWith(known.slice(0, -1))) || known === "*/*";

const envelopeFaults = (path: string, status: number, type: string, text: string): string[] => {
  if (type !== "application/json") return [`an error of type ${type}: ${text.slice(0, 200)}`];
  let body: any;
  try {
    body = JSON.parse(text);
  } catch {
    return [`an error that is no JSON: ${text.slice(0, 200)}`];
  }
  if (path.startsWith("/v1/messages") && (body.type !== "error" || typeof body.request_id !== "string"))
    return ["not Anthropic's envelope"];
  if (status === 403 && body.code === "POLICY_BLOCKED") return [];
  if (typeof body.error?.type !== "string" || typeof body.error?.message !== "string" || body.error.message === "")
    return [`not the envelope: ${text.slice(0, 200)}`];
  return /(?:^|\s)at \S+ \(|SQLITE|\/src\/|node_modules/.test(text)
    ? [`an error that tells of the inside: ${text.slice(0, 300)}`]
    : [];
};
