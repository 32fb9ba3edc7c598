/** Defaults, if no flag, variable or setting says otherwise. */

export type Timeouts = {
  /** Deadline of the connection, its TLS certificate included; has no effect behind a proxy. */
  connectMs: number;
  /** From the start of a stream until its headers and its first content; keep-alives do not count. */
  firstByteMs: number;
  /** Between two pieces of a stream; keep-alives count. */
  idleMs: number;
  /** The whole call; a call's own deadline shortens it. */
  totalMs: number;
};

const timeouts: Timeouts = { connectMs: 5_000, firstByteMs: 60_000, idleMs: 30_000, totalMs: 600_000 };

export const DEFAULTS = {
  host: "127.0.0.1",
  port: 8484,
  databasePath: "data/signalbox.db",
  settingsPath: "signalbox.yaml",
  drainSeconds: 30,
  backups: { everyHours: 24, keep: 14 },
  timeouts,
  /** How long a failing model rests. */
  cooldownMs: 30_000,
} as const;
