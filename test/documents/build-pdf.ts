/** Small PDFs made by hand, honest and hostile, so that no sample file has to be kept. */
import { deflateSync } from "node:zlib";

type Body = string | Uint8Array;

/** `objects` are numbered from 1; 1 must be the catalog. */
const assemblePdf = (objects: Body[]): Uint8Array => {
  const parts: Uint8Array[] = [Buffer.from("%PDF-1.7\n")];
  const offsets: number[] = [];
  let size = parts[0]!.length;
  const push = (piece: Body) => {
    const bytes = typeof piece === "string" ? Buffer.from(piece, "latin1") : piece;
    parts.push(bytes);
    size += bytes.length;
  };
  objects.forEach((body, at) => {
    offsets.push(size);
    push(`${at + 1} 0 obj\n`);
    push(body);
    push("\nendobj\n");
  });
  const start = size;
  push(`xref\n0 ${objects.length + 1}\n0000000000 65535 f \n`);
  for (const offset of offsets) push(`${String(offset).padStart(10, "0")} 00000 n \n`);
  push(`trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${start}\n%%EOF\n`);
  return Buffer.concat(parts);
};

const streamOf = (content: Uint8Array, filters: string): Uint8Array =>
  Buffer.concat([Buffer.from(`<< /Length ${content.length} ${filters} >>\nstream\n`), content, Buffer.from("\nendstream")]);

const HELVETICA = "/Subtype /Type1 /BaseFont /Helvetica";
/** A font of glyphs by number, two bytes each. */
export const NUMBERED_GLYPHS = `/Subtype /Type0 /BaseFont /F /Encoding /Identity-H /DescendantFonts [<< /Type /Font
  /Subtype /CIDFontType2 /BaseFont /F /CIDSystemInfo << /Registry (Adobe) /Ordering (Identity) /Supplement 0 >> >>]`;

const withPages = (contents: Body[], toUnicode?: Uint8Array, annotation = "", font = HELVETICA): Uint8Array => {
  const firstContent = 4 + contents.length;
  const kids = contents.map((_, at) => `${4 + at} 0 R`).join(" ");
  const pages = contents.map(
    (_, at) =>
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents ${firstContent + at} 0 R /Annots [${annotation}] /Resources << /Font << /F 3 0 R >> >> >>`,
  );
  return assemblePdf([
    "<< /Type /Catalog /Pages 2 0 R >>",
    `<< /Type /Pages /Kids [${kids}] /Count ${contents.length} >>`,
    `<< /Type /Font ${font} ${toUnicode === undefined ? "" : `/ToUnicode ${firstContent + contents.length} 0 R`} >>`,
    ...pages,
    ...contents,
    ...(toUnicode === undefined ? [] : [toUnicode]),
  ]);
};

/** One page for each list of lines, 20 points apart. */
export const textPdf = (pages: string[][]): Uint8Array =>
  withPages(
    pages.map((lines) => {
      const shown = lines.map((line, at) => `BT /F 12 Tf 50 ${740 - 20 * at} Td (${line.replace(/[()\\]/g, "\\$&")}) Tj ET`);
      return streamOf(Buffer.from(shown.join("\n")), "");
    }),
  );

const hexOf = (text: string): string => Buffer.from(text, "utf16le").swap16().toString("hex");

/** One page of these operators; `letters`: what the font's characters stand for, where that is something else; with an annotation. */
export const contentPdf = (content: string, letters: Record<string, string> = {}, annotation = "", font?: string): Uint8Array => {
  const pairs = Object.entries(letters).map(([code, text]) => `<${code.charCodeAt(0).toString(16)}> <${hexOf(text)}>`);
  const map = `begincmap 1 begincodespacerange <00> <ff> endcodespacerange ${pairs.length} beginbfchar ${pairs.join(" ")} endbfchar endcmap`;
  return withPages(
    [streamOf(Buffer.from(content), "")],
    pairs.length > 0 ? streamOf(Buffer.from(map), "") : undefined,
    annotation,
    font,
  );
};

/** How Type 1 fonts are encrypted; other keys for parts of them. */
const encrypted = (plain: Uint8Array, key = 55_665): Uint8Array => {
  let state = key;
  return plain.map((byte) => {
    const cipher = byte ^ (state >> 8);
    state = ((cipher + state) * 52_845 + 22_719) & 0xffff;
    return cipher;
  });
};

/** One line in a Type 1 font whose map has only «A», which stands for «Ü»; byte 12 is named «fi», «#» «backslash». */
export const namedGlyphsPdf = (line: string): Uint8Array => {
  const names = ["12 /fi", "35 /backslash", "65 /A"];
  const encoding = names.map((name) => `dup ${name} put\n`).join("");
  const header = Buffer.from(`%!PS-AdobeFont-1.0: F\n/Encoding 256 array\n${encoding}readonly def\ncurrentfile eexec\n`);
  // Four bytes to be skipped, then «0 500 hsbw endchar».
  const glyph = encrypted(Uint8Array.of(0, 0, 0, 0, 139, 248, 136, 13, 14), 4_330);
  const glyphs = ["/.notdef", ...names.map((name) => name.split(" ")[1]!)].map((name) =>
    Buffer.concat([Buffer.from(`${name} ${glyph.length} RD `), glyph, Buffer.from(" ND\n")]),
  );
  const start = Buffer.from("0000dup /Private 1 dict dup begin\n2 index /CharStrings 4 dict dup begin\n");
  const program = Buffer.concat([header, encrypted(Buffer.concat([start, ...glyphs, Buffer.from("end\nend\n")]))]);
  return assemblePdf([
    "<< /Type /Catalog /Pages 2 0 R >>",
    "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
    "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R /Resources << /Font << /F 5 0 R >> >> >>",
    streamOf(Buffer.from(`BT /F 12 Tf 50 700 Td (${line}) Tj ET`), ""),
    `<< /Type /Font /Subtype /Type1 /BaseFont /F /FirstChar 0 /LastChar 127 /Widths [${"500 ".repeat(128)}] /FontDescriptor 6 0 R /ToUnicode 8 0 R >>`,
    "<< /Type /FontDescriptor /FontName /F /Flags 4 /FontBBox [0 0 500 500] /FontFile 7 0 R >>",
    streamOf(program, `/Length1 ${header.length} /Length2 ${program.length - header.length} /Length3 0`),
    streamOf(
      Buffer.from("begincmap 1 begincodespacerange <00> <ff> endcodespacerange 1 beginbfchar <41> <00dc> endbfchar endcmap"),
      "",
    ),
  ]);
};

/** A span whose glyphs stand for `text`. */
export const actualText = (text: string, glyphs: string): string =>
  `/Span << /ActualText <feff${hexOf(text)}> >> BDC ${glyphs} EMC`;

/** Four pages in two branches; in the place of the damaged one (1-4) is something else. */
export const damagedPagePdf = (damaged: number): Uint8Array => {
  const page = (parent: number, content: number) =>
    `<< /Type /Page /Parent ${parent} 0 R /MediaBox [0 0 612 792] /Contents ${content} 0 R /Resources << /Font << /F 5 0 R >> >> >>`;
  const content = (text: string) => streamOf(Buffer.from(`BT /F 12 Tf 50 700 Td (${text}) Tj ET`), "");
  return assemblePdf([
    "<< /Type /Catalog /Pages 2 0 R >>",
    "<< /Type /Pages /Kids [3 0 R 4 0 R] /Count 4 >>",
    "<< /Type /Pages /Parent 2 0 R /Kids [6 0 R 7 0 R] /Count 2 >>",
    "<< /Type /Pages /Parent 2 0 R /Kids [8 0 R 9 0 R] /Count 2 >>",
    "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    ...[page(3, 10), page(3, 11), page(4, 12), page(4, 13)].with(damaged - 1, "(damaged)"),
    ...["The first page.", "The second page.", "The third page.", "The fourth page."].map(content),
  ]);
};

/** A few kilobytes that inflate, twice, to `bytes` of text operators. */
export const bombPdf = (bytes: number): Uint8Array => {
  const operator = "(x)Tj ";
  const inner = deflateSync(Buffer.alloc(bytes, `BT /F 9 Tf ${operator.repeat(1000)}ET `), { level: 9 });
  return withPages([streamOf(deflateSync(inner, { level: 9 }), "/Filter [/FlateDecode /FlateDecode]")]);
};

export const manyPagesPdf = (count: number): Uint8Array => {
  const kids = Array.from({ length: count }, (_, at) => `${4 + at} 0 R`).join(" ");
  const page = "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 9 9] >>";
  return assemblePdf([
    "<< /Type /Catalog /Pages 2 0 R >>",
    `<< /Type /Pages /Kids [${kids}] /Count ${count} >>`,
    "<< >>",
    ...Array.from({ length: count }, () => page),
  ]);
};
