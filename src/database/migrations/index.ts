/** The migrations in order. A released file is never edited; a change is a new file. */

import accounts from "./0001-accounts.sql" with { type: "text" };
import calls from "./0002-calls.sql" with { type: "text" };
import documents from "./0003-documents.sql" with { type: "text" };
import memory from "./0004-memory.sql" with { type: "text" };
import policies from "./0005-policies.sql" with { type: "text" };
import schemas from "./0006-schemas.sql" with { type: "text" };
import media from "./0007-media.sql" with { type: "text" };
import metrics from "./0008-metrics.sql" with { type: "text" };
import dashboard from "./0010-dashboard.sql" with { type: "text" };
import learning from "./0011-learning.sql" with { type: "text" };
import logOrder from "./0012-log-order.sql" with { type: "text" };
import hourBounds from "./0013-hour-bounds.sql" with { type: "text" };
import callSegments from "./0014-call-segments.sql" with { type: "text" };
import callsByHour from "./0015-calls-by-hour.sql" with { type: "text" };
import jobInterruptions from "./0016-job-interruptions.sql" with { type: "text" };
import callsToSum from "./0017-calls-to-sum.sql" with { type: "text" };
import segmentsByAttempts from "./0018-segments-by-attempts.sql" with { type: "text" };
import sessionsAfterProjects from "./0019-sessions-after-projects.sql" with { type: "text" };
import keyTerms from "./0020-key-terms.sql" with { type: "text" };
import keptAnswers from "./0021-kept-answers.sql" with { type: "text" };
import segmentsByCache from "./0022-segments-by-cache.sql" with { type: "text" };
import videosWithoutKeys from "./0023-videos-without-keys.sql" with { type: "text" };
import jobsByProject from "./0024-jobs-by-project.sql" with { type: "text" };
import userSpend from "./0025-user-spend.sql" with { type: "text" };
import history from "./0026-history.sql" with { type: "text" };
import members from "./0027-members.sql" with { type: "text" };
import segmentsByKind from "./0028-segments-by-kind.sql" with { type: "text" };

type Migration = { version: number; sql: string };

export const MIGRATIONS: readonly Migration[] = [
  { version: 1, sql: accounts },
  { version: 2, sql: calls },
  { version: 3, sql: documents },
  { version: 4, sql: memory },
  { version: 5, sql: policies },
  { version: 6, sql: schemas },
  { version: 7, sql: media },
  { version: 8, sql: metrics },
  { version: 10, sql: dashboard },
  { version: 11, sql: learning },
  { version: 12, sql: logOrder },
  { version: 13, sql: hourBounds },
  { version: 14, sql: callSegments },
  { version: 15, sql: callsByHour },
  { version: 16, sql: jobInterruptions },
  { version: 17, sql: callsToSum },
  { version: 18, sql: segmentsByAttempts },
  { version: 19, sql: sessionsAfterProjects },
  { version: 20, sql: keyTerms },
  { version: 21, sql: keptAnswers },
  { version: 22, sql: segmentsByCache },
  { version: 23, sql: videosWithoutKeys },
  { version: 24, sql: jobsByProject },
  { version: 25, sql: userSpend },
  { version: 26, sql: history },
  { version: 27, sql: members },
  { version: 28, sql: segmentsByKind },
];
