import { expect, spyOn, test } from "bun:test";
import { isLanguageCode, languageCodeOf } from "../../src/lib/language-codes.ts";

test("languages are known by code and name on every system, also where the runtime takes their codes for old ones", () => {
  using _canonical = spyOn(Intl, "getCanonicalLocales").mockReturnValue(["other"]);
  expect(["tl", "sh", "en", "iw", "xx"].filter(isLanguageCode)).toEqual(["tl", "sh", "en"]);
  expect(["tagalog", "burmese", "cantonese", "klingon"].map(languageCodeOf)).toEqual(["tl", "my", "zh", undefined]);
});
