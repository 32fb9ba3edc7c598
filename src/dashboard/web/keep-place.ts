/** When an element that was focused by keyboard disappears, the focus moves to a neighbour, not to the top of the page. */

const REACHABLE =
  "a[href], button:not(:disabled), input:not(:disabled), select:not(:disabled), textarea:not(:disabled), [tabindex='0']";

const ancestorsOf = (element: Element | null): Element[] =>
  element === null ? [] : [element, ...ancestorsOf(element.parentElement)];

export const keepPlace = (root: Element): void => {
  let place: Element[] = [];
  document.addEventListener("focusin", ({ target }) => {
    // Only for keyboard users: with a mouse the focus does not matter, and on a phone a field would open the keyboard.
    place = (target as Element).matches(":focus-visible") ? ancestorsOf(target as Element) : [];
  });
  new MutationObserver(() => {
    if (place.length === 0 || place[0]!.isConnected) return;
    const left = place;
    place = [];
    // Waits, because its replacement may take the focus itself: a dialog, or another page's heading.
    requestAnimationFrame(() => requestAnimationFrame(() => goOn(left)));
  }).observe(root, { childList: true, subtree: true });
};

/** Focuses the nearest reachable element, or the heading if the whole page was replaced. */
const goOn = (left: Element[]): void => {
  const page = document.querySelector("main");
  if (document.activeElement !== document.body || page === null) return;
  const reachable = left
    .filter((around) => page.contains(around))
    .flatMap((around) => [...around.querySelectorAll<HTMLElement>(REACHABLE)]);
  const next = reachable.find((one) => one.checkVisibility()) ?? page.querySelector<HTMLElement>("h1");
  next?.focus({ preventScroll: next.tagName === "H1" });
};
