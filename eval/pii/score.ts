/** Precision and recall of found spans against labelled ones: a span counts where type, start and end are the labelled ones. */
import { PERSONAL_DATA_TYPES, type PersonalDataType } from "../../src/policies/content/personal-data-type.ts";
import { findPersonalData } from "../../src/policies/content/review-content.ts";

export type Case = {
  text: string;
  entities: { type: string; start: number; end: number }[];
  /** Ambiguous spans: what touches one is neither right nor wrong. */
  ignore: { start: number; end: number }[];
};

type Score = { hits: number; missed: number; wrong: number };
export type Scores = {
  byType: Map<PersonalDataType, Score>;
  micro: Score;
  texts: number;
  cleanTexts: number;
  /** Clean texts in which something was found. */
  flagged: number;
  mistakes: string[];
};

export const precision = ({ hits, wrong }: Score): number => (hits + wrong === 0 ? 1 : hits / (hits + wrong));
export const recall = ({ hits, missed }: Score): number => (hits + missed === 0 ? 1 : hits / (hits + missed));

const none = (): Score => ({ hits: 0, missed: 0, wrong: 0 });

export function scoreCases(cases: readonly Case[]): Scores {
  const byType = new Map(PERSONAL_DATA_TYPES.map((type): [PersonalDataType, Score] => [type, none()]));
  const scores: Scores = { byType, micro: none(), texts: cases.length, cleanTexts: 0, flagged: 0, mistakes: [] };
  for (const each of cases) scoreCase(each, scores);
  for (const score of byType.values()) for (const key of ["hits", "missed", "wrong"] as const) scores.micro[key] += score[key];
  return scores;
}

function scoreCase({ text, entities, ignore }: Case, scores: Scores): void {
  const found = findPersonalData(text).filter(({ start, end }) => !ignore.some((span) => span.start < end && start < span.end));
  const isSame = (a: Case["entities"][number], b: Case["entities"][number]) =>
    a.type === b.type && a.start === b.start && a.end === b.end;
  for (const entity of entities) {
    const hit = found.some((finding) => isSame(finding, entity));
    scores.byType.get(entity.type as PersonalDataType)![hit ? "hits" : "missed"]++;
    if (!hit) scores.mistakes.push(`missed ${entity.type} in ${JSON.stringify(text)}`);
  }
  for (const finding of found.filter((each) => !entities.some((entity) => isSame(each, entity)))) {
    scores.byType.get(finding.type)!.wrong++;
    scores.mistakes.push(`wrong ${finding.type} \`${finding.value}\` in ${JSON.stringify(text)}`);
  }
  if (entities.length > 0 || ignore.length > 0) return;
  scores.cleanTexts++;
  if (found.length > 0) scores.flagged++;
}
