-- How many calls an hour had is all that is asked of hours by now; whatever else they were asked is told by days and by segments.
CREATE TABLE hour_counts (project_id TEXT NOT NULL, mode TEXT NOT NULL, hour INTEGER NOT NULL, calls INTEGER NOT NULL) STRICT;
INSERT INTO hour_counts SELECT project_id, mode, hour, sum(calls) FROM call_hours GROUP BY 1, 2, 3;
DROP TABLE call_hours;
CREATE TABLE call_hours (
  project_id TEXT NOT NULL,
  mode TEXT NOT NULL,
  hour INTEGER NOT NULL,
  calls INTEGER NOT NULL,
  PRIMARY KEY (project_id, mode, hour)
) STRICT, WITHOUT ROWID;
INSERT INTO call_hours (project_id, mode, hour, calls) SELECT project_id, mode, hour, calls FROM hour_counts;
DROP TABLE hour_counts;
