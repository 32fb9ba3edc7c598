/** Runs in a worker: the database's reader, with the questions that features put to it. */

import { serveReader } from "./database/serve-reader.ts";
import { callsContaining } from "./logs/list/find-text.ts";
import { readEntries, readPage } from "./logs/list/read-page.ts";
import { rankCalls } from "./logs/segments/rank-calls.ts";
import { columnsOfRange, nextToSegment } from "./logs/segments/segment-store.ts";
import { sumByName } from "./logs/segments/sum-by-name.ts";

serveReader({ readPage, readEntries, rankCalls, callsContaining, sumByName, nextToSegment, columnsOfRange });
