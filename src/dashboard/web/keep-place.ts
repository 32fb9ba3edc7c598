/** When a focused element disappears, the focus moves to a neighbour, not to the top of the page. */

const REACHABLE =
  "a[href], button:not(:disabled), input:not(:disabled), select:not(:disabled), textarea:not(:disabled), [tabindex='0']";

/** An element and what surrounds it, nearest first: its ancestors, and beside each row of a table or list its neighbours. */
export const surroundings = (element: Element | null): Element[] => {
  if (element === null) return [];
  const isEntry = element.matches("tr, li");
  const beside = isEntry ? [element.nextElementSibling, element.previousElementSibling].filter((one) => one !== null) : [];
  return [element, ...beside, ...surroundings(element.parentElement)];
};

/**
 * Focuses the first reachable element in the nearest of these that is still on the page, or else the page's heading; while a dialog is open,
 * nothing outside of it can have the focus, and its first action stands for the heading.
 */
export const focusNearest = (left: readonly Element[]): void => {
  const page = [...document.querySelectorAll("dialog[open]")].at(-1) ?? document.querySelector("main");
  const reachable = left
    .filter((around) => page?.contains(around))
    .flatMap((around) => [...around.querySelectorAll<HTMLElement>(REACHABLE)]);
  const next = reachable.find((one) => one.checkVisibility()) ?? page?.querySelector<HTMLElement>("h1, footer button");
  next?.focus({ preventScroll: next.tagName === "H1" });
};

export const keepPlace = (root: Element): void => {
  let place: Element[] = [];
  document.addEventListener("focusin", ({ target }) => {
    // Only for keyboard users: with a mouse the focus does not matter, and on a phone a field would open the keyboard.
    place = (target as Element).matches(":focus-visible") ? surroundings(target as Element) : [];
  });
  new MutationObserver(() => {
    if (place.length === 0 || place[0]!.isConnected) return;
    const left = place;
    place = [];
    // Waits, because its replacement may take the focus itself: a dialog, or another page's heading.
    requestAnimationFrame(() => requestAnimationFrame(() => document.activeElement === document.body && focusNearest(left)));
  }).observe(root, { childList: true, subtree: true });
};
