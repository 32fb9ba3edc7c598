/**
 * Runs before everything else. Some browsers name a language that is none, as WebKitGTK does with "C" where the machine sets no
 * locale, and the charts' library would throw at it while it is loaded, which left the whole dashboard blank.
 */

try {
  Intl.getCanonicalLocales(navigator.language);
} catch {
  Object.defineProperty(navigator, "language", { value: "en" });
}
