/** The JSON Schema of `signalbox.yaml`, for editors; committed as signalbox.schema.json and served at /config.schema.json. */

import { SettingsFile } from "./settings-file.ts";

export const settingsSchema = (): Record<string, unknown> => {
  const { $id: _, ...schema } = JSON.parse(JSON.stringify(SettingsFile));
  return { $schema: "http://json-schema.org/draft-07/schema#", ...schema };
};
