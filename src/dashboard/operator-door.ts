/**
 * `/dashboard/api/projects/{id}/{live|test}/v1/…`: the public API as the operator sees it, for any project, without a key.
 * The permission is recorded beside the request object, so that no request from the network can forge it.
 */

import { operatorKey } from "../accounts/operator.ts";
import { pathOf } from "../http/exchange.ts";
import { originOf } from "../http/request-origin.ts";
import type { Platform } from "../platform.ts";
import { requireProject } from "./api/require.ts";
import { requireOperator } from "./sessions/require-operator.ts";

type Handle = (request: Request) => Promise<Response>;

const DOOR = /^\/dashboard\/api\/projects\/([^/]+)\/(live|test)(\/v1\/.*)$/;

export const createOperatorDoor =
  (platform: Platform, handle: Handle): Handle =>
  async (request) => {
    const match = DOOR.exec(pathOf(request.url));
    if (match === null) return handle(request);
    const [, projectId, mode, path] = match as unknown as [string, string, "live" | "test", string];
    requireOperator(platform, request);
    const project = await requireProject(platform.db, projectId);
    const forward = readdressed(platform, request, path);
    const exchange = platform.exchanges.of(forward);
    const { ip, operator } = platform.exchanges.of(request);
    exchange.ip = ip;
    if (operator !== undefined) exchange.operator = operator;
    const name = operator?.member == null ? "dashboard" : `dashboard: ${operator.member}`;
    exchange.vouched = { project, key: operatorKey(name, project, mode) };
    return handle(forward);
  };

/** The same request with another path, and without credentials. Its own URL may have no host, or one that is none (HTTP/1.0). */
const readdressed = ({ config }: Platform, request: Request, path: string): Request => {
  const queryAt = request.url.indexOf("?");
  const query = queryAt < 0 ? "" : request.url.slice(queryAt);
  const forward = new Request(new URL(path + query, originOf(config, request)), request);
  for (const name of ["cookie", "authorization", "x-api-key"]) forward.headers.delete(name);
  return forward;
};
