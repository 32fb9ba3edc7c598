-- Saved JSON Schemas of a project; every text a schema ever had stays readable under its version.
CREATE TABLE schemas (
  id TEXT PRIMARY KEY,
  project_id TEXT NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
  slug TEXT NOT NULL,
  name TEXT NOT NULL,
  description TEXT,
  version INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  UNIQUE (project_id, slug)
) STRICT;
CREATE TABLE schema_versions (
  schema_id TEXT NOT NULL REFERENCES schemas (id) ON DELETE CASCADE,
  version INTEGER NOT NULL,
  schema TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  PRIMARY KEY (schema_id, version)
) STRICT;
