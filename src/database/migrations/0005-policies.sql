-- Routing and content policies of a project. `version` grows with every change, so that what was compiled from a policy can tell that it is old.
CREATE TABLE policies (
  id TEXT PRIMARY KEY,
  project_id TEXT NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
  name TEXT NOT NULL,
  policy_type TEXT NOT NULL CHECK (policy_type IN ('routing', 'content')),
  config TEXT NOT NULL,
  priority INTEGER NOT NULL,
  enabled INTEGER NOT NULL,
  template TEXT,
  version INTEGER NOT NULL DEFAULT 1,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
) STRICT;
CREATE INDEX policies_in_order ON policies (project_id, priority, created_at, id, enabled, version);
