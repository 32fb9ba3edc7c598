-- What a project's own calls teach the router. Sums that fade with time, not calls: none of it names a user.
CREATE TABLE learned_outcomes (
  project_id TEXT NOT NULL,
  mode TEXT NOT NULL,
  task TEXT NOT NULL,
  model TEXT NOT NULL,
  -- 0 easy, 1 middling, 2 hard
  band INTEGER NOT NULL,
  trials REAL NOT NULL,
  good REAL NOT NULL,
  expected REAL NOT NULL,
  updated_at INTEGER NOT NULL,
  PRIMARY KEY (project_id, mode, task, model, band)
) STRICT, WITHOUT ROWID;

-- `factor` is the measured time over the catalog's guess.
CREATE TABLE learned_paces (
  project_id TEXT NOT NULL,
  mode TEXT NOT NULL,
  model TEXT NOT NULL,
  factor REAL NOT NULL,
  calls INTEGER NOT NULL,
  PRIMARY KEY (project_id, mode, model)
) STRICT, WITHOUT ROWID;

-- Places where prompts gather: `centre` is an average of prompt vectors (int8), `outcomes` JSON of model -> evidence there.
CREATE TABLE learned_neighbourhoods (
  project_id TEXT NOT NULL,
  mode TEXT NOT NULL,
  place INTEGER NOT NULL,
  centre BLOB NOT NULL,
  calls INTEGER NOT NULL,
  outcomes TEXT NOT NULL,
  PRIMARY KEY (project_id, mode, place)
) STRICT;
