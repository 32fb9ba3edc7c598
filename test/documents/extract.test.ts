import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { cleanPages } from "../../src/documents/extract/clean-pages.ts";
import { decodeText } from "../../src/documents/extract/decode-text.ts";
import { withoutEchoes } from "../../src/documents/extract/drop-echoes.ts";
import { createPdfExtractor, extractFile } from "../../src/documents/extract/extract-file.ts";
import { EXTRACT_BOUNDS, FAILURES } from "../../src/documents/extract/extraction.ts";
import { withFilledIn } from "../../src/documents/extract/form-fields.ts";
import { joinItems } from "../../src/documents/extract/join-items.ts";
import { withNumberedLetters } from "../../src/documents/extract/numbered-letters.ts";
import { readChildOutput } from "../../src/documents/extract/read-child-output.ts";
import { residentBytes, residentIn } from "../../src/documents/extract/resident-bytes.ts";
import { runExtractChild } from "../../src/documents/extract/run-extract-child.ts";
import type { TextItem } from "../../src/documents/extract/text-item.ts";
import {
  actualText,
  bombPdf,
  contentPdf,
  damagedPagePdf,
  manyPagesPdf,
  NUMBERED_GLYPHS,
  namedGlyphsPdf,
  textPdf,
} from "./build-pdf.ts";

// Each PDF is read by a process of its own, which a busy machine starts when it can.
setDefaultTimeout(60_000);

const PDFS = join(import.meta.dir, "../../../shared/data/pdfs");
const samples = existsSync(PDFS) ? test : test.skip;
const sample = (name: string) => Bun.file(join(PDFS, name)).bytes();
const readPdf = (bytes: Uint8Array) => extractFile(bytes, "application/pdf");
const words = (text: string): string[] =>
  text
    .normalize("NFKC")
    .toLowerCase()
    .match(/[\p{L}\p{N}\p{M}]+/gu) ?? [];

/** F1 of the two texts' words as bags. */
const likeness = (left: string[], right: string[]): number => {
  const counts = new Map<string, number>();
  for (const word of left) counts.set(word, (counts.get(word) ?? 0) + 1);
  let shared = 0;
  for (const word of right) {
    const count = counts.get(word) ?? 0;
    if (count > 0) shared++;
    counts.set(word, count - 1);
  }
  return (2 * shared) / (left.length + right.length);
};

describe("text of a PDF", () => {
  test("comes page by page", async () => {
    const extraction = await readPdf(textPdf([["The first page says hello."], ["The second one", "says goodbye."]]));
    expect(extraction).toEqual({
      pages: [
        { page: 1, text: "The first page says hello." },
        { page: 2, text: "The second one\nsays goodbye." },
      ],
    });
  });

  for (const [name, least] of [
    ["report-en-long", 0.99],
    ["two-column-de", 0.99],
    ["multicolumn", 0.94],
    ["pdflatex-outline", 0.99],
    ["cjk-zh-not-embedded", 0.97],
    ["GeoTopo-komprimiert", 0.94],
  ] as const) {
    samples(`${name} reads as its reference does`, async () => {
      const extraction = await readPdf(await sample(`${name}.pdf`));
      const text = "pages" in extraction ? extraction.pages.map((page) => page.text).join("\n") : FAILURES[extraction.reason];
      expect(likeness(words(text), words(await Bun.file(join(PDFS, `ref/${name}.txt`)).text()))).toBeGreaterThan(least);
    });
  }

  for (const [name, reason] of [
    ["libreoffice-writer-password", "password"],
    ["truncated-report-en", "corrupt"],
    ["scanned-en", "scanned"],
    ["imagemagick-images", "scanned"],
  ] as const) {
    samples(`${name} ends in a sentence that helps`, async () => {
      expect(await readPdf(await sample(`${name}.pdf`))).toEqual({ reason });
    });
  }

  test("is a text also where it is short, and where most pages are blank", async () => {
    const pagesOf = async (lines: string[][]) => {
      const extraction = await readPdf(textPdf(lines));
      return "pages" in extraction ? extraction.pages.map(({ text }) => text) : FAILURES[extraction.reason];
    };
    expect(await pagesOf([["Hello"]])).toEqual(["Hello"]);
    expect(await pagesOf([[""], ["In the middle."], [""], [""]])).toEqual(["", "In the middle.", "", ""]);
    expect(await pagesOf([[""], [""]])).toBe(FAILURES.empty);
  });

  test("has what was typed over the page", async () => {
    const note = "<< /Type /Annot /Subtype /FreeText /Rect [150 690 300 715] /Contents (Ingrid\\rLarsson) /F 4 >>";
    const pdf = contentPdf("BT /F 12 Tf 50 700 Td (Name:) Tj ET", {}, note);
    expect(await readPdf(pdf)).toEqual({ pages: [{ page: 1, text: "Name: Ingrid\nLarsson" }] });
    const below = ["640 300 660", "620 300 640"].map(
      (rect) => `<< /Type /Annot /Subtype /FreeText /Rect [150 ${rect}] /Contents (yes) >>`,
    );
    const twice = contentPdf("BT /F 12 Tf 50 700 Td (Name:) Tj ET", {}, below.join(" "));
    expect(await readPdf(twice)).toEqual({ pages: [{ page: 1, text: "Name: yes yes" }] });
  });

  test("is none where pictures have but a page number, or most pages nothing", async () => {
    const withPicture = (lines: string[][]) =>
      Buffer.concat([textPdf(lines), Buffer.from("\n99 0 obj\n<< /Type /XObject\n/Subtype /Image >>\nendobj\n")]);
    for (const lines of [[["1"], ["2"]], [["Cover"], [""], [""]], [[""]]])
      expect(await readPdf(withPicture(lines))).toEqual({ reason: "scanned" });
    expect(await readPdf(withPicture([["Hello"]]))).toHaveProperty("pages");
  });

  describe("of scripts whose letters merge", () => {
    const textOf = async (pdf: Uint8Array) => {
      const extraction = await readPdf(pdf);
      return "pages" in extraction ? extraction.pages.map(({ text }) => text).join("\f") : FAILURES[extraction.reason];
    };

    test("is what its glyphs are said to stand for", async () => {
      const merged = actualText("हिन्दी", "(xyz) Tj (z) Tj");
      const numbered = `/P << /MCID 0 >> BDC (is) Tj EMC`;
      expect(await textOf(contentPdf(`BT /F 12 Tf 50 700 Td (This ) Tj ${numbered} ( ) Tj ${merged} (!) Tj ET`))).toBe(
        "This is हिन्दी!",
      );
      const nested = `/P << /MCID 0 >> BDC ${actualText("चित्र", "/Inner BMC (ab) Tj EMC (c) Tj")} (d) Tj EMC`;
      expect(await textOf(contentPdf(`BT /F 12 Tf 50 700 Td ${nested} ET`))).toBe("चित्रd");
      const bytes = (text: string) => `/Span << /ActualText (${text}) >> BDC (xyz) Tj EMC`;
      expect(await textOf(contentPdf(`BT /F 12 Tf 50 700 Td ${bytes("\\223nd \\205 \\3515\\240")} ${bytes("")} ET`))).toBe(
        "find – é5€",
      );
    });

    test("has no blanks within its words, and all their letters", async () => {
      const syllables = { a: "रु", b: "वा", c: "क\u200d", d: "ष" };
      expect(await textOf(contentPdf("BT /F 12 Tf 50 700 Td (abcd) Tj ET", syllables))).toBe("रुवाक\u200dष");
      // The glyphs of these numbers have no entry in a character map; 10 is a line feed, 9 a tab.
      const unmapped = `${actualText("मु", "<0041000a> Tj")} <0042> Tj <00430009 0044> Tj`;
      expect(await textOf(contentPdf(`BT /F 12 Tf 50 700 Td ${unmapped} ET`, {}, "", NUMBERED_GLYPHS))).toBe("मुBC D");
      const alone = `<0041> Tj ${actualText("ப", "<000d> Tj")} <0042> Tj`;
      expect(await textOf(contentPdf(`BT /F 12 Tf 50 700 Td ${alone} ET`, {}, "", NUMBERED_GLYPHS))).toBe("AபB");
    });

    test("has its words whole that soft hyphens cut at line ends, or might have cut", async () => {
      const text = "BT /F 12 Tf 14 TL 50 700 Td (a wel) Tj (-) Tj T* (come to the gar-den) Tj ET";
      expect(await textOf(contentPdf(text, { "-": "\u00ad" }))).toBe("a welcome to the garden");
      // A browser draws one that does not show as a blank, and goes back to where «ex» ends.
      const hidden = `(ex) Tj ${actualText("\u00ad", "( ) Tj")} 12.672 0 Td (am) Tj ${actualText("\u00ad", "( ) Tj")} (ple) Tj`;
      expect(await textOf(contentPdf(`BT /F 12 Tf 50 700 Td ${hidden} ET`))).toBe("exam ple");
    });

    test("has its vowel signs and joiners in their places, though browsers draw them before their letters", async () => {
      const letters = { a: "\u0651", b: "ر", c: "د" };
      const accented = actualText("ر\u0651", "(a) Tj 1 0 0 1 50 700 Tm (b) Tj");
      const drawn = `1 0 0 1 52 702 Tm ${accented} 1 0 0 1 56 700 Tm (c) Tj 1 0 0 1 66 700 Tm`;
      const joined = `(b) Tj ${actualText("\u200c", "0 Tz ( ) Tj 100 Tz")} 1 0 0 1 72.672 700 Tm ${actualText("د", "(c) Tj")}`;
      expect(await textOf(contentPdf(`BT /F 12 Tf ${drawn} ${joined} ET`, letters))).toBe("د\u200cر در\u0651");
    });

    test("has the Arabic letters whole whose dots a font draws by themselves, and the blanks between words", async () => {
      const letters = { "'": "\u0000", b: "ر", c: "د", " ": " " };
      const dotted = (letter: string, dots: string, back: string, glyph: string) =>
        actualText(letter, `${dots} Td (') Tj ${back} Td (${glyph}) Tj`);
      const above = "1 0 0 -1 80 80 Tm (c) Tj";
      const drawn = `${above} 1 0 0 -1 50 100 Tm ${dotted("ي", "2.3 -3.7", "-2.3 3.7", "b")} ${dotted("ب", "6.6 -2.2", "-0.6 2.2", "c")}
        6 0 Td ( ) Tj ${dotted("ج", "7 -3.7", "-1.3 3.7", "b")} 6 0 Td (c) Tj`;
      const font = `/Subtype /TrueType /BaseFont /Helvetica /FirstChar 32 /LastChar 99 /Widths [${"300 ".repeat(7)} 0 ${"500 ".repeat(60)}]`;
      const pdf = contentPdf(`1 0 0 -1 0 792 cm BT /F 12 Tf ${drawn} ET`, letters, "", font);
      expect(await textOf(pdf)).toBe("د\nدج بي");
    });

    test("has the letters of ligatures whose bytes Ghostscript swaps", async () => {
      const text = await textOf(contentPdf("BT /F 12 Tf 50 700 Td (a~rst o#ce, 1~) Tj ET", { "~": "昀椀", "#": "昀昀椀" }));
      expect(text).toBe("a\u0066irst office, 1昀椀");
    });

    test("has the letters that a font's map leaves out because their glyphs' names say them", async () => {
      expect(await textOf(namedGlyphsPdf("de\fned #x A"))).toBe("defined \\x Ü");
    });

    test("has the letters of one glyph in the order in which they are read", async () => {
      const letters = { a: "ن", b: "\u0644\u0623", c: "ا" };
      expect(await textOf(contentPdf("BT /F 12 Tf 50 700 Td (abc) Tj ET", letters))).toBe("ا\u0644\u0623ن");
    });
  });

  test("is read from the numbers of glyphs where the font does not say which letters they are", async () => {
    const text = "Hüte & (all) for 25 £, A-Z";
    const numberOf = (letter: string) => ({ ü: 129, "£": 133 })[letter] ?? letter.charCodeAt(0) - 29;
    const hex = Array.from(text, (letter) => numberOf(letter).toString(16).padStart(4, "0")).join("");
    expect(await readPdf(contentPdf(`BT /F 12 Tf 50 700 Td <${hex}> Tj ET`, {}, "", NUMBERED_GLYPHS))).toEqual({
      pages: [{ page: 1, text }],
    });
    // Only the blank is not named here.
    for (const str of ["all\x03letters\x03named", "A\x03BOLD\x03CAPITAL\x03TITLE"]) {
      const item = { str, fontName: "F", hasEOL: false, height: 10, transform: [] };
      expect(withNumberedLetters([item])).toEqual([item]);
    }
  });

  test("says in its place that a page is damaged, and has the others", async () => {
    const extraction = await readPdf(damagedPagePdf(2));
    expect("pages" in extraction && extraction.pages.map(({ text }) => text)).toEqual([
      "The first page.",
      "[This page could not be read.]",
      "The third page.",
      "The fourth page.",
    ]);
    expect(await readPdf(damagedPagePdf(4))).toEqual({ reason: "corrupt" });
    expect(await readPdf(textPdf([["[This page could not be read.]"]]))).toHaveProperty("pages");
  });

  test("a file that is no PDF is called damaged", async () => {
    for (const bytes of [new Uint8Array(), Buffer.from("MZ not a PDF"), textPdf([["whole"]]).subarray(0, 200)]) {
      expect(await readPdf(bytes)).toEqual({ reason: "corrupt" });
    }
  });
});

describe("pieces of a page", () => {
  const item = (str: string, x: number, more: Partial<TextItem> = {}): TextItem => ({
    str,
    hasEOL: false,
    height: 10,
    transform: [10, 0, 0, 10, x, 700],
    dir: "ltr",
    ...more,
  });
  const painted = (...strs: [string, ("rtl" | "ltr")?][]) => strs.map(([str, dir = "rtl"], at) => item(str, at * 10, { dir }));

  test("painted from left to right are read from right to left where that is how they are written", () => {
    const line = painted(["2024", "ltr"], [" ", "ltr"], ["ن"], ["ﺎ"], ["ﻤ"], ["ﻀ"], ["ﻟ"], ["ا"]);
    expect(joinItems(line)).toBe("الضمان 2024");
  });

  test("that come in reading order already stay so, and so does a name inside", () => {
    const line = ["ا", "ﻟ", "ﻀ", "ﻤ", "ﺎ", "ن"].map((str, at) => item(str, 100 - at * 10, { dir: "rtl" }));
    expect(joinItems(line)).toBe("الضمان");
    expect(joinItems(painted(["Visa"], ["Card", "ltr"], [" ", "ltr"], ["الدفع"], ["ثم"]).slice(1))).toBe("ثمالدفع Card");
    expect(joinItems([item("Grüße an ", 0), item("حبيبي", 50, { dir: "rtl" }), item(" und alle", 90)])).toBe(
      "Grüße an حبيبي und alle",
    );
  });

  test("painted letter by letter to the left are words where the page leaves a gap", () => {
    const letters = [..."שלום", " ", ..."עולם"].map((str, at) => item(str, 100 - at * 5, { dir: "rtl", width: 5 }));
    const painted = letters.filter(({ str }) => str !== " ");
    expect(joinItems([...painted, item(".", 55, { width: 5 })])).toBe("שלום עולם.");
    expect(joinItems(letters)).toBe("שלום עולם");
  });

  test("painted run by run, or cell by cell, are read from the right by where they stand", () => {
    const at = (str: string, x: number, dir: "rtl" | "ltr" = "rtl") => item(str, x, { dir, width: str.length * 5 });
    const blank = (x: number) => at(" ", x, "ltr");
    // Each run from left to right, the runs from the right; what follows a figure is painted first.
    const runs = [at("ביום", 180), blank(200), at("פתוח", 205), at("9", 170, "ltr"), at(",", 135, "ltr"), at("18-", 140, "ltr")];
    expect(joinItems([...runs, at("ל", 155)])).toBe("פתוח ביום 9 ל-18,");
    const dots = ".".repeat(200_000);
    expect(joinItems([at("שלום", 2_000_000), at(`1${dots}2,`, 0, "ltr")])).toBe(`שלום ,1${dots}2`);
    expect(joinItems([at("أزرق", 280), blank(300), at("قلم", 305), at("12", 160, "ltr"), at("400", 60, "ltr")])).toBe(
      "قلم أزرق 12 400",
    );
    expect(
      joinItems([
        at("Acme", 55, "ltr"),
        blank(75),
        at("Ltd", 80, "ltr"),
        at("לחברת", 100),
        at("(2031)", 20, "ltr"),
        at("שייך", 130),
      ]),
    ).toBe("שייך לחברת Acme Ltd (2031)");
  });

  test("of several figures are read from the right, though they were painted as one", () => {
    const at = (str: string, x: number, dir: "rtl" | "ltr" = "ltr") => item(str, x, { dir, width: str.length * 5 });
    expect(joinItems([at("16–23", 0), at("النتيجة", 40, "rtl")])).toBe("النتيجة 23–16");
    expect(joinItems([at("%30-%20", 0), at("بين", 40, "rtl")])).toBe("بين 20%-30%");
    expect(joinItems([at("16–23", 0), at("תוצאה", 40, "rtl")])).toBe("תוצאה 23–16");
    expect(joinItems([at("2024-05-07", 0), at("בתאריך", 60, "rtl")])).toBe("בתאריך 2024-05-07");
  });

  test("painted letter by letter, word left of word, have no blanks within words", () => {
    const at = (str: string, x: number, width = 5) => item(str, x, { dir: str === " " ? "ltr" : "rtl", width });
    const word = (letters: string, x: number) => [...letters].map((letter, index) => at(letter, x - 5 * index));
    expect(joinItems([...word("نور", 20), at(" ", 15, 45), ...word("باب", 50)])).toBe("باب نور");
  });

  test("of a figure, a name in brackets and a ligature keep together in a line from the right", () => {
    const at = (str: string, x: number, dir: "rtl" | "ltr" = "ltr", width = str.length * 5) => item(str, x, { dir, width });
    const date = [at(".2024", 0), at("/", 25), at("05", 30), at("/", 40), at("07", 45), at("בתאריך", 60, "rtl")];
    expect(joinItems(date)).toBe("בתאריך 2024/05/07.");
    const phone = [at("5551234", 0), at("-", 35), at("03", 40), at("الرقم", 60, "rtl")];
    expect(joinItems(phone)).toBe("الرقم 03-5551234");
    const manager = [at(")", 0), at("מנהל", 5, "rtl"), at("( John Smith", 25), at("עם", 90, "rtl"), at("דיבר", 105, "rtl")];
    expect(joinItems(manager)).toBe("דיבר עם John Smith (מנהל)");
    const bracketed = [at("(", 0), at("Mohammed", 5), at(")", 45), at("قال المتحدث", 60, "rtl")];
    expect(joinItems(bracketed)).toBe("قال المتحدث (Mohammed)");
    const signs = [item("من مُحَمَّد ٌ إن\ufe7c قال َبعد", 0, { dir: "rtl" })];
    expect(joinItems(signs)).toBe("من مُحَمَّدٌ إنّ قال َبعد");
    const ligature = [at("ن", 0, "rtl"), at("ا", 5, "rtl", 0), at(" ", 5, "ltr", 0.00002), at("ل", 5, "rtl")];
    expect(joinItems(ligature)).toBe("لان");
  });

  test("of a table that is read from the right are, also where names outweigh the rest of a row", () => {
    const at = (str: string, x: number, y: number, dir: "rtl" | "ltr" = "rtl") =>
      item(str, x, { dir, width: str.length * 5, transform: [10, 0, 0, 10, x, y] });
    const heads = [at("שם המוצר", 160, 700), at("מחיר", 80, 700), { ...at("כמות", 20, 700), hasEOL: true }];
    const row = [at("iPhone 15", 130, 680, "ltr"), at(" ", 175, 680, "ltr"), at("כיסא", 180, 680)];
    const figures = [at("₪", 70, 680, "ltr"), at("1,250.50", 75, 680, "ltr"), at("3", 20, 680, "ltr")];
    expect(joinItems([...heads, ...row, ...figures])).toBe("שם המוצר מחיר כמות\n\nכיסא iPhone 15 ₪1,250.50 3");
  });

  test("painted font by font are read by where they stand", () => {
    const at = (str: string, x: number, y = 700) => item(str, x, { width: str.length * 5, transform: [10, 0, 0, 10, x, y] });
    const painted = [at(",", 95), at("1923", 103), at("Экспедиция вышла в", 5), at(" ", 96), at("году", 126)];
    expect(joinItems(painted)).toBe("Экспедиция вышла в, 1923 году");
    // Columns that are written downwards stand side by side, the first at the right.
    expect(joinItems([at("縦", 100, 700), at("書", 100, 690), at("き", 80, 700)])).toBe("縦書き");
    const mixed = [at("written as ", 0), item("שלום", 90, { dir: "rtl", width: 20 }), item("עול", 60, { dir: "rtl", width: 15 })];
    expect(joinItems(mixed)).toBe("written as שלוםעול");
  });

  test("of parts that are objects of their own do not run into what was painted before them", () => {
    const at = (str: string, x: number, y: number) => item(str, x, { width: str.length * 5, transform: [10, 0, 0, 10, x, y] });
    const ended = (item: ReturnType<typeof at>) => ({ ...item, hasEOL: true });
    const stamped = [at("A letter", 50, 700), at("RECEIVED", 50, 500), ended(at("today", 150, 500)), at("at", 50, 480)];
    expect(joinItems([...stamped, at("H", 50, 300), at("2", 55, 297)])).toBe("A letter\n\nRECEIVED today\n\nat\n\nH2");
    const labels = [ended(at("Name:", 50, 700)), ended(at("Born:", 50, 680)), at("It is true.", 50, 660)];
    const filledIn = [...labels, at("Ann Lee", 120, 700), at("04/05/1990", 120, 681)];
    expect(joinItems(filledIn)).toBe("Name: Ann Lee\n\nBorn: 04/05/1990\n\nIt is true.");
    const rows = [
      at("Name", 50, 700),
      ended(at("Town", 200, 700)),
      ended(at("Born", 50, 680)),
      ended(at("It is true.", 50, 660)),
    ];
    const fields = [at("Ann Lee", 120, 701), at("Riga", 260, 700), at("in May", 120, 684)];
    expect(joinItems([...rows, ...fields])).toBe("Name Ann Lee Town Riga\n\nBorn in May\n\nIt is true.");
    const upwards = (str: string, x: number, y: number) => item(str, x, { width: 10, transform: [0, 10, -10, 0, x, y] });
    expect(joinItems([upwards("Survival", 40, 600), at("Figure 6", 50, 400)])).toBe("Survival\n\nFigure 6");
    const mirrored = item("E", 60, { width: 5, transform: [-10, 0, 0, 10, 60, 700] });
    expect(joinItems([at("X", 50, 700), mirrored, upwards("↰", 66, 700), at("LATEX", 70, 700)])).toBe("XE↰LATEX");
  });

  describe("that stand in one row and were painted apart", () => {
    const line = (str: string, x: number, y: number) =>
      item(str, x, { hasEOL: true, width: str.length * 5, transform: [10, 0, 0, 10, x, y] });
    const column = (x: number, ...strs: string[]) => strs.map((str, at) => line(str, x, 700 - 15 * at));
    const read = (...columns: ReturnType<typeof line>[][]) => joinItems(columns.flat()).trim().split(/\n+/);

    test("are read together: values behind their labels, and the columns of a table", () => {
      expect(
        read(column(50, "Name:", "Born:", "Town:"), [line("Page 1", 50, 50)], column(150, "Ann Lee", "1990", "Riga")),
      ).toEqual(["Name: Ann Lee", "Born: 1990", "Town: Riga", "Page 1"]);
      const items = column(50, "Base salary", "Overtime", "Tax");
      expect(read(items, column(200, "3,200.00", "180.00"), [line("512.30", 300, 670), line("€ 2", 300, 655)])).toEqual([
        "Base salary 3,200.00",
        "Overtime 180.00",
        "Tax 512.30",
        "€ 2",
      ]);
      expect(read([line("Total:", 50, 700), line("Thanks.", 50, 600)], [line("12.00", 150, 700)])).toEqual([
        "Total: 12.00",
        "Thanks.",
      ]);
      const points = column(70, "the tenant keeps the rooms in repair,", "and the landlord keeps the roof in repair.");
      expect(read(points, column(50, "1.", "2."))).toEqual(points.map(({ str }, at) => `${at + 1}. ${str}`));
      const between = [item("Name:", 50, { width: 25 }), { ...line("Date:", 200, 700) }];
      expect(read([...between, line("Signed", 50, 600)], [line("Ann", 100, 700)])).toEqual(["Name: Ann Date:", "Signed"]);
    });

    test("are read column by column where they are prose, or entries of their own", () => {
      const left = column(
        50,
        "The tenant keeps the rooms",
        "in good repair and returns",
        "them as they were at first,",
        "fair wear excepted. A sum",
      );
      const right = column(300, "of 300 is paid in advance,", "1990", "and given back after all", "of the keys are returned.");
      expect(read(left, right)).toEqual([...left, ...right].map(({ str }) => str));
      const ended = [...left, line("Excepted from this are:", 50, 640)];
      const beside = [
        line("The tenant pays in advance,", 300, 640),
        ...right.slice(2).map(({ str }, at) => line(str, 300, 622 - 15 * at)),
      ];
      expect(read(ended, beside)).toEqual([...ended, ...beside].map(({ str }) => str));
      const entries = [column(50, "abacus, 12", "anchor, 3, 45", "apple, 77"), column(300, "barrel, 9", "basin, 61", "bell, 5")];
      expect(read(...entries)).toEqual(entries.flat().map(({ str }) => str));
    });

    test("are read where room was left for them between lines", () => {
      const gaps = ["Certificate", "given to", "for the course"].map((str, at) => line(str, 50, 700 - 60 * at));
      const filled = ["Maria Keller", "First Aid"].map((str, at) => line(str, 50, 610 - 60 * at));
      expect(read(gaps, filled)).toEqual(["Certificate", "given to", "Maria Keller", "for the course", "First Aid"]);
      const header = [line("Certificate no. 7", 50, 780)];
      expect(read(gaps, header)).toEqual([...gaps, ...header].map(({ str }) => str));
    });

    test("are read from the top where they were painted from the bottom, or in no order", () => {
      const lines = column(50, "Results", "Revenue grew.", "Costs fell.", "Two plants open.", "Slide 4");
      expect(read(lines.toReversed())).toEqual(lines.map(({ str }) => str));
      expect(read([4, 2, 1, 3, 0].map((at) => lines[at]!))).toEqual(lines.map(({ str }) => str));
    });
  });

  test("of TeX's bitmap fonts keep their ligatures", () => {
    expect(joinItems([item("Di\x1ecult o\x0eces work\x1dow a\x1bect \x1cling o\x1fine \x1c", 0)])).toBe(
      "Difficult offices workflow affect filing offline \x1c",
    );
    expect(joinItems([item("दर्ज\x1fकिया", 0)])).toBe("दर्ज\x1fकिया");
  });

  test("painted twice, a hair apart, are read once", () => {
    const bold = [
      item("Total", 100),
      item("Total", 100.3, { hasEOL: true }),
      item("Total", 100, { transform: [10, 0, 0, 10, 100, 680] }),
    ];
    expect(joinItems(withoutEchoes(bold))).toBe("Total\n\nTotal");
    expect(joinItems(withoutEchoes([item("1", 100), item("1", 105)]))).toBe("11");
  });

  test("of lines with double spacing are one paragraph until a wider gap", () => {
    const line = (str: string, y: number) => item(str, 50, { hasEOL: true, width: 300, transform: [10, 0, 0, 10, 50, y] });
    const paragraph = (from: number) =>
      ["The parties agree", "to keep in", "confidence", "what they"].map((str, at) => line(str, from - 20 * at));
    expect(joinItems([...paragraph(700), ...paragraph(600)]).trim()).toBe(
      "The parties agree\nto keep in\nconfidence\nwhat they\n\nThe parties agree\nto keep in\nconfidence\nwhat they",
    );
    const entries = ["Name", "Street", "Town", "Country", "Born", "Signed", "Seal"].map((str, at) => line(str, 700 - 40 * at));
    expect(joinItems(entries).trim()).toBe("Name\n\nStreet\n\nTown\n\nCountry\n\nBorn\n\nSigned\n\nSeal");
  });

  test("whose letters are spread for show are words", () => {
    const heading = [item("A N N U A L", 0), item(" ", 60), item("R E P O R T", 70, { hasEOL: true })];
    expect(joinItems([...heading, item("Plan A B", 0), item(" ", 60), item("C", 70)])).toBe("ANNUAL REPORT\nPlan A B C");
    const sentence = [
      item("“ A ’ s", 0),
      item(" ", 30),
      item("r e p o r t", 40),
      item(" ", 80),
      item("o f", 90),
      item(" ", 99),
      item("2 0 2 4 .", 100),
    ];
    expect(joinItems(sentence)).toBe("“A’s report of 2024.");
    expect(joinItems([item("م ا", 0), item(" ", 30), item("ل و و", 40), item(".", 80)])).toBe("م ا ل و و.");
    expect(joinItems([item("1 2 3 4 5 a", 0), item(" ", 60), item("x = 2 + 1", 70)])).toBe("1 2 3 4 5 a x = 2 + 1");
  });

  describe("in two columns that were painted line by line", () => {
    /** Twenty letters to a hundred points; a row for each pair, and what stands alone at its side. */
    const rows = (...pairs: [string, string][]) =>
      pairs.flatMap(([left, right], row) => {
        const transform = (x: number) => [10, 0, 0, 10, x, 700 - 12 * row];
        const cells = [
          ...(left === "" ? [] : [item(left, 0, { width: left.length * 5, transform: transform(50) })]),
          ...(right === "" ? [] : [item(right, 0, { width: right.length * 5, transform: transform(300) })]),
        ];
        return cells.map((cell, at) => ({ ...cell, hasEOL: at === cells.length - 1 }));
      });
    const left = [
      "The honey bee lives in colonies that",
      "may hold fifty thousand workers, and",
      "each of them has duties that change",
      "with her age: the youngest clean the",
      "cells, then they feed and build, and",
      "fly out at last.",
    ];
    const right = [
      "Signals keep trains apart. In early",
      "days policemen stood by the track and",
      "showed by hand whether the line was",
      "clear. Later came arms that could be",
      "seen from far away, and a box from",
      "which many of them were worked by",
      "levers that lock each other.",
    ];

    test("are read one after the other where a paragraph of either ends", () => {
      const page = rows(...right.map((text, at): [string, string] => [at === 3 ? "" : left[at > 3 ? at - 1 : at]!, text]));
      expect(joinItems(page).trim().split("\n").filter(Boolean)).toEqual([...left, ...right]);
    });

    test("are read one after the other, also where one is longer", () => {
      const page = rows(...right.map((text, at): [string, string] => [left[at] ?? "", text]));
      expect(joinItems(page).trim().split("\n")).toEqual([...left, ...right]);
      const turned = rows(...right.map((text, at): [string, string] => [text, left[at] ?? ""]));
      expect(joinItems(turned).trim().split("\n")).toEqual([...right, ...left]);
    });

    test("a table's rows stay together, whatever its cells begin with", () => {
      const words: [string, string][] = ["bee", "hive", "comb", "drone", "wax", "honey"].map((word) => [
        word,
        `${word} in another tongue, as it is said`,
      ]);
      const terms: [string, string][] = left.map((text, at) => [`Term ${at}`, text]);
      for (const table of [words, terms]) {
        const lines = joinItems(rows(...table))
          .trim()
          .split("\n");
        expect(lines).toEqual(table.map(([one, other]) => `${one} ${other}`));
      }
    });
  });

  test("lose their ligatures and keep what else is special", () => {
    expect(joinItems([item("eﬃcient oﬃce, x² ½", 0)])).toBe("efficient office, x² ½");
  });

  test("are ordinary letters and figures where Adobe's private characters were painted", () => {
    expect(joinItems([item("\uf731\uf739\uf738\uf734, C\uf761\uf766\uf7e9, тре\uf6c5а", 0)])).toBe("1984, Café, треба");
    expect(joinItems([item("\uf769 25 °C", 0)])).toBe("\uf769 25 °C");
  });

  test("are characters where radicals were painted that look the same", () => {
    expect(joinItems([item("⼀⼆⼗⻓⻔⻚、⺅", 0)])).toBe("一二十长门页、⺅");
    expect(joinItems([item("発表した︒一︑二", 0)])).toBe("発表した。一、二");
  });

  test("have the accents that were painted over their letters", () => {
    const at = (str: string, x: number, y = 700) => item(str, x, { width: str.length * 5, transform: [10, 0, 0, 10, x, y] });
    const painted = [at("schr¨", 0), at("oder ˝", 20), at("o, ma´", 45), at("ıs ¨", 70), at("Uber", 85, 698)];
    expect(joinItems(painted)).toBe("schröder ő, maís Über");
    expect(joinItems([at("`", 0), at("a` code", 5)])).toBe("`a` code");
    const accent = item("´", 9, { width: 0, transform: [10, 0, 0, 10, 9, 701] });
    expect(joinItems([at("н", 0), at(" ", 5), accent, at("и, ", 5), at("´", 15), at("о", 16)])).toBe("ни́, о́");
    expect(joinItems([at("à", 0), at(" ", 5), { ...accent, transform: [10, 0, 0, 10, 12, 701] }, at("e", 8)])).toBe("à é");
    expect(joinItems([at("x¨", 0), at("b", 5)])).toBe("x¨b");
  });

  test("take in what was filled into the form beside them", () => {
    const items = [item("Name:", 50, { hasEOL: true }), item("Signature", 50, { transform: [10, 0, 0, 10, 50, 600] })];
    const field = { subtype: "Widget", fieldType: "Tx", rect: [120, 695, 300, 715] };
    const filled = withFilledIn(items, [
      { ...field, fieldValue: "Ingrid Larsson" },
      { ...field, fieldValue: "secret", password: true },
      { ...field, fieldType: "Btn", fieldValue: "Off" },
      {
        ...field,
        fieldType: "Ch",
        fieldValue: ["17", "Lund"],
        options: [{ exportValue: "17", displayValue: "Uppsala" }],
        rect: [120, 20, 300, 40],
      },
      { ...field, fieldValue: "", textContent: ["All of my", "cats"], rect: [120, 60, 300, 90] },
    ]);
    expect(joinItems(filled)).toBe("Name: Ingrid Larsson\n\nSignature Uppsala, Lund All of my\ncats");
    expect(joinItems(withFilledIn([], [{ ...field, fieldValue: "alone" }]))).toBe("alone\n");
    const typed = { subtype: "FreeText", rect: [120, 695, 300, 715], contentsObj: { str: "Ingrid Larsson" } };
    const hidden = { ...typed, contentsObj: { str: "unseen" }, annotationFlags: 2 };
    expect(joinItems(withFilledIn(items, [typed, hidden, { ...typed, subtype: "Text" }]))).toBe(
      "Name: Ingrid Larsson\n\nSignature",
    );
  });
});

const childrenOf = (pid: number): string[] =>
  [...new Bun.Glob(`${pid}/task/*/children`).scanSync("/proc")].flatMap((path) =>
    readFileSync(`/proc/${path}`, "latin1").split(" ").filter(Boolean),
  );

describe("a hostile PDF", () => {
  test("that inflates without end is killed for its memory and its neighbour is read", async () => {
    const extract = createPdfExtractor({ memoryBytes: 250_000_000, wallMs: 60_000 });
    const bomb = bombPdf(100_000_000);
    expect(bomb.length).toBeLessThan(50_000);
    const [hostile, honest] = await Promise.all([extract([bomb]), extract([textPdf([["An honest page of text."]])])]);
    expect(hostile).toEqual({ reason: "memory" });
    expect(readChildOutput(honest)).toHaveProperty("pages");
  }, 120_000);

  test("is measured in kilobytes, because a page of memory is larger on some machines", () => {
    const status = "Name:\tsignalbox\nVmHWM:\t  211456 kB\nVmRSS:\t  131296 kB\nThreads:\t14\n";
    expect(residentIn(status)).toBe(131_296 * 1024);
    expect(residentIn("Name:\tended\nState:\tZ (zombie)\n")).toBeUndefined();
    expect(residentBytes(process.pid)).toBeGreaterThan(10_000_000);
  });

  test("that takes too long is killed", async () => {
    const said = await runExtractChild([bombPdf(50_000_000)], { memoryBytes: 4e9, wallMs: 500 });
    expect(readChildOutput(said)).toEqual({ reason: "time" });
  });

  test.if(process.platform === "linux")("is what the kernel ends first where memory is short", async () => {
    const stopping = new AbortController();
    const extraction = runExtractChild([bombPdf(300_000_000)], { memoryBytes: 4e9, wallMs: 60_000 }, stopping.signal);
    const scores = childrenOf(process.pid).map((pid) => readFileSync(`/proc/${pid}/oom_score_adj`, "latin1").trim());
    stopping.abort();
    await expect(extraction).rejects.toThrow();
    expect(scores).toContain("1000");
  });

  test("of more pages than are read says how many may be", async () => {
    expect(await readPdf(manyPagesPdf(EXTRACT_BOUNDS.pages + 1))).toEqual({ reason: "pages" });
  }, 60_000);

  test("is left, and not blamed, when the server stops", async () => {
    const stopping = new AbortController();
    const extraction = runExtractChild([bombPdf(300_000_000)], { memoryBytes: 4e9, wallMs: 60_000 }, stopping.signal);
    stopping.abort();
    await expect(extraction).rejects.toThrow();
  });
});

describe("plain text", () => {
  const bytes = (text: string) => new TextEncoder().encode(text);

  test("is UTF-8 with or without a mark, or UTF-16 with one, line ends made one", () => {
    expect(decodeText(bytes("\ufeffGrüße\r\nan\rdich"))).toEqual({ text: "Grüße\nan\ndich" });
    expect(decodeText(new Uint8Array([0xff, 0xfe, 0x48, 0, 0x69, 0]))).toEqual({ text: "Hi" });
    expect(decodeText(new Uint8Array([0xfe, 0xff, 0, 0x48, 0, 0x69]))).toEqual({ text: "Hi" });
  });

  test.each([
    "Die Straße, größer als fünf Füße – „schön“, § 5, 20 °C, 5 €",
    "L’été à Noël… « c’est là », un œuf, août, créée, ÉTÉ",
    "¿Cómo está el niño? ¡Mañana, n.º 5! El pingüino. AÑO",
    "À ação às três: irmã, avó e avô",
    "Perché no? È così, lunedì più caffè",
    "Räksmörgås på en ö. ÅÄÖ. Hyvää päivää. Rødgrød på Ærø",
  ])("may be in Windows-1252: %s", (text) => {
    const others = "€…‘’“”–—•„œ";
    const codes = [0x80, 0x85, 0x91, 0x92, 0x93, 0x94, 0x96, 0x97, 0x95, 0x84, 0x9c];
    const encoded = Uint8Array.from(text, (character) => codes[others.indexOf(character)] ?? character.charCodeAt(0));
    expect(decodeText(encoded)).toEqual({ text });
  });

  test.each([
    ["Polish in Windows-1250", "Pawe\xb3 ma ma\xb3\xb9 \xb3\xf3d\x9f"],
    ["Czech in Windows-1250", "D\xeckuji, p\xf8\xedli\x9a \x9elu\x9dou\xe8k\xfd"],
    ["Turkish in Windows-1254", "Bug\xfcn \xe7ok g\xfczel, \xdeimdi gidiyoruz, ya\xf0mur"],
    ["Russian in Windows-1251", "A note: \xcf\xf0\xe8\xe2\xe5\xf2, \xec\xe8\xf0"],
    ["Greek in ISO 8859-7", "A note: \xea\xe1\xeb\xe7\xec\xdd\xf1\xe1"],
    ["Japanese in Shift JIS", "A note: \x93\xfa\x96\x7b\x8c\xea\x82\xcc"],
    ["Chinese in GBK", "A note: \xd6\xd0\xce\xc4"],
    ["German of DOS", "f\x81nf, gr\x94\xe1er"],
    ["French of the old Mac", "L\xd5\x8et\x8e dernier"],
    ["UTF-8 that breaks off", "Gr\xc3\xbc\xc3\x9fe \xc3"],
    ["UTF-8 with a stray byte", "\xe2\x80\x9cso\xe2\x80\x9d \xff"],
    ["UTF-8 with quotes only, that breaks off", "\xe2\x80\x9cso it is, and so on\xe2\x80"],
    ["UTF-16 that breaks off", "\xff\xfeG\x00r"],
  ])("is refused when it is %s", (_, written) => {
    expect(decodeText(Uint8Array.from(written, (character) => character.charCodeAt(0)))).toEqual({ reason: "encoding" });
  });

  test("may have the line breaks of word processors and the end mark of DOS", () => {
    expect(decodeText(bytes("Dear all,\vHello.\r\nBye.\r\n\x1a\r\n"))).toEqual({ text: "Dear all,\nHello.\nBye.\n" });
    expect(decodeText(bytes("Before \x1a after"))).toEqual({ reason: "binary" });
  });

  test("is refused when it holds no text", () => {
    expect(decodeText(bytes("PK\x03\x04 zip"))).toEqual({ reason: "binary" });
    expect(decodeText(bytes(" \n\t "))).toEqual({ reason: "empty" });
  });

  test("of the largest size that may be uploaded is not too long", () => {
    expect(decodeText(bytes("word ".repeat((20 * 1_048_576) / 5)))).toHaveProperty("text");
  });

  test("is one page to the command line", async () => {
    expect(await extractFile(bytes("# Title\n\nText."), "text/markdown")).toEqual({
      pages: [{ page: 1, text: "# Title\n\nText." }],
    });
  });
});

describe("pages made fit for the index", () => {
  const pages = Array.from({ length: 6 }, (_, at) => ({
    page: at + 1,
    text: `Annual report\nPage ${at + 1}\nBody ${"abcdef"[at]} of it.\nConfidential`,
  }));

  test("lose the lines that run along their tops and bottoms", () => {
    expect(cleanPages(pages).map(({ text }) => text)).toEqual(
      ["a", "b", "c", "d", "e", "f"].map((letter) => `Body ${letter} of it.`),
    );
  });

  test("keep once what those lines tell", () => {
    const bodies = [..."abcdef"].map((letter) => `Body ${letter},\nwhich goes on\nin line ${letter}.`);
    const handbook = bodies.map((body, at) => ({
      page: at + 1,
      text: `${at === 0 ? "" : `Staff handbook, document HB-204\n${at + 1}\n`}${body}\nPrinted by Acme in Riga\nPage ${at + 1} of 6`,
    }));
    const [cover, second, ...others] = bodies;
    expect(cleanPages(handbook).map(({ text }) => text)).toEqual([
      cover!,
      `Staff handbook, document HB-204\n${second}`,
      ...others.slice(0, -1),
      `${others.at(-1)}\nPrinted by Acme in Riga`,
    ]);
  });

  test("keep everything when there are too few to tell", () => {
    expect(cleanPages(pages.slice(0, 3))).toEqual(pages.slice(0, 3));
  });

  test("never lose all they say: cards of one line, and lines that differ in their figures, stay", () => {
    const cards = Array.from({ length: 50 }, (_, at) => ({ page: at + 1, text: "Fragile. Handle with care." }));
    expect(cleanPages(cards)).toEqual(cards);
    const facts = Array.from({ length: 50 }, (_, at) => ({
      page: at + 1,
      text: `Page ${at + 1} of 50\nShelf ${at + 1} holds ${(at * 7919) % 1000} boots.\nNothing else is kept there.\nPrinted 2024`,
    }));
    const texts = cleanPages(facts).map(({ text }) => text);
    for (const [at, text] of texts.entries()) expect(text).toContain(`holds ${(at * 7919) % 1000} boots.`);
    expect(texts.join("")).not.toContain("of 50");
  });

  test("have words joined that a line end cut, unless they are two words elsewhere, or were written with a hyphen", () => {
    const cut =
      "A satel-\nlite and its pay\u00ad\nload, launched by the well-\nknown firm in a two-\nstage rocket near the Rio-\nGrande.";
    const elsewhere = "As is known, all went well. Another two-stage rocket waits, a roc-\nket of old.";
    expect(cleanPages([cut, elsewhere].map((text, at) => ({ page: at + 1, text })))[0]!.text).toBe(
      "A satellite and its payload, launched by the well-known firm in a two-stage rocket near the Rio-Grande.",
    );
    const uncut = "A set-\ntop box, DVB-\ncompliant, for all.";
    expect(cleanPages([{ page: 1, text: uncut }])[0]!.text).toBe("A set-top box, DVB-compliant, for all.");
    const short = "Flowers in gar-\ndens bloom late. Our mea-\nsurements in the coun-\ntryside show it.";
    expect(cleanPages([{ page: 1, text: short }])[0]!.text).toBe(
      "Flowers in gardens bloom late. Our measurements in the countryside show it.",
    );
    const page = ["The ves-", "sels", "of the har-", "bour", ...Array.from({ length: 20 }, (_, at) => `Line ${at}.`)].join("\n");
    expect(cleanPages([{ page: 1, text: page }])[0]!.text).toStartWith("The vessels\nof the harbour\n");
    const browser = "Teleco\u2010\nmmunication of a well-\nknown kind.";
    expect(cleanPages([{ page: 1, text: browser }])[0]!.text).toBe("Telecommunication of a well-known kind.");
    const typeset = "The well\u2010known set\u2010\ntop box.";
    expect(cleanPages([{ page: 1, text: typeset }])[0]!.text).toBe("The well\u2010known set\u2010top box.");
    const running = "A wide bar\u2010\nGazette of the Isle\nand a har\u2010\nbour.";
    expect(cleanPages([{ page: 1, text: running }])[0]!.text).toBe("A wide bar\u2010\nGazette of the Isle\nand a harbour.");
    const asIs = "Ein-\nund Ausgang -\nhier: a list -\n- of two";
    expect(cleanPages([{ page: 1, text: asIs }])[0]!.text).toBe(asIs);
  });
});
