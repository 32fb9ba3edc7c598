/** Guards unsaved input: leaving the page asks for confirmation. */

import { useLayoutEffect } from "preact/hooks";
import { leave, pendingNavigation, unsaved } from "../router.ts";
import { Confirm } from "./dialog.tsx";

/** While `changed`, leaving the page asks for confirmation. After saving or deleting, use `leave`. */
export const useUnsaved = (changed: boolean): void => {
  useLayoutEffect(() => {
    unsaved.value = changed;
    return () => {
      unsaved.value = false;
    };
  }, [changed]);
};

export const Leaving = () => {
  const take = pendingNavigation.value;
  const stay = () => {
    pendingNavigation.value = null;
  };
  if (take === null) return null;
  return (
    <Confirm title="Leave without saving?" action="Leave" onClose={stay} onConfirm={async () => leave(take)}>
      The changes on this page have not been saved.
    </Confirm>
  );
};
