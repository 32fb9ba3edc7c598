-- Projects take turns: the first job of each is found without looking at those behind it.
CREATE INDEX jobs_by_project ON jobs (kind, coalesce(project_id, ''), run_at, id);
