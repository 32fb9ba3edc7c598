/** `GET /v1/logs/export`: the filtered log as a file, in the formats that the project's tier includes (spec.md Limits). */

import type { Static } from "@sinclair/typebox";
import type { Caller } from "../../accounts/authenticate.ts";
import { utcDay } from "../../lib/clock.ts";
import { requireInTier } from "../../limits/require-tier.ts";
import type { ExportFormat } from "../../limits/tiers.ts";
import type { Platform } from "../../platform.ts";
import { readFilter } from "../list/filter.ts";
import type { ExportQuery } from "../wire.ts";
import type { Exports } from "./run-exports.ts";

const MEDIA_TYPES: Record<ExportFormat, string> = {
  json: "application/json",
  jsonl: "application/x-ndjson",
  csv: "text/csv; charset=utf-8",
  parquet: "application/vnd.apache.parquet",
};

/** Gap: ordered by time, newest first unless `sort_order` says otherwise; an export has no other order and no limit. */
export const exportLogs = async (
  platform: Platform,
  exports: Exports,
  caller: Caller,
  query: Static<typeof ExportQuery>,
): Promise<Response> => {
  const { format } = query;
  const { project } = caller;
  requireInTier(project, `Log export as ${format}`, ({ logExports }) => logExports.includes(format));
  const now = platform.clock.now();
  const stream = await exports.start({
    filter: readFilter(query, caller, now),
    search: query.search,
    order: query.sort_order,
    format,
    bom: query.bom,
  });
  return new Response(stream, {
    headers: {
      "content-type": MEDIA_TYPES[format],
      "content-disposition": `attachment; filename="signalbox-logs-${utcDay(now)}.${format}"`,
      "cache-control": "no-store",
    },
  });
};
