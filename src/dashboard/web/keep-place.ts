/** Whoever presses by keyboard what is gone afterwards goes on from where it stood, not from the head of the page. */

const REACHABLE =
  "a[href], button:not(:disabled), input:not(:disabled), select:not(:disabled), textarea:not(:disabled), [tabindex='0']";

const ancestorsOf = (element: Element | null): Element[] =>
  element === null ? [] : [element, ...ancestorsOf(element.parentElement)];

export const keepPlace = (root: Element): void => {
  let place: Element[] = [];
  document.addEventListener("focusin", ({ target }) => {
    // With a mouse nobody looks for the focus, and on a phone a field would call the keyboard up.
    place = (target as Element).matches(":focus-visible") ? ancestorsOf(target as Element) : [];
  });
  new MutationObserver(() => {
    if (place.length === 0 || place[0]!.isConnected) return;
    const left = place;
    place = [];
    // What took its place may take the focus itself: a dialog, another page's head.
    requestAnimationFrame(() => requestAnimationFrame(() => goOn(left)));
  }).observe(root, { childList: true, subtree: true });
};

/** Where the whole page is another, at its head. */
const goOn = (left: Element[]): void => {
  const page = document.querySelector("main");
  if (document.activeElement !== document.body || page === null) return;
  const reachable = left
    .filter((around) => page.contains(around))
    .flatMap((around) => [...around.querySelectorAll<HTMLElement>(REACHABLE)]);
  const next = reachable.find((one) => one.checkVisibility()) ?? page.querySelector<HTMLElement>("h1");
  next?.focus({ preventScroll: next.tagName === "H1" });
};
