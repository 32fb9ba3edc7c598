-- Documents: the file, its text, its chunks, and what they are found by.

-- One row a project that ever held a document. `number` stands for the project inside the index, where ids would be too long;
-- `version` moves with every change of what may be found. Counters are what the tier limits are checked against.
CREATE TABLE document_projects (
  number INTEGER PRIMARY KEY AUTOINCREMENT,
  project_id TEXT NOT NULL UNIQUE,
  version INTEGER NOT NULL DEFAULT 0,
  document_count INTEGER NOT NULL DEFAULT 0,
  size_bytes INTEGER NOT NULL DEFAULT 0
) STRICT;

CREATE TABLE documents (
  number INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  project_id TEXT NOT NULL,
  collection_id TEXT,
  filename TEXT NOT NULL,
  content_type TEXT NOT NULL,
  size_bytes INTEGER NOT NULL,
  metadata TEXT NOT NULL,
  -- Of the key that uploaded it: a test key's text never leaves the machine.
  mode TEXT NOT NULL CHECK (mode IN ('live', 'test')),
  status TEXT NOT NULL CHECK (status IN ('processing', 'ready', 'failed')),
  error_message TEXT,
  -- How far ingestion has come: null until the text is out; chunks written so far; chunks in all once they are known.
  page_count INTEGER,
  character_count INTEGER,
  chunks_done INTEGER NOT NULL DEFAULT 0,
  chunk_count INTEGER,
  created_at INTEGER NOT NULL
) STRICT;
CREATE INDEX documents_by_project ON documents (project_id, number);
CREATE INDEX documents_by_collection ON documents (project_id, collection_id, number);

CREATE TABLE collections (
  project_id TEXT NOT NULL,
  id TEXT NOT NULL,
  document_count INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  PRIMARY KEY (project_id, id)
) STRICT, WITHOUT ROWID;

-- The uploaded bytes in parts of a megabyte, so that no single write holds the serving thread; gone once the text is out.
CREATE TABLE document_files (
  document_id TEXT NOT NULL,
  part INTEGER NOT NULL,
  bytes BLOB NOT NULL,
  PRIMARY KEY (document_id, part)
) STRICT;

CREATE TABLE document_pages (
  document_number INTEGER NOT NULL,
  page INTEGER NOT NULL,
  text TEXT NOT NULL,
  PRIMARY KEY (document_number, page)
) STRICT;

CREATE TABLE chunks (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  project_id TEXT NOT NULL,
  document_number INTEGER NOT NULL,
  chunk_index INTEGER NOT NULL,
  page_from INTEGER NOT NULL,
  page_to INTEGER NOT NULL,
  start_at INTEGER NOT NULL,
  end_at INTEGER NOT NULL,
  headings TEXT NOT NULL,
  content TEXT NOT NULL
) STRICT;
CREATE UNIQUE INDEX chunks_by_document ON chunks (document_number, chunk_index);

-- Terms come ready-made from documents/index/tokenize.ts, each with its project's number in front («12xretriev»): a project's postings
-- hold nothing of another's, and `ascii` leaves every term as it is.
CREATE VIRTUAL TABLE chunk_terms USING fts5 (terms, content = '', contentless_delete = 1, tokenize = 'ascii');
-- Merges are asked for in small steps after each batch; left to itself a commit would now and then merge for 150 ms.
INSERT INTO chunk_terms (chunk_terms, rank) VALUES ('automerge', 0), ('crisismerge', 2000);
CREATE VIRTUAL TABLE chunk_postings USING fts5vocab (chunk_terms, instance);
CREATE VIRTUAL TABLE chunk_frequencies USING fts5vocab (chunk_terms, row);

-- Chunks are written in batches with consecutive ids; a search loads a project by these few rows. `lengths`: terms of each, int32.
CREATE TABLE chunk_batches (
  project_id TEXT NOT NULL,
  document_number INTEGER NOT NULL,
  first_index INTEGER NOT NULL,
  first_chunk_id INTEGER NOT NULL,
  lengths BLOB NOT NULL,
  PRIMARY KEY (document_number, first_index)
) STRICT;

-- Which embedder's vectors are there. One space is `live`; another may be `building` beside it until it can take over.
CREATE TABLE embedding_spaces (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  provider TEXT NOT NULL,
  model TEXT NOT NULL,
  revision TEXT NOT NULL,
  dimensions INTEGER,
  state TEXT NOT NULL CHECK (state IN ('building', 'live')),
  created_at INTEGER NOT NULL,
  UNIQUE (provider, model, revision)
) STRICT;

-- One row a batch: for each chunk a float32 scale, then its dimensions as int8.
CREATE TABLE chunk_vectors (
  space_id INTEGER NOT NULL,
  document_number INTEGER NOT NULL,
  first_index INTEGER NOT NULL,
  vectors BLOB NOT NULL,
  PRIMARY KEY (space_id, document_number, first_index)
) STRICT;
CREATE INDEX chunk_vectors_by_document ON chunk_vectors (document_number);
