/** The models section of `signalbox.yaml`, and what was added or switched off in the dashboard beside it. */

import { SettingError } from "../config/read-setting.ts";
import type { ModelSettings } from "../config/settings-file.ts";
import { parseIso } from "../lib/parse-iso.ts";

export const overridesFrom = (
  models: readonly ModelSettings[] = [],
  { switchedOff = [], added = [] }: { switchedOff?: readonly string[]; added?: readonly ModelSettings[] } = {},
): { overrides: ModelSettings[]; hidden: string[] } => ({
  hidden: [
    ...models.filter(({ enabled }) => enabled === false).map(({ id }) => id),
    ...switchedOff.filter((id) => !isSetInFile(models, id)),
  ],
  overrides: [...requireSound(models), ...added.filter(({ id }) => !models.some((model) => model.id === id))],
});

/** Throws for rules that the file's schema cannot express. */
const requireSound = (models: readonly ModelSettings[]): readonly ModelSettings[] => {
  const ids = new Set<string>();
  for (const { id, shutdown_date: shutdown } of models) {
    if (ids.has(id)) throw new SettingError(`models: "${id}" is given twice; put both in one.`);
    ids.add(id);
    if (shutdown && parseIso(shutdown) === undefined)
      throw new SettingError(`models: shutdown_date of "${id}" is "${shutdown}"; it may be a day of the calendar, or null.`);
  }
  return models;
};

/** Whether the file sets `enabled` for the model, so that the dashboard cannot change it. */
export const isSetInFile = (models: readonly ModelSettings[] = [], id: string): boolean =>
  models.some((model) => model.id === id && model.enabled !== undefined);
