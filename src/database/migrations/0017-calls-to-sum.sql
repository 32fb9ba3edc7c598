-- Calls that are in the log, but not yet in its sums. `attempts`: JSON of what the sums by hour are made of.
CREATE TABLE calls_to_sum (
  call_seq INTEGER PRIMARY KEY REFERENCES calls (seq) ON DELETE CASCADE,
  attempts TEXT NOT NULL
) STRICT;
