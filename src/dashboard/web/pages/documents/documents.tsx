/** Documents: uploading them, their list, and a tester that shows what a question finds. */

import { Problem } from "../../parts/notice.tsx";
import { Page } from "../../parts/page.tsx";
import { listOffset, PAGE_SIZE } from "../../parts/pager.tsx";
import { queryOf } from "../../router.ts";
import { apiPath } from "../../state.ts";
import { useEvery, useGet } from "../../use-load.ts";
import { type DocumentList, List } from "./list.tsx";
import { Tester } from "./tester.tsx";
import { Upload } from "./upload.tsx";

const POLL_MS = 1_000;

export const Documents = () => {
  const collection = queryOf("collection") ?? "";
  const offset = listOffset();
  const within = collection && `&collection_id=${encodeURIComponent(collection)}`;
  const { data, failure, reload } = useGet<DocumentList>(apiPath(`/v1/documents?limit=${PAGE_SIZE}&offset=${offset}${within}`));
  const collections = useGet<{ collections: { id: string }[] }>(apiPath("/v1/collections"));
  useEvery(data?.documents.some(({ status }) => status === "processing") ? POLL_MS : null, reload);
  const refresh = async () => {
    await Promise.all([reload(), collections.reload()]);
  };
  const names = (collections.data?.collections ?? []).map(({ id }) => id);
  return (
    <Page
      title="Documents"
      lead="Upload the documents that answers should be based on. Calls name documents by id; long ones are searched, short ones are read whole."
    >
      {failure && <Problem failure={failure} retry={reload} />}
      {(data !== null || failure === null) && (
        <>
          <Upload collections={names} onDone={refresh} />
          <List list={data} collection={collection} collections={names} reload={refresh} />
          <Tester collection={collection} />
        </>
      )}
    </Page>
  );
};
