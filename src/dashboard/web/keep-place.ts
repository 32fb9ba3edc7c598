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

const goOn = (left: Element[]): void => {
  if (document.activeElement !== document.body) return;
  const reachable = left
    .filter(({ isConnected }) => isConnected)
    .flatMap((around) => [...around.querySelectorAll<HTMLElement>(REACHABLE)]);
  reachable.find((one) => one.checkVisibility())?.focus();
};
