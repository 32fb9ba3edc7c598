/** What is typed into a page is not lost by leaving it, unless that is meant. */

import { useLayoutEffect } from "preact/hooks";
import { leave, unsaved, wayOut } from "../router.ts";
import { Confirm } from "./dialog.tsx";

/** While `changed`, whoever leaves the page is asked. What is saved or deleted leaves by `leave`. */
export const useUnsaved = (changed: boolean): void => {
  useLayoutEffect(() => {
    unsaved.value = changed;
    return () => {
      unsaved.value = false;
    };
  }, [changed]);
};

export const Leaving = () => {
  const take = wayOut.value;
  const stay = () => {
    wayOut.value = null;
  };
  if (take === null) return null;
  return (
    <Confirm title="Leave without saving?" action="Leave" onClose={stay} onConfirm={async () => leave(take)}>
      What was changed on this page has not been saved.
    </Confirm>
  );
};
