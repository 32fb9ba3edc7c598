/** Stands where something will be once it has loaded; or says why it could not, with a way to try again. */

import type { Loading } from "../use-load.ts";
import { Problem } from "./notice.tsx";

type Props = {
  of: Pick<Loading<unknown>, "data" | "failure" | "reload">;
  /** In pixels. */
  height: number;
};

export const Pending = ({ of: { data, failure, reload }, height }: Props) => {
  if (failure) return <Problem failure={failure} retry={reload} />;
  return data === null ? <Skeleton height={height} /> : null;
};

export const Skeleton = ({ height }: { height: number }) => (
  <div class="skeleton" style={{ height: `${height}px` }} role="status">
    <span class="visually-hidden">Loading</span>
  </div>
);
