/** The current state: breakers, queues, the write-ahead log, open streams, memory. */

import type { Platform } from "../platform.ts";
import { VERSION } from "../version.ts";
import type { Labels } from "./instruments.ts";

export type Gauge = { name: string; help: string; points: { labels: Labels; value: number }[] };

const BREAKER = { healthy: 0, degraded: 1, down: 2 };

export const readGauges = (platform: Platform): Gauge[] => {
  const health = platform.providers.health.snapshot();
  const now = platform.clock.now();
  const jobs = platform.background.counts();
  const one = (value: number) => [{ labels: {}, value }];
  return [
    { name: "signalbox_build_info", help: "The running version.", points: [{ labels: { version: VERSION }, value: 1 }] },
    {
      name: "signalbox_breaker_state",
      help: "0 healthy, 1 degraded or half open, 2 open.",
      points: health.map(({ provider, model, state }) => ({ labels: { provider, model }, value: BREAKER[state] })),
    },
    {
      name: "signalbox_provider_error_rate",
      help: "Failures among the outcomes of the last 30 seconds.",
      points: health.map(({ provider, model, errorRate }) => ({ labels: { provider, model }, value: errorRate })),
    },
    {
      name: "signalbox_jobs_waiting",
      help: "Jobs that are not done, by kind.",
      points: jobs.map(({ kind, waiting }) => ({ labels: { kind }, value: waiting })),
    },
    {
      name: "signalbox_job_lag_seconds",
      help: "How long the oldest due job has been waiting, by kind.",
      points: jobs.map(({ kind, dueSince }) => ({ labels: { kind }, value: dueSince === null ? 0 : (now - dueSince) / 1000 })),
    },
    { name: "signalbox_jobs_running", help: "Jobs under way.", points: one(platform.background.running()) },
    { name: "signalbox_streams_open", help: "Streams that hold a place.", points: one(platform.limits.occupiedByAll("streams")) },
    { name: "signalbox_wal_bytes", help: "Bytes in the write-ahead log.", points: one(platform.db.walBytes()) },
    { name: "signalbox_database_bytes", help: "Size of the database file.", points: one(Bun.file(platform.db.path).size) },
    { name: "signalbox_draining", help: "1 while the process drains.", points: one(Number(platform.draining)) },
    { name: "process_resident_memory_bytes", help: "Resident memory.", points: one(process.memoryUsage.rss()) },
    { name: "process_uptime_seconds", help: "Seconds since the process started.", points: one(process.uptime()) },
  ];
};
