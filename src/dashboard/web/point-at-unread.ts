/** Firefox and Safari let any text into a number field, whose value then is empty: "1,5" would count as no ceiling at all. */

/** Goes to a field of the page, or of the dialog over it, whose text cannot be read, and tells whether there is one. */
export const pointAtUnread = (): boolean => {
  const around = [...document.querySelectorAll("dialog[open]")].at(-1) ?? document;
  const unread = [...around.querySelectorAll("input")].find(({ validity }) => validity.badInput);
  unread?.focus();
  return unread !== undefined;
};
