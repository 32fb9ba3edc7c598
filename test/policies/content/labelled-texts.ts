/** The project's own labelled texts: test/fixtures/pii/labelled.txt, where `[[type:value]]` marks what is personal data. */
import { join } from "node:path";
import { PERSONAL_DATA_TYPES, type PersonalDataType } from "../../../src/policies/content/personal-data-type.ts";

type LabelledText = {
  id: string;
  tag: string;
  text: string;
  entities: { type: PersonalDataType; start: number; end: number }[];
  /** Spans that are neither right nor wrong. */
  ignore: { start: number; end: number }[];
};

const MARKS = new RegExp(`\\[\\[(${PERSONAL_DATA_TYPES.join("|")}):([^\\]]+)\\]\\]|\\{\\{([^}]+)\\}\\}`, "g");

function parseLine(line: string, index: number): LabelledText {
  const tab = line.indexOf("\t");
  const marked = line.slice(tab + 1).replaceAll("\\n", "\n");
  const labelled: LabelledText = { id: `own-${index}`, tag: line.slice(0, tab), text: "", entities: [], ignore: [] };
  let at = 0;
  for (const match of marked.matchAll(MARKS)) {
    labelled.text += marked.slice(at, match.index);
    const start = labelled.text.length;
    labelled.text += match[2] ?? match[3]!;
    if (match[2] !== undefined) labelled.entities.push({ type: match[1] as PersonalDataType, start, end: labelled.text.length });
    else labelled.ignore.push({ start, end: labelled.text.length });
    at = match.index + match[0].length;
  }
  labelled.text += marked.slice(at);
  return labelled;
}

export async function readLabelledTexts(): Promise<LabelledText[]> {
  const file = await Bun.file(join(import.meta.dir, "../../fixtures/pii/labelled.txt")).text();
  return file
    .split("\n")
    .filter((line) => line !== "" && !line.startsWith("#"))
    .map(parseLine);
}
