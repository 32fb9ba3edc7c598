/** SQL of the ingest worker: what it needs to chunk a document. */
import type { Database as Connection } from "bun:sqlite";
import type { DocumentType } from "../document-type.ts";
import type { Page } from "../extract/extraction.ts";

type Source = {
  filename: string;
  contentType: DocumentType;
  /** The project's number in the index. */
  project: number;
  pages: Page[];
};

/** Undefined if the document was deleted. */
export const findSource = (connection: Connection, documentNumber: number): Source | undefined => {
  const document = connection
    .query(
      `SELECT d.filename, d.content_type AS contentType, p.number AS project
       FROM documents d JOIN document_projects p ON p.project_id = d.project_id WHERE d.number = ?`,
    )
    .get(documentNumber) as Omit<Source, "pages"> | null;
  if (document === null) return undefined;
  const pages = connection
    .query("SELECT page, text FROM document_pages WHERE document_number = ? ORDER BY page")
    .all(documentNumber);
  return { ...document, pages: pages as Page[] };
};
